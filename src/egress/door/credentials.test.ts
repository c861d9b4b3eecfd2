import { connect, type Socket } from 'node:net'
import tls from 'node:tls'
import { describe, expect, test } from 'vitest'
import { followRedirects } from '../http/redirects.ts'
import { benches } from '../testing/benches.ts'
import { issue } from '../testing/certificates.ts'
import { listen, ok } from '../testing/servers.ts'
import { headerNames, mergeCookies } from './credentials.ts'

const CREDENTIALS = { cookie: 'sid=canary-cookie-4711; lang=de', header: 'Authorization: Bearer canary-token-0815' }
const { closing, bench, serve } = benches()

describe('where they go', () => {
  test('to the own host and port, and nowhere else', async () => {
    const own = await serve(ok('own'))
    const other = await serve(ok('other'))
    const { egress } = bench({
      credentials: CREDENTIALS,
      target: { host: 'site.test', port: own.port },
      settings: { hosts: { 'site.test': ['127.0.0.1'], 'sub.site.test': ['127.0.0.1'] } },
    })
    await egress.http({ url: `http://SITE.test:${own.port}/` })
    await egress.http({ url: `http://site.test:${own.port}/`, authenticated: false })
    await egress.http({ url: `http://site.test:${other.port}/` })
    await egress.http({ url: `http://sub.site.test:${own.port}/` })
    await egress.http({ url: `http://127.0.0.1:${own.port}/` })
    const heads = [...own.heads, ...other.heads]
    expect(heads).toHaveLength(5)
    expect(heads.map((head) => /canary/.test(head))).toEqual([true, false, false, false, false])
    expect(heads[0]).toContain('Cookie: sid=canary-cookie-4711; lang=de\r\nAuthorization: Bearer canary-token-0815\r\n')
    // The probe for https opened and left a connection; with and without credentials never share one.
    expect(own.connections()).toBeGreaterThanOrEqual(3)
  })

  test('a session that a page has begun beside is hidden as the run’s own, and a setting is not', () => {
    const { run, egress } = bench({ credentials: CREDENTIALS })
    const session = 'eyJleHBpcmVzIjoxNzk1OTc4NTc4fQ--5f3a9c01d4e2b7a68c905f3a9c01d4e2b7a68c90'
    egress.hideCookies?.(`office=${session}; theme=dark`)
    const shown = run.redact.text(`Cookie: office=${session}; theme=dark`)
    expect(shown).not.toContain(session)
    expect(shown).toContain('theme=dark')
  })

  test('those of another identity go where it is named, on connections of their own, and are told to nobody', async () => {
    const own = await serve(ok('canary-other-2342'))
    const { run, egress, entries } = bench({ credentials: CREDENTIALS, target: { host: 'site.test', port: own.port } })
    const other = run.other('reader', { cookie: 'sid=canary-other-2342', header: null })
    const url = `http://site.test:${own.port}/`
    await egress.http({ url })
    await egress.http({ url, as: 'reader' })
    await egress.http({ url, authenticated: false })
    other.become({ cookie: 'sid=canary-renewed-4a8f13c9', header: null })
    run.become({ cookie: null, header: 'Authorization: Bearer canary-second' })
    run.become(CREDENTIALS)
    expect(egress.formerCredentialsFor?.(url)).toEqual([
      [['Authorization', 'Bearer canary-second']],
      [
        ['Cookie', CREDENTIALS.cookie],
        ['Authorization', 'Bearer canary-token-0815'],
      ],
    ])
    expect(egress.formerCredentialsFor?.('http://elsewhere.test/')).toEqual([])
    await egress.http({ url, as: 'reader' })
    const sent = own.heads.map((head) => /Cookie: (.*)\r\n/.exec(head)?.[1] ?? null)
    expect(sent).toEqual([
      'sid=canary-cookie-4711; lang=de',
      'sid=canary-other-2342',
      null,
      'sid=canary-renewed-4a8f13c9',
    ])
    expect(entries.filter(({ event }) => event === 'request').map(({ detail }) => detail)).toEqual([
      undefined,
      'as reader',
      undefined,
      'as reader',
    ])
    expect(run.redact.text('canary-other-2342 and canary-renewed-4a8f13c9')).not.toContain('canary')
    await expect(egress.http({ url, as: 'nobody else' })).rejects.toThrow('no identity')
  })

  test('a redirect to another host does not carry them', async () => {
    const other = await serve(ok('other'), '127.0.0.5')
    const own = await serve(
      `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.5:${other.port}/\r\nContent-Length: 0\r\n\r\n`,
    )
    const { egress } = bench({ credentials: CREDENTIALS, target: { host: 'site.test', port: own.port } })
    await followRedirects(egress, { url: `http://site.test:${own.port}/` })
    expect(own.heads[0]).toContain('canary')
    expect(other.heads[0]).toMatch(/^GET /)
    expect(other.heads[0]).not.toContain('canary')
  })

  test('never in clear where the host answers https', async () => {
    const { keyPem: key, pem: cert } = await issue('site.test')
    const { port, heads } = await httpAndHttps({ key, cert })
    const { egress, entries } = bench({ credentials: CREDENTIALS, target: { host: 'site.test', port } })
    // The first request of all, before anybody has seen https.
    await egress.http({ url: `http://site.test:${port}/first` })
    await egress.http({ url: `https://site.test:${port}/second` })
    await egress.http({ url: `http://site.test:${port}/third` })
    expect(heads.map((head) => [head.split(' ')[1], /canary/.test(head)])).toEqual([
      ['/first', false],
      ['/second', true],
      ['/third', false],
    ])
    expect(entries.filter(({ event }) => event === 'tls')).toHaveLength(1)
  })

  test('a caller’s own cookie of the same name wins, the others stay', async () => {
    const own = await serve(ok('own'))
    const { egress } = bench({ credentials: CREDENTIALS, target: { host: 'site.test', port: own.port } })
    await egress.http({ url: `http://site.test:${own.port}/`, headers: [['Cookie', "lang=fr'--"]] })
    expect(own.heads[0]).toContain("\r\nCookie: sid=canary-cookie-4711; lang=fr'--\r\n")
    expect(mergeCookies('a=1; b=2', 'b=3; c=4')).toBe('a=1; b=3; c=4')
    expect(mergeCookies('a', 'a=2')).toBe('a=2')
    expect(mergeCookies('a=1; b=2', ' b=3;c=4; ', 'own')).toBe('a=1; b=2; c=4')
  })
})

test('a module gets what was sent, people hear nothing of it: audit, and what it tells them', async () => {
  const echo = (head: string) => {
    const secret = 'canary-cookie-4711'
    const body = `${head}\n${Buffer.from(head).toString('base64')}\n${encodeURIComponent(head)}`
    return ok(body, `Set-Cookie: sid=${secret}; Path=/`, `X-Echo: ${Buffer.from(secret).toString('base64')}`)
  }
  const own = await serve(echo)
  const { egress, entries, run } = bench({ credentials: CREDENTIALS, target: { host: 'site.test', port: own.port } })
  const exchange = await egress.http({
    url: `http://site.test:${own.port}/?again=canary-token-0815`,
    method: 'POST',
    body: 'x=canary-cookie-4711',
  })
  const failed = await egress
    .http({ url: `http://site.test:${own.port}/canary-token-0815`, headers: [['X', 'a\nb']] })
    .catch((error) => error)
  await own.close()
  const refused = await egress.http({ url: `http://site.test:${own.port}/canary-token-0815` }).catch((error) => error)
  expect(exchange.headers).toContainEqual(['Set-Cookie', 'sid=canary-cookie-4711; Path=/'])
  expect(exchange.body.toString()).toContain('canary-cookie-4711')
  const told = run.redact.value([
    exchange.request,
    exchange.headers,
    exchange.body.toString(),
    failed.message,
    refused.message,
  ])
  const seen = JSON.stringify([told, entries])
  expect(seen).not.toMatch(/canary-(cookie|token)/)
  expect(seen).not.toContain(Buffer.from('canary-cookie-4711').toString('base64').slice(0, 20))
  expect(exchange.request.headers).toContainEqual(['Cookie', '[redacted]'])
  expect(told).toContainEqual(expect.arrayContaining([['Set-Cookie', 'sid=[redacted]; Path=/']]))
  expect(run.redact.active).toBe(true)
})

/** One port for both: the first byte of a TLS connection is 22. */
const httpAndHttps = async (options: tls.TlsOptions) => {
  const heads: string[] = []
  const answer = (socket: Socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      heads.push(chunk.toString('latin1'))
      socket.write(ok('ok', 'Connection: close'))
    })
  }
  const secure = tls.createServer(options, answer)
  secure.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => {
    secure.listen(0, '127.0.0.1', resolve)
  })
  const address = secure.address()
  const securePort = address !== null && typeof address === 'object' ? address.port : 0
  const front = await listen((socket) => {
    socket.once('data', (first) => {
      if (first[0] !== 22) {
        answer(socket)
        socket.emit('data', first)
        return
      }
      const inner = connect(securePort, '127.0.0.1')
      inner.on('error', () => undefined)
      inner.write(first)
      socket.pipe(inner).pipe(socket)
    })
  })
  closing.push(front.close, async () => {
    secure.close()
  })
  return { port: front.port, heads }
}

test.each<[string | null, readonly string[]]>([
  [null, []],
  ['', []],
  ['X-Account: 7', ['x-account']],
  ['authorization:Bearer a:b', ['authorization']],
])('the header %o is called %o', (header, names) => expect(headerNames({ header })).toEqual(names))
