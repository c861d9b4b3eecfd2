import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createServer as createTlsServer, connect as secure, type TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import type { ProxiedRequest } from '../door/egress.ts'
import { benches } from '../testing/benches.ts'
import { issue } from '../testing/certificates.ts'
import { listen, ok } from '../testing/servers.ts'

const { closing, bench, serve } = benches()

const authorization = (proxy: URL) => `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')}`

const get = (
  proxy: URL,
  url: string,
  headers: Record<string, string> = { 'Proxy-Authorization': authorization(proxy) },
) =>
  new Promise<{ status: number; body: string; refused?: unknown; reason?: unknown }>((resolve, reject) => {
    const asked = request(
      { host: proxy.hostname, port: proxy.port, path: url, headers: { Host: 'x', ...headers } },
      (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () =>
          resolve({
            ...{ status: response.statusCode ?? 0, body },
            ...{ refused: response.headers['sonde-refused'], reason: response.headers['sonde-reason'] },
          }),
        )
      },
    )
    asked.once('error', reject)
    asked.end()
  })

const tunnel = (proxy: URL, authority: string, authorized = true) =>
  new Promise<{ status: number; socket: Socket }>((resolve, reject) => {
    const socket = connect(Number(proxy.port), proxy.hostname)
    socket.once('error', reject)
    socket.once('data', (chunk) => resolve({ status: Number(chunk.toString().split(' ')[1]), socket }))
    const head = authorized ? `Proxy-Authorization: ${authorization(proxy)}\r\n` : ''
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${head}\r\n`)
  })

test('only its owner can use it', async () => {
  const site = await serve(ok('page'))
  const { egress } = bench()
  const proxy = new URL((await egress.browserProxy()).url)
  const url = `http://site.test:${site.port}/`
  expect(await get(proxy, url, {})).toMatchObject({ status: 407 })
  expect(await get(proxy, url, { 'Proxy-Authorization': 'Basic c29uZGU6eA==' })).toMatchObject({ status: 407 })
  expect((await tunnel(proxy, `site.test:${site.port}`, false)).status).toBe(407)
  expect(site.heads).toHaveLength(0)
  expect(await get(proxy, url)).toMatchObject({ status: 200, body: 'page' })
})

test('a program of one large file comes whole', async () => {
  const code = `/*${'x'.repeat(6 * 1024 * 1024)}*/ run()`
  const site = await serve(ok(code))
  const { egress } = bench()
  const proxy = new URL((await egress.browserProxy()).url)
  const { body } = await get(proxy, `http://site.test:${site.port}/app.js`)
  expect([body.length, body.slice(-5)]).toEqual([code.length, 'run()'])
})

describe('a door that is watched', () => {
  test('tells of answers and of refusals, with what the browser sent', async () => {
    const site = await serve(ok('own'))
    const { egress } = bench()
    const seen: ProxiedRequest[] = []
    const { url } = await egress.browserProxy({ watch: (one) => seen.push(one) })
    const proxy = new URL(url)
    await get(proxy, `http://site.test:${site.port}/a`, { 'Proxy-Authorization': authorization(proxy), Cookie: 'x=1' })
    await get(proxy, 'http://169.254.169.254/')
    await tunnel(proxy, 'nowhere.test:443')
    expect(seen.map(({ method, url: to, status }) => [method, to, status])).toEqual([
      ['GET', `http://site.test:${site.port}/a`, 200],
      ['GET', 'http://169.254.169.254/', null],
      ['CONNECT', 'https://nowhere.test/', null],
    ])
    expect(seen[0]?.headers).toContainEqual(['Cookie', 'x=1'])
    expect(seen[0]?.bytes).toBe(3)
    expect(seen[1]?.error).toMatch(/^refused_by_guard/)
    expect(seen[2]?.error).toMatch(/^unresolvable/)
  })

  test('writes a prefix where it is asked to, and before answers of 200 alone', async () => {
    const site = await serve((head) => (head.startsWith('GET /gone') ? MISSING : ok('work()')))
    const { egress } = bench()
    const asked: string[] = []
    const prefixOf = ({ url: to, destination }: { readonly url: string; readonly destination: string }) => {
      asked.push(destination)
      return to.endsWith('/plain.js') ? '' : 'record();'
    }
    const proxy = new URL((await egress.browserProxy({ prefixOf })).url)
    const headers = { 'Proxy-Authorization': authorization(proxy), 'Sec-Fetch-Dest': 'worker' }
    expect((await get(proxy, `http://site.test:${site.port}/worker.js`, headers)).body).toBe('record();work()')
    expect((await get(proxy, `http://site.test:${site.port}/plain.js`)).body).toBe('work()')
    expect((await get(proxy, `http://site.test:${site.port}/gone.js`)).body).toBe('')
    expect(asked.slice(0, 2)).toEqual(['worker', ''])
  })
})

test('a script is asked for once by all browsers of a run, unless every request is to be told', async () => {
  const script = 'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 6\r\n\r\nwork()'
  const site = await serve(() => script)
  const { egress } = bench()
  const twice = async (proxy: URL) => {
    const headers = { 'Proxy-Authorization': authorization(proxy), 'Sec-Fetch-Dest': 'script' }
    const first = await get(proxy, `http://site.test:${site.port}/a.js`, headers)
    expect(await get(proxy, `http://site.test:${site.port}/a.js`, headers)).toEqual(first)
    expect(first.body).toBe('work()')
    return site.heads.splice(0).length
  }
  expect(await twice(new URL((await egress.browserProxy()).url))).toBe(1)
  expect(await twice(new URL((await egress.browserProxy()).url))).toBe(0)
  expect(await twice(new URL((await egress.browserProxy({ authenticated: false })).url))).toBe(1)
  expect(await twice(new URL((await egress.browserProxy({ watch: () => undefined })).url))).toBe(2)
})

const MISSING = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'

describe('plain requests', () => {
  test('are forwarded, signed for the own host only, and audited', async () => {
    const site = await serve(ok('own'))
    const third = await serve(ok('third'), '127.0.0.6')
    const { egress, entries } = bench()
    const proxy = new URL((await egress.browserProxy()).url)
    await get(proxy, `http://site.test:${site.port}/a?b=c`)
    await get(proxy, `http://127.0.0.6:${third.port}/tracker.js`)
    expect(site.heads[0]).toMatch(/^GET \/a\?b=c HTTP\/1.1\r\n/)
    expect(site.heads[0]).toMatch(/sonde-run: /i)
    expect(site.heads[0]).not.toMatch(/proxy-/i)
    expect(third.heads[0]).not.toMatch(/sonde-run/i)
    const audited = entries.filter(({ event }) => event === 'request')
    expect(audited).toHaveLength(2)
    expect(audited[0]).toMatchObject({
      method: 'GET',
      status: 200,
      address: '127.0.0.1',
      url: `http://site.test:${site.port}/a?b=c`,
    })
  })

  const refused = [
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[::1]:80/',
    'http://localhost:8080/',
  ]
  test.each(refused)('refused: %s', async (url) => {
    const { egress, entries } = bench({ settings: { allowNetworks: [] } })
    const proxy = new URL((await egress.browserProxy()).url)
    expect(await get(proxy, url)).toMatchObject({ status: 403, refused: 'refused_by_guard' })
    expect(entries.filter(({ event }) => event === 'refused')).toHaveLength(1)
    expect(entries.at(-1)).toMatchObject({
      event: 'request',
      status: null,
      error: expect.stringContaining('refused_by_guard'),
    })
  })

  test('a server that breaks off gives 502, not a hanging browser, and the reason in words', async () => {
    const server = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()))
    closing.push(server.close)
    const { egress } = bench()
    const proxy = new URL((await egress.browserProxy()).url)
    const url = `http://site.test:${server.port}/`
    expect(await get(proxy, url)).toMatchObject({
      ...{ status: 502, refused: 'unreachable', reason: expect.stringContaining(url) },
    })
  })

  test('a site does not speak in the name of the door', async () => {
    const site = await serve(ok('page', 'Sonde-Refused: budget', 'Sonde-Reason: all is well'))
    const { egress } = bench()
    const proxy = new URL((await egress.browserProxy()).url)
    expect(await get(proxy, `http://site.test:${site.port}/`)).toEqual({
      status: 200,
      body: 'page',
      refused: undefined,
      reason: undefined,
    })
  })
})

describe('tunnels', () => {
  test('that carry no HTTP lead nowhere', async () => {
    const echo = await listen((socket) => socket.pipe(socket))
    closing.push(echo.close)
    const { egress, entries } = bench()
    const proxy = new URL((await egress.browserProxy()).url)
    const { status, socket } = await tunnel(proxy, `site.test:${echo.port}`)
    expect(status).toBe(200)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('SSH-2.0-browser\r\n\r\n')
    await closed
    expect(echo.connections()).toBe(0)
    expect(entries.at(-1)).toMatchObject({ event: 'tunnel', error: expect.stringContaining('no HTTP') })
  })

  test('in clear carry requests, as a WebSocket in clear begins', async () => {
    const site = await serve(ok('inside'))
    const { egress, entries } = bench()
    const proxy = new URL((await egress.browserProxy()).url)
    const { socket } = await tunnel(proxy, `site.test:${site.port}`)
    const reply = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
    socket.write('GET /x HTTP/1.1\r\nHost: site.test\r\n\r\n')
    expect(await reply).toMatch(/^HTTP\/1.1 200 OK/)
    expect(entries.at(-1)).toMatchObject({ event: 'request', url: `http://site.test:${site.port}/x`, status: 200 })
  })

  const refused: [authority: string, status: number][] = [
    ['169.254.169.254:443', 403],
    ['[fd00:ec2::254]:443', 403],
    ['2130706433:443', 403],
    ['localhost:22', 403],
    ['site.test', 502],
    ['site.test:0', 502],
    ['site.test:99999', 502],
  ]
  test.each(refused)('refused: %s', async (authority, status) => {
    const { egress, entries } = bench({ settings: { allowNetworks: [], hosts: {} } })
    const proxy = new URL((await egress.browserProxy()).url)
    expect((await tunnel(proxy, authority)).status).toBe(status)
    expect(entries.at(-1)).toMatchObject({ event: 'tunnel', error: expect.stringMatching(/./) })
  })

  test('end with the module, and the budget counts the requests in them', async () => {
    const site = await serve(ok('inside'))
    const { run } = bench()
    const egress = run.forModule('browser', { requests: 1, signal: new AbortController().signal })
    const proxy = new URL((await egress.browserProxy()).url)
    const { socket } = await tunnel(proxy, `site.test:${site.port}`)
    expect(await get(proxy, `http://site.test:${site.port}/`)).toMatchObject({ status: 200 })
    expect(await get(proxy, `http://site.test:${site.port}/`)).toMatchObject({ status: 429, refused: 'budget' })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await egress.close()
    await closed
    await expect(tunnel(proxy, `site.test:${site.port}`)).rejects.toThrow()
  })
})

describe('https', () => {
  const secureSite = async (answer: (head: string) => string) => {
    const { pem, keyPem } = await issue('site.test')
    const heads: string[] = []
    const server = createTlsServer({ cert: pem, key: keyPem }, (socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (chunk) => {
        heads.push(String(chunk))
        socket.write(answer(String(chunk)))
        if (/^upgrade:/im.test(String(chunk))) socket.pipe(socket)
      })
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const sockets = new Set<TLSSocket>()
    server.on('secureConnection', (socket) => sockets.add(socket))
    closing.push(async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    })
    const address = server.address()
    return { port: address !== null && typeof address === 'object' ? address.port : 0, heads }
  }

  /** What the browser does: a tunnel, TLS in it, bytes in that. */
  const inside = async (proxy: URL, authority: string, head: string) => {
    const { socket } = await tunnel(proxy, authority)
    const secured = secure({ socket, servername: 'site.test', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    const reply = new Promise<string>((resolve, reject) => {
      let text = ''
      secured.once('error', reject)
      secured.on('data', (chunk) => {
        text += chunk
        if (/\r\n\r\n[\s\S]/.test(text)) resolve(text)
      })
    })
    secured.write(head)
    return { reply: await reply, secured }
  }

  test('is opened: a request like any other, with credentials, answered as it is', async () => {
    const cookie = 'sid=0123456789abcdef'
    const site = await secureSite(
      () => `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Echo: ${cookie}\r\nContent-Length: 20\r\n\r\n${cookie}`,
    )
    const target = { host: 'site.test', port: site.port }
    const { egress, entries } = bench({ target, credentials: { cookie, header: null } })
    const proxy = new URL((await egress.browserProxy()).url)
    // What the site has set since, half of another session, does not take the place of the run's.
    const head =
      'GET /in?a=b HTTP/1.1\r\nHost: site.test\r\nUser-Agent: Browser/1\r\nCookie: sid=another; own=1\r\n\r\n'
    const { reply } = await inside(proxy, `site.test:${site.port}`, head)
    expect(reply).toMatch(/^HTTP\/1.1 200 OK/)
    expect(reply).toContain(`X-Echo: ${cookie}\r\n`)
    expect(reply).toContain(`\r\n${cookie}\r\n`)
    expect(site.heads[0]).toContain(`Cookie: ${cookie}; own=1\r\n`)
    // Of the run's other requests, too: a session may be bound to it.
    expect(site.heads[0]).toMatch(/User-Agent: Mozilla\/5\.0 \(compatible; Sonde\//)
    expect(site.heads[0]).toMatch(/Sonde-Run: /)
    expect(entries.find(({ event }) => event === 'request')).toMatchObject({
      status: 200,
      url: `https://site.test:${site.port}/in?a=b`,
      address: '127.0.0.1',
    })
  })

  test('with the User-Agent that the credentials name, where a session is bound to one', async () => {
    const site = await secureSite(() => 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx')
    const target = { host: 'site.test', port: site.port }
    const credentials = { cookie: 'sid=0123456789abcdef', header: 'User-Agent: Mine/7' }
    const { egress } = bench({ target, credentials })
    const proxy = new URL((await egress.browserProxy()).url)
    const head = 'GET / HTTP/1.1\r\nHost: site.test\r\nUser-Agent: Browser/1\r\n\r\n'
    await inside(proxy, `site.test:${site.port}`, head)
    expect(site.heads[0]?.match(/User-Agent: .*/gi)).toEqual(['User-Agent: Mine/7'])
    expect(site.heads[0]).toMatch(/Sonde-Run: /)
  })

  test('without credentials where the module asks so', async () => {
    const site = await secureSite(() => 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx')
    const target = { host: 'site.test', port: site.port }
    const { egress } = bench({ target, credentials: { cookie: 'sid=0123456789abcdef', header: null } })
    const proxy = new URL((await egress.browserProxy({ authenticated: false })).url)
    const head = 'GET / HTTP/1.1\r\nHost: site.test\r\nUser-Agent: Browser/1\r\n\r\n'
    await inside(proxy, `site.test:${site.port}`, head)
    expect(site.heads[0]).not.toMatch(/cookie/i)
    expect(site.heads[0]).toMatch(/User-Agent: Browser\/1 Sonde\//)
  })

  test('carries a WebSocket, and says so', async () => {
    const site = await secureSite(
      () => 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello',
    )
    const { egress, entries } = bench({ target: { host: 'site.test', port: site.port } })
    const proxy = new URL((await egress.browserProxy()).url)
    const { reply, secured } = await inside(
      proxy,
      `site.test:${site.port}`,
      'GET /live HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    )
    expect(reply).toMatch(/^HTTP\/1.1 101[\s\S]+hello$/)
    secured.destroy()
    await expect.poll(() => entries.at(-1)).toMatchObject({ status: 101, url: `https://site.test:${site.port}/live` })
  })

  test('shows one key for every site, whose hash the proxy tells', async () => {
    const { egress } = bench()
    const { url, spki } = await egress.browserProxy()
    const { socket } = await tunnel(new URL(url), 'site.test:443')
    const secured = secure({ socket, servername: 'site.test', rejectUnauthorized: false })
    await new Promise((resolve) => secured.once('secureConnect', resolve))
    const shown = secured.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' }) ?? ''
    expect(createHash('sha256').update(shown).digest('base64')).toBe(spki)
    secured.destroy()
  })
})

test('a WebSocket in clear', async () => {
  const server = await listen((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.pipe(socket)
    })
  })
  closing.push(server.close)
  const { egress, entries } = bench()
  const proxy = new URL((await egress.browserProxy()).url)
  const reply = await new Promise<string>((resolve, reject) => {
    const asked = request({
      host: proxy.hostname,
      port: proxy.port,
      path: `http://site.test:${server.port}/socket`,
      headers: { 'Proxy-Authorization': authorization(proxy), Connection: 'Upgrade', Upgrade: 'websocket' },
    })
    asked.once('error', reject)
    asked.once('upgrade', (_, socket) => {
      socket.once('data', (chunk: Buffer) => {
        resolve(chunk.toString())
        socket.end()
      })
      socket.write('frame')
    })
    asked.end()
  })
  expect(reply).toBe('frame')
  await expect.poll(() => entries.at(-1)).toMatchObject({ event: 'request', status: 101 })
})
