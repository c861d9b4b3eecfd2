/** The look by which a login is tried out, against real servers through the real door. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { LoginAnswer } from '../contract/domain-login.ts'
import { createEgress } from '../egress/door/create-egress.ts'
import { judgeLooks, type Seen, testLogin } from './login-test.ts'

const SECRET = 'kanarie-vogel-im-keller'
let server: Server | null = null
afterEach(async () => {
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)))
  server = null
})

const look = async (listener: RequestListener, page = '/account', exclude: readonly string[] = []) => {
  const asked: string[] = []
  server = createServer((request, response) => {
    asked.push(`${request.url} ${signed(request)}`)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { signal } = new AbortController()
  const audited: unknown[] = []
  const run = createEgress({
    settings: {
      ...{ hosts: { 'shop.test': ['127.0.0.1'], 'evil.test': ['127.0.0.1'] }, allowNetworks: ['127.0.0.0/8'] },
      ...{ resolvers: [], requestsPerSecond: 1000, concurrency: 10 },
      ...{ contact: 'https://sonde.test', trafficKey: Buffer.alloc(32).toString('base64url') },
    },
    ...{ runId: '00000000-0000-4000-8000-000000000000', version: '0', target: { host: 'shop.test', port } },
    ...{ credentials: { cookie: `session=${SECRET}`, header: null }, exclude, signal },
    audit: (entry) => audited.push(entry),
  })
  try {
    const egress = run.forModule('login', { requests: 60, signal })
    const answer = await testLogin(egress, { domain: `shop.test:${port}`, page }, run.redact)
    expect(JSON.stringify([answer, audited])).not.toContain('kanarie')
    return { answer, asked }
  } finally {
    await run.close()
  }
}
const signed = ({ headers }: IncomingMessage): boolean => (headers.cookie ?? '').includes(SECRET)
const html = (body: string, title = 'Shop') => `<!doctype html><title>${title}</title><body>${body}`

describe('a page', () => {
  const cases: readonly (readonly [string, LoginAnswer['state'], RegExp, RequestListener])[] = [
    [
      'that leads strangers to a form',
      'works',
      /Without the login: 200 at .*\/login\. With it: 200 at .*\/account/,
      (request, response) => {
        if (request.url === '/login') response.setHeader('content-type', 'text/html').end(html('<input type=password>'))
        else if (signed(request)) response.setHeader('content-type', 'text/html').end(html('Orders'))
        else response.writeHead(302, { location: '/login' }).end()
      },
    ],
    [
      'that forbids strangers',
      'works',
      /Without the login: 403 .*With it: 200/,
      (request, response) => response.writeHead(signed(request) ? 200 : 403).end('x'),
    ],
    [
      'that says other words',
      'works',
      /4 words of the page differ.*“Hello”, “Ada”, “Log”, “out”/,
      (request, response) =>
        response.setHeader('content-type', 'text/html').end(html(signed(request) ? 'Hello Ada Log out' : '')),
    ],
    [
      'that is the same, but for a token in the markup',
      'no_difference',
      /same words/,
      (_, response) => response.setHeader('content-type', 'text/html').end(html(`<i data-t="${Math.random()}">Hi</i>`)),
    ],
    [
      'that differs from look to look anyway',
      'no_difference',
      /no more than it does from one look to the next/,
      (_, response) => response.setHeader('content-type', 'text/html').end(html(`Visitors: ${Math.random()}`)),
    ],
    [
      'that gives back what it got',
      'no_difference',
      /same words/,
      (request, response) =>
        response
          .setHeader('content-type', 'text/html')
          .end(html(`Hi <p>${request.headers.cookie ?? ''}`.replace('session=', ''))),
    ],
    [
      'that asks for a password with the login too',
      'no_difference',
      /same words/,
      (_, response) => response.setHeader('content-type', 'text/html').end(html('<input type=password>')),
    ],
    [
      'that refuses the login',
      'rejected',
      /answers 401 with the login, and 200 without/,
      (request, response) => response.writeHead(signed(request) ? 401 : 200).end('x'),
    ],
    [
      'that sends a stale session to the form, and strangers to the home page',
      'rejected',
      /asks for a password/,
      (request, response) =>
        response.setHeader('content-type', 'text/html').end(html(signed(request) ? '<input type="password">' : 'Home')),
    ],
    [
      'that is not there',
      'no_difference',
      /answers 404 with and without/,
      (_, response) => response.writeHead(404).end('x'),
    ],
    [
      'that fails with the login',
      'not_tested',
      /answers 500/,
      (request, response) => response.writeHead(signed(request) ? 500 : 200).end('x'),
    ],
    [
      'that is nested deeper than is read',
      'not_tested',
      /too many elements/,
      (_, response) => response.setHeader('content-type', 'text/html').end(html('<b>'.repeat(15_000))),
    ],
    [
      'of more elements than are read',
      'not_tested',
      /too many elements/,
      (_, response) => response.setHeader('content-type', 'text/html').end(html('<p>'.repeat(60_000))),
    ],
    [
      'that redirects without end',
      'not_tested',
      /redirect/,
      (_, response) => response.writeHead(302, { location: '/account' }).end(),
    ],
  ]
  test.each(cases)('%s: %s', async (_name, state, reason, listener) => {
    const { answer } = await look(listener)
    expect(answer).toMatchObject({ state, reason: expect.stringMatching(reason) })
  })

  test('is looked at without, with, and without the login', async () => {
    const { asked } = await look((_, response) => response.end('x'))
    expect(asked.filter((line) => line.startsWith('/account'))).toEqual([
      '/account false',
      '/account true',
      '/account false',
    ])
  })

  test('that leads elsewhere is not followed, and the login stays', async () => {
    const { answer, asked } = await look((_, response) =>
      response.writeHead(302, { location: 'http://evil.test/' }).end(),
    )
    expect(answer.state).toBe('no_difference')
    expect(asked).toHaveLength(3)
  })

  test('that is excluded is not asked for', async () => {
    const { answer, asked } = await look((_, response) => response.end('x'), '/account', ['/account'])
    expect([answer.state, asked]).toEqual(['not_tested', []])
  })
})

test('a site that does not answer is not tested, with the reason', async () => {
  const { answer } = await look((request) => request.socket.destroy())
  expect(answer).toMatchObject({ state: 'not_tested', with: null, without: null })
  expect(answer.reason).toContain('shop.test')
})

describe('judged from what was seen', () => {
  const seen = (change: Partial<Seen> = {}): Seen => ({
    ...{ url: 'https://shop.test/', status: 200, title: null, asks: false, words: new Set(['Hi']) },
    ...change,
  })
  test('a page that is not even the same to strangers says nothing', () => {
    expect(judgeLooks(seen(), seen(), seen({ status: 503 }), 'shop.test').state).toBe('not_tested')
  })
  test('a page on the www twin says why the login made no difference', () => {
    const there = seen({ url: 'https://www.shop.test/' })
    expect(judgeLooks(there, there, there, 'shop.test').reason).toContain('another host')
  })
})
