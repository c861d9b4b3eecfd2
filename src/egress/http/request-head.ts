/** The bytes of a request, exactly as asked for: order, case and repeats of headers and the target kept. */
import { EgressError, type HeaderPairs } from '../door/egress.ts'

export interface RequestBytes {
  readonly method: string
  /** What was put on the wire, in order. */
  readonly headers: HeaderPairs
  readonly bytes: Buffer
}

export interface RequestParts {
  readonly method: string
  readonly url: URL
  /** Replaces path and query, sent as it is. */
  readonly target: string | null
  /** Egress's own; a caller's header of the same name takes the place of one that is not `fixed`. */
  readonly own: readonly { readonly name: string; readonly value: string; readonly fixed?: boolean }[]
  readonly headers: HeaderPairs
  readonly body: Uint8Array | string | null
}

/** @throws EgressError protocol, where a part would split the request */
export const writeRequest = (parts: RequestParts): RequestBytes => {
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
  return { method: parts.method, headers, bytes: body ? Buffer.concat([head, body]) : head }
}

const SPLITTING = /[\r\n\0]/
/** Beyond latin1, the coding in which headers are received. */
const WIDE = /[\u0100-\uffff]/

/** A body, or a method that promises one (RFC 9110, 8.6). */
const needsLength = (method: string, body: Buffer | null): boolean =>
  body !== null || method === 'POST' || method === 'PUT' || method === 'PATCH'
