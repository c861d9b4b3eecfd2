/** JSON Web Tokens (RFC 7519) read offline: nothing is ever sent with them. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Jwt {
  readonly text: string
  /** As written in the header; '' where it is no text. */
  readonly algorithm: string
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
  return { text, algorithm: typeof header.alg === 'string' ? header.alg : '', claims }
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

/** Keys from tutorials, framework templates and jwt.io that turn up in production. */
export const COMMON_KEYS: readonly string[] = [
  '',
  '0',
  '123',
  '1234',
  '12345',
  '123456',
  '12345678',
  '123456789',
  '1234567890',
  'access',
  'admin',
  'api',
  'app',
  'auth',
  'change-me',
  'changeit',
  'changeme',
  'default',
  'demo',
  'dev',
  'development',
  'example',
  'foobar',
  'hs256-secret',
  'jwt',
  'jwt-key',
  'jwt-secret',
  'jwt_secret',
  'jwt_secret_key',
  'jwtsecret',
  'key',
  'keyboard cat',
  'letmein',
  'my-32-character-ultra-secure-and-ultra-long-secret',
  'my-secret',
  'my-secret-key',
  'my_secret',
  'my_secret_key',
  'mykey',
  'mysecret',
  'mysecretkey',
  'none',
  'notasecret',
  'null',
  'pass',
  'passw0rd',
  'password',
  'password1',
  'private',
  'production',
  'qwerty',
  'refresh',
  'root',
  's3cr3t',
  'secret',
  'secret-key',
  'secret123',
  'secret_key',
  'secretkey',
  'secrettoken',
  'shared-secret',
  'shhh',
  'shhhhh',
  'shhhhhared-secret',
  'signing-key',
  'supersecret',
  'super-secret',
  'super_secret',
  'test',
  'test-secret',
  'testing',
  'thisisasecret',
  'this-is-a-secret',
  'token',
  'token-secret',
  'topsecret',
  'undefined',
  'user',
  'your-256-bit-secret',
  'your-384-bit-secret',
  'your-512-bit-secret',
  'your-secret',
  'your-secret-key',
  'your_jwt_secret',
  'your_secret_key',
  'yoursecret',
  'a-string-secret-at-least-256-bits-long',
  'a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long',
]
