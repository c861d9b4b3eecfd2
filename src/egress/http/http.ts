/** HTTP/1.1 to a target: identity and credentials on, bounds around, the answer as the server gave it. */
import { type Audit, auditError } from '../audit/audit.ts'
import { canonicalHost } from '../dns/resolve.ts'
import { cookieNames, type Vault } from '../door/credentials.ts'
import { startDeadline } from '../door/deadline.ts'
import { EgressError, type HttpExchange, type HttpRequest, SAYS } from '../door/egress.ts'
import type { Asking, PageToken, PageTokens } from '../door/page-tokens.ts'
import type { SessionGate } from '../door/session-gate.ts'
import { targetFailure } from '../door/target-failure.ts'
import type { Lanes } from '../pace/lanes.ts'
import type { Connection, Connections, PeerKey } from './connections.ts'
import { decodeContent } from './content-coding.ts'
import { composeRequest, exchange, NoAnswer, type RawExchange, type RequestBytes } from './exchange.ts'
import { ofSignIn } from './of-sign-in.ts'
import { headerOf } from './response-parser.ts'
import type { IdentityHeaders } from './traffic-identity.ts'
import { handshakeOf, type Saying, say } from './websocket.ts'

/** Bytes of an answer that are read, where the request says nothing else. */
const MAX_BODY = 4 * 1024 * 1024
/** Bytes that a request may ask for: the program of a single-page application is often one file, and half of it is none. */
export const LARGEST_BODY = 16 * 1024 * 1024
const DEFAULT_TIMEOUT = 10_000
const CONNECT_TIMEOUT = 5_000

/** What the requests of all modules share. */
export interface HttpParts {
  readonly connections: Connections
  readonly lanes: Lanes
  readonly vault: Vault
  readonly identity: IdentityHeaders
  /** Patterns of the run name this address; see contract/exclude.ts. */
  readonly excludes: (url: URL, target?: string) => boolean
  /** Told of each answer, whichever module asked. Never throws. */
  readonly answered?: (exchange: HttpExchange, module: string, signsIn: boolean) => void
  /** Null where nobody watches over the session. */
  readonly gate: () => SessionGate | null
  /** What pages say in a header beside the session; absent for a browser, whose pages say it themselves. */
  readonly tokens?: PageTokens | undefined
  /** Other identities of the run, by name: each has a vault and a gate of its own. */
  readonly others: ReadonlyMap<string, Pick<HttpParts, 'vault' | 'gate'>>
}

/** What belongs to the module that asks. */
export interface Asker {
  readonly module: string
  readonly signal: AbortSignal
  readonly audit: Audit
  /** Why a request must not leave, null where it may; absent for what asks as visitors do. */
  readonly judge?: Judge | undefined
  /** It signs in, or proves that one is: nobody watches over its requests, and its answers are nobody else's. */
  readonly signsIn?: boolean | undefined
}

/** The last word on a request: `url` with its target as sent. */
export type Judge = (request: {
  readonly method: string
  readonly url: string
  readonly contentType: string | null
  readonly body: string | null
  readonly stranger?: boolean
}) => string | null

/** A request that carries the run's session passes its gate. @throws EgressError */
export const sendRequest = async (request: HttpRequest, run: HttpParts, asker: Asker): Promise<HttpExchange> => {
  const parts = request.as == null ? run : asOther(run, request.as)
  const gate = asker.signsIn || request.authenticated === false ? null : parts.gate()
  const url = parseUrl(request.url)
  if (gate === null || !parts.vault.isOwn(url)) return sendOnce(request, parts, asker)
  for (let again = 0; ; again += 1) {
    const asked = {
      method: request.method ?? 'GET',
      url,
      module: asker.module,
      sets: setBy(request, parts.identity.userAgent),
    }
    const entered = await gate.enter(asked, asker.signal)
    if ('code' in entered) {
      const what = `${request.method ?? 'GET'} ${shown(url, request.target)}`
      asker.audit({
        event: 'refused',
        method: request.method ?? 'GET',
        url: shown(url, request.target),
        error: entered.reason,
      })
      throw new EgressError(entered.code, `${what} was not sent: ${entered.reason}`)
    }
    const exchange = await sendOnce(request, parts, asker).catch((error: unknown) => {
      gate.gone()
      throw error
    })
    if (!(await gate.left(exchange, entered)) || again >= MOST_AGAIN) return exchange
  }
}

/** Where the run's own cookies hold, what the request brings is none of theirs. */
const setBy = ({ headers = [], keepsOwnCookies }: HttpRequest, userAgent: string): ReadonlySet<string> =>
  new Set(
    headers.flatMap(([name, value]) => {
      const field = name.toLowerCase()
      // A browser of the run names itself as all its requests do.
      if (field === 'user-agent' && value === userAgent) return []
      if (field !== 'cookie') return [field]
      return keepsOwnCookies ? [] : cookieNames({ cookie: value }).map((one) => one.toLowerCase())
    }),
  )

/** What it asks with as another identity of the run, which has begun. */
export const asOther = (parts: HttpParts, name: string): HttpParts => {
  const other = parts.others.get(name)
  if (other === undefined) throw new Error(`the run has no identity called "${name}"`)
  return { ...parts, ...other }
}

/** Times that one request is sent again for a session that was begun anew. */
const MOST_AGAIN = 2

/** With the token that pages of the site say beside the session, where they ask so; what is refused with an old one is asked with a new one. */
const sendOnce = async (request: HttpRequest, parts: HttpParts, asker: Asker): Promise<HttpExchange> => {
  const { tokens } = parts
  if (tokens === undefined || asker.signsIn || request.authenticated === false)
    return sendWith(null, request, parts, asker)
  const tokenFor = (): Promise<PageToken | null> =>
    tokens.headerFor(request, (asking) => askForToken(asking, request.as ?? undefined, parts, asker))
  const token = await tokenFor()
  const answer = await sendWith(token, request, parts, asker)
  if (token === null || answer.status !== 401 || !tokens.wasRefused(token)) return answer
  return sendWith(await tokenFor(), request, parts, asker)
}

/** Null where it does not answer, or may not be asked: what was asked goes without a token then. */
const askForToken = async (
  asking: Asking,
  as: string | undefined,
  parts: HttpParts,
  asker: Asker,
): Promise<HttpExchange | null> => {
  try {
    return await sendWith(null, { ...asking, ...(as === undefined ? {} : { as }) }, parts, asker)
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

const sendWith = async (
  token: PageToken | null,
  request: HttpRequest,
  parts: HttpParts,
  asker: Asker,
): Promise<HttpExchange> => {
  const url = parseUrl(request.url)
  const method = request.method ?? 'GET'
  if (!TOKEN.test(method)) throw new EgressError('protocol', 'a method must be a token (RFC 9110, 5.6.2)')
  if (request.entry !== true && parts.excludes(url, request.target)) {
    asker.audit({
      event: 'refused',
      method,
      url: shown(url, request.target),
      error: 'excluded by a pattern of the run',
    })
    throw new EgressError('excluded', `${method} ${shown(url, request.target)} is excluded from this run`)
  }
  const forbidden = asker.judge?.({
    method,
    url: shown(url, request.target),
    contentType: headerOf(request.headers ?? [], 'content-type') || null,
    body: request.body === undefined ? null : bodyText(request.body),
    stranger: request.stranger === true && request.authenticated === false,
  })
  if (forbidden) {
    asker.audit({ event: 'refused', method, url: shown(url, request.target), error: forbidden })
    throw new EgressError('excluded', `${method} ${shown(url, request.target)} is left alone: ${forbidden}`)
  }
  const peer: PeerKey = {
    scheme: url.protocol === 'https:' ? 'https' : 'http',
    host: canonicalHost(url.hostname),
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    authenticated: parts.vault.present() && request.authenticated !== false,
    as: request.as ?? '',
  }
  const message = method === SAYS ? textOf(request.body) : null
  const bytes =
    message === null
      ? await composeRequest(request, method, url, peer.authenticated, { ...parts, token })
      : await composeRequest(handshakeOf(request, url), 'GET', url, peer.authenticated, { ...parts, token })
  const asked = `${method} ${url.host}${url.pathname}`
  const release = await parts.lanes.request(peer.host, asker.module, asker.signal, request.spare, asked)
  const what = `${method} ${shown(url, request.target)}`
  const timeout = request.timeout ?? DEFAULT_TIMEOUT
  const deadline = startDeadline(timeout, asker.signal, what)
  const audited = {
    ...{ event: 'request' as const, method, url: shown(url, request.target), port: peer.port },
    ...(request.as == null ? {} : { detail: `as ${request.as}` }),
  }
  let address: string | undefined
  try {
    const maxBody = Math.max(0, Math.min(request.maxBody ?? MAX_BODY, LARGEST_BODY))
    const alone = message !== null || framesItself(request)
    const saying = message === null ? null : { url, message, waits: request.waits ?? 0 }
    const limits = { timeout, maxBody, insecure: request.insecure !== false, alone, what, saying }
    const began = performance.now()
    const { connection, raw } = await attempt(peer, bytes, limits, parts.connections, deadline.signal, (dialled) => {
      address = dialled
    })
    parts.vault.sawHttps(url)
    const { response } = raw
    const decoded = await decodeContent(headerOf(response.headers, 'content-encoding'), response.body, maxBody)
    const latency = raw.firstByteAt - began
    const total = performance.now() - began
    const retryAfter = headerOf(response.headers, 'retry-after') || null
    release({ status: response.status, retryAfter, latency, waits: request.waits })
    asker.audit({ ...audited, address, status: response.status, bytes: raw.received, duration_ms: total })
    const answer: HttpExchange = {
      request: {
        method,
        url: url.href,
        headers: bytes.shown,
        body: request.body === undefined ? null : bodyText(request.body),
      },
      address: connection.address,
      port: peer.port,
      httpVersion: response.httpVersion,
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
      body: decoded.body,
      truncated: response.truncated || decoded.truncated,
      timing: { connect: connection.connectTime, firstByte: latency, total },
      certificateError: connection.certificateError,
    }
    parts.answered?.(asker.signsIn ? ofSignIn(answer) : answer, asker.module, asker.signsIn === true)
    return answer
  } catch (error) {
    asker.audit({ ...audited, address, status: null, duration_ms: deadline.elapsed(), error: auditError(error) })
    throw error
  } finally {
    deadline.end()
    release()
  }
}

interface Limits {
  readonly timeout: number
  readonly maxBody: number
  readonly insecure: boolean
  /** The request's own framing may disagree with ours, so its connection carries nothing else. */
  readonly alone: boolean
  readonly what: string
  /** What is said over a WebSocket once it is open; null where none is asked for. */
  readonly saying: Pick<Saying, 'url' | 'message' | 'waits'> | null
}

/** Sends on a kept connection where that is safe, and once more on a new one when the kept one turns out closed. */
const attempt = async (
  peer: PeerKey,
  request: RequestBytes,
  limits: Limits,
  connections: Connections,
  signal: AbortSignal,
  dialled: (address: string) => void,
): Promise<{ connection: Connection; raw: RawExchange }> => {
  const timeout = Math.min(CONNECT_TIMEOUT, limits.timeout)
  let fresh = limits.alone || !REPEATABLE.has(request.method)
  for (;;) {
    const connection = await connections.take(peer, { signal, timeout, fresh })
    dialled(connection.address)
    let keep = false
    try {
      if (!limits.insecure && connection.certificateError) {
        throw new EgressError('protocol', `${limits.what}: certificate refused: ${connection.certificateError}`)
      }
      const raw = limits.saying
        ? await say(connection.socket, { ...limits, ...request, ...limits.saying }, signal)
        : await exchange(connection.socket, { ...limits, ...request }, signal)
      keep = raw.response.reusable && !limits.alone
      return { connection, raw }
    } catch (error) {
      if (!(error instanceof NoAnswer) || !connection.reused) throw error
      fresh = true
    } finally {
      if (keep) connections.keep(peer, connection)
      else connection.socket.destroy()
    }
  }
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]{1,64}$/
/** May be sent again when a kept connection closes under it (RFC 9110, 9.2.2). */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'])
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect'])

const framesItself = (request: HttpRequest): boolean =>
  (request.headers ?? []).some(([name]) => FRAMING.has(name.trim().toLowerCase()))

const parseUrl = (text: string): URL => {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new EgressError('protocol', `"${text.slice(0, 200)}" is not an http or https URL`)
  }
  return url
}

/** The URL without user and fragment, which are not sent. */
/** A target may name the site itself (RFC 9112, 3.2.2). */
const shown = (url: URL, target: string | undefined): string =>
  target?.startsWith(`${url.origin}/`) ? target : `${url.origin}${target ?? url.pathname + url.search}`

/** A message is a text. @throws EgressError */
const textOf = (body: HttpRequest['body']): string => {
  if (typeof body !== 'string') throw new EgressError('protocol', 'a message over a WebSocket is a text')
  return body
}

const bodyText = (body: Uint8Array | string): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
