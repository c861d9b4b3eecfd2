/** Requests as they are listed: with an example for all that only the running program knows. */
import { bodyOf, headersOf, queryOf } from './bodies.ts'
import type { Endpoint } from './endpoint.ts'
import { isMethod } from './names.ts'
import { addressesOf, asCalled } from './paths.ts'
import type { Sent } from './sent.ts'
import { known, type Value } from './value.ts'

/** Of one call that may send several. */
const MOST = 6

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
        return { method, address: asked, body, called: true, ...(headers.length > 0 ? { headers } : {}) }
      }),
    )
    .slice(0, MOST)
}

/** Whoever names none means GET; one that nobody can tell is none. */
const methodsOf = (value: Value): readonly string[] => {
  const said = value.kind === 'choice' ? value.of.map(known) : [known(value)]
  const methods = said.filter(isMethod).map((method) => method.toUpperCase())
  if (methods.length > 0) return [...new Set(methods)]
  const options = value.kind === 'choice' ? value.of : [value]
  return options.every((one) => one.kind === 'unknown' && one.name === 'undefined') ? ['GET'] : []
}
