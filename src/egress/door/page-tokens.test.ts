/** A single page asks for a token with its session, and says it in a header to the interface behind it. */
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { benches } from '../testing/benches.ts'
import { answering, ok } from '../testing/servers.ts'
import type { HttpExchange } from './egress.ts'
import { createPageTokens } from './page-tokens.ts'

const { bench, closing } = benches()

const refused = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}'
const TOKENS: Readonly<Record<string, string>> = {
  'sid=canary-of-ann-17': 'token-of-ann',
  'sid=canary-of-ben-23': 'token-of-ben',
}

/** `/token` gives whoever is signed in a token that `/api/` asks for; each of an older count is refused. */
const openSite = async () => {
  let count = 1
  const tokenOf = (owner: string): string => `${owner}-${'x'.repeat(16)}-${count}`
  const site = await answering((head) => {
    const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(head) ?? []
    const owner = TOKENS[/^cookie: (.*)$/im.exec(head)?.[1] ?? '']
    if (path === '/token')
      return owner ? ok(`{"token":"${tokenOf(owner)}"}`, 'Content-Type: application/json') : refused
    if (path === '/app.js') return ok('let token', 'Content-Type: text/javascript')
    const said = /^authorization: Bearer (\S+)$/im.exec(head)?.[1] ?? ''
    const [, who = ''] = /^(token-of-\w+)-/.exec(said) ?? []
    return who !== '' && said === tokenOf(who) ? ok(`${method} by ${who}`, 'Content-Type: text/plain') : refused
  })
  closing.push(site.close)
  return {
    site,
    port: site.port,
    renew: () => {
      count += 1
    },
    value: () => tokenOf('token-of-ann'),
  }
}

/** As a page's script asks, by the browser's way. */
const browse = (proxy: URL, url: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    const basic = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')
    const asked = request(
      {
        ...{ host: proxy.hostname, port: proxy.port, path: url },
        headers: { Host: 'x', 'Proxy-Authorization': `Basic ${basic}`, 'Sec-Fetch-Dest': 'empty', ...headers },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    asked.once('error', reject)
    asked.end()
  })

const openRun = async (authenticated = true) => {
  const opened = await openSite()
  const { port } = opened
  const made = bench({
    target: { host: 'site.test', port },
    credentials: { cookie: 'sid=canary-of-ann-17', header: null },
  })
  const at = `http://site.test:${port}`
  const proxy = new URL((await made.egress.browserProxy({ authenticated })).url)
  await browse(proxy, `${at}/token`)
  const headers = { Authorization: `Bearer ${opened.value()}` }
  const seen = await browse(proxy, `${at}/api/jobs`, headers)
  const ask = async (path: string, more: object = {}) => {
    const { status, body } = await made.egress.http({ url: `${at}${path}`, ...more })
    return status === 200 ? body.toString() : status
  }
  return { ...opened, ...made, at, ask, seen, browse: (path: string) => browse(proxy, `${at}${path}`) }
}

test('what is asked of the same part of the site carries it', async () => {
  const { ask, seen, site } = await openRun()
  expect(seen).toBe(200)
  expect(await ask('/api/jobs/7', { method: 'POST', body: '{}' })).toBe('POST by token-of-ann')
  expect(await ask('/other/jobs')).toBe(401)
  const before = site.heads.length
  expect(await ask('/api/jobs?sort=x')).toBe('GET by token-of-ann')
  // It is kept, and not asked for each time.
  expect(site.heads.length).toBe(before + 1)
})

test('another identity says its own', async () => {
  const { ask, run } = await openRun()
  run.other('ben', { cookie: 'sid=canary-of-ben-23', header: null })
  expect(await ask('/api/jobs', { as: 'ben' })).toBe('GET by token-of-ben')
  expect(await ask('/api/jobs')).toBe('GET by token-of-ann')
})

test('nobody says none, and neither does another site, or who brings a header of the name', async () => {
  const { ask, at } = await openRun()
  expect(await ask('/api/jobs', { authenticated: false })).toBe(401)
  expect(await ask('/api/jobs', { headers: [['Origin', 'https://else.example']] })).toBe(401)
  expect(await ask('/api/jobs', { headers: [['Referer', 'https://else.example/page']] })).toBe(401)
  expect(await ask('/api/jobs', { headers: [['Sec-Fetch-Site', 'cross-site']] })).toBe(401)
  expect(await ask('/api/jobs', { headers: [['Authorization', 'Bearer x']] })).toBe(401)
  expect(await ask('/api/jobs', { headers: [['Origin', at]] })).toBe('GET by token-of-ann')
})

test('a page that a browser opens says none by itself', async () => {
  const { browse: open } = await openRun()
  expect(await open('/api/jobs')).toBe(401)
})

test('one that a script asks for without it is asked without it', async () => {
  const { ask, browse: open } = await openRun()
  await open('/api/health')
  expect(await ask('/api/health')).toBe(401)
  expect(await ask('/api/jobs')).toBe('GET by token-of-ann')
})

test('of a browser that is signed in alone', async () => {
  const { ask } = await openRun(false)
  expect(await ask('/api/jobs')).toBe(401)
})

test('an old one that is refused is asked for anew, once', async () => {
  const { ask, renew, site } = await openRun()
  expect(await ask('/api/jobs')).toBe('GET by token-of-ann')
  renew()
  // It was new a moment ago: the refusal is what it says.
  expect(await ask('/api/jobs')).toBe(401)
  const now = Date.now
  try {
    Date.now = () => now() + 60_000
    const before = site.heads.length
    expect(await ask('/api/jobs')).toBe('GET by token-of-ann')
    expect(site.heads.slice(before).map((head) => head.split(' ')[1])).toEqual(['/api/jobs', '/token', '/api/jobs'])
  } finally {
    Date.now = now
  }
})

test('people are not told of it', async () => {
  const { ask, run, value, entries } = await openRun()
  await ask('/api/jobs')
  expect(run.redact.text(`said ${value()} here`)).not.toContain(value())
  expect(JSON.stringify(entries)).not.toContain(value())
})

test('whose asking for one fails has no part in what the others are given', async () => {
  const tokens = createPageTokens({
    ...{ isOwn: () => true, isCarried: () => false, hide: () => undefined, clock: () => 0 },
  })
  const exchange = (url: string, body: string) =>
    ({
      ...{ status: 200, truncated: false, body: Buffer.from(body), headers: [['Content-Type', 'application/json']] },
      request: { url },
    }) as unknown as HttpExchange
  const [token, at] = ['"token":"0123456789abcdef01"', 'https://site.test']
  tokens.saw({ url: `${at}/token` }, exchange(`${at}/token`, token))
  tokens.saw(
    { url: `${at}/api/a`, headers: [['Authorization', 'Bearer 0123456789abcdef01']] },
    exchange(`${at}/api/a`, '{}'),
  )
  const spent = Promise.withResolvers<never>()
  const [first, second] = [
    tokens.headerFor({ url: `${at}/api/b` }, () => spent.promise),
    tokens.headerFor({ url: `${at}/api/c` }, async () => exchange(`${at}/token`, token)),
  ]
  spent.reject(new Error('the budget of that module'))
  await expect(first).rejects.toThrow('the budget of that module')
  expect((await second)?.value).toBe('Bearer 0123456789abcdef01')
  const third = await tokens.headerFor({ url: `${at}/api/d` }, () => Promise.reject(new Error('asked again')))
  expect(third?.value).toBe('Bearer 0123456789abcdef01')
})

const exchangeOf = (body: string, headers: readonly (readonly [string, string])[] = []) =>
  ({
    ...{ status: 200, truncated: false, body: Buffer.from(body) },
    headers: [['Content-Type', 'application/json'], ...headers],
  }) as unknown as HttpExchange

test.each<{
  readonly name: string
  readonly path: string
  readonly body?: string
  readonly sets?: string
  readonly expected: readonly string[]
}>([
  { name: 'says nothing but the session', path: '/auth/session', expected: ['POST https://site.test/auth/session'] },
  { name: 'an empty object', path: '/auth/session', body: '{}', expected: ['POST https://site.test/auth/session {}'] },
  { name: 'a password', path: '/auth/login', body: '{"login":"ann","password":"x"}', expected: [] },
  { name: 'renews another', path: '/auth/refresh', expected: [] },
  { name: 'changes the session', path: '/auth/session', sets: 'sid=2', expected: [] },
])('given for a POST that is $name', async ({ path, body = '', sets, expected }) => {
  const tokens = createPageTokens({
    ...{ isOwn: () => true, isCarried: () => false, hide: () => undefined, clock: () => 0 },
  })
  const [token, at] = ['{"token":"0123456789abcdef01"}', 'https://site.test']
  const answer = exchangeOf(token, sets === undefined ? [] : [['Set-Cookie', sets]])
  tokens.saw({ method: 'POST', url: `${at}${path}`, body }, answer)
  tokens.saw({ url: `${at}/api/a`, headers: [['Authorization', 'Bearer 0123456789abcdef01']] }, exchangeOf('{}'))
  const asked: string[] = []
  const said = await tokens.headerFor({ url: `${at}/api/b` }, async (asking) => {
    asked.push(`${asking.method} ${asking.url} ${asking.body}`.trim())
    return exchangeOf(token)
  })
  expect(asked).toEqual(expected)
  expect(said?.value).toBe(expected.length > 0 ? 'Bearer 0123456789abcdef01' : undefined)
})
