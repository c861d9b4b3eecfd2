/** Requests as they are listed: with an example for all that only the running program knows. */
import { bodyOf, headersOf, queryOf } from './bodies.ts'
import { type Endpoint, EXAMPLE, type ScriptCookie } from './endpoint.ts'
import { isMethod } from './names.ts'
import { addressesOf, asCalled } from './paths.ts'
import type { Sent } from './sent.ts'
import { known, type Value } from './value.ts'

/** Of one call that may send several. */
const MOST = 12

export const endpointsOfSent = (sent: Sent): readonly Endpoint[] => {
  const methods = methodsOf(sent.method)
  const headers = headersOf(sent.headers)
  return addressesOf(sent.address, sent.base)
    .map((text) => asCalled(text, sent.evident))
    .filter((address) => address !== null)
    .flatMap((address) =>
      methods.map((method): Endpoint => {
        const reads = method === 'GET' || method === 'HEAD'
        const query = queryOf(sent.query, address)
        const asked = query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`
        const body = reads ? null : bodyOf(sent, address)
        return {
          method,
          address: asked,
          body,
          called: true,
          ...(headers.length > 0 ? { headers } : {}),
          ...(sent.socket ? { socket: true as const } : {}),
        }
      }),
    )
    .slice(0, MOST)
}

/** `name=value; path=/` (RFC 6265, 4.1.1). None where nobody can tell its name, or where it is taken away. */
export const cookiesOfSent = ({ address, page }: Sent): readonly ScriptCookie[] =>
  (address.kind === 'choice' ? address.of : [address]).flatMap((one): readonly ScriptCookie[] => {
    const [first, ...rest] = one.kind === 'text' ? one.pieces : []
    if (typeof first !== 'string') return []
    const text = [first, ...rest.map((piece) => (typeof piece === 'string' ? piece : EXAMPLE))].join('')
    const [, name = '', value = ''] = COOKIE.exec(text) ?? []
    return !first.includes('=') || name === '' || ENDED.test(text)
      ? []
      : [{ name, value: value.trim() || EXAMPLE, page: page ?? null }]
  })
/** A value as browsers take it (RFC 6265, 5.2): up to the next semicolon. */
const COOKIE = /^\s*([\w!#$%&'*+.^`|~-]{1,100})=([\x20-\x3a\x3c-\x7e]{0,500})/
const ENDED = /;\s*(?:max-age\s*=\s*(?:0|-)|expires\s*=[^;]*\b(?:1969|1970)\b)/i

/** Whoever names none means GET; one that nobody can tell is none. */
const methodsOf = (value: Value): readonly string[] => {
  const said = value.kind === 'choice' ? value.of.map(known) : [known(value)]
  const methods = said.filter(isMethod).map((method) => method.toUpperCase())
  if (methods.length > 0) return [...new Set(methods)]
  const options = value.kind === 'choice' ? value.of : [value]
  return options.every((one) => one.kind === 'unknown' && one.name === 'undefined') ? ['GET'] : []
}
