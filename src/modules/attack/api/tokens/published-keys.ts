/** The public keys by which the site verifies tokens, as far as it tells them: sets of keys (RFC 7517), and files of keys and certificates (RFC 7468). */
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { jsonOf } from '../../../../page/json.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { ask, Left } from '../asking.ts'

const KEY_SETS: readonly string[] = [
  '/.well-known/jwks.json',
  '/jwks.json',
  '/.well-known/keys',
  '/oauth/jwks',
  '/oauth2/jwks',
  '/api/.well-known/jwks.json',
]

/** Each is tried in four ways. */
const MOST_KEYS = 4
/** Addresses that the crawl saw. */
const MOST_FILES = 6
/** Of what is called so, or as such files end. */
const NAMED = /\.(?:pem|pub|crt|cer)$|jwks?\b|public[-_.]?key|(?:^|\/)keys?(?:\.json)?$/i

/**
 * At most four of a set of keys, and four of files that pages lead to: a certificate that lies there may be anybody's, and stands for no set that
 * is at its usual address.
 */
export const publishedKeys = async (
  ctx: CollectContext,
  { urls }: Pick<CrawlFacts, 'urls'>,
  base: string,
): Promise<readonly JsonWebKey[]> => {
  const { host } = new URL(base)
  const told = jsonOf(await textAt(ctx, new URL('/.well-known/openid-configuration', base).href))
  const named = URL.parse(String(memberOf(told, 'jwks_uri') ?? ''), base)
  const own = named !== null && named.host === host && named.pathname !== '/' ? [named.href] : []
  const led = urls
    .filter(({ url, status }) => status === 200 && new URL(url).host === host && NAMED.test(new URL(url).pathname))
    .map(({ url }) => url)
    .slice(0, MOST_FILES)
  const usual = KEY_SETS.map((path) => new URL(path, base).href)
  const files: JsonWebKey[] = []
  for (const address of led) files.push(...keysIn(await textAt(ctx, address)))
  for (const address of [...own, ...usual].filter((one) => !led.includes(one))) {
    const keys = keysIn(await textAt(ctx, address))
    if (keys.length > 0) return [...keys.slice(0, MOST_KEYS), ...files.slice(0, MOST_KEYS)]
  }
  return files.slice(0, MOST_KEYS)
}

const isKey = (one: unknown): one is JsonWebKey => typeof one === 'object' && one !== null

const PEM = /-----BEGIN ((?:RSA )?PUBLIC KEY|CERTIFICATE)-----[\w+/=\s]{40,10000}?-----END \1-----/g

const keysIn = (text: string): readonly JsonWebKey[] => {
  const keys: unknown = memberOf(jsonOf(text), 'keys')
  if (Array.isArray(keys)) return (keys as readonly unknown[]).filter(isKey)
  return [...text.matchAll(PEM)].map(([pem]) => keyOf(pem)).filter((one) => one !== null)
}

const keyOf = (pem: string): JsonWebKey | null => {
  try {
    return createPublicKey(pem).export({ format: 'jwk' })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null // It is no key that we know.
    throw error
  }
}

/** '' where nothing answers. */
const textAt = async (ctx: CollectContext, url: string): Promise<string> => {
  try {
    return textOf(await ask(ctx, { url, authenticated: false }))
  } catch (error) {
    if (error instanceof Left) return '' // There are none there.
    throw error
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
