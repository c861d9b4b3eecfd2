/** Requests as templates mean them, ready for the wire. */
import type { HeaderPairs } from '../../../egress/door/egress.ts'

export interface HttpSpec {
  readonly method: string
  /** `http://shop.test:8080`. */
  readonly origin: string
  /** Path and query as they go out. */
  readonly target: string
  readonly headers: HeaderPairs
  /** Byte string. */
  readonly body: string | null
  /** Byte string of a whole request, sent as it is in place of all above but the origin. */
  readonly verbatim: string | null
  /** Milliseconds; null means the engine's own. */
  readonly timeout: number | null
  /** Server name in the TLS hello, where the template asks for another one. */
  readonly serverName: string | null
}

/** The same bytes to the same place. Redirects are followed on top, so how far is no part of it. */
export const keyOf = (spec: HttpSpec): string =>
  JSON.stringify([spec.method, spec.origin, spec.target, spec.headers, spec.body, spec.verbatim, spec.serverName])

/** What egress sets by itself, or what only says "a browser": dropped, so that equal requests are equal. */
const DEFAULTS: readonly (readonly [name: string, value: RegExp])[] = [
  ['connection', /^(?:close|keep-alive)$/i],
  ['content-length', /^/],
  ['accept-encoding', /^[\w ,;=.*-]*$/],
  ['accept', /^\*\/\*$/],
  ['user-agent', /^Mozilla\/5\.0 \([\w;:.,_ /+-]*\)[\w ();:.,_/+-]*$/],
  ['upgrade-insecure-requests', /^1$/],
  ['accept-language', /^[a-zA-Z]{2}[\w ,;=.*-]*$/],
]

export const withoutDefaults = (headers: HeaderPairs): HeaderPairs =>
  headers.filter(
    ([name, value]) => !DEFAULTS.some(([known, plain]) => known === name.toLowerCase() && plain.test(value.trim())),
  )

/**
 * A request target that stays within its line: spaces, controls and bytes beyond ASCII are percent-encoded, and a "%" that
 * begins no escape. Everything else goes out as it was written: dot segments, double slashes, brackets, backslashes.
 */
export const encodeTarget = (bytes: string): string => {
  const target = bytes.startsWith('/') || bytes === '*' ? bytes : `/${bytes}`
  return target
    .replace(/%(?![\da-fA-F]{2})/g, '%25')
    .replace(/[^\x21-\x7e]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

/** `#/route` is the browser's business and not sent; any other "#" is meant for the server. */
export const withoutRoute = (target: string): string => target.replace(/#[/!].*$/s, '')

/** All bytes of a request that goes out on a connection of its own. */
export const wholeRequest = (spec: HttpSpec): string => {
  const named = spec.headers.some(([name]) => name.toLowerCase() === 'host')
  const own: HeaderPairs = [
    ...(named ? [] : [['Host', new URL(spec.origin).host] as const]),
    ...spec.headers,
    ...(spec.body === null ? [] : [['Content-Length', String(spec.body.length)] as const]),
    ['Connection', 'close'],
  ]
  return `${spec.method} ${spec.target} HTTP/1.1\r\n${own.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${spec.body ?? ''}`
}

/** A bare LF in text of a template stands for CRLF. */
export const withLineEnds = (bytes: string): string => bytes.replace(/\r?\n/g, '\r\n')

export const replayOf = (spec: HttpSpec): string => {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  if (spec.verbatim !== null) {
    const place = new URL(spec.origin)
    const port = place.port || (place.protocol === 'https:' ? '443' : '80')
    const data = spec.verbatim.replace(
      /[^\x20-\x7e]|[\\'%]/g,
      (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    return place.protocol === 'https:'
      ? `printf '${data}' | openssl s_client -quiet -connect ${place.hostname}:${port}`
      : `printf '${data}' | nc ${place.hostname} ${port}`
  }
  const parts = ['curl', '-sik', '--path-as-is', '-X', quoted(spec.method)]
  for (const [name, value] of spec.headers) parts.push('-H', quoted(`${name}: ${value}`))
  if (spec.body !== null) parts.push('--data-binary', quoted(spec.body.slice(0, 4_000)))
  return `${parts.join(' ')} ${quoted(spec.origin + spec.target)}`.slice(0, 8_000)
}
