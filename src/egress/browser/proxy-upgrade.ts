/** A browser's WebSocket: the handshake is a request like any other, after the 101 both sides are joined. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { auditError } from '../audit/audit.ts'
import { canonicalHost } from '../dns/resolve.ts'
import { mergeCookies } from '../door/credentials.ts'
import { EgressError } from '../door/egress.ts'
import { socketError } from '../sockets/errors.ts'
import { requestOver } from '../sockets/tcp.ts'
import { handshake } from '../sockets/tls.ts'
import type { ProxyParts } from './browser-proxy.ts'
import { pairsOf, requestHeaders } from './proxy-request.ts'

const CONNECT_TIMEOUT = 5_000
const FIRST_BYTE_TIMEOUT = 30_000
/** Per socket and direction; a page that streams without end is cut here. */
const MAX_BYTES = 64 * 1024 * 1024

/** Settles when the socket has ended. @throws EgressError before the 101; the client has no answer then */
export const carryUpgrade = async (
  incoming: IncomingMessage,
  client: Duplex,
  url: URL,
  parts: ProxyParts,
): Promise<void> => {
  parts.spend()
  if (parts.excludes(url)) throw new EgressError('excluded', `${url.host}${url.pathname} is excluded from this run`)
  const began = performance.now()
  const audited = { event: 'request' as const, method: 'GET', url: `${url.origin}${url.pathname}${url.search}` }
  let address: string | undefined
  let upstream: ClientRequest | undefined
  let socket: Duplex | undefined
  let raw: Socket | undefined
  const stop = () => {
    client.destroy()
    socket?.destroy()
  }
  try {
    const reached = await open(url, parts)
    address = reached.address
    socket = reached.socket
    raw = reached.raw
    // Parser, request and two pipelines listen to the same sockets; that is no leak.
    for (const side of [client, socket]) side.setMaxListeners(30)
    upstream = await start(incoming, url, reached.socket, parts)
    const { response, head } = await upgraded(upstream, url, parts.signal)
    const lines = pairsOf(response.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
    client.write(Buffer.from(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1'))
    if (head.length > 0) client.write(head)
    parts.signal.addEventListener('abort', stop, { once: true })
    for (const side of [client, socket]) side.on('data', bounded(stop))
    await Promise.allSettled([pipeline(client, socket), pipeline(socket, client)])
    const detail = `${raw.bytesWritten} bytes sent`
    parts.audit({
      ...audited,
      address,
      status: 101,
      bytes: raw.bytesRead,
      duration_ms: performance.now() - began,
      detail,
    })
  } catch (error) {
    const duration_ms = performance.now() - began
    parts.audit({ ...audited, address, status: null, duration_ms, error: auditError(error) })
    throw error
  } finally {
    parts.signal.removeEventListener('abort', stop)
    upstream?.destroy()
    socket?.destroy()
    raw?.destroy()
  }
}

const bounded = (stop: () => void): ((chunk: Buffer) => void) => {
  let seen = 0
  return (chunk) => {
    seen += chunk.length
    if (seen > MAX_BYTES) stop()
  }
}

const open = async (
  url: URL,
  parts: ProxyParts,
): Promise<{ readonly socket: Duplex; readonly raw: Socket; readonly address: string }> => {
  const host = canonicalHost(url.hostname)
  const secure = url.protocol === 'https:'
  const port = Number(url.port || (secure ? 443 : 80))
  const own = parts.isOwn(host)
  const release = own ? await parts.lanes.request(host, parts.module, parts.signal) : () => undefined
  try {
    const { socket, address } = await parts.dialer.open(host, port, {
      signal: parts.signal,
      timeout: CONNECT_TIMEOUT,
      persist: true,
    })
    if (!secure) return { socket, raw: socket, address }
    const secured = await handshake(socket, { host, alpn: ['http/1.1'] }, parts.signal)
    return { socket: secured.socket, raw: socket, address }
  } finally {
    release()
  }
}

const upgraded = (
  upstream: ClientRequest,
  url: URL,
  signal: AbortSignal,
): Promise<{ readonly response: IncomingMessage; readonly head: Buffer }> =>
  new Promise((resolve, reject) => {
    const stopped = () => reject(signal.reason)
    signal.addEventListener('abort', stopped, { once: true })
    const settle = () => {
      signal.removeEventListener('abort', stopped)
      upstream.setTimeout(0)
    }
    upstream.once('upgrade', (response, _, head) => {
      settle()
      resolve({ response, head })
    })
    upstream.once('response', (response) => {
      settle()
      reject(new EgressError('protocol', `${url.host} answered ${response.statusCode} to an upgrade`))
    })
    upstream.once('error', (error) => {
      settle()
      reject(socketError(error, url.host))
    })
    upstream.setTimeout(FIRST_BYTE_TIMEOUT, () => reject(new EgressError('timeout', `${url.host}: no answer`)))
    upstream.end()
  })

const start = async (
  incoming: IncomingMessage,
  url: URL,
  socket: Duplex,
  parts: ProxyParts,
): Promise<ClientRequest> => {
  const own = parts.isOwn(canonicalHost(url.hostname))
  const given = requestHeaders(pairsOf(incoming.rawHeaders), own ? parts : null)
  const secrets = parts.authenticated ? await parts.vault.headersFor(url) : []
  const cookie = secrets.find(({ name }) => name.toLowerCase() === 'cookie')
  const browserCookie = given.find(([name]) => name.toLowerCase() === 'cookie')?.[1] ?? ''
  const names = new Set(secrets.map(({ name }) => name.toLowerCase()))
  const headers = [
    ...['Host', url.host],
    ...given.filter(([name]) => !names.has(name.toLowerCase())).flat(),
    ...secrets.flatMap(({ name, value }) => [name, cookie?.name === name ? mergeCookies(value, browserCookie) : value]),
    ...(own && parts.identity.sondeRun ? ['Sonde-Run', parts.identity.sondeRun()] : []),
    ...['Connection', 'Upgrade'],
  ]
  return requestOver(socket, {
    method: 'GET',
    path: `${url.pathname}${url.search}`,
    headers,
    setHost: false,
    insecureHTTPParser: true,
    maxHeaderSize: 64 * 1024,
  })
}
