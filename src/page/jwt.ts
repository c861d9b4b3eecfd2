/** JSON Web Tokens (RFC 7519) as texts: found, read, and their keys guessed offline. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Jwt {
  readonly text: string
  /** As written in the header; '' where it is no text. */
  readonly algorithm: string
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** Characters: larger ones fit no cookie and no address. */
const MAX_LENGTH = 8_192
const SHAPE = /^[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*$/
const WITHIN = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{6,4000}\.[A-Za-z0-9_-]{2,4000}\.[A-Za-z0-9_-]{0,1000}/g

/** Null for what is no signed token: two dots alone prove nothing, header and claims have to be JSON objects. */
export const parseJwt = (text: string): Jwt | null => {
  if (text.length > MAX_LENGTH || !SHAPE.test(text)) return null
  const [head = '', body = ''] = text.split('.')
  const [header, claims] = [objectOf(head), objectOf(body)]
  if (header === null || claims === null || !('alg' in header)) return null
  return { text, algorithm: typeof header.alg === 'string' ? header.alg : '', header, claims }
}

/** Tokens inside a text such as a cookie value or an address, at most 20. Percent-encoding is not expected in a token. */
export const tokensIn = (text: string): readonly Jwt[] =>
  [...text.slice(0, 65_536).matchAll(WITHIN)].slice(0, 20).flatMap(([found]) => parseJwt(found) ?? [])

/** RFC 7518, 3.6; libraries have accepted it in any case. */
export const isUnsigned = ({ algorithm }: Jwt): boolean => algorithm.toLowerCase() === 'none'

/** The listed key that made the signature, or null. */
export const weakKeyOf = ({ text, algorithm }: Jwt, keys: readonly string[]): string | null => {
  const hash = HASHES[algorithm.toUpperCase()]
  if (hash === undefined) return null
  const at = text.lastIndexOf('.')
  const signature = Buffer.from(text.slice(at + 1), 'base64url')
  return (
    keys.find((key) => {
      const made = createHmac(hash, key).update(text.slice(0, at)).digest()
      return made.length === signature.length && timingSafeEqual(made, signature)
    }) ?? null
  )
}

const HASHES: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }

const objectOf = (part: string): Record<string, unknown> | null => {
  const json = Buffer.from(part, 'base64url').toString('utf8')
  // JSON.parse has no other way to say that this is no JSON, and not being JSON is an answer here.
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
