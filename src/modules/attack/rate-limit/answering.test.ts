/** Of an interface that is for who is signed in, what answers a stranger is asked for a limit. */
import type { RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collectRateLimit } from './collect.ts'

let close: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const one of close.reverse()) await one()
  close = []
})

const PATHS = ['/api/activity', '/api/orders', '/api/search']

const measured = async (place: number, answer: RequestListener, secondsToEnd = Number.POSITIVE_INFINITY) => {
  const servers = await serveCase(place, { http: answer })
  const made = collectContext(servers.address, { requests: 200 })
  close = [servers.close, made.close]
  const requests = PATHS.map((path) => caseRequest({ id: path, url: `http://shop.test${path}`, sent: true }))
  const urls = requests.map(({ url }) => ({ url, status: 200, contentType: 'application/json' }))
  const crawl = caseCrawl({ requests, urls: urls as unknown as ReturnType<typeof caseCrawl>['urls'] })
  const ctx = { ...made.ctx, secondsToEnd: () => secondsToEnd }
  return (await collectRateLimit(ctx, crawl, { timeout: 2_000, quiet: [] })).endpoints
}

const site =
  (open: readonly string[]): RequestListener =>
  ({ url = '/' }, response) => {
    const isOpen = open.some((path) => url.startsWith(path))
    response.writeHead(isOpen ? 200 : 401, { 'Content-Type': 'application/json' }).end(isOpen ? '{"a":1}' : '{}')
  }

it('the first that answers nobody', async () => {
  const [endpoint] = await measured(138, site(['/api/search']))
  expect(endpoint).toMatchObject({ kind: 'interface', url: 'http://shop.test/api/search' })
  expect(new Set(endpoint?.answers.map(({ status }) => status))).toEqual(new Set([200]))
})

it('the first, where none of them does', async () => {
  const [endpoint] = await measured(139, site([]))
  expect(endpoint).toMatchObject({ url: 'http://shop.test/api/activity', aborted: 'the first attempt was refused' })
  // What is refused at once says nothing of limits, however often it is asked.
  expect(endpoint?.answers.map(({ status }) => status)).toEqual([401])
})

it('as far as the module has time, of which it keeps what it needs to end', async () => {
  const [endpoint] = await measured(155, site(['/api']), 13)
  expect(endpoint).toMatchObject({ aborted: 'its share of the time was used up' })
  expect(endpoint?.answers.length).toBeLessThan(30)
})

/** What is answered to a code that is wrong, and to an empty body. */
const ofCodes = async (place: number, wrong: string, empty: string) => {
  const servers = await serveCase(place, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.writeHead(401, { 'Content-Type': 'application/json' }).end(body === '{}' ? empty : wrong)
    },
  })
  const made = collectContext(servers.address, { requests: 200 })
  close = [servers.close, made.close]
  const request = caseRequest({
    ...{ id: 'code', method: 'POST', url: 'http://shop.test/2fa/verify', encoding: 'json', body: '{"code":"123456"}' },
    sent: true,
  })
  const [endpoint] = (
    await collectRateLimit(made.ctx, caseCrawl({ requests: [request] }), { timeout: 2_000, quiet: [] })
  ).endpoints
  return endpoint
}

it('a code is not looked at where nobody is answered the same whatever is sent', async () => {
  const one = await ofCodes(140, '{"error":"sign in first"}', '{"error":"sign in first"}')
  expect(one).toMatchObject({ kind: 'one-time-code', aborted: expect.stringContaining('whoever is not signed in') })
  expect(one?.answers).toHaveLength(1)
})

it('a wrong code may be answered with 401', async () => {
  const one = await ofCodes(141, '{"error":"wrong code"}', '{"error":"code is missing"}')
  expect(one).toMatchObject({ kind: 'one-time-code', aborted: null })
  expect(one?.answers).toHaveLength(30)
}, 120_000)

/** What is answered to an account that is not known, and to an address that is not there. */
const ofAccounts = async (place: number, unknown: string, nowhere: string) => {
  const servers = await serveCase(place, {
    http: ({ url }, response) => {
      response.writeHead(404, { 'Content-Type': 'application/json' }).end(url === '/login' ? unknown : nowhere)
    },
  })
  const made = collectContext(servers.address, { requests: 200 })
  close = [servers.close, made.close]
  const body = '{"name":"ada","password":"secret"}'
  const request = caseRequest({
    ...{ id: 'login', method: 'POST', url: 'http://shop.test/login', encoding: 'json', body, sent: true },
  })
  return collectRateLimit(made.ctx, caseCrawl({ requests: [request] }), { timeout: 2_000, quiet: [] })
}

it('an interface may answer 404 to an account that it does not know', async () => {
  const facts = await ofAccounts(142, '{"message":"there is no such name"}', '{"message":"route missing here"}')
  expect(facts.endpoints[0]).toMatchObject({ kind: 'login', saysUnknown: true, aborted: null })
  expect(facts.endpoints[0]?.answers).toHaveLength(30)
}, 120_000)

it('a router that knows no such address has looked at no account', async () => {
  const facts = await ofAccounts(143, '{"message":"not found"}', '{"message":"not found"}')
  expect(facts.endpoints[0]).not.toHaveProperty('saysUnknown')
}, 120_000)

/** What a place for codes of coupons answers, and an address that is not there. */
const ofCoupons = async (place: number, path: string, body: string | null, nowhere: string) => {
  const servers = await serveCase(place, {
    http: ({ url = '' }, response) => {
      const isThere = url === '/coupons/check' || url.startsWith('/cart/coupon/')
      response
        .writeHead(404, { 'Content-Type': 'application/json' })
        .end(isThere ? '{"error":"no such code"}' : nowhere)
    },
  })
  const made = collectContext(servers.address, { requests: 200 })
  close = [servers.close, made.close]
  const request = caseRequest({
    ...{ id: 'coupon', method: 'POST', url: `http://shop.test${path}`, encoding: 'json', body, sent: true },
    fields: body === null ? [] : [{ name: 'code', value: 'A1', type: 'text' }],
  })
  return (await collectRateLimit(made.ctx, caseCrawl({ requests: [request] }), { timeout: 2_000, quiet: [] })).endpoints
}

it.each([
  [144, 'of a body', '/coupons/check', '{"code":"A1"}'],
  [145, 'of a path', '/cart/coupon/A1', null],
])(
  '%d: a code %s that is not known may be answered with 404',
  async (place, _where, path, body) => {
    expect(await ofCoupons(place, path, body, 'Cannot POST this')).toMatchObject([
      { kind: 'coupon', saysUnknown: true },
    ])
  },
  120_000,
)

it('a router that knows no such address has looked at no code of a coupon', async () => {
  const [one] = await ofCoupons(146, '/coupon/check', '{"code":"A1"}', 'Cannot POST this')
  expect(one).toMatchObject({ kind: 'coupon' })
  expect(one).not.toHaveProperty('saysUnknown')
}, 120_000)
