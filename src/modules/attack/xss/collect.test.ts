/** The whole module against small sites of its own, with a real browser. */
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { inventoryOf } from '../../../../testbed/web/inventory.ts'
import type { Environment } from '../../../contract/run.ts'
import { launchBrowser } from '../../../engine/browser/launch.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { collect } from './collect.ts'
import { xss } from './module.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const COOKIE = 'sid=robin'
const FORM = { name: 'q', value: 'tent', type: 'text' }
const known = (fields: readonly (typeof FORM)[], session: Partial<CrawlFacts['session']> = {}): CrawlFacts => {
  const empty = inventoryOf([], 'http://shop.test', 'careless')
  return {
    ...empty,
    session: { ...empty.session, ...session },
    urls: [
      { url: 'http://shop.test/notes', status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' },
    ],
    scripted: [],
    requests: [
      {
        id: 'a',
        method: 'POST',
        url: 'http://shop.test/notes',
        shape: 'http://shop.test/notes',
        encoding: 'urlencoded',
        fields,
        body: null,
        source: 'form',
        seenOn: ['http://shop.test/notes'],
        sent: false,
        harm: null,
      },
    ],
    points: [{ id: 'a:form:q', request: 'a', place: 'form', name: 'q', example: 'tent' }],
  }
}

type Answer = (sent: URLSearchParams, request: IncomingMessage) => string

let last = 150
const scanned = async (
  answer: Answer,
  crawl: CrawlFacts,
  cookie: string | null = null,
  environment: Environment = 'production',
  type = 'text/html',
) => {
  last += 1
  const server = await serveCase(last, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.writeHead(200, { 'Content-Type': type }).end(answer(new URLSearchParams(body), request))
    },
  })
  cleanups.push(server.close)
  const { ctx, close } = collectContext(server.address, { module: 'xss', requests: 1_000, launchBrowser, cookie })
  cleanups.push(close)
  const facts = await collect({ ...ctx, target: { ...ctx.target, environment } }, { crawl, waf: { blockPage: null } })
  const { findings, coverage } = judgeModule(xss as never, facts, { crawl } as never, caseContext())
  return {
    found: findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`),
    at: findings.map(({ check_id, places: [place] }) => `${check_id} ${place?.url} ${place?.parameter}`),
    said: findings.map(({ detail }) => detail),
    states: Object.fromEntries(coverage.map(({ check_id, state, reason }) => [check_id, `${state} ${reason ?? ''}`])),
  }
}

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
        expect(state, check).toMatch(/^not_tested session lost/)
  })
})

const SCRIPTS: Readonly<Record<string, string>> = {
  '/script-text': `<script id=s></script><script>s.innerText = new URLSearchParams(location.search).get('run')</script>`,
  '/by-hand': `<script>const at = location.hash.indexOf('tone='); if (at > 0) document.write(decodeURIComponent(location.hash.slice(at + 5)))</script>`,
  '/decoded': '<p id=p></p><script>p.innerHTML = atob(location.hash.slice(1))</script>',
  '/all-cookies': '<script>document.write(document.cookie)</script>',
  '/prototype': `<p id=p></p><script>const merge = (to, from) => { for (const key in from) typeof from[key] === 'object' ? merge(to[key] ??= {}, from[key]) : (to[key] = from[key]) }
    try { merge({}, JSON.parse(decodeURIComponent(location.hash.slice(1)))) } catch {}
    if ({}.banner) p.innerHTML = {}.banner</script>`,
  '/compiled': `<script>try { (async () => {}).constructor(decodeURIComponent(location.hash.slice(1)))() } catch {}</script>`,
  '/pressed': `<p id=p></p><button id=b>Show</button><script>b.addEventListener('click', (event) => { if (event.isTrusted) p.innerHTML = new URLSearchParams(location.search).get('tone') })</script>`,
  '/entered': `<p id=p></p><input id=i><script>i.onkeydown = (event) => { if (event.isTrusted && event.key === 'Enter') p.innerHTML = decodeURIComponent(location.hash.slice(1)) }</script>`,
  '/opened': `<details><summary>More</summary><my-box></my-box></details><script>customElements.define('my-box', class extends HTMLElement {
    connectedCallback() { const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<button>Draw</button>'
      root.firstChild.onclick = ({ isTrusted }) => { if (isTrusted) root.innerHTML = decodeURIComponent(location.hash.slice(1)) } } })</script>`,
  '/pressed-text': `<p id=p></p><button id=b>Show</button><script>b.onclick = () => { p.textContent = decodeURIComponent(location.hash.slice(1)) }</script>`,
  '/text': '<p id=p></p><script>p.textContent = atob(location.hash.slice(1)) + document.cookie</script>',
}

const scriptedOf = (paths: readonly string[]): CrawlFacts => {
  const pages = paths.map((path) => `http://shop.test${path}`)
  const row = { status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' } as const
  return {
    ...{ ...known([]), requests: [], points: [], browser: { ...known([]).browser, version: '150.0' } },
    urls: pages.map((url) => ({ ...row, url })),
    scripted: pages.map((url) => ({ url, code: url })),
  }
}

describe('what is pressed', () => {
  const pressed = async (body: string, environment: Environment = 'test') => {
    const asked: string[] = []
    const { found, states } = await scanned(
      (_sent, { method, url = '' }) => {
        asked.push(`${method} ${url.split('?')[0]}`)
        return url.startsWith('/desk') ? body : ''
      },
      scriptedOf(['/desk']),
      ...([null, environment] as const),
    )
    return { found, asked: [...new Set(asked)], dom: states['xss/dom'] ?? '' }
  }
  const sends = (label: string, code: string): string =>
    `<button id=b>${label}</button><script>b.onclick = () => { ${code} }</script>`

  it('reads, and writes nothing, on test systems neither', async () => {
    const { asked, dom } = await pressed(
      sends(
        'Go',
        "fetch('/rows'); fetch('/keep', { method: 'POST', body: 'a=1' }); navigator.sendBeacon('/seen', 'a=1')",
      ),
    )
    expect(asked.toSorted()).toEqual(['GET /desk', 'GET /rows'])
    expect(dom).toMatch(/^pass/)
  })

  it('sends no form, and leads to no page that the policy forbids', async () => {
    const form = '<form method=post action=/keep><input name=a required><button>Go</button></form>'
    const leads = sends('On', "location = '/account/delete?id=3'")
    expect((await pressed(`${form}${leads}`)).asked).toEqual(['GET /desk'])
  })

  it('says no deed, and where it would the page is not called clean', async () => {
    const { asked, dom } = await pressed(sends('Delete account', "fetch('/rows')"))
    expect(asked).toEqual(['GET /desk'])
    expect(dom).toBe('inconclusive of 1 pages: 1 with something that must not be pressed')
  })

  it('ends no session, which keeps nobody from a pass', async () => {
    const { asked, dom } = await pressed(sends('Sign out', "fetch('/bye')"))
    expect(asked).toEqual(['GET /desk'])
    expect(dom).toMatch(/^pass/)
  })

  it('sends nothing by a socket to a production system', async () => {
    const socket = "<script>new WebSocket('ws://' + location.host + '/talk')</script>"
    const { asked, dom } = await pressed(`${socket}${sends('Go', "fetch('/rows')")}`, 'production')
    expect(asked).toEqual(['GET /desk', 'GET /talk'])
    expect(dom).toMatch(/^inconclusive/)
  })
})

it('finds what scripts make of what they decode, merge or put into scripts, and of all cookies', async () => {
  const { at } = await scanned(
    (_sent, { url = '' }) => SCRIPTS[url.split('?')[0] ?? ''] ?? '',
    scriptedOf(Object.keys(SCRIPTS)),
  )
  expect(at.toSorted()).toEqual([
    'xss/dom http://shop.test/script-text run',
    'xss/dom-click http://shop.test/entered fragment',
    'xss/dom-click http://shop.test/opened fragment',
    'xss/dom-click http://shop.test/pressed tone',
    'xss/dom-storage http://shop.test/all-cookies cookie qx',
    'xss/fragment http://shop.test/by-hand fragment',
    'xss/fragment http://shop.test/compiled fragment',
    'xss/fragment http://shop.test/decoded fragment',
    'xss/fragment http://shop.test/prototype fragment',
  ])
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
