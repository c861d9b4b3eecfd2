/** The cookies of one template on one host: a browser's jar, as far as one host needs it (RFC 6265). */
import type { HeaderPairs } from '../../../egress/door/egress.ts'

export interface CookieJar {
  readonly store: (headers: HeaderPairs, path: string) => void
  /** Value of a Cookie header, '' without any. */
  readonly header: (path: string, secure: boolean) => string
}

interface Kept {
  readonly value: string
  readonly path: string
  readonly secure: boolean
}

const MOST = 100

export const createCookieJar = (): CookieJar => {
  const jar = new Map<string, Kept>()
  return {
    store: (headers, path) => {
      for (const [name, line] of headers) {
        if (name.toLowerCase() !== 'set-cookie') continue
        const cookie = parseCookie(line, path)
        if (cookie === null) continue
        if (cookie.gone) jar.delete(cookie.name)
        else if (jar.has(cookie.name) || jar.size < MOST) jar.set(cookie.name, cookie)
      }
    },
    header: (path, secure) =>
      [...jar]
        .filter(([, cookie]) => path.startsWith(cookie.path) && (secure || !cookie.secure))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; '),
  }
}

const parseCookie = (line: string, requestPath: string) => {
  const [pair = '', ...attributes] = line.slice(0, 4_096).split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, equals).trim()
  if (equals < 1 || name === '') return null
  const given = new Map(
    attributes.map((attribute) => {
      const [key = '', ...value] = attribute.split('=')
      return [key.trim().toLowerCase(), value.join('=').trim()] as const
    }),
  )
  const path = given.get('path') ?? ''
  const age = given.get('max-age')
  const expires = Date.parse(given.get('expires') ?? '')
  return {
    name,
    value: pair.slice(equals + 1).trim(),
    path: path.startsWith('/') ? path : requestPath.slice(0, Math.max(1, requestPath.lastIndexOf('/'))) || '/',
    secure: given.has('secure'),
    gone: age === undefined ? expires < Date.now() : Number(age) <= 0,
  }
}
