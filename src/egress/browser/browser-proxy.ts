/**
 * The door for a browser: an HTTP proxy on a loopback port that only its owner can use. Tunnels are opened here, so
 * that every request of the browser, over https too, passes budget, guard, pace, audit and credentials like
 * any other. What is neither TLS nor HTTP inside a tunnel goes nowhere.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'
import { getDomain } from 'tldts'
import { type Audit, auditError } from '../audit/audit.ts'
import { canonicalHost } from '../dns/resolve.ts'
import type { Dialer } from '../door/dialer.ts'
import { type BrowserProxy, type BrowserProxyOptions, EgressError } from '../door/egress.ts'
import type { LedAlone } from '../door/led-alone.ts'
import type { HttpParts, Judge } from '../http/http.ts'
import { listenHttp } from '../sockets/listen.ts'
import { serveTls } from '../sockets/tls.ts'
import type { ProxyAuthority } from './proxy-authority.ts'
import { createProxyMemory, type ProxyMemories, type ProxyMemory } from './proxy-memory.ts'
import { carryRequest } from './proxy-request.ts'
import { carryUpgrade } from './proxy-upgrade.ts'

export interface ProxyOptions extends HttpParts, Pick<BrowserProxyOptions, 'as' | 'watch' | 'prefixOf'> {
  /** Addresses that another identity alone is led to; absent where there is none. */
  readonly ledAlone?: LedAlone
  /** It signs in: its session is what it brings about, and what it types goes to proven hosts alone. */
  readonly signsIn?: boolean | undefined
  readonly dialer: Dialer
  readonly target: { readonly host: string }
  readonly module: string
  readonly signal: AbortSignal
  readonly audit: Audit
  readonly judge?: Judge | undefined
  /** @throws EgressError budget, aborted */
  readonly spend: () => void
  /** False leaves the run's credentials out. */
  readonly authenticated: boolean
  readonly authority: () => Promise<ProxyAuthority>
  /** What all browsers of a run share; absent for one alone. */
  readonly memories?: ProxyMemories
}

export interface ProxyParts extends ProxyOptions {
  /** True for the target's host and others of its registrable domain. */
  readonly isOwn: (host: string) => boolean
  /** Absent where every request is told: a profile that is watched sees the site as it is. */
  readonly memory?: ProxyMemory
}

const USER = 'sonde'
const TLS_HANDSHAKE = 22
/** Milliseconds for the browser's own side of a tunnel. */
const HANDSHAKE_TIMEOUT = 10_000

export const openBrowserProxy = async (options: ProxyOptions): Promise<BrowserProxy> => {
  const parts: ProxyParts = {
    ...options,
    isOwn: (host) => isOwn(host, options.target.host),
    ...(options.watch || options.prefixOf
      ? {}
      : { memory: options.memories?.(options.authenticated) ?? createProxyMemory() }),
  }
  const authority = await options.authority()
  const password = randomBytes(24).toString('base64url')
  const expected = Buffer.from(`Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`)
  const clients = new Set<Duplex>()
  const tunnels = new WeakMap<Duplex, string>()
  const { server, port } = await listenHttp(
    { insecureHTTPParser: true, maxHeaderSize: 64 * 1024, keepAliveTimeout: 30_000 },
    { port: 0, bind: '127.0.0.1' },
    (error) => options.audit({ event: 'tunnel', error: auditError(error) }),
  )

  const admitted = (request: IncomingMessage): boolean => {
    const given = Buffer.from(request.headers['proxy-authorization'] ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  const door = { parts, server, tunnels, admitted, secureContext: authority.context }
  server.on('connection', (socket) => {
    clients.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => clients.delete(socket))
  })
  serveRequests(door)
  serveTunnels(door)

  const stop = () => {
    for (const client of clients) client.destroy()
  }
  const onAbort = () => {
    stop()
    server.close()
  }
  parts.signal.addEventListener('abort', onAbort, { once: true })
  return {
    url: `http://${USER}:${password}@127.0.0.1:${port}`,
    spki: authority.spki,
    close: async () => {
      parts.signal.removeEventListener('abort', onAbort)
      stop()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

interface Door {
  readonly parts: ProxyParts
  readonly server: Server
  /** Where each opened tunnel leads, by the socket that its requests come on. */
  readonly tunnels: WeakMap<Duplex, string>
  /** Whether it comes from the browser that was given the password. */
  readonly admitted: (request: IncomingMessage) => boolean
  readonly secureContext: SecureContext
}

/** The address that is asked for, or the status that says why there is none. */
const addressOf = (request: IncomingMessage, { tunnels, admitted }: Door): URL | number => {
  const origin = tunnels.get(request.socket)
  if (origin !== undefined) return URL.parse(request.url ?? '', origin) ?? 400
  if (!admitted(request)) return 407
  return plainUrl(request.url) ?? 400
}

/** Requests and upgrades, those inside of tunnels too. */
const serveRequests = (door: Door): void => {
  const { server, parts } = door
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const url = addressOf(request, door)
    if (typeof url === 'number') {
      response.writeHead(url, url === 407 ? CHALLENGE : {}).end()
      return
    }
    try {
      await carryRequest(request, response, url, parts)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else response.writeHead(statusOf(error), { ...refusalOf(error), Connection: 'close' }).end()
    }
  })
  server.on('upgrade', async (request: IncomingMessage, client: Duplex) => {
    const url = addressOf(request, door)
    if (typeof url === 'number') refuse(client, url)
    else
      await carryUpgrade(request, client, url, parts).catch((error: unknown) => refuse(client, statusOf(error), error))
  })
  server.on('clientError', (error, client) => {
    const origin = door.tunnels.get(client)
    // A browser that hangs up is no event; what is no HTTP inside a tunnel is.
    if (origin !== undefined && 'code' in error && String(error.code).startsWith('HPE_'))
      parts.audit({ event: 'tunnel', url: origin, error: 'what came through the tunnel is no HTTP' })
    client.destroy()
  })
}

const serveTunnels = (door: Door): void => {
  const { server, parts } = door
  server.on('connect', async (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => undefined)
    if (door.tunnels.has(client) || !door.admitted(request)) {
      refuse(client, 407)
      return
    }
    const named = request.url ?? ''
    const at = Date.now()
    try {
      const { host, port } = parseAuthority(named)
      // Resolved and judged before the browser is told yes; each request is judged again.
      await parts.dialer.addresses(host, parts.signal)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) client.unshift(head)
      await openTunnel(client, host, port, door)
    } catch (error) {
      parts.audit({ event: 'tunnel', url: named.slice(0, 300), error: auditError(error) })
      parts.watch?.({ ...refusedTunnel(named), at, duration: Date.now() - at, error: auditError(error) })
      refuse(client, statusOf(error), error)
    }
  })
}

const openTunnel = async (
  client: Socket,
  host: string,
  port: number,
  { server, tunnels, secureContext }: Door,
): Promise<void> => {
  const first = await firstByte(client)
  if (first === null) return
  const secure = first === TLS_HANDSHAKE
  const origin = `${secure ? 'https' : 'http'}://${host}:${port}`
  if (!secure) {
    tunnels.set(client, origin)
    server.emit('connection', client)
    return
  }
  serveTls(client, { secureContext, patience: HANDSHAKE_TIMEOUT }, (opened) => {
    tunnels.set(opened, origin)
    server.emit('connection', opened)
  })
}

/** Browsers open tunnels for wss and https alone, but for odd ports of plain WebSockets. */
const refusedTunnel = (authority: string) => ({
  method: 'CONNECT',
  url: `https://${authority.slice(0, 300).replace(/:443$/, '')}/`,
  headers: [],
  body: null,
  status: null,
  answered: [],
  bytes: 0,
})

const CHALLENGE = { 'Proxy-Authenticate': 'Basic realm="Sonde"' }

/** Looks at the first byte and leaves it in place. Null when the browser says nothing. */
const firstByte = (client: Socket): Promise<number | null> =>
  new Promise((resolve) => {
    const settle = (byte: number | null) => {
      clearTimeout(timer)
      client.off('readable', look).off('close', none)
      resolve(byte)
    }
    const none = () => settle(null)
    const look = () => {
      const chunk: Buffer | null = client.read()
      if (chunk === null) return
      client.unshift(chunk)
      settle(chunk[0] ?? null)
    }
    const timer = setTimeout(() => {
      client.destroy()
      none()
    }, HANDSHAKE_TIMEOUT)
    client.on('readable', look).once('close', none)
  })

/** The target's host, one below it, or another of its registrable domain. */
export const isOwn = (host: string, target: string): boolean => {
  if (host === target || host.endsWith(`.${target}`)) return true
  const domain = getDomain(target, { allowPrivateDomains: true })
  return domain !== null && domain === getDomain(host, { allowPrivateDomains: true })
}

/** ws: is http: on the wire. */
const plainUrl = (text: string | undefined): URL | null => {
  const url = URL.parse((text ?? '').replace(/^ws:/i, 'http:'))
  return url && url.protocol === 'http:' ? url : null
}

const parseAuthority = (authority: string): { readonly host: string; readonly port: number } => {
  const match = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(authority)
  const port = Number(match?.[2])
  if (!match?.[1] || port < 1 || port > 65_535) throw new EgressError('protocol', 'a tunnel needs host and port')
  const host = canonicalHost(match[1])
  return { host: host.includes(':') && !host.startsWith('[') ? `[${host}]` : host, port }
}

const codeOf = (error: unknown): string => (error instanceof EgressError ? error.code : 'internal')

const STATUS: Readonly<Record<string, number>> = {
  refused_by_guard: 403,
  excluded: 403,
  budget: 429,
  timeout: 504,
  aborted: 503,
}
const statusOf = (error: unknown): number => STATUS[codeOf(error)] ?? 502

/** In words, too, for whoever steers the browser: to it, the status is that of the site. */
const refusalOf = (error: unknown): Readonly<Record<string, string>> => ({
  'Sonde-Refused': codeOf(error),
  ...(error instanceof EgressError
    ? { 'Sonde-Reason': error.message.replace(/[^ -~]/g, '?').slice(0, LONGEST_REASON) }
    : {}),
})
const LONGEST_REASON = 500

const refuse = (client: Duplex, status: number, error?: unknown): void => {
  if (!client.writable) return
  const fields = Object.entries(status === 407 ? CHALLENGE : refusalOf(error))
  const extra = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  client.end(`HTTP/1.1 ${status} Refused\r\n${extra}Content-Length: 0\r\nConnection: close\r\n\r\n`)
}
