import type { IncomingMessage, RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { CHECKS } from './checks.ts'
import { collectRateLimit, type Patience } from './collect.ts'
import { MOST_OF_FORMS } from './endpoints.ts'
import { type Bypass, type Endpoint, type EndpointKind, type RateLimitFacts, SENT_OUT } from './facts.ts'
import { rateLimit } from './module.ts'
import { isOfForm } from './signals.ts'
import { answer, answers } from './testing/answers.ts'

describe('waits of a form', () => {
  it.each([
    ['a page that is fast', answers(5, { ms: 900 }), 40, true],
    ['a server that is slow as a whole', answers(5, { ms: 900 }), 700, false],
    ['an answer that was fast again', [...answers(4, { ms: 900 }), answer()], 20, false],
    ['a page that is not answered', answers(5, { ms: 900 }), null, false],
  ] as const)('%s', (_name, given, page, expected) => {
    expect(isOfForm(given, page)).toBe(expected)
  })
})

const endpoint = (kind: EndpointKind, change: Partial<Endpoint> = {}): Endpoint => ({
  kind,
  method: 'POST',
  url: `https://shop.test/${kind}`,
  answers: answers(30),
  signal: null,
  told: {},
  bypasses: [],
  aborted: null,
  planned: 30,
  ...change,
})
const facts = (endpoints: readonly Endpoint[], batch: RateLimitFacts['batch'] = null): RateLimitFacts => ({
  endpoints,
  batch,
})
const limited = {
  signal: { kind: 'status', after: 6, detail: 'status 429 after 6 requests' },
  answers: answers(6),
} as const
const lifted: Bypass = { by: 'X-Forwarded-For', accepted: 3, asked: 3, controlsRefused: 3, controls: 3 }
const [bypass, _credentials, login, code, reset, coupon, expensive, batch, seen] = CHECKS

for (const [check, kind] of [
  [login, 'login'],
  [code, 'one-time-code'],
  [reset, 'reset'],
  [coupon, 'coupon'],
] as const) {
  if (!check) throw new Error('a check is missing')
  judgeCases(check, [
    { name: 'thirty attempts, nothing', facts: facts([endpoint(kind)]), expect: [`rate-limit/${kind}`] },
    { name: 'limited', facts: facts([endpoint(kind, limited)]), expect: [] },
    {
      name: 'one is limited, the other is not',
      facts: facts([endpoint(kind, limited), endpoint(kind, { url: 'https://shop.test/second' })]),
      expect: [`rate-limit/${kind}`],
    },
    {
      name: 'one is limited, the other was not measured',
      facts: { ...facts([endpoint(kind, limited)]), left: [{ kind, reason: 'beyond the first 3' }] },
      ...{ expect: [], unjudged: 'inconclusive' },
    },
    {
      name: 'one is not limited, the other refused from the start',
      facts: facts([endpoint(kind, { answers: answers(30, { status: 403 }) }), endpoint(kind)]),
      ...{ expect: [`rate-limit/${kind}`], unjudged: 'inconclusive' },
    },
    {
      name: 'nothing in as many as others of the run have left',
      facts: facts([endpoint(kind, { answers: answers(20), aborted: SENT_OUT })]),
      expect: [`rate-limit/${kind}`],
    },
    {
      name: 'others of the run have left few',
      facts: facts([endpoint(kind, { answers: answers(19), aborted: SENT_OUT })]),
      ...{ expect: [], unjudged: 'inconclusive' },
    },
    { name: 'none there', facts: facts([]), expect: [], unjudged: 'not_applicable' },
    {
      name: 'one by which the run signs in, and no request of it',
      facts: {
        ...facts([]),
        left: [{ kind, reason: 'the run signs in by steps in a browser, and what they send is not known' }],
      },
      ...{ expect: [], unjudged: 'inconclusive' as const },
    },
    {
      name: 'ended early',
      facts: facts([endpoint(kind, { answers: answers(9), aborted: 'time' })]),
      expect: [],
      unjudged: 'inconclusive',
    },
    {
      name: 'refused from the start',
      facts: facts([endpoint(kind, { answers: answers(30, { status: 403 }) })]),
      expect: [],
      unjudged: 'inconclusive',
    },
    {
      name: 'an address that is not there',
      facts: facts([endpoint(kind, { answers: answers(30, { status: 404 }) })]),
      ...{ expect: [], unjudged: 'inconclusive' },
    },
    {
      name: 'an account or a code that it does not know',
      facts: facts([endpoint(kind, { answers: answers(30, { status: 404 }), saysUnknown: true })]),
      expect: [`rate-limit/${kind}`],
    },
    {
      name: 'broken',
      facts: facts([endpoint(kind, { answers: answers(3, { status: 500 }) })]),
      expect: [],
      unjudged: 'inconclusive',
    },
  ])
}
if (!bypass || !expensive || !batch || !seen) throw new Error('a check is missing')
judgeCases(bypass, [
  {
    name: 'let in with a header, refused without',
    facts: facts([endpoint('login', { ...limited, bypasses: [lifted] })]),
    expect: ['rate-limit/bypass'],
  },
  {
    name: 'the window was over',
    facts: facts([endpoint('login', { ...limited, bypasses: [{ ...lifted, controlsRefused: 2 }] })]),
    expect: [],
  },
  {
    name: 'once',
    facts: facts([endpoint('login', { ...limited, bypasses: [{ ...lifted, accepted: 1, asked: 2 }] })]),
    expect: [],
  },
])
judgeCases(expensive, [
  {
    name: 'slow and unlimited',
    facts: facts([endpoint('search', { answers: answers(60, { ms: 400 }), planned: 60 })]),
    expect: ['rate-limit/interface'],
  },
  { name: 'cheap', facts: facts([endpoint('search', { answers: answers(60), planned: 60 })]), expect: [] },
  ...[302, 401].map((status) => ({
    name: `for who is signed in alone, which ${status} says`,
    facts: facts([endpoint('interface', { answers: answers(60, { status }), planned: 60 })]),
    ...{ expect: [], unjudged: 'inconclusive' as const },
  })),
  { name: 'none there', facts: facts([endpoint('login')]), expect: [], unjudged: 'not_applicable' },
])
const batched = (change: Partial<NonNullable<RateLimitFacts['batch']>>) =>
  facts([], { url: 'https://shop.test/graphql', accepted: false, excerpt: '', ...change })
judgeCases(batch, [
  { name: 'ten at once', facts: batched({ accepted: true, excerpt: '[]' }), expect: ['rate-limit/graphql-batch'] },
  { name: 'one at a time', facts: batched({}), expect: [] },
  { name: 'refused to all', facts: batched({ refused: true }), expect: [], unjudged: 'inconclusive' },
  { name: 'no GraphQL', facts: facts([]), expect: [], unjudged: 'not_applicable' },
])
judgeCases(seen, [
  { name: 'by its answer', facts: facts([endpoint('login', limited)]), expect: ['rate-limit/limit-seen'] },
  {
    name: 'by its headers',
    facts: facts([endpoint('search', { told: { 'ratelimit-limit': '100', 'ratelimit-reset': '60' } })]),
    expect: ['rate-limit/limit-seen'],
  },
  { name: 'none', facts: facts([endpoint('login')]), expect: [] },
])

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

/** A login that takes five attempts of one client; `clientOf` says who that is. */
const loginServer = (
  clientOf: ((request: IncomingMessage) => string) | null,
  seenBodies: URLSearchParams[],
): RequestListener => {
  const counts = new Map<string, number>()
  return async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 's=1; Path=/' })
      response.end(
        '<form method=post action=/login><input name=user><input type=password name=pass><input type=hidden name=csrf value=fresh></form>',
      )
      return
    }
    seenBodies.push(await bodyOf(request))
    const client = clientOf?.(request) ?? ''
    const count = (counts.get(client) ?? 0) + 1
    counts.set(client, count)
    if (clientOf && count > 5)
      response.writeHead(429, { 'Content-Type': 'text/plain', 'RateLimit-Limit': '5' }).end('Too many attempts')
    else response.writeHead(401, { 'Content-Type': 'text/html' }).end('<p>Wrong password</p>')
  }
}

const measure = async (last: number, http: RequestListener, patience?: Patience): Promise<RateLimitFacts> => {
  const site = await serveCase(last, { http })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'rate-limit', requests: 300 })
  cleanups.push(close)
  const request = caseRequest({
    method: 'POST',
    url: 'http://shop.test/login',
    encoding: 'urlencoded',
    seenOn: ['http://shop.test/'],
    fields: [
      { name: 'user', type: 'text', value: 'test' },
      { name: 'pass', type: 'password', value: 'x' },
      { name: 'csrf', type: 'hidden', value: 'stale' },
    ],
    sent: false,
  })
  const crawl: CrawlFacts = caseCrawl({ requests: [request] })
  return collectRateLimit(ctx, crawl, patience)
}

it('all series that there may be fit into what the module may send', () => {
  // A token of its own for each, where it is good once.
  const ONCE = 32
  // Pages and tokens before, attempts, the page while they are slow, and what may lift a limit behind.
  const form = 5 + 30 + 5 + 1 + 3 * 6 + ONCE
  // Usual names and passwords, each with its page, before.
  const credentials = 2 * (2 + 8 + 2)
  const all = 4 * MOST_OF_FORMS * form + 2 * (5 + 60) + 1 + MOST_OF_FORMS * credentials
  expect(rateLimit.budget.requests).toBeGreaterThanOrEqual(all)
})

describe('against a server', () => {
  it('stops at the first sign; who claims other addresses stays refused', async () => {
    const bodies: URLSearchParams[] = []
    const { endpoints } = await measure(
      130,
      loginServer((request) => request.socket.remoteAddress ?? '', bodies),
    )
    expect(endpoints).toMatchObject([
      { kind: 'login', signal: { kind: 'status', after: 6 }, told: { 'ratelimit-limit': '5' } },
    ])
    expect(endpoints[0]?.bypasses).toMatchObject([{ accepted: 0, asked: 1 }])
    // One person who does not exist, other passwords each time, the token of the page as it is now.
    expect(new Set(bodies.map((body) => body.get('user'))).size).toBe(1)
    expect(bodies[0]?.get('user')).toMatch(/^sonde-[0-9a-f]{12}/)
    expect(new Set(bodies.map((body) => body.get('pass'))).size).toBe(bodies.length)
    expect(bodies.every((body) => body.get('csrf') === 'fresh')).toBe(true)
  })

  it('a limit by X-Forwarded-For is lifted by it', async () => {
    const clientOf = (request: IncomingMessage) =>
      String(request.headers['x-forwarded-for'] ?? request.socket.remoteAddress)
    const { endpoints } = await measure(131, loginServer(clientOf, []))
    expect(endpoints[0]?.bypasses[0]).toEqual(lifted)
    expect(endpoints[0]?.bypasses[1]).toMatchObject({ by: 'X-Real-IP', accepted: 0 })
  })

  it('without a limit: thirty attempts and no more', async () => {
    const bodies: URLSearchParams[] = []
    const { endpoints } = await measure(132, loginServer(null, bodies))
    expect(endpoints[0]?.signal?.kind).not.toBe('status')
    expect(bodies.length).toBeLessThanOrEqual(30)
    expect(endpoints[0]?.bypasses).toEqual([])
  })

  it('an address that answers the same to everybody reads no form', async () => {
    let asked = 0
    const { endpoints } = await measure(134, (_request, response) => {
      asked += 1
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<h1>Welcome</h1><i>${asked}</i>`)
    })
    expect(endpoints[0]?.aborted).toContain('without the form')
    expect(asked).toBeLessThan(6)
  })

  it('a login that shows itself again with a word is one', async () => {
    const form = '<form method=post><input name=user><input type=password name=pass></form>'
    let posted = 0
    const { endpoints } = await measure(135, ({ method }, response) => {
      if (method === 'POST') posted += 1
      response.writeHead(posted > 3 ? 429 : 200, { 'Content-Type': 'text/html' })
      response.end(`${form}${method === 'POST' ? 'Unknown user' : ''}`)
    })
    expect(endpoints[0]).toMatchObject({ aborted: null, signal: { kind: 'status', after: 4 } })
  })

  it('a server that becomes slow as a whole holds nobody back', async () => {
    let posts = 0
    const { endpoints } = await measure(108, async ({ method }, response) => {
      if (method === 'POST') posts += 1
      if (posts > 5) await sleep(600)
      response
        .writeHead(method === 'POST' ? 401 : 200, { 'Content-Type': 'text/html' })
        .end('<form method=post action=/login><input name=user><input type=password name=pass></form>')
    })
    expect(endpoints[0]).toMatchObject({ signal: null })
    expect(posts).toBe(30)
  }, 60_000)

  it('a login that lets each wrong password wait longer holds back, also where it held back before', async () => {
    const form = '<form method=post><input name=user><input type=password name=pass></form>'
    let posted = 0
    const patience = { timeout: 1_500, quiet: [50] }
    const site: RequestListener = async ({ method }, response) => {
      if (method === 'POST') {
        posted += 1
        // The first finds what an earlier part of the run has left.
        await sleep(posted === 1 ? 5_000 : 600 * 2 ** (posted - 2))
      }
      response.writeHead(method === 'POST' ? 401 : 200, { 'Content-Type': 'text/html' }).end(form)
    }
    const { endpoints } = await measure(136, site, patience)
    expect(endpoints[0]).toMatchObject({ aborted: null, signal: { kind: 'delay', after: 3 } })
    expect(posted).toBe(4)
  })

  it('a server that does not answer shows nothing', async () => {
    const site: RequestListener = ({ method }, response) => {
      if (method === 'GET') response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>x</p>')
    }
    const { endpoints } = await measure(137, site, { timeout: 300, quiet: [10] })
    expect(endpoints[0]).toMatchObject({ answers: [], signal: null, aborted: 'no answer within 300 ms' })
  })

  it('a server that begins to fail is left alone', async () => {
    let asked = 0
    const { endpoints } = await measure(133, (_request, response) => {
      asked += 1
      response.writeHead(asked > 5 ? 500 : 401, { 'Content-Type': 'text/html' }).end('x')
    })
    expect(endpoints[0]?.aborted).toContain('errors of its own')
    expect(asked).toBeLessThan(12)
  })
})
