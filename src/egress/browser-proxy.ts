/**
 * The door for a browser: an HTTP proxy on a loopback port that only its owner can use. Every request and every
 * tunnel passes budget, guard and audit, and those to the target's own hosts the pace. Tunnels carry TLS end to end;
 * looking into them would be a second kind of carrier beside `carryTunnel`.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getDomain } from 'tldts'
import { type Audit, auditError } from './audit.ts'
import { EgressError } from './egress.ts'
import { canonicalHost } from './hosts.ts'
import type { Lanes } from './lanes.ts'
import { forwardRequest, forwardUpgrade } from './proxy-forward.ts'
import { carryTunnel } from './proxy-tunnel.ts'
import type { Reach, Reached } from './reach.ts'
import type { Redactor } from './redact.ts'
import type { IdentityHeaders } from './traffic-identity.ts'

export interface BrowserProxy {
  /** `http://user:password@127.0.0.1:port`; without that user and password every request is refused with 407. */
  readonly url: string
  readonly close: () => Promise<void>
}

export interface ProxyParts {
  readonly reach: Reach
  readonly lanes: Lanes
  readonly identity: IdentityHeaders
  readonly redact: Redactor
  readonly target: { readonly host: string }
  readonly module: string
  readonly signal: AbortSignal
  readonly audit: Audit
  /** @throws EgressError budget, aborted */
  readonly spend: () => void
}

/** An upstream that was let through, and what the carriers need to know. */
export interface Passage extends Reached {
  readonly host: string
  readonly port: number
  /** True for the target's host and others of its registrable domain. */
  readonly own: boolean
}

const CONNECT_TIMEOUT = 5_000
const USER = 'sonde'

export const openBrowserProxy = async (parts: ProxyParts): Promise<BrowserProxy> => {
  const password = randomBytes(24).toString('base64url')
  const expected = Buffer.from(`Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`)
  const clients = new Set<Duplex>()
  const server = createServer({ insecureHTTPParser: true, maxHeaderSize: 64 * 1024, keepAliveTimeout: 30_000 })

  const admitted = (request: IncomingMessage): boolean => {
    const given = Buffer.from(request.headers['proxy-authorization'] ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  const pass = async (name: string, port: number): Promise<Passage> => {
    parts.spend()
    const host = canonicalHost(name)
    const own = isOwn(host, parts.target.host)
    const release = own ? await parts.lanes.request(host, parts.module, parts.signal) : () => undefined
    try {
      const reached = await parts.reach.open(host, port, {
        signal: parts.signal,
        timeout: CONNECT_TIMEOUT,
        persist: true,
      })
      return { ...reached, host, port, own }
    } finally {
      release()
    }
  }

  server.on('connection', (socket) => {
    clients.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => clients.delete(socket))
  })

  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const url = admitted(request) ? plainUrl(request.url) : null
    if (!url) {
      if (admitted(request)) response.writeHead(400).end('an absolute http URL is needed\n')
      else response.writeHead(407, CHALLENGE).end()
      return
    }
    const began = performance.now()
    try {
      await forwardRequest(request, response, url, await pass(url.hostname, Number(url.port || 80)), parts)
    } catch (error) {
      refuse(parts, { event: 'request', method: request.method ?? '', url: url.href, began }, error)
      if (!response.headersSent) response.writeHead(statusOf(error), { 'Sonde-Refused': codeOf(error) })
      response.end()
    }
  })

  server.on('upgrade', async (request: IncomingMessage, client: Duplex) => {
    const url = admitted(request) ? plainUrl(request.url) : null
    if (!url) {
      answer(client, admitted(request) ? 400 : 407)
      return
    }
    const began = performance.now()
    try {
      await forwardUpgrade(request, client, url, await pass(url.hostname, Number(url.port || 80)), parts)
    } catch (error) {
      refuse(parts, { event: 'request', method: request.method ?? '', url: url.href, began }, error)
      answer(client, statusOf(error), error)
    }
  })

  server.on('connect', async (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => undefined)
    if (!admitted(request)) {
      answer(client, 407)
      return
    }
    const began = performance.now()
    const authority = request.url ?? ''
    try {
      const { host, port } = parseAuthority(authority)
      const passage = await pass(host, port)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      await carryTunnel(client, head, passage, parts)
    } catch (error) {
      refuse(parts, { event: 'tunnel', url: authority.slice(0, 300), began }, error)
      answer(client, statusOf(error), error)
    }
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const close = async () => {
    for (const client of clients) client.destroy()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  }
  parts.signal.addEventListener('abort', () => {
    for (const client of clients) client.destroy()
    server.close()
  })
  return { url: `http://${USER}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const CHALLENGE = { 'Proxy-Authenticate': 'Basic realm="Sonde"' }

const isOwn = (host: string, target: string): boolean => {
  if (host === target || host.endsWith(`.${target}`)) return true
  const domain = getDomain(target, { allowPrivateDomains: true })
  return domain !== null && domain === getDomain(host, { allowPrivateDomains: true })
}

const plainUrl = (text: string | undefined): URL | null => {
  const url = URL.parse(text ?? '')
  return url && (url.protocol === 'http:' || url.protocol === 'ws:') ? url : null
}

const parseAuthority = (authority: string): { host: string; port: number } => {
  const match = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(authority)
  const port = Number(match?.[2])
  if (!match?.[1] || port < 1 || port > 65_535) throw new EgressError('protocol', 'a tunnel needs host and port')
  return { host: match[1], port }
}

const codeOf = (error: unknown): string => (error instanceof EgressError ? error.code : 'internal')

const STATUS: Readonly<Record<string, number>> = { refused_by_guard: 403, budget: 429, timeout: 504, aborted: 503 }
const statusOf = (error: unknown): number => STATUS[codeOf(error)] ?? 502

const answer = (client: Duplex, status: number, error?: unknown): void => {
  if (!client.writable) return
  const extra = status === 407 ? 'Proxy-Authenticate: Basic realm="Sonde"\r\n' : `Sonde-Refused: ${codeOf(error)}\r\n`
  client.end(`HTTP/1.1 ${status} Refused\r\n${extra}Content-Length: 0\r\nConnection: close\r\n\r\n`)
}

const refuse = (
  parts: ProxyParts,
  what: { event: 'request' | 'tunnel'; method?: string; url: string; began: number },
  error: unknown,
): void => {
  const { began, ...fields } = what
  parts.audit({ ...fields, status: null, duration_ms: performance.now() - began, error: auditError(error) })
}
