import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { answering, type Bench, listen, ok, openBench } from './testing/servers.ts'

const closing: (() => Promise<void>)[] = []
const bench = (...args: Parameters<typeof openBench>): Bench => {
  const made = openBench(...args)
  closing.push(made.run.close)
  return made
}
const serve = async (...args: Parameters<typeof answering>) => {
  const made = await answering(...args)
  closing.push(made.close)
  return made
}
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const authorization = (proxy: URL) => `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')}`

const get = (
  proxy: URL,
  url: string,
  headers: Record<string, string> = { 'Proxy-Authorization': authorization(proxy) },
) =>
  new Promise<{ status: number; body: string; refused: unknown }>((resolve, reject) => {
    const asked = request(
      { host: proxy.hostname, port: proxy.port, path: url, headers: { Host: 'x', ...headers } },
      (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body, refused: response.headers['sonde-refused'] }),
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
      bytes: 3,
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

  test('a server that breaks off gives 502, not a hanging browser', async () => {
    const server = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()))
    closing.push(server.close)
    const { egress } = bench()
    const proxy = new URL((await egress.browserProxy()).url)
    expect(await get(proxy, `http://site.test:${server.port}/`)).toMatchObject({ status: 502 })
  })
})

describe('tunnels', () => {
  test('carry bytes both ways and are counted', async () => {
    const echo = await listen((socket) => socket.pipe(socket))
    closing.push(echo.close)
    const { egress, entries } = bench()
    const proxy = new URL((await egress.browserProxy()).url)
    const { status, socket } = await tunnel(proxy, `site.test:${echo.port}`)
    expect(status).toBe(200)
    socket.write('0123456789')
    const [reply] = await new Promise<Buffer[]>((resolve) => socket.once('data', (chunk) => resolve([chunk])))
    expect(String(reply)).toBe('0123456789')
    socket.end()
    await expect
      .poll(() => entries.at(-1))
      .toMatchObject({
        event: 'tunnel',
        url: `site.test:${echo.port}`,
        address: '127.0.0.1',
        bytes: 10,
        detail: '10 bytes sent',
      })
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

  test('end with the module, and the budget counts them', async () => {
    const echo = await listen((socket) => socket.pipe(socket))
    closing.push(echo.close)
    const { run } = bench()
    const egress = run.forModule('browser', { requests: 1, signal: new AbortController().signal })
    const proxy = new URL((await egress.browserProxy()).url)
    const { socket } = await tunnel(proxy, `site.test:${echo.port}`)
    expect((await tunnel(proxy, `site.test:${echo.port}`)).status).toBe(429)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await egress.close()
    await closed
    await expect(tunnel(proxy, `site.test:${echo.port}`)).rejects.toThrow()
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
