/** Servers on loopback for the tests of egress, and an egress that may reach them. */
import { createServer, type Server, type Socket } from 'node:net'
import type { AuditEntry } from '../../contract/event.ts'
import { createEgress, type EgressOptions, type ModuleEgress, type RunEgress } from '../door/create-egress.ts'
import type { EgressSettings } from '../door/settings.ts'

export const RUN_ID = '0f9a3c52-6b1e-4c7d-9b60-2f54c1a7d001'
export const TRAFFIC_KEY = Buffer.from('a key for the tests of traffic identity').toString('base64url')

export const OPEN: EgressSettings = {
  hosts: { 'site.test': ['127.0.0.1'] },
  allowNetworks: ['127.0.0.0/8'],
  resolvers: ['127.0.0.1:9'],
  requestsPerSecond: 100_000,
  concurrency: 50,
  contact: 'https://example.com/scans',
  trafficKey: TRAFFIC_KEY,
}

export interface Bench {
  readonly run: RunEgress
  readonly egress: ModuleEgress
  readonly entries: AuditEntry[]
  readonly stop: AbortController
}

/** An egress with one module of 10,000 requests; the caller closes the run. */
export const openBench = (
  options: Partial<Omit<EgressOptions, 'settings'>> & { settings?: Partial<EgressSettings> } = {},
): Bench => {
  const entries: AuditEntry[] = []
  const stop = new AbortController()
  const run = createEgress({
    runId: RUN_ID,
    version: '1.2.3',
    target: { host: 'site.test', port: null },
    credentials: { cookie: null, header: null },
    audit: (entry) => entries.push(entry),
    signal: stop.signal,
    ...options,
    settings: { ...OPEN, ...options.settings },
  })
  const egress = run.forModule('bench', { requests: 10_000, signal: new AbortController().signal })
  return { run, egress, entries, stop }
}

export interface Listening {
  readonly port: number
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** A raw TCP server; `serve` gets each connection. Errors of its sockets are the point of many tests, and ignored. */
export const listen = async (serve: (socket: Socket) => void, host = '127.0.0.1', port = 0): Promise<Listening> => {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    serve(socket)
  })
  await started(server, host, port)
  return {
    port: portOf(server),
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

/** Answers each request head with the same bytes; keeps the connection unless the bytes say otherwise. */
export const answering = (
  answer: string | Buffer | ((head: string, socket: Socket) => string | Buffer | null),
  host?: string,
): Promise<Listening & { readonly heads: string[] }> => {
  const heads: string[] = []
  const listening = listen((socket) => {
    let received = ''
    socket.on('data', (chunk) => {
      // As web servers do when they are spoken to in TLS.
      if (received === '' && chunk[0] === 22) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
      received += chunk.toString('latin1')
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end + 4)
        const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
        if (received.length < end + 4 + length) return
        const whole = received.slice(0, end + 4 + length)
        received = received.slice(end + 4 + length)
        heads.push(whole)
        const bytes = typeof answer === 'function' ? answer(whole, socket) : answer
        if (bytes !== null) socket.write(bytes)
      }
    })
  }, host)
  return listening.then((found) => ({ ...found, heads }))
}

export const ok = (body: string | Buffer, ...headers: string[]): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`,
      'latin1',
    ),
    Buffer.from(body as string),
  ])

const started = (server: Server, host: string, port = 0): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}
