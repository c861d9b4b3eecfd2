/** One request as it is written, with what the run adds to it, and its response on an open connection. */
import type { Socket } from 'node:net'
import { type CredentialHeader, mergeCookies, type Vault } from '../door/credentials.ts'
import { EgressError, type HeaderPairs, type HttpRequest } from '../door/egress.ts'
import { REDACTED } from '../redaction/redacted.ts'
import { socketError } from '../sockets/errors.ts'
import { withMember } from './body-member.ts'
import { createResponseParser, headerOf, type ParsedResponse } from './response-parser.ts'
import type { IdentityHeaders } from './traffic-identity.ts'

/** Exactly as asked for: order, case and repeats of headers and the target kept. */
export interface RequestBytes {
  readonly method: string
  /** What was put on the wire, in order, for people: the run's credentials without their values. Nothing is sent from it. */
  readonly shown: HeaderPairs
  readonly bytes: Buffer
  /** It asks for another protocol (RFC 9110, 7.8). */
  readonly upgrades: boolean
}

/**
 * The request with the identity of the run and, where it is `authenticated`, its credentials.
 * @throws EgressError protocol, where a part would split the request
 */
export const composeRequest = async (
  request: HttpRequest,
  method: string,
  url: URL,
  authenticated: boolean,
  {
    vault,
    identity,
    token = null,
  }: { readonly vault: Vault; readonly identity: IdentityHeaders; readonly token?: CredentialHeader | null },
): Promise<RequestBytes> => {
  const own = authenticated ? await vault.headersFor(url) : []
  // In clear it goes where the session goes.
  const secrets = token !== null && own.length > 0 ? [...own, token] : own
  const type = (request.headers ?? []).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const body = withMember(request.body, type, authenticated ? await vault.memberFor(url) : null)
  const cookie = secrets.find(({ name }) => name.toLowerCase() === 'cookie')
  // Of a session that is bound to the browser it was begun in.
  const agent = secrets.find(({ name }) => name.toLowerCase() === 'user-agent')
  const given = (request.headers ?? []).map(([name, value]) =>
    cookie && name.toLowerCase() === 'cookie'
      ? ([name, mergeCookies(cookie.value, value, request.keepsOwnCookies ? 'own' : 'given')] as const)
      : ([name, value] as const),
  )
  const { headers, bytes } = writeRequest({
    method,
    url,
    target: request.target ?? null,
    own: [
      { name: 'Host', value: url.host },
      { name: 'User-Agent', value: agent?.value ?? identity.userAgent, fixed: agent !== undefined },
      ...(identity.sondeRun ? [{ name: 'Sonde-Run', value: identity.sondeRun(), fixed: true }] : []),
      ...secrets.filter((secret) => secret !== agent),
      { name: 'Accept', value: '*/*' },
      { name: 'Accept-Encoding', value: 'gzip, deflate, br, zstd' },
    ],
    headers: given,
    body: body ?? null,
  })
  const names = new Set(secrets.map(({ name }) => name.toLowerCase()))
  const shown = headers.map(([name, value]) => [name, names.has(name.toLowerCase()) ? REDACTED : value] as const)
  return { method, shown, bytes, upgrades: headers.some(([name]) => name.toLowerCase() === 'upgrade') }
}

interface RequestParts {
  readonly method: string
  readonly url: URL
  /** Replaces path and query, sent as it is. */
  readonly target: string | null
  /** Egress's own; a caller's header of the same name takes the place of one that is not `fixed`. */
  readonly own: readonly { readonly name: string; readonly value: string; readonly fixed?: boolean }[]
  readonly headers: HeaderPairs
  readonly body: Uint8Array | string | null
}

const writeRequest = (parts: RequestParts): { readonly headers: HeaderPairs; readonly bytes: Buffer } => {
  const target = parts.target ?? `${parts.url.pathname}${parts.url.search}`
  const given = new Set(parts.headers.map(([name]) => name.toLowerCase()))
  const fixed = new Set(parts.own.filter((header) => header.fixed).map((header) => header.name.toLowerCase()))
  const body = parts.body === null ? null : Buffer.from(parts.body as string)
  const headers: (readonly [string, string])[] = [
    ...parts.own
      .filter((header) => header.fixed || !given.has(header.name.toLowerCase()))
      .map((header) => [header.name, header.value] as const),
    ...parts.headers.filter(([name]) => !fixed.has(name.toLowerCase())),
  ]
  if (needsLength(parts.method, body) && !given.has('content-length') && !given.has('transfer-encoding')) {
    headers.push(['Content-Length', String(body?.length ?? 0)])
  }
  for (const text of [parts.method, target, ...headers.flat()]) {
    if (SPLITTING.test(text)) throw new EgressError('protocol', 'a request part must not contain a line break or NUL')
  }
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = Buffer.concat([
    Buffer.from(`${parts.method} ${target} HTTP/1.1\r\n`),
    Buffer.from(`${lines}\r\n`, WIDE.test(lines) ? 'utf8' : 'latin1'),
  ])
  return { headers, bytes: body ? Buffer.concat([head, body]) : head }
}

const SPLITTING = /[\r\n\0]/
/** Beyond latin1, the coding in which headers are received. */
const WIDE = /[\u0100-\uffff]/

/** A body, or a method that promises one (RFC 9110, 8.6). */
const needsLength = (method: string, body: Buffer | null): boolean =>
  body !== null || method === 'POST' || method === 'PUT' || method === 'PATCH'

export interface RawExchange {
  readonly response: ParsedResponse
  /** When the first byte came, by performance.now(). */
  readonly firstByteAt: number
  /** Bytes received. */
  readonly received: number
}

/**
 * A failure before the head of an answer: on a kept connection the peer may simply have closed it, or what came is the end of the answer before,
 * such as a body to HEAD, which has none (RFC 9110, 9.3.2).
 */
export class NoAnswer extends EgressError {}

const EVENTS = 'text/event-stream'
/** An event with its data, and the empty line that ends it (HTML, 9.2.5). */
const FIRST_EVENT = /(?:^|[\r\n])data.*(?:\r\n|\n|\r)(?:\r\n|\n|\r)/
/** Milliseconds for the first event. */
const SILENCE = 1_000

/**
 * Once the header block is there, nothing fails any more: what came of the body is the answer, `truncated`.
 * The caller keeps or destroys the socket.
 * @throws EgressError
 */
export const exchange = (
  socket: Socket,
  request: {
    readonly bytes: Buffer
    readonly method: string
    readonly maxBody: number
    readonly what: string
    readonly upgrades?: boolean
    /** Who asks for events by its headers, as browsers do, hears them until the time is over. */
    readonly headers?: HeaderPairs
  },
  signal: AbortSignal,
): Promise<RawExchange> =>
  new Promise((resolve, reject) => {
    const parser = createResponseParser(request)
    const hearsAll = headerOf(request.headers ?? [], 'accept').startsWith(EVENTS)
    let firstByteAt = 0
    let received = 0
    let silence: NodeJS.Timeout | undefined
    let isStream: boolean | undefined
    const settle = () => {
      clearTimeout(silence)
      signal.removeEventListener('abort', abort)
      socket.off('data', data).off('error', fail).off('end', end).off('close', end)
    }
    const succeed = () => {
      settle()
      resolve({ response: parser.response(), firstByteAt, received })
    }
    const give = (error: EgressError) => {
      settle()
      const early = !parser.started() && (error.code === 'unreachable' || error.code === 'protocol')
      reject(early ? new NoAnswer(error.code, error.message, { cause: error.cause }) : error)
    }
    const fail = (error: Error) => {
      if (parser.started()) succeed()
      else give(socketError(error, request.what))
    }
    const abort = () => {
      const reason: unknown = signal.reason
      // A module that is told to stop wants no half answer; a slow body is one.
      if (parser.started() && reason instanceof EgressError && reason.code === 'timeout') succeed()
      else give(reason instanceof EgressError ? reason : new EgressError('aborted', `${request.what}: stopped`))
    }
    const end = () =>
      guarded(() => {
        parser.end()
        succeed()
      })
    const data = (chunk: Buffer) =>
      guarded(() => {
        if (received === 0) firstByteAt = performance.now()
        received += chunk.length
        if (parser.push(chunk)) succeed()
        else if (!hearsAll && parser.started()) hear()
      })
    // A stream of events has no end: its first is the answer, or that it says nothing.
    const hear = () => {
      isStream ??= headerOf(parser.response().headers, 'content-type').trim().toLowerCase().startsWith(EVENTS)
      if (!isStream) return
      if (FIRST_EVENT.test(parser.response().body.toString('latin1'))) succeed()
      else silence ??= setTimeout(() => guarded(succeed), SILENCE)
    }
    const guarded = (step: () => void) => {
      try {
        step()
      } catch (error) {
        const message = `${request.what}: ${error instanceof Error ? error.message : error}`
        give(
          error instanceof EgressError
            ? new EgressError(error.code, message, { cause: error.cause })
            : socketError(error, message),
        )
      }
    }
    if (signal.aborted) {
      abort()
      return
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.on('data', data).on('error', fail).on('end', end).on('close', end)
    socket.resume()
    socket.write(request.bytes)
  })
