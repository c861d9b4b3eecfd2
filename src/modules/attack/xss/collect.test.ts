/** The whole module against small sites of its own, with a real browser. */
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../../contract/run.ts'
import { unquotedCookie } from '../../../page/cookies/cookie-header.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { type Answer, COOKIE, FORM, known, scanned } from './testing/scanned.ts'

describe('a form', () => {
  it('whose token no other site knows is the visitor’s own request', async () => {
    const { found } = await scanned(
      (sent) => (sent.get('csrf_token') === '4711' ? `<p>${sent.get('q')}</p>` : '<p>Try again</p>'),
      known([FORM, { name: 'csrf_token', value: '4711', type: 'hidden' }]),
    )
    expect(found).toEqual(['xss/reflected-own-request confirmed'])
  })

  it('whose token is good for one answer is sent from its own page', async () => {
    let token = 4711
    const { found } = await scanned(
      (sent, { method }) => {
        const isRight = sent.get('csrf_token') === String(token)
        token += 1
        if (method === 'POST') return isRight ? `<p>${sent.get('q')}</p>` : '<p>Try again</p>'
        return `<form method=post><input name=q><input type=hidden name=csrf_token value=${token}></form>`
      },
      known([FORM, { name: 'csrf_token', value: '4711', type: 'hidden' }]),
    )
    expect(found).toEqual(['xss/reflected-own-request confirmed'])
  })

  it('in whose stead a link has the token is proven from the page with the link', async () => {
    let token = 4711
    const { requests, ...crawl } = known([])
    const url = 'http://shop.test/notes/find?q=tent&csrf_token=4711'
    const { found } = await scanned(
      (_, request) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test')
        const isRight = searchParams.get('csrf_token') === String(token)
        token += 1
        if (pathname !== '/notes/find') return `<a href="/notes/find?q=tent&csrf_token=${token}">Find</a>`
        return isRight ? `<p>${searchParams.get('q')}</p>` : '<p>Try again</p>'
      },
      {
        ...crawl,
        requests: requests.map((one) => ({ ...one, method: 'GET', url, shape: url, encoding: 'none' })),
        points: [{ id: 'a:query:q', request: 'a', place: 'query', name: 'q', example: 'tent' }],
      },
    )
    expect(found).toEqual(['xss/reflected-own-request confirmed'])
  })

  it('whose token nobody looks at is open to other sites', async () => {
    const { found } = await scanned(
      (sent) => `<p>${sent.get('q')}</p>`,
      known([FORM, { name: 'csrf_token', value: '4711', type: 'hidden' }]),
    )
    expect(found).toEqual(['xss/reflected confirmed'])
  })

  it('that stores for its account alone is told from one that stores for all', async () => {
    const notes: string[] = []
    const { found } = await scanned(
      (sent, { headers }) => {
        const note = sent.get('q')
        if (note !== null && headers.cookie?.includes(COOKIE)) notes.push(note)
        if (note !== null) return '<p>Saved</p>'
        return headers.cookie?.includes(COOKIE)
          ? `<p>Hello Robin, your notes:</p>${notes.join('<hr>')}`
          : '<p>Please sign in</p>'
      },
      known([FORM]),
      COOKIE,
    )
    expect(found).toEqual(['xss/stored-in-account confirmed'])
  })
})

it('takes an element of HTML in an answer of XML for none: browsers show an error in its place', async () => {
  const crawl = known([FORM])
  const { found, states } = await scanned(
    (sent) => `<?xml version="1.0"?><answer>${(sent.get('q') ?? '').replace(/["'\\]/g, '\\$&')} is not here</answer>`,
    { ...crawl, requests: crawl.requests.map((one) => ({ ...one, effect: 'reads' })) },
    ...([null, 'production', 'text/xml'] as const),
  )
  expect(found).toEqual([])
  expect(states['xss/reflected']).toMatch(/^pass/)
})

it('finds what a script draws of what was stored', async () => {
  let note = ''
  const crawl = known([FORM])
  const feed = { id: 'b', method: 'GET', encoding: 'none', fields: [], source: 'browser', sent: true } as const
  const asked = crawl.requests.map((one) => ({
    ...{ ...one, ...feed, url: 'http://shop.test/feed', shape: '' },
    seenOn: ['http://shop.test/app.js', ...one.seenOn],
  }))
  const { found } = await scanned(
    (sent, { url, method }) => {
      if (method === 'POST') note = sent.get('q') ?? ''
      if (url === '/feed') return JSON.stringify({ note })
      return "<p id=p></p><script>fetch('/feed').then((r) => r.json()).then((d) => { p.innerHTML = d.note })</script>"
    },
    { ...crawl, requests: [...crawl.requests, ...asked] },
  )
  expect(found).toEqual(['xss/stored confirmed'])
})

it('finds which field of a form that replaces what it kept shows elsewhere', async () => {
  let kept = { name: 'Robin', motto: 'Go' }
  const crawl = known([
    { name: 'name', value: 'Robin', type: 'text' },
    { name: 'motto', value: 'Go', type: 'text' },
  ])
  const points = ['name', 'motto'].map((name, at) => ({
    ...{ id: `a:form:${name}`, request: 'a', place: 'form' as const, name, example: at === 0 ? 'Robin' : 'Go' },
  }))
  const board = crawl.urls.map((one) => ({ ...one, url: 'http://shop.test/board' }))
  const { said } = await scanned(
    (sent, { url, method }) => {
      if (method === 'POST') kept = { name: sent.get('name') ?? '', motto: sent.get('motto') ?? '' }
      return url === '/board' ? `<p>${kept.name.replaceAll('<', '&lt;')}</p><p>${kept.motto}</p>` : '<p>Saved</p>'
    },
    { ...crawl, points, urls: [...crawl.urls, ...board] },
  )
  expect(said.map((one) => one.slice(0, 34))).toEqual(['A script sent once in motto ran in'])
})

it('finds what one field of such forms shows, on a page far from them that has another form, and another of them replaces', async () => {
  let kept = { name: 'Robin', motto: 'Go' }
  const crawl = known([
    { name: 'name', value: 'Robin', type: 'text' },
    { name: 'motto', value: 'Go', type: 'text' },
  ])
  const forms = ['a', 'b'].map((id) => ({ id, url: `http://shop.test/${id}`, shape: `http://shop.test/${id}` }))
  const board = crawl.urls.map((one) => ({ ...one, url: 'http://shop.test/board' }))
  const { at } = await scanned(
    (sent, { url, method }) => {
      if (method === 'POST') kept = { name: sent.get('name') ?? '', motto: sent.get('motto') ?? '' }
      return url === '/board' ? `<p>${kept.motto}</p>` : '<p>Saved</p>'
    },
    {
      ...crawl,
      urls: [...crawl.urls, ...board],
      requests: [
        ...forms.flatMap((form) => crawl.requests.map((one) => ({ ...one, ...form, seenOn: [form.url] }))),
        // A form of the board itself, which is not sent.
        ...crawl.requests.map((one) => ({
          ...one,
          id: 'c',
          url: 'http://shop.test/board',
          harm: 'it sets something up',
        })),
      ],
      points: forms.flatMap(({ id }) =>
        Object.entries(kept).map(([name, example]) => ({
          ...{ id: `${id}:form:${name}`, request: id, place: 'form' as const, name, example },
        })),
      ),
    },
  )
  expect(at.toSorted()).toEqual(forms.map(({ url }) => `xss/stored ${url} motto`))
})

it('finds which forms write what one page shows, though each replaces what the others kept', async () => {
  let kept = ''
  const crawl = known([FORM])
  const forms = ['a', 'b', 'c'].map((id) => ({ id, url: `http://shop.test/${id}`, shape: `http://shop.test/${id}` }))
  const { at } = await scanned(
    (sent, { url, method }) => {
      if (method === 'POST') kept = sent.get('q') ?? ''
      return url === '/notes' ? `<p>${kept}</p>` : '<p>Saved</p>'
    },
    {
      ...crawl,
      requests: forms.flatMap((form) => crawl.requests.map((one) => ({ ...one, ...form, seenOn: [form.url] }))),
      points: forms.flatMap(({ id }) => crawl.points.map((one) => ({ ...one, id: `${id}:form:q`, request: id }))),
    },
  )
  expect(at.toSorted()).toEqual(forms.map(({ url }) => `xss/stored ${url} q`))
})

it('looks for what was stored on every page of a site of a hundred', async () => {
  let note = ''
  const crawl = known([FORM])
  const pages = Array.from({ length: 100 }, (_, at) => `http://shop.test/page/${at}`)
  const { found } = await scanned(
    (sent, { url, method }) => {
      if (method === 'POST') note = sent.get('q') ?? ''
      return url === '/page/97' ? `<p>${note}</p>` : '<p>Saved</p>'
    },
    { ...crawl, urls: [...crawl.urls, ...pages.flatMap((url) => crawl.urls.map((one) => ({ ...one, url })))] },
  )
  expect(found).toEqual(['xss/stored confirmed'])
})

it('finds what only one of the pages draws that ask for it: where it is written', async () => {
  let note = ''
  const crawl = known([FORM])
  const feed = { id: 'b', method: 'GET', encoding: 'none', fields: [], source: 'browser', sent: true } as const
  const asked = crawl.requests.map((one) => ({
    ...{ ...one, ...feed, url: 'http://shop.test/feed', shape: '' },
    seenOn: ['http://shop.test/', ...one.seenOn],
  }))
  const { found } = await scanned(
    (sent, { url, method }) => {
      if (method === 'POST') note = sent.get('q') ?? ''
      if (url === '/feed') return JSON.stringify({ note })
      const draws = url === '/notes' ? 'p.innerHTML = d.note' : 'p.textContent = d.note'
      return `<p id=p></p><script>fetch('/feed').then((r) => r.json()).then((d) => { ${draws} })</script>`
    },
    {
      ...crawl,
      urls: [...crawl.urls, ...crawl.urls.map((one) => ({ ...one, url: 'http://shop.test/' }))],
      requests: [...crawl.requests, ...asked],
    },
  )
  expect(found).toEqual(['xss/stored confirmed'])
})

it('finds what a script draws, once somebody points there, of what an attribute holds well encoded', async () => {
  let note = ''
  const { found } = await scanned(
    (sent, { method }) => {
      if (method === 'POST') note = sent.get('q') ?? ''
      const held = note.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
      return `<p data-more="${held}">Note</p><p id=p></p><script>document.querySelector('[data-more]').onmouseenter = ({ target }) => { p.innerHTML = target.dataset.more }</script>`
    },
    known([FORM]),
  )
  expect(found).toEqual(['xss/stored confirmed'])
})

it('finds what a record shows on the page of its own, where the list of them encodes it', async () => {
  const notes: string[] = []
  const { found } = await scanned(
    (sent, { method, url = '' }) => {
      if (method === 'POST') notes.push(sent.get('q') ?? '')
      const id = new URL(url, 'http://shop.test').searchParams.get('id')
      if (id !== null) return `<title>Note</title><p>${notes[Number(id)]}`
      return notes.map((note, at) => `<li><a href="/notes?id=${at}">${note.replaceAll('<', '&lt;')}</a>`).join('')
    },
    known([FORM]),
  )
  expect(found).toEqual(['xss/stored confirmed'])
})

it('tells what a page keeps of a header from what it repeats of it, on test systems alone', async () => {
  const crawl = known([])
  const page = 'http://shop.test/visits'
  const asked = { method: 'GET', encoding: 'none', url: page, shape: page, sent: true, source: 'link' } as const
  const visits: CrawlFacts = {
    ...crawl,
    requests: crawl.requests.map((one) => ({ ...one, ...asked, effect: 'reads' as const })),
    points: [{ request: 'a', place: 'header', id: 'a:header:User-Agent', name: 'User-Agent', example: 'Mozilla/5.0' }],
  }
  const scan = (keeps: boolean, environment: Environment) => {
    const agents: string[] = []
    const answer: Answer = (_, { headers }) => {
      agents.push(headers['user-agent'] ?? '')
      return `<ul>${agents
        .slice(keeps ? -9 : -1)
        .map((agent) => `<li>${agent}`)
        .join('')}</ul>`
    }
    return scanned(answer, visits, null, environment)
  }
  expect((await scan(true, 'test')).found).toEqual(['xss/stored confirmed'])
  expect((await scan(false, 'test')).found).toEqual(['xss/reflected-own-request confirmed'])
  expect((await scan(true, 'production')).found).toEqual(['xss/reflected-own-request confirmed'])
})

it('finds what a link stores, by the one of its parameters that does, on test systems alone', async () => {
  const crawl = known([])
  const said = 'http://shop.test/say?by=me&q=tent'
  const asked = { method: 'GET', encoding: 'none', url: said, shape: said, sent: true, source: 'link' } as const
  const point = { request: 'a', place: 'query' } as const
  const link: CrawlFacts = {
    ...crawl,
    requests: crawl.requests.map((one) => ({ ...one, ...asked })),
    points: [
      { ...point, id: 'a:query:by', name: 'by', example: 'me' },
      { ...point, id: 'a:query:q', name: 'q', example: 'tent' },
    ],
  }
  const scan = (environment: Environment) => {
    const notes: string[] = []
    const answer: Answer = (_, { url = '' }) => {
      const { pathname, searchParams } = new URL(url, 'http://shop.test')
      if (pathname !== '/say') return notes.join('<hr>')
      notes.push(`${searchParams.get('q')}`)
      return '<p>Thank you'
    }
    return scanned(answer, link, null, environment)
  }
  const { found, said: details } = await scan('test')
  expect(found).toEqual(['xss/stored confirmed'])
  expect(details[0]).toMatch(/^A script sent once in q /)
  expect((await scan('production')).found).toEqual([])
})

describe('a session', () => {
  it('that ends while places are probed is told, and nothing is called clean', async () => {
    let asked = 0
    const { found, states } = await scanned(
      (sent, { headers }) => {
        asked += 1
        const alive = headers.cookie?.includes(COOKIE) && asked < 5
        return alive
          ? `<p>Hello Robin, here are your orders of this year</p>${sent.size}`
          : '<p>Please sign in first</p>'
      },
      known([FORM], { state: 'live', canary: 'http://shop.test/notes' }),
      COOKIE,
    )
    expect(found).toEqual([])
    // What caches keep is asked signed out.
    for (const [check, state] of Object.entries(states))
      if (check !== 'xss/blind' && check !== 'xss/cached-header')
        expect(state, check).toMatch(/^not_tested auth_lost: /)
  })
})

it.each([
  { server: 'as it came', read: (value: string) => value, show: (value: string) => `<p>Your theme: ${value}</p>` },
  { server: 'decoded', read: decodeURIComponent, show: (value: string) => `<p>Your theme: ${value}</p>` },
  { server: 'out of quotes', read: unquotedCookie, show: (value: string) => `<body class="${value}"><p>Welcome</p>` },
])('proves what a page shows of a cookie, $server, with the cookie that was sent', async ({ read, show }) => {
  const { requests, ...crawl } = known([])
  const { found } = await scanned(
    (_, { headers }) => show(read(/\btheme=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '')),
    {
      ...crawl,
      requests: requests.map((one) => ({ ...one, method: 'GET', encoding: 'none' })),
      points: ['theme', 'size'].map((name) => ({
        ...{ id: `a:cookie:${name}`, request: 'a', name },
        place: 'cookie',
        example: 'dark',
      })),
    },
    null,
    'test',
  )
  expect(found).toEqual(['xss/reflected-own-request confirmed'])
})

it('finds what the page takes from a host that a value names', async () => {
  const withoutScheme = (text: string): string => text.replaceAll(':', '')
  const drawn: Readonly<Record<string, (text: string) => string>> = {
    selector: (text) => `<style>\ndiv[${text}] { color: red }\n</style>`,
    lib: (text) => `<script src="${withoutScheme(text)}/app.js"></script>`,
    base: (text) => `<base href="${withoutScheme(text)}">`,
    picture: (text) => `<img src="${withoutScheme(text)}" alt="">`,
  }
  const names = Object.keys(drawn)
  const crawl = known(names.map((name) => ({ ...FORM, name })))
  const points = names.map((name) => ({ id: `a:form:${name}`, request: 'a', place: 'form', name, example: 'tent' }))
  const { at } = await scanned(
    (sent) =>
      names
        .filter((name) => sent.get(name) !== 'tent')
        .map((name) => drawn[name]?.((sent.get(name) ?? '').replace(/[<>"']/g, '')) ?? '')
        .join('\n'),
    { ...crawl, points: points as CrawlFacts['points'] },
  )
  expect(at.toSorted()).toEqual(
    [
      ['reflected', 'lib'],
      ['resource-injection', 'base'],
      ['style-injection', 'selector'],
    ].map(([check, name]) => `xss/${check} http://shop.test/notes ${name}`),
  )
})

it.each([
  ['as markup', (address: string) => address, ['xss/stored confirmed']],
  ['as text', (address: string) => address.replaceAll('<', '&lt;'), []],
])(
  'finds what an address that is called after saving keeps of a header, and another page shows %s',
  async (_how, shown, expected) => {
    let last = '192.0.2.9'
    const { requests, ...crawl } = known([FORM])
    const url = 'http://shop.test/rest/saveVisit'
    const saving = { method: 'GET', url, shape: url, encoding: 'none', fields: [], sent: true, bound: 40 } as const
    const names = ['Referer', 'X-Real-IP', 'True-Client-IP']
    const { found } = await scanned(
      (_, { url: path, headers }) => {
        if (path === '/rest/saveVisit') last = String(headers['true-client-ip'] ?? '192.0.2.9')
        return path === '/rest/saveVisit' ? '<p>Saved</p>' : `<p>Last seen from ${shown(last)}</p>`
      },
      {
        ...crawl,
        requests: requests.map((one) => ({ ...one, ...saving, seenOn: [] })),
        points: names.map((name) => ({ id: `a:header:${name}`, request: 'a', place: 'header', name, example: 'x' })),
      },
      null,
      'test',
    )
    expect(found).toEqual(expected)
  },
)
