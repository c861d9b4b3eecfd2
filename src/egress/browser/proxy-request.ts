/**
 * A browser's request as a request of egress: paced, signed, with the run's credentials and audited like any
 * other. The page gets what the target sent: what it sends back later has to be true.
 */
import { type IncomingMessage, type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http'
import { auditError } from '../audit/audit.ts'
import { canonicalHost } from '../dns/resolve.ts'
import { EgressError, type HeaderPairs, type HttpExchange } from '../door/egress.ts'
import { LARGEST_BODY, sendRequest } from '../http/http.ts'
import { headerOf } from '../http/response-parser.ts'
import type { ProxyParts } from './browser-proxy.ts'

/** Bytes. */
const MOST_SENT = 4 * 1024 * 1024
const TIMEOUT = 30_000
/** A stream of events has no end to wait for: the page gets what came by then. */
const STREAM_TIMEOUT = 4_000

/** @throws EgressError; nothing has been answered then */
export const carryRequest = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: URL,
  parts: ProxyParts,
): Promise<void> => {
  const at = Date.now()
  const headers = pairsOf(incoming.rawHeaders)
  let body: Buffer | null = null
  let exchange: HttpExchange | null = null
  let failure: string | null = null
  const asked = { method: incoming.method ?? 'GET', url: url.href, headers }
  try {
    body = await readBody(incoming)
    exchange = parts.memory?.recall(asked, at) ?? null
    if (exchange === null) {
      parts.spend()
      exchange = await send(incoming, headers, body, url, parts)
      parts.memory?.keep(asked, exchange, Date.now())
    }
    if (parts.authenticated && !parts.signsIn) parts.tokens?.saw({ ...asked, body }, exchange)
    const destination = headerOf(headers, 'sec-fetch-dest')
    answer(outgoing, exchange, parts.prefixOf?.({ url: url.href, destination }) ?? '')
  } catch (error) {
    failure = auditError(error)
    throw error
  } finally {
    parts.watch?.({
      at,
      duration: Date.now() - at,
      method: incoming.method ?? 'GET',
      url: url.href,
      headers,
      body,
      status: exchange?.status ?? null,
      answered: exchange?.headers ?? [],
      bytes: exchange?.body.length ?? 0,
      error: failure,
    })
  }
}

const send = (
  incoming: IncomingMessage,
  headers: HeaderPairs,
  body: Buffer,
  url: URL,
  parts: ProxyParts,
): Promise<HttpExchange> => {
  const own = parts.isOwn(canonicalHost(url.hostname))
  const { authenticated } = parts
  const as = parts.as ?? parts.ledAlone?.askedAs({ method: incoming.method ?? 'GET', url: url.href, authenticated })
  const streams = incoming.headers.accept === 'text/event-stream'
  return sendRequest(
    {
      method: incoming.method ?? 'GET',
      url: url.href,
      headers: requestHeaders(headers, own ? parts : null),
      ...(body.length > 0 ? { body } : {}),
      timeout: streams ? STREAM_TIMEOUT : TIMEOUT,
      maxBody: LARGEST_BODY,
      authenticated,
      ...(as == null ? {} : { as }),
      // Somebody else's site is believed by its certificate alone where one signs in.
      ...(parts.signsIn && !own ? { insecure: false } : {}),
      // A profile that is watched is somebody's own browser; all others only have what pages set on the way.
      keepsOwnCookies: parts.watch === undefined,
    },
    // What its scripts say in headers they say themselves; what people open says nothing there.
    {
      ...parts,
      ...(own ? {} : { lanes: NO_PACE, identity: { ...parts.identity, sondeRun: null } }),
      tokens: undefined,
    },
    parts,
  )
}

export const pairsOf = (raw: readonly string[]): HeaderPairs =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? ''] as const)

/** Of this hop, and what egress writes itself. */
const REPLACED: ReadonlySet<string> = new Set([
  'proxy-authorization',
  'proxy-connection',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'host',
  'content-length',
  'accept-encoding',
  'expect',
])

/**
 * To the target the browser also says who sent it; other sites of the page see an ordinary browser. Signed in, it has the
 * User-Agent of the run's other requests: many applications end a session that two programs use.
 */
export const requestHeaders = (
  given: HeaderPairs,
  own: Pick<ProxyParts, 'identity' | 'authenticated' | 'vault' | 'watch' | 'signsIn'> | null,
): HeaderPairs => {
  const headers = given.filter(([name]) => !REPLACED.has(name.toLowerCase()))
  if (own === null) return headers
  const { userAgent, product } = own.identity
  // A session is bound to the browser that it was begun in.
  const isSession = own.signsIn || (own.authenticated && own.vault.present() && own.watch === undefined)
  return headers.map(([name, value]) =>
    name.toLowerCase() === 'user-agent' ? [name, isSession ? userAgent : `${value} ${product}`] : [name, value],
  )
}

/** What does not hold any more once the body is decoded, what would lead the browser past the proxy, and what the door alone says. */
const DROPPED: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'trailer',
  'proxy-authenticate',
  'alt-svc',
  'sonde-refused',
  'sonde-reason',
])

const answer = (outgoing: ServerResponse, exchange: HttpExchange, prefix: string): void => {
  const { status, statusText, headers, body, truncated } = exchange
  if (status < 200 || status > 599) throw new EgressError('protocol', `status ${status} is none for a browser`)
  const kept = headers.filter(([name, value]) => !DROPPED.has(name.toLowerCase()) && writable(name, value))
  outgoing.writeHead(status, printable(statusText), kept.flat())
  if (prefix !== '' && status === 200) outgoing.write(prefix)
  if (!truncated) {
    outgoing.end(body)
    return
  }
  // The browser has to see that the answer was cut, as it would without us.
  outgoing.write(body, () => outgoing.destroy())
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '')

const writable = (name: string, value: string): boolean => {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false // Bytes that no header may hold; a browser drops them, too.
    throw error
  }
}

const readBody = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_SENT) throw new EgressError('protocol', `a request body over ${MOST_SENT} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const release = () => undefined
const NO_PACE: ProxyParts['lanes'] = {
  request: async () => release,
  connection: async () => ({ connected: release, closed: release }),
}
