/** What answers say of a session: whether it is over, somebody else's, or goes on under another value. */
import type { HttpExchange } from '../egress/door/egress.ts'
import { headerOf } from '../page/exchange.ts'
import type { Credentials } from './sign-in.ts'

/** May be sent twice. Others only where the answer says that nothing was done (RFC 9110, 15.5.2). */
export const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** 419 and 440 are what frameworks say of a session that is over. */
const ODD: ReadonlySet<number> = new Set([401, 403, 407, 419, 440])

/**
 * Null: as it is answered to somebody. 'ends': the answer takes the session's cookie back. 'replaces': what was sent signs in, and
 * the answer gives the cookie another value, as to somebody else.
 */
export const oddnessOf = (
  exchange: Pick<HttpExchange, 'status' | 'headers' | 'request'>,
  { cookie }: Pick<Credentials, 'cookie'>,
  isSignIn: (url: URL) => boolean,
): 'odd' | 'ends' | 'replaces' | null => {
  const { method, url } = exchange.request
  const acts = !REPEATABLE.has(method) && isSignIn(new URL(url))
  const own = pairsOf(cookie)
  for (const [name, line] of exchange.headers) {
    if (name.toLowerCase() !== 'set-cookie') continue
    const [key, value] = splitPair(line.split(';')[0] ?? '')
    if (!own.has(key)) continue
    if (value === '' || /;\s*max-age=(?:0|-\d+)\s*(?:;|$)/i.test(line) || isPast(line)) return 'ends'
    if (value !== own.get(key) && acts) return 'replaces'
  }
  if (ODD.has(exchange.status)) return 'odd'
  const location = exchange.status >= 300 && exchange.status < 400 ? headerOf(exchange, 'location') : null
  const to = location === null ? null : URL.parse(location, exchange.request.url)
  return to !== null && isSignIn(to) ? 'odd' : null
}

const splitPair = (pair: string): readonly [string, string] => {
  const at = pair.indexOf('=')
  return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
}

const isPast = (line: string): boolean => {
  const expires = Date.parse(/;\s*expires=([^;]+)/i.exec(line)?.[1] ?? '')
  return !Number.isNaN(expires) && expires < Date.now()
}

const pairsOf = (cookie: string | null): ReadonlyMap<string, string> =>
  new Map((cookie ?? '').split(';').map((pair) => splitPair(pair)))

/**
 * What requests carry from now on, where an answer gives the session another value (RFC 6265, 5.3, of a cookie of that name; or a header
 * as the one that requests carry, by which some interfaces hand on bearer tokens); null where it does not. `set`: names of cookies and
 * headers, in lower case, in whose place the request itself had something else: what it is given for that is not the session's.
 */
export const renewalIn = <Session extends Credentials>(
  { headers }: Pick<HttpExchange, 'headers'>,
  session: Session,
  set: ReadonlySet<string>,
): { readonly session: Session; readonly names: readonly string[] } | null => {
  const own = new Map(pairsOf(session.cookie))
  const names = new Set<string>()
  let { header } = session
  const [, field = '', scheme = '', token = ''] = /^([^:]+):\s*(?:([\w-]+)\s+)?(\S+)$/.exec(header ?? '') ?? []
  for (const [name, line] of headers) {
    if (name.toLowerCase() === 'set-cookie') {
      const [key, value] = splitPair(line.split(';')[0] ?? '')
      if (value === '' || value === own.get(key) || !own.has(key) || set.has(key.toLowerCase())) continue
      own.set(key, value)
      names.add(key)
    } else if (field !== '' && name.toLowerCase() === field.toLowerCase() && !set.has(field.toLowerCase())) {
      const next = line.replace(/^[\w-]+\s+/, '').trim()
      if (next === token || !TOKEN.test(next)) continue
      header = `${field}: ${scheme === '' ? '' : `${scheme} `}${next}`
      names.add(field)
    }
  }
  if (names.size === 0) return null
  const cookie = session.cookie === null ? null : [...own].map(([name, value]) => `${name}=${value}`).join('; ')
  return { session: { ...session, cookie, header }, names: [...names] }
}
/** RFC 6750, 2.1; shorter ones are words. */
const TOKEN = /^[\w.~+/-]{16,8192}=*$/
