import { expect, it } from 'vitest'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { learn } from './learn.ts'
import { learnAll } from './learn-all.ts'
import { otherwise } from './otherwise.ts'

const PAGE = 'https://shop.test/page'
const ACTION = 'https://shop.test/thing'

interface Answer {
  readonly status?: number
  readonly body?: string
  readonly headers?: readonly (readonly [string, string])[]
}

const exchange = (request: HttpRequest, { status = 200, body = '', headers = [] }: Answer): HttpExchange => ({
  request: { method: request.method ?? 'GET', url: request.url, headers: [], body: null },
  ...{ address: '192.0.2.1', port: 443, httpVersion: '1.1', status, statusText: '' },
  headers: [['Content-Type', 'text/html'], ...headers],
  ...{ body: Buffer.from(body), truncated: false, certificateError: null },
  timing: { connect: 0, firstByte: 0, total: 0 },
})

interface App {
  readonly page?: () => string
  /** GET of the form's own address. */
  readonly own?: () => Answer
  readonly post: (fields: URLSearchParams) => Answer
}

const FORM =
  '<title>Things</title><form method=post action=/thing><input name=word value=tent><input type=hidden name=token value=1></form>'

const tried = async (app: App, types: { readonly word?: string } = {}, careful = true, mark: string | null = null) => {
  const posts: string[] = []
  const { seen, sent } = await learn(
    caseRequest({
      ...{ method: 'POST', url: ACTION, encoding: 'urlencoded', seenOn: [PAGE] },
      fields: [
        { name: 'word', value: 'tent', type: types.word ?? 'text' },
        { name: 'token', value: '1', type: 'hidden' },
      ],
    }),
    {
      send: async (request) => {
        if (request.method === 'GET')
          return exchange(
            request,
            request.url === PAGE ? { body: (app.page ?? (() => FORM))() } : (app.own?.() ?? { status: 405 }),
          )
        posts.push(String(request.body))
        return exchange(request, app.post(new URLSearchParams(String(request.body))))
      },
      ...{ mayRead: () => true, cookies: () => new Set(['sid']), careful, mark: () => mark },
    },
  )
  expect(posts).toHaveLength(sent)
  return { seen, sent }
}

it('what did not succeed has stored nothing on a test system, where the next value may', async () => {
  for (const body of ['{"success": false}', '<p>The picture could not be fetched.'])
    expect(await tried({ post: () => ({ body }) }, {}, false)).toEqual({ seen: 'reads', sent: 2 })
})

const list: string[] = []
const twice: string[] = []
const log: string[] = []
let count = 0
let sentTimes = 0

it.each<readonly [string, App, string, number]>([
  ['a search', { post: (fields) => ({ body: `<p>No result for ${fields.get('word')}` }) }, 'reads', 2],
  [
    'a page with a counter of its own',
    { page: () => `<p>Visit<b>${++count}</b>${FORM}`, post: () => ({ body: '<p>No result' }) },
    'reads',
    2,
  ],
  [
    'a token that holds once',
    {
      page: () => FORM.replace('value=1>', `value=${++count}>`),
      post: (fields) =>
        fields.get('token') === String(count) ? { body: '<p>No result' } : { status: 403, body: '<p>Token' },
    },
    'reads',
    2,
  ],
  [
    'a clock and a measured time',
    { post: () => ({ body: `<p>At 12:00:0${++count % 10}: nothing in 0.${100 + count} seconds` }) },
    'reads',
    2,
  ],
  [
    'a search that goes on to an address',
    { post: (fields) => ({ status: 303, headers: [['Location', `/find?q=${fields.get('word')}`]] }) },
    'reads',
    2,
  ],
  ['an answer that says it did nothing', { post: () => ({ body: '{"success": false}' }) }, 'unclear', 1],
  ['one that sends a mail', { post: () => ({ body: '<p>If you are known, a mail is on its way.' }) }, 'unclear', 1],
  ['one that says it could not', { post: () => ({ body: '<p>The picture could not be fetched.' }) }, 'unclear', 1],
  ['one that refuses the value', { post: () => ({ body: '<p>Die Nummer ist ungültig.' }) }, 'unclear', 1],
  [
    'one that finds nothing on a page that warns of failures',
    { page: () => `<p>Orders that failed${FORM}`, post: () => ({ body: '<p>No order that failed is called tent' }) },
    'reads',
    2,
  ],
  ['known cookies', { post: () => ({ body: '<p>None', headers: [['Set-Cookie', 'sid=2']] }) }, 'reads', 2],
  [
    'a file that is handed out',
    { post: () => ({ body: '%PDF-1.7 The terms', headers: [['Content-Type', 'application/pdf']] }) },
    'reads',
    2,
  ],
  [
    'a file that is another each time',
    { post: () => ({ body: `%PDF ${++count}`, headers: [['Content-Type', 'application/octet-stream']] }) },
    'unclear',
    2,
  ],
  [
    'what it stores stands on its page',
    { page: () => `${FORM}<p>${list.length} things`, post: () => ({ body: `<p>${list.push('tent') && 'Here'}` }) },
    'writes',
    1,
  ],
  [
    'what it stores stands at its own address',
    { own: () => ({ body: `<p>${list.length} things` }), post: () => ({ body: `<p>${list.push('tent') && 'Here'}` }) },
    'writes',
    1,
  ],
  [
    'its page counts what was sent',
    {
      page: () => `${FORM}<p>Asked <b>${sentTimes}</b> times`,
      post: () => {
        sentTimes += 1
        return { body: '<p>None' }
      },
    },
    'writes',
    1,
  ],
  [
    'its page keeps a log of requests',
    {
      page: () => `${FORM}<table>${log.map((row) => `<tr><td>${row}`).join('')}</table>`,
      post: () => {
        log.push('12:00 POST')
        return { body: '<p>None' }
      },
    },
    'writes',
    1,
  ],
  [
    'it stores from the second time on',
    {
      page: () => `${FORM}<p>${twice.slice(1).length} things`,
      post: () => ({ body: `<p>${twice.push('tent') && 'Here'}` }),
    },
    'writes',
    2,
  ],
  ['it says that it has made something', { post: () => ({ status: 201, body: '<p>tent' }) }, 'writes', 1],
  ['a number of its own each time', { post: () => ({ body: `<p>Thing ${++count}` }) }, 'unclear', 2],
  ['it goes on elsewhere', { post: () => ({ status: 303, headers: [['Location', '/things']] }) }, 'unclear', 1],
  ['it thanks', { post: () => ({ body: '<p>Thank you, we have your words' }) }, 'unclear', 1],
  ['it says that it is done', { post: () => ({ body: '{"ok":true}' }) }, 'unclear', 1],
  ['it says nothing', { post: () => ({ body: '' }) }, 'unclear', 1],
  ['it begins a session', { post: () => ({ body: '<p>None', headers: [['Set-Cookie', 'cart=1']] }) }, 'unclear', 1],
  ['its own values are refused', { post: () => ({ status: 422, body: '<p>No' }) }, 'unclear', 1],
])('%s', async (_name, app, seen, sent) => {
  expect(await tried(app)).toEqual({ seen, sent })
})

it('a sign-in that is refused reads', async () => {
  expect(await tried({ post: () => ({ status: 401, body: '<p>No' }) }, { word: 'password' })).toMatchObject({
    seen: 'reads',
  })
})

it('so does one in JSON', async () => {
  const asked = {
    id: '1',
    method: 'POST',
    url: PAGE,
    encoding: 'json',
    body: '{"mail":"a@b.test","password":"x"}',
  } as const
  const { seen } = await learn(caseRequest({ ...asked, seenOn: [] }), {
    send: async (request) => exchange(request, { status: 401, body: '{"error":"no"}' }),
    ...{ mayRead: () => true, cookies: () => new Set(), careful: false },
  })
  expect(seen).toBe('reads')
})

it('no page to look at shows nothing, where care is taken', async () => {
  const app: App = { page: () => '', post: () => ({ body: '{"things":[{"name":"tent","id":7,"price":"12.50"}]}' }) }
  expect(await tried(app)).toMatchObject({ seen: 'unclear' })
  expect(await tried(app, {}, false)).toMatchObject({ seen: 'reads' })
})

it.each([
  ['on a test system the page that runs it is watched', false, 'https://shop.test/app.js', ['https://shop.test/']],
  ['in production nothing is', true, 'https://shop.test/app.js', []],
  ['nor where a page is known that has it', false, PAGE, []],
])('what a script alone is known to send: %s', async (_name, careful, seenOn, expected) => {
  const { watched, seen } = await learn(
    caseRequest({ method: 'POST', url: ACTION, encoding: 'urlencoded', seenOn: [seenOn] }),
    {
      send: async (request) => exchange(request, { status: request.method === 'GET' ? 404 : 415 }),
      ...{ mayRead: () => true, cookies: () => new Set(), careful },
    },
  )
  expect({ watched, seen }).toEqual({ watched: expected, seen: 'unclear' })
})

it('one request stands for all of its form', async () => {
  let posts = 0
  const templates = ['3', '4', '5'].map((value) =>
    caseRequest({
      ...{ id: value, method: 'POST', url: ACTION, encoding: 'urlencoded', seenOn: [PAGE] },
      fields: [{ name: 'id', value, type: 'hidden' }],
    }),
  )
  const send = async (request: HttpRequest) => {
    posts += request.method === 'POST' ? 1 : 0
    return exchange(request, { body: '<p>A tent' })
  }
  const parts = { send, mayRead: () => true, cookies: () => new Set<string>(), careful: true }
  const seen: (readonly [string, string, number])[] = []
  await learnAll(
    templates,
    parts,
    () => false,
    ({ id }, one) => seen.push([id, one.seen, one.sent]),
  )
  expect(seen).toEqual([
    ['3', 'reads', 2],
    ['4', 'reads', 0],
    ['5', 'reads', 0],
  ])
  expect(posts).toBe(2)
})

it.each([
  ['a search that shows how many are here', false, 'reads', 3],
  ['of a production system', true, 'unclear', 2],
] as const)('%s', async (_name, careful, seen, sent) => {
  let visitors = 0
  let asked = 0
  const learned = await learn(
    caseRequest({
      ...{ method: 'GET', url: `${ACTION}?word=tent`, encoding: 'none', seenOn: [PAGE] },
      fields: [],
    }),
    {
      send: async (request) => {
        if (request.url === PAGE) return exchange(request, { body: '<p>Find things' })
        asked += 1
        visitors += 7
        return exchange(request, { body: `<h1>One tent</h1><p>${visitors} people look at it</p>` })
      },
      ...{ mayRead: () => true, cookies: () => new Set(['sid']), careful },
    },
  )
  expect({ seen: learned.seen, sent: learned.sent, asked }).toEqual({ seen, sent, asked: sent })
})

const saying = (answer: (word: string, time: number) => unknown): App => {
  let time = 0
  return {
    post: (fields) => ({ body: JSON.stringify(answer(fields.get('word') ?? '', ++time)) }),
  }
}

it.each<readonly [string, App, string, number]>([
  ['what it knows', saying((word) => ({ ok: word === 'tent', text: word === 'tent' ? 'It fits' : 'No' })), 'reads', 4],
  ['what it has found', saying((word) => ({ ok: true, found: word === 'tent' ? 'a tent, red' : '' })), 'reads', 4],
  ['any value', saying(() => ({ ok: true, text: 'Here' })), 'unclear', 3],
  ['any value, and repeats it', saying((word) => ({ ok: true, text: `Hello ${word}` })), 'unclear', 3],
  ['nothing but that', saying((word) => (word === 'tent' ? { ok: true } : { ok: false })), 'unclear', 1],
  ['whether it is free', saying((word) => ({ available: word === 'tent' })), 'reads', 4],
  ['whether it is known, always', saying(() => ({ is_known: true })), 'unclear', 3],
  ['what was done to it', saying((word) => ({ redeemed: word === 'tent' })), 'unclear', 1],
  ['that it is used now', saying((word) => ({ used: word === 'tent' })), 'unclear', 1],
  ['what it did', saying((word) => ({ ok: true, text: word === 'tent' ? 'Saved' : 'Unknown' })), 'unclear', 1],
  [
    'the same value once',
    saying((_word, time) => ({ ok: time === 1, text: time === 1 ? 'Yes' : 'Taken' })),
    'unclear',
    2,
  ],
  [
    'its own value once more, then not',
    saying((word, time) => ({ ok: true, text: word === 'tent' ? `Here${time > 3 ? 'by' : ''}` : 'No' })),
    'unclear',
    4,
  ],
])('a short answer that says "ok" to %s', async (_name, app, seen, sent) => {
  expect(await tried(app, {}, false, 'sonde1234ab')).toEqual({ seen, sent })
})

it('what shows of the other value on its page was stored', async () => {
  const kept: string[] = []
  const app: App = {
    page: () => `${FORM}<ul>${[...new Set(kept)].map((word) => `<li>${word}`).join('')}</ul>`,
    post: (fields) => {
      const word = fields.get('word') ?? ''
      if (word !== 'tent') kept.push(word)
      return { body: JSON.stringify({ ok: true, text: word === 'tent' ? 'Here' : 'New' }) }
    },
  }
  expect(await tried(app, {}, false, 'sonde1234ab')).toEqual({ seen: 'writes', sent: 4 })
})

it('values of a body of JSON are others, too; in production none is sent', async () => {
  const bodies: unknown[] = []
  const learning = (careful: boolean) =>
    learn(
      caseRequest({
        ...{ id: '1', method: 'POST', url: ACTION, encoding: 'json', seenOn: [PAGE] },
        ...{ body: '{"code":"tent","size":3}', fields: [] },
      }),
      {
        send: async (request) => {
          if (request.method === 'GET') return exchange(request, { body: FORM })
          bodies.push(JSON.parse(String(request.body)))
          const fits = String(request.body).includes('tent')
          return exchange(request, { body: JSON.stringify({ ok: fits, text: fits ? 'It fits' : 'No' }) })
        },
        ...{ mayRead: () => true, cookies: () => new Set<string>(), careful, mark: () => 'sonde1234ab' },
      },
    )
  expect((await learning(false)).seen).toBe('reads')
  expect(bodies[2]).toEqual({ code: 'sonde1234ab', size: 3 })
  bodies.length = 0
  expect((await learning(true)).seen).toBe('unclear')
  expect(bodies).toHaveLength(1)
})

it.each([
  ['numbers alone', 'json', '{"id":41,"old":"42"}', [], '{"id":-4198765,"old":"-4298765"}'],
  ['a number that a person fills', 'urlencoded', null, [{ name: 'id', value: '41', type: 'text' }], '-4198765'],
] as const)('another value than %s', (_name, encoding, body, fields, expected) => {
  const other = otherwise(
    caseRequest({ method: 'POST', url: ACTION, encoding, body, fields: [...fields] }),
    'sonde1234ab',
  )
  expect(other?.template.body ?? other?.template.fields[0]?.value).toBe(expected)
})

it('where a person fills nothing there is none', () => {
  const fields = [{ name: 'id', value: '41', type: 'hidden' }]
  expect(otherwise(caseRequest({ method: 'POST', url: ACTION, encoding: 'urlencoded', fields }), 'x')).toBeNull()
})

it.each(['PUT', 'PATCH', 'DELETE'])('%s is never taken to read, though it answers the same again', async (method) => {
  let sent = 0
  const { seen } = await learn(
    caseRequest({ id: '1', method, url: ACTION, encoding: 'json', body: '{"count":2,"of":"tent"}', seenOn: [] }),
    {
      send: async (request) => {
        sent += request.method === method ? 1 : 0
        return exchange(request, {
          body: `{"status":"success","data":{"id":2,"of":${JSON.stringify('tent '.repeat(60))}}}`,
        })
      },
      ...{ mayRead: () => true, cookies: () => new Set<string>(), careful: false, mark: () => 'sonde1234ab' },
    },
  )
  expect([seen, sent]).toEqual(['unclear', 1])
})

it('what a description names is watched where it may show, and not in the description', async () => {
  const read: string[] = []
  await learn(
    caseRequest({ method: 'POST', url: ACTION, source: 'openapi', seenOn: ['https://shop.test/openapi.json'] }),
    {
      send: async (request) => {
        if (request.method === 'GET') read.push(request.url)
        return exchange(request, { status: request.method === 'GET' ? 405 : 201, body: '{"id":1}' })
      },
      ...{ mayRead: () => true, cookies: () => new Set(['sid']), careful: false, mark: () => null },
    },
  )
  expect(new Set(read)).toEqual(new Set([ACTION]))
})
