import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../door/egress.ts'
import { benches } from '../testing/benches.ts'
import { ok, RUN_ID } from '../testing/servers.ts'

const { bench, serve, raw } = benches()

describe('what goes on the wire', () => {
  test('own headers first, then the given ones in order, case and repeats', async () => {
    const server = await serve(ok('hello'))
    const { egress } = bench()
    await egress.http({
      url: `http://site.test:${server.port}/a?b=c`,
      headers: [
        ['x-One', '1'],
        ['X-ONE', '2'],
        ['Accept', 'text/html'],
      ],
    })
    const lines = (server.heads[0] ?? '').trimEnd().split('\r\n')
    expect(lines.slice(0, 3)).toEqual([
      'GET /a?b=c HTTP/1.1',
      `Host: site.test:${server.port}`,
      `User-Agent: Mozilla/5.0 (compatible; Sonde/1.2.3; run ${RUN_ID}; +https://example.com/scans)`,
    ])
    expect(lines[3]).toMatch(/^Sonde-Run: [0-9a-f-]{36}\.\d+\.[\w-]{43}$/)
    expect(lines.slice(4)).toEqual([
      'Accept-Encoding: gzip, deflate, br, zstd',
      'x-One: 1',
      'X-ONE: 2',
      'Accept: text/html',
    ])
  })

  const targets: [name: string, target: string][] = [
    ['dot segments', '/static/../../etc/passwd'],
    ['coded dots', '/%2e%2e/%2E%2e%2fx'],
    ['backslashes', '/..\\..\\win.ini'],
    ['a space and quotes', '/a b"<>'],
    ['no leading slash', 'x:y'],
    ['UTF-8', '/é'],
  ]
  test.each(targets)('target verbatim: %s', async (_, target) => {
    const server = await serve(ok(''))
    const { egress } = bench()
    await egress.http({ url: `http://site.test:${server.port}/`, target })
    const head = Buffer.from(server.heads[0] ?? '', 'latin1').toString()
    expect(head.split('\r\n')[0]).toBe(`GET ${target} HTTP/1.1`)
  })

  const splitting: [name: string, request: Partial<HttpRequest>][] = [
    ['line break in a value', { headers: [['X-A', 'b\r\nX-C: d']] }],
    ['line feed in a name', { headers: [['X-A\nX-B', 'c']] }],
    ['NUL in a value', { headers: [['X-A', 'b\0']] }],
    ['line break in the target', { target: '/ HTTP/1.1\r\nX: y' }],
    ['space in the method', { method: 'GET /x' }],
    ['another scheme', { url: 'ftp://site.test/' }],
    ['no URL', { url: 'site.test' }],
  ]
  test.each(splitting)('refuses: %s', async (_, request) => {
    const { egress } = bench()
    await expect(egress.http({ url: 'http://site.test:1/', ...request })).rejects.toMatchObject({ code: 'protocol' })
  })
})

describe('what comes back', () => {
  test('headers as received, body as sent', async () => {
    await raw(() => undefined)
    const server = await serve(
      'HTTP/1.1 200 Fine\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nX-É: é\r\nContent-Length: 2\r\n\r\nhi',
    )
    const { egress, entries } = bench()
    const exchange = await egress.http({ url: `http://site.test:${server.port}/` })
    expect(exchange).toMatchObject({
      status: 200,
      statusText: 'Fine',
      httpVersion: '1.1',
      address: '127.0.0.1',
      truncated: false,
    })
    expect(exchange.body.toString()).toBe('hi')
    expect(exchange.headers.slice(0, 2)).toEqual([
      ['set-cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ])
    expect(entries.at(-1)).toMatchObject({
      module: 'bench',
      event: 'request',
      method: 'GET',
      status: 200,
      address: '127.0.0.1',
    })
  })

  test('keeps a connection for the next request', async () => {
    const server = await serve(ok('x'))
    const { egress } = bench()
    for (let i = 0; i < 5; i += 1) await egress.http({ url: `http://site.test:${server.port}/${i}` })
    expect(server.connections()).toBe(1)
    expect(server.heads).toHaveLength(5)
  })

  test('holds no more connections than it may ask at once, those at rest among them', async () => {
    // As a server that gives each connection a process: who comes fourth waits for one to be closed.
    const [held, waiting]: [Set<Socket>, Socket[]] = [new Set(), []]
    const accept = (socket: Socket): void => {
      held.add(socket)
      socket.on('data', () => void socket.write(ok('x')))
      socket.once('close', () => {
        held.delete(socket)
        const next = waiting.shift()
        if (next) accept(next)
      })
    }
    const server = await raw((socket) => void (held.size < 3 ? accept(socket) : waiting.push(socket)))
    const { egress } = bench({ settings: { concurrency: 3 } })
    const url = `http://site.test:${server.port}/`
    // What writes is never sent on a connection that was used, and leaves one behind that would rest for longer than this waits.
    for (let i = 0; i < 12; i += 1) await egress.http({ url, method: 'POST', body: 'a=1', timeout: 3_000 })
    expect(server.connections()).toBe(12)
  })
})
