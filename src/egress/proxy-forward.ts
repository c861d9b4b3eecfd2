/** Forwards a browser's plain http request, streaming both ways, on a socket that the guard let through. */
import { type ClientRequest, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Passage, ProxyParts } from './browser-proxy.ts'
import { EgressError } from './egress.ts'
import { socketError } from './tcp.ts'

const FIRST_BYTE_TIMEOUT = 30_000
/** Of this hop only (RFC 9110, 7.6.1). */
const HOP: ReadonlySet<string> = new Set([
  'proxy-authorization',
  'proxy-connection',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
])

export const forwardRequest = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: URL,
  passage: Passage,
  parts: ProxyParts,
): Promise<void> => {
  const began = performance.now()
  const upstream = start(incoming, url, passage, parts, ['Connection', 'close'])
  let stopped: () => void = () => undefined
  try {
    const received = new Promise<IncomingMessage>((resolve, reject) => {
      upstream.once('response', resolve)
      upstream.once('error', (error) => reject(socketError(error, url.host)))
      upstream.setTimeout(FIRST_BYTE_TIMEOUT, () => reject(new EgressError('timeout', `${url.host}: no answer`)))
      stopped = () => reject(parts.signal.reason)
      parts.signal.addEventListener('abort', stopped, { once: true })
    })
    // The body's own failure shows as the request's error.
    pipeline(incoming, upstream).catch(() => undefined)
    const response = await received
    upstream.setTimeout(0)
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, withoutHop(response.rawHeaders))
    const failure = await pipeline(response, outgoing).then(
      () => null,
      (error: Error) => error.message,
    )
    parts.audit({
      event: 'request',
      method: incoming.method ?? 'GET',
      url: `${url.origin}${url.pathname}${url.search}`,
      address: passage.address,
      port: passage.port,
      status: response.statusCode ?? null,
      bytes,
      duration_ms: performance.now() - began,
      ...(failure === null ? {} : { error: failure }),
    })
  } finally {
    parts.signal.removeEventListener('abort', stopped)
    upstream.on('error', () => undefined).destroy()
    passage.socket.destroy()
  }
}

/** A WebSocket in clear: after the 101 both sides are joined. */
export const forwardUpgrade = async (
  incoming: IncomingMessage,
  client: Duplex,
  url: URL,
  passage: Passage,
  parts: ProxyParts,
): Promise<void> => {
  const began = performance.now()
  const upstream = start(incoming, url, passage, parts, ['Connection', 'Upgrade'])
  let stopped: () => void = () => undefined
  try {
    const { response, head } = await new Promise<{ response: IncomingMessage; head: Buffer }>((resolve, reject) => {
      upstream.once('upgrade', (found, _, rest) => resolve({ response: found, head: rest }))
      upstream.once('response', (found) =>
        reject(new EgressError('protocol', `${url.host} answered ${found.statusCode} to an upgrade`)),
      )
      upstream.once('error', (error) => reject(socketError(error, url.host)))
      upstream.setTimeout(FIRST_BYTE_TIMEOUT, () => reject(new EgressError('timeout', `${url.host}: no answer`)))
      stopped = () => reject(parts.signal.reason)
      parts.signal.addEventListener('abort', stopped, { once: true })
      upstream.end()
    })
    upstream.setTimeout(0)
    const lines = pairs(response.rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
    client.write(Buffer.from(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1'))
    if (head.length > 0) client.write(head)
    const stop = () => client.destroy()
    parts.signal.addEventListener('abort', stop, { once: true })
    await Promise.allSettled([pipeline(client, passage.socket), pipeline(passage.socket, client)])
    parts.signal.removeEventListener('abort', stop)
    parts.audit({
      event: 'request',
      method: 'GET',
      url: `${url.origin}${url.pathname}${url.search}`,
      address: passage.address,
      port: passage.port,
      status: 101,
      bytes: passage.socket.bytesRead,
      duration_ms: performance.now() - began,
    })
  } finally {
    parts.signal.removeEventListener('abort', stopped)
    upstream.on('error', () => undefined).destroy()
    passage.socket.destroy()
  }
}

const start = (
  incoming: IncomingMessage,
  url: URL,
  passage: Passage,
  parts: ProxyParts,
  extra: readonly [string, string],
): ClientRequest => {
  const headers = withoutHop(incoming.rawHeaders)
  // Told to the target alone; other sites of the page see an ordinary browser.
  if (passage.own) headers.push('Sonde-Run', parts.identity.sondeRun())
  // A body without a length came in chunks and must leave so.
  if (incoming.headers['transfer-encoding']) headers.push('Transfer-Encoding', 'chunked')
  return openRequest({
    createConnection: () => passage.socket,
    method: incoming.method,
    path: `${url.pathname}${url.search}`,
    headers: [...headers, ...extra],
    setHost: false,
    insecureHTTPParser: true,
    maxHeaderSize: 64 * 1024,
  })
}

const pairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? ''])

const withoutHop = (raw: readonly string[]): string[] =>
  pairs(raw)
    .filter(([name]) => !HOP.has(name.toLowerCase()))
    .flat()
