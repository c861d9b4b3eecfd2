import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTenant, finishWith, openApi, startNext, type Tenant, type TestApi } from '../../tests/support/api.ts'
import { exchange, type SilentPeer, silentPeer } from '../../tests/support/raw-http.ts'
import { until } from '../../tests/support/until.ts'
import { type LeasedRun, progress } from '../store/lease.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const lines: string[] = []
const requests: WeakRef<IncomingMessage>[] = []
const sockets: Socket[] = []
let api: TestApi
let base: URL
let tenant: Tenant
beforeAll(async () => {
  api = await openApi({ logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) })
  api.app.server.on('connection', (socket) => void sockets.push(socket))
  api.app.server.on('request', (request) => void requests.push(new WeakRef(request)))
  base = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }))
  tenant = await createTenant(api.db, 'bare.example.com')
})
afterAll(() => api.close())

const startRun = async (): Promise<LeasedRun> => {
  await api.send('POST', '/v1/scans', { secret: tenant.secret, body: { domain_id: tenant.domainId } })
  return startNext(api.db)
}
const ask = (path: string, { version = '1.1', more = '' } = {}): string =>
  `GET ${path} HTTP/${version}\r\nHost: a\r\nAuthorization: Bearer ${tenant.secret}\r\n${more}\r\n`

interface Reader extends SilentPeer {
  readonly said: () => string
}
const read = async (text: string): Promise<Reader> => {
  const peer = await silentPeer(base)
  let said = ''
  peer.socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1')
  })
  peer.socket.write(text)
  await until(() => said.includes('retry: 3000') || peer.closed())
  return { ...peer, said: () => said }
}
const holdsParser = (socket: (Socket & { readonly parser?: object | null }) | undefined): boolean =>
  Boolean(socket?.parser)
const tell = (held: LeasedRun, detail: string) => progress(api.db, held, { phase: 'passive', detail, progress: 10 })

/** What a body in chunks says, and whether it has come to its end. */
const unchunked = (said: string): { readonly body: string; readonly whole: boolean } => {
  let rest = said.slice(said.indexOf('\r\n\r\n') + 4)
  let body = ''
  for (;;) {
    const [, size] = /^([0-9a-f]+)\r\n/.exec(rest) ?? []
    if (size === undefined) throw new Error(`no chunk: ${JSON.stringify(rest.slice(0, 100))}`)
    const length = Number.parseInt(size, 16)
    body += rest.slice(size.length + 2, size.length + 2 + length)
    if (length === 0) return { body, whole: rest === '0\r\n\r\n' }
    if (rest.slice(size.length + 2 + length, size.length + 4 + length) !== '\r\n') throw new Error('a chunk is cut')
    rest = rest.slice(size.length + 4 + length)
  }
}

describe('a stream on a connection of its own', () => {
  test.each([
    '',
    'Connection: close\r\n',
    'Connection: keep-alive\r\n',
    'Upgrade: websocket\r\nConnection: Upgrade\r\n',
  ])('keeps nothing of the request that opened it: %j', async (more) => {
    const held = await startRun()
    const from = requests.length
    const reader = await read(ask(`/v1/scans/${held.runId}/stream`, { more }))
    expect(reader.said()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(reader.said()).toMatch(/\r\nDate: \w{3}, \d\d \w{3} \d{4} /)
    expect(reader.said()).toMatch(/\r\nConnection: close\r\n/)
    const opened = requests.slice(from)
    await until(() => {
      collect()
      return opened.every((request) => request.deref() === undefined)
    })
    expect([opened.length, holdsParser(sockets.at(-1))]).toEqual([1, false])
    await finishWith(api, held, [])
    await until(reader.closed)
    const { body, whole } = unchunked(reader.said())
    expect([whole, body.match(/^event: done$/gm)?.length]).toEqual([true, 1])
  })

  test('drops what its peer says, and goes on', async () => {
    const held = await startRun()
    const reader = await read(ask(`/v1/scans/${held.runId}/stream`))
    await until(() => !holdsParser(sockets.at(-1)))
    for (const text of ['\r\n', ask('/v1/scans'), 'x'.repeat(100_000)]) reader.socket.write(text)
    await tell(held, 'after the noise')
    await until(() => reader.said().includes('after the noise'))
    await finishWith(api, held, [])
    await until(reader.closed)
    expect(unchunked(reader.said()).whole).toBe(true)
    expect(reader.said().match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })

  test('ends when its peer has stopped to speak, and is logged and counted once', async () => {
    const held = await startRun()
    const reader = await read(ask(`/v1/scans/${held.runId}/stream`))
    const [, id] = /X-Request-Id: (\S+)/i.exec(reader.said()) ?? []
    const before = await counted()
    reader.socket.end()
    await until(reader.closed)
    await until(() => lines.some((line) => line.includes(`${id}`)))
    const own = lines.filter((line) => line.includes(`${id}`)).map((line) => JSON.parse(line))
    expect(own).toMatchObject([
      {
        msg: 'request',
        method: 'GET',
        endpoint: '/v1/scans/:id/stream',
        status: 200,
        organisation: tenant.organisationId,
      },
    ])
    expect(await counted()).toBe(before + 1)
  })
  const counted = async (): Promise<number> => {
    const { body } = await api.send('GET', '/metrics')
    return Number(/sonde_http_requests_total\{endpoint="[^"]*\/stream",[^}]*\} (\d+)/.exec(body)?.[1] ?? 0)
  }
})

describe('a stream whose connection is not its own', () => {
  test('of HTTP/1.0 has no chunks', async () => {
    const held = await startRun()
    await finishWith(api, held, [])
    const said = await exchange(base, ask(`/v1/scans/${held.runId}/stream`, { version: '1.0' }))
    expect(said).not.toMatch(/chunked/i)
    expect(said).toMatch(/\r\n\r\nretry: 3000\n\nid: 1\n/)
    expect(said).toMatch(/\nevent: done\n/)
  })

  test('answers the request that came with it after its end, and nothing in between', async () => {
    const held = await startRun()
    const reader = await read(ask(`/v1/scans/${held.runId}/stream`) + ask(`/v1/scans/${held.runId}`, CLOSE))
    await tell(held, 'in between')
    await until(() => reader.said().includes('in between'))
    expect(reader.said().match(/HTTP\/1\.1 /g)).toHaveLength(1)
    await finishWith(api, held, [])
    await until(reader.closed)
    expect(reader.said().match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  })

  test('of a request whose body is still to come is read on', async () => {
    const held = await startRun()
    const reader = await read(ask(`/v1/scans/${held.runId}/stream`, { more: 'Content-Length: 4\r\n' }))
    reader.socket.write('body')
    await tell(held, 'behind the body')
    await until(() => reader.said().includes('behind the body'))
    await finishWith(api, held, [])
    await until(() => reader.said().endsWith('0\r\n\r\n'))
    reader.socket.destroy()
  })
})
const CLOSE = { more: 'Connection: close\r\n' }

test('a service that stops ends its streams whole', async () => {
  const own = await openApi()
  try {
    const at = new URL(await own.app.listen({ port: 0, host: '127.0.0.1' }))
    const { id } = (await own.send('POST', '/v1/scans', { body: { domain_id: own.mine.domainId } })).json()
    const peer = await silentPeer(at)
    let said = ''
    peer.socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
    })
    const path = `/v1/scans/${id}/stream`
    peer.socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${own.mine.secret}\r\n\r\n`)
    await until(() => said.includes('id: 1\n'))
    await own.app.close()
    await until(peer.closed)
    expect(unchunked(said).whole).toBe(true)
  } finally {
    await own.close()
  }
})
