import { describe, expect, it } from 'vitest'
import { SAYS } from '../../../egress/door/egress.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { sampleFor } from '../../sample-files.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { compose } from './compose.ts'
import { inventoryOf } from './inventory.ts'
import { packed, wayOf } from './packed.ts'
import { leavesOf, pointsOf } from './points.ts'
import { placeOf } from './records.ts'

const request = (path: string, change: Partial<RequestTemplate> = {}): RequestTemplate => {
  const url = `https://shop.test${path}`
  return caseRequest({ id: `${change.method ?? 'GET'} ${path}`, url, shape: url, ...change })
}
/** Place and name of what is found beside headers and cookies. */
const found = (requests: readonly RequestTemplate[]): readonly string[] =>
  pointsOf(requests, new Map())
    .filter(
      ({ place, name }) =>
        place !== 'header' || !['User-Agent', 'Referer', 'X-Forwarded-For', 'X-Forwarded-Host'].includes(name),
    )
    .map(({ place, name, guessed }) => `${guessed ? 'guessed ' : ''}${place} ${name}`)

const POSTED = { method: 'POST', encoding: 'urlencoded' } as const

describe('places of a request', () => {
  it('every leaf of JSON and every variable of GraphQL, but no code', () => {
    const body = JSON.stringify({
      query: 'query($id:ID){item(id:$id){name}}',
      variables: { id: '7' },
      operationName: 'x',
    })
    expect(leavesOf(body)).toEqual([['/variables/id', '7']])
  })

  it('values that a document of GraphQL holds itself', () => {
    const query = 'query Top($n: Int) { top(by: "price", n: $n, of: {shop: "x"}) { id } }'
    const one = request('/graphql', { method: 'POST', encoding: 'json', body: JSON.stringify({ query }) })
    const points = pointsOf([one], new Map()).filter(({ name }) => name === '/query')
    expect(points.map(({ place, example }) => [place, example])).toEqual([
      ['json', 'price'],
      ['json', 'x'],
    ])
    const [first] = points
    if (first?.within === undefined) throw new Error('no place')
    expect(packed(first.within, `a" or 'b`)).toBe(query.replace('"price"', String.raw`"a\" or 'b"`))
    expect(wayOf(first.within)).toBe('argument top.by')
  })

  it.each(['name', 'own-name'])('a name that no page knows, or that one has, of all of a large site: %s', (kind) => {
    const pages = Array.from({ length: 900 }, (_, at) => request(`/part-${at}/list?what=any`, { sent: true }))
    expect(pointsOf(pages, new Map()).filter(({ place }) => place === kind)).toHaveLength(pages.length)
  })

  it('one document of each folder, which a program may hand out by its name', () => {
    const paths = ['/papers/view/terms.txt', '/papers/view/imprint.txt', '/get/a%20b.pdf', '/style.css', '/list.php']
    const points = pointsOf(
      paths.map((path) => request(path)),
      new Map(),
    ).filter(({ place, guessed }) => place === 'path' && guessed)
    expect(points.map(({ name, example }) => `${name} ${example}`)).toEqual(['2 terms.txt', '1 a b.pdf'])
  })

  it('a search that is called query is a value', () => {
    expect(leavesOf('{"query":"tents","page":null}')).toEqual([
      ['/query', 'tents'],
      ['/page', ''],
    ])
  })

  it('headers that scripts send, but none that says how the message is sent', () => {
    const headers = [
      ['X-Tenant', 'a'],
      ['Content-Type', 'application/json'],
      ['SOAPAction', 'x'],
    ] as const
    expect(found([request('/api', { method: 'POST', headers, encoding: 'json', body: '{}' })])).toEqual([
      'header X-Tenant',
    ])
  })

  it('headers that a library talks to its own server by take nothing, but what a person answers', () => {
    const headers = [
      ...[['HX-Request', 'true'] as const, ['HX-Current-URL', 'https://shop.test/'] as const, ['RSC', '1'] as const],
      ...[['Next-Router-State-Tree', '[]'] as const, ['Next-Action', '40de'] as const, ['HX-Prompt', 'why'] as const],
    ]
    expect(found([request('/api', { method: 'POST', headers, encoding: 'json', body: '{}' })])).toEqual([
      'header HX-Prompt',
    ])
  })

  it('headers of each program before those of its other requests, and of pages that write a visit down', () => {
    const many = Array.from({ length: 300 }, (_, index) => request(`/a?page=${index}`))
    const log = request('/visits', { effect: 'writes' })
    const form = request('/save?name=x', { effect: 'writes' })
    const headers = pointsOf([...many, request('/b')], new Map()).filter(({ place }) => place === 'header')
    expect(headers.map(({ request: id }) => id)).toContain('GET /b')
    const logged = pointsOf([log, form], new Map()).filter(({ place }) => place === 'header')
    expect([...new Set(logged.map(({ request: id }) => id))]).toEqual(['GET /visits'])
  })

  it('every name of a visitor on pages that write visits down, or are called so', () => {
    const log = request('/visits', { effect: 'writes' })
    const called = request('/saveVisit', { bound: 40 })
    const page = request('/about')
    const points = pointsOf([log, called, page], new Map()).filter(({ place }) => place === 'header')
    const asked = points.filter(({ name }) => name === 'True-Client-IP').map(({ request: id }) => id)
    expect(asked).toEqual(['GET /visits', 'GET /saveVisit'])
    expect(new Set(points.map(({ id }) => id)).size).toBe(points.length)
  })

  it('where an attempt to sign in came from, which a form with two passwords is not', () => {
    const fields = (...types: readonly string[]) => types.map((type, at) => ({ name: `f${at}`, value: 'x', type }))
    const signIn = request('/login', { method: 'POST', encoding: 'urlencoded', fields: fields('text', 'password') })
    const change = request('/new', { method: 'POST', encoding: 'urlencoded', fields: fields('password', 'password') })
    const headers = pointsOf([signIn, change], new Map()).filter(({ place }) => place === 'header')
    expect(headers.map(({ request: id, name }) => `${id} ${name}`)).toEqual([
      'POST /login X-Forwarded-For',
      'POST /login User-Agent',
      'POST /login Referer',
      ...['X-Real-IP', 'True-Client-IP', 'Client-IP', 'X-Client-IP', 'CF-Connecting-IP'].map(
        (name) => `POST /login ${name}`,
      ),
    ])
  })

  it('a numbered page once, as a guess; a record among many as a value', () => {
    const page = request('/tools/part_3.php?sort=up')
    const form = request('/tools/part_3.php', { method: 'POST', encoding: 'urlencoded', sent: false })
    const record = request('/goods/part_7.php', { shape: 'https://shop.test/goods/part_{n}.php' })
    const inPaths = pointsOf([page, form, record], new Map()).filter(
      ({ place, example }) => place === 'path' && example !== '',
    )
    expect(inPaths.map(({ request: id, guessed, example }) => [id, example, guessed ?? false])).toEqual([
      ['GET /goods/part_7.php', '7', false],
      ['GET /tools/part_3.php?sort=up', '3', true],
    ])
  })

  it('a folder that a number tells apart, of many programs, at four of them; of few at each', () => {
    const placesOf = (count: number): readonly (string | undefined)[] => {
      const programs = Array.from({ length: count }, (_, at) =>
        request(`/stock-03/part${'abcdefghijklmnopqrst'[at]}?q=1`),
      )
      return pointsOf(programs, new Map()).flatMap(({ place, example }) =>
        place === 'path' && example === 'stock-03' ? example : [],
      )
    }
    expect([placesOf(20).length, placesOf(12).length]).toEqual([4, 12])
  })

  it('what is guessed, of two requests of a program', () => {
    const shape = (names: string): string => `https://shop.test/list?${names}`
    const asked = ['q=1', 'q=1&sort=up', 'q=1&page=2'].map((query) =>
      request(`/list?${query}`, { shape: shape(query.replace(/=\w+/g, '')) }),
    )
    const views = ['edit', 'show', 'log'].map((view) =>
      request(`/index?view=${view}`, { shape: `https://shop.test/index?view=${view}` }),
    )
    const points = pointsOf([...asked, ...views], new Map())
    const on = (kept: (typeof points)[number][]) => [...new Set(kept.map(({ request: id }) => id))]
    const two = asked.slice(0, 2).map(({ id }) => id)
    expect(on(points.filter(({ name }) => name === 'Referer')).toSorted()).toEqual(
      [...two, ...views.map(({ id }) => id)].toSorted(),
    )
    expect(on(points.filter(({ guessed, place }) => guessed && place === 'query'))).not.toContain(
      'GET /list?q=1&page=2',
    )
  })

  it('no name that another request of the same program was seen with', () => {
    const requests = ['/list', '/list?page=2', '/news?page=2&tag=a'].map((path) =>
      request(path, { shape: `https://shop.test${path.replace(/=\w+/g, '')}` }),
    )
    const guessed = pointsOf(requests, new Map()).filter((one) => one.guessed && one.place === 'query')
    expect(guessed.map(({ request: id, name }) => `${id} ${name}`)).toEqual(['GET /list tag', 'GET /list?page=2 tag'])
  })

  it('name and content of a file', () => {
    const fields = [{ name: 'doc', value: '', type: 'file' }]
    const upload = request('/up', { method: 'POST', encoding: 'multipart', fields })
    expect(found([upload])).toEqual(['file-name doc', 'file doc'])
    const [name, content] = inventoryOf(caseCrawl({ requests: [upload], points: pointsOf([upload], new Map()) }))
    expect(name && compose(name, 'a"b.txt')?.body).toContain(
      'name="doc"; filename="a%22b.txt"\r\nContent-Type: text/plain\r\n\r\nA note.\r\n',
    )
    expect(content && compose(content, 'x')?.body).toContain(
      'filename="note.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n',
    )
    expect(name && compose(name, 'a\r\nb')).toBeNull()
  })

  it('a file of the kind that its field takes', () => {
    const fields = [{ name: 'list', value: sampleFor('.csv', 'list'), type: 'file' }]
    const upload = request('/up', { method: 'POST', encoding: 'multipart', fields })
    const [name, content] = inventoryOf(caseCrawl({ requests: [upload], points: pointsOf([upload], new Map()) }))
    expect(name?.value).toBe('note.csv')
    expect(content?.request.body).toContain('filename="note.csv"\r\nContent-Type: text/csv\r\n\r\nname,amount\n')
  })

  it('words of a path that ends with a slash', () => {
    const goods = ['tents', 'packs', 'boots', 'a.txt'].map((word) => request(`/goods/${word}/`))
    const words = pointsOf([...goods, request('/')], new Map()).filter(({ place }) => place === 'path')
    expect(words.map(({ name, example }) => [name, example])).toEqual([
      ['1', 'tents'],
      ['1', 'packs'],
    ])
  })

  it('words of a path where several stand in its place, and as a guess where it is the only one', () => {
    const goods = ['tents', 'packs', 'boots'].map((word) => request(`/goods/${word}`))
    const all = [...goods, request('/about')]
    expect(found(all).filter((one) => one.startsWith('guessed path'))).toEqual(['guessed path 0'])
    expect(found(all).filter((one) => one.startsWith('path'))).toEqual(['path 1', 'path 1'])
  })

  it('also where they hold signs and spaces, but no names of documents', () => {
    const paths = ['3*12', '%2Ftwo%20people', 'c++'].map((word) => request(`/sums/${word}`))
    const words = pointsOf([...paths, request('/sums/a.txt')], new Map()).filter(
      ({ place, example, guessed }) => place === 'path' && example !== '' && !guessed,
    )
    expect(words.map(({ example }) => example)).toEqual(['3*12', '/two people'])
  })

  it('of each folder of a large site', () => {
    const folders = Array.from({ length: 20 }, (_, at) => `/part${String.fromCharCode(97 + at)}-x`)
    const all = folders.flatMap((folder) => ['tents', 'packs', 'boots'].map((word) => request(`${folder}/${word}`)))
    const words = pointsOf(all, new Map()).filter(({ place, guessed }) => place === 'path' && !guessed)
    expect(new Set(words.map(({ request: id }) => all.find((one) => one.id === id)?.url.split('/')[3])).size).toBe(20)
  })

  it('what stands behind the path of a program', () => {
    const points = pointsOf([request('/show.php?id=1')], new Map())
    const behind = inventoryOf(caseCrawl({ requests: [request('/show.php?id=1')], points })).find(
      ({ place }) => place === 'path',
    )
    expect(behind && compose(behind, '<a>')?.url).toBe('https://shop.test/show.php/%3Ca%3E?id=1')
  })

  it.each([
    ['of a query', request('/find?q=a'), 'url', 'https://shop.test/find?q=a&%3Cb%3E=1'],
    ['of a page without one', request('/find'), 'url', 'https://shop.test/find?%3Cb%3E=1'],
    [
      'of a form',
      request('/find', { method: 'POST', encoding: 'urlencoded', fields: [{ name: 'q', value: 'a', type: 'text' }] }),
      'body',
      'q=a&%3Cb%3E=1',
    ],
  ] as const)('the name of a parameter %s', (_name, template, part, expected) => {
    const points = pointsOf([template], new Map())
    const name = inventoryOf(caseCrawl({ requests: [template], points })).find(({ place }) => place === 'name')
    expect(name && compose(name, '<b>')?.[part]).toBe(expected)
  })

  it('names that other requests have, without tokens, on pages that were not seen with them', () => {
    const requests = [request('/find?q=a&csrf_token=1'), request('/list?q=b&sort=up'), request('/about')]
    expect(found(requests).filter((one) => one.startsWith('guessed'))).toEqual([
      'guessed query sort',
      'guessed query q',
      'guessed query sort',
    ])
  })

  it('first those that the form of the page itself posts, where one program answers for all', () => {
    const part = (page: string, fields: readonly string[] | null) =>
      request(`/index?page=${page}`, {
        ...{ shape: `https://shop.test/index?page=${page}`, ...(fields === null ? {} : POSTED) },
        fields: (fields ?? []).map((name) => ({ name, value: 'a', type: 'hidden' })),
      })
    const many = Array.from({ length: 20 }, (_, at) => `field${at}`)
    const all = [part('account', many), part('sign', ['back', 'who']), part('account', null), part('sign', null)]
    const names = pointsOf(all, new Map())
      .filter(({ guessed, place, request: id }) => guessed && place === 'query' && id === 'GET /index?page=sign')
      .map(({ name }) => name)
    expect(names.slice(0, 3)).toEqual(['back', 'who', 'field0'])
  })

  it('headers on every shape of request that reads, those that post included', () => {
    const many = Array.from({ length: 20 }, (_, index) => request(`/p${index}.html`))
    const posted = request('/find', { method: 'POST', encoding: 'urlencoded', effect: 'reads' })
    const points = pointsOf([...many, posted, request('/save', { method: 'POST', effect: 'writes' })], new Map())
    const referers = points.filter(({ name }) => name === 'Referer').map(({ request: id }) => id)
    expect(referers).toHaveLength(21)
    expect(referers).toContain('POST /find')
  })
})

it('the parameter that chooses the program is a part of the place, others are not', () => {
  const one = request('/index.php?page=about&q=a', { shape: 'https://shop.test/index.php?page=about&q' })
  const [page, q] = inventoryOf(caseCrawl({ requests: [one], points: pointsOf([one], new Map()) })).map(placeOf)
  expect(q).toMatchObject({ url: 'https://shop.test/index.php?page=about', name: 'q', route: 'page=about' })
  expect(page).toEqual({ url: 'https://shop.test/index.php', method: 'GET', place: 'query', name: 'page' })
  const plainOne = request('/a?q=1', { shape: 'https://shop.test/a?q' })
  const [plain] = inventoryOf(caseCrawl({ requests: [plainOne], points: pointsOf([plainOne], new Map()) }))
  expect(plain && placeOf(plain)).toMatchObject({ url: 'https://shop.test/a' })
})

it('a cookie that the request was seen with is one place, whoever sets it', () => {
  const seen = request('/hall', { effect: 'reads', headers: [['Cookie', 'theme=mine; other=1']] })
  const found = pointsOf([seen], new Map([['theme', 'dark']])).filter(({ name }) => name === 'theme')
  expect(found.map(({ example }) => example)).toEqual(['mine'])
})

it('a cookie that a page sets for itself is asked there, however many pages do so', () => {
  const many = Array.from({ length: 700 }, (_, index) => request(`/part${index}`, { effect: 'reads' }))
  const cookies = (url: string) => [
    { name: `of${new URL(url).pathname.slice(1)}`, value: 'x' },
    { name: 'theme', value: 'dark' },
  ]
  const found = pointsOf(many, cookies).filter(({ place }) => place === 'cookie')
  expect(found.filter(({ name }) => name.startsWith('ofpart')).map(({ name }) => name)).toHaveLength(700)
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
})

it.each([
  ['an object of Python', '"gASVDgAAAAAAAABdlIwHYWxnZWJyYZRhLg=="', 'gASVDgAAAAAAAABdlIwHYWxnZWJyYZRhLg=='],
  ['JSON as Python writes it', String.raw`"{\"room\": \"A1\"\054 \"week\": \"3\"}"`, 'A1'],
  ['a quote in the middle', 'say"so"', 'say"so"'],
])('of a cookie in quotes, the quotes are no part of its value: %s', (_what, value, expected) => {
  const found = pointsOf([request('/hall', { effect: 'reads' })], () => [{ name: 'last', value }])
  expect(found.filter(({ place }) => place === 'cookie').map(({ example }) => example)).toContain(expected)
})

it('headers and cookies of a large site are asked of all its programs: of most before what is guessed, of the others behind it', () => {
  const many = Array.from({ length: 700 }, (_, index) => request(`/part${index}?id=1`, { effect: 'reads' }))
  const found = pointsOf([...many, request('/other?name=x', { effect: 'reads' })], new Map([['theme', 'dark']]))
  const referers = found.flatMap(({ place, name }, at) => (place === 'header' && name === 'Referer' ? [at] : []))
  const guesses = found.flatMap(({ guessed, place }, at) => (guessed && place === 'query' ? [at] : []))
  expect(referers).toHaveLength(701)
  expect(found.filter(({ name, place }) => place === 'cookie' && name === 'theme')).toHaveLength(701)
  expect(referers[599]).toBeLessThan(guesses[0] ?? 0)
  expect(referers[600]).toBeGreaterThan(guesses.at(-1) ?? 0)
})

it('of words that stand alone in their folders those come first that few folders have', () => {
  const runs = Array.from({ length: 150 }, (_, index) => request(`/part${index}/run`, { sent: true }))
  const lone = pointsOf([...runs, request('/shown/alice', { sent: true })], new Map()).filter(
    ({ place, guessed }) => place === 'path' && guessed,
  )
  expect(lone).toHaveLength(100)
  expect(lone[0]?.example).toBe('alice')
})

it('what opens a connection for messages has no place, what is said over it has', () => {
  const url = 'https://shop.test/socket.io/?EIO=4&transport=websocket'
  const opened = caseRequest({ id: 'opened', url, source: 'browser', sent: true })
  const said = caseRequest({ id: 'said', url, method: SAYS, encoding: 'json', body: '["say","hello"]', sent: true })
  const places = pointsOf([opened, said], new Map()).map(({ request, place, name }) => `${request} ${place} ${name}`)
  expect(places).toContain('said json /1')
  expect(places.filter((one) => one.startsWith('opened') || one.includes(' query '))).toEqual([])
})

describe('a form that holds the whole page', () => {
  const fields = [
    { name: '__VIEWSTATE', value: 'dDwtMTA4NzE7', type: 'hidden' },
    { name: 'ctl00$Main$word', value: 'tents', type: 'text' },
    { name: '__EVENTTARGET', value: 'ctl00$Main$rows', type: 'submit' },
  ]
  const posted = (argument: string, change: Partial<RequestTemplate> = {}) =>
    request('/list.aspx', {
      ...POSTED,
      fields: [...fields, { name: '__EVENTARGUMENT', value: argument, type: 'submit' }],
      ...change,
    })
  const ofForm = (one: RequestTemplate) =>
    pointsOf([one], new Map())
      .filter(({ place }) => place === 'form')
      .map(({ name, example, within }) => [name, example, ...(within?.steps ?? [])])

  it.each([
    ['', []],
    ['Page$2', []],
    ['Sort$name', [['__EVENTARGUMENT', 'name', 'argument']]],
    ['refresh', [['__EVENTARGUMENT', 'refresh']]],
  ])(
    'its state is no place, nor is which control was used; what for is one where it is more than a number: %s',
    (argument, places) => {
      expect(ofForm(posted(argument))).toEqual([['ctl00$Main$word', 'tents'], ...places])
    },
  )

  it('a state that is an object is one', () => {
    const state = { name: 'javax.faces.ViewState', value: 'rO0ABXNyABFqYXZhLnV0aWw', type: 'hidden' }
    expect(ofForm(posted('', { fields: [state] })).map(([name]) => name)).toEqual(['javax.faces.ViewState'])
  })

  it('what ends the session by it takes none of its fields', () => {
    expect(ofForm(posted('', { harm: ENDS_SESSION }))).toEqual([])
  })

  it('what is put behind a command stays behind it', () => {
    expect(packed({ steps: ['argument'], whole: 'Sort$name' }, "name'")).toBe("Sort$name'")
  })
})
