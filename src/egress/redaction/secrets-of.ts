/** Which parts of a run's credentials are secrets, to be hidden wherever they appear, and which only where they belong. */
import { isOrdinary, PLAIN_BITS, randomBits } from './ordinary.ts'

export interface RunCredentials {
  readonly cookie: string | null
  /** One header line, "Name: value". */
  readonly header: string | null
  /** What is typed or sent to sign in, by the name of its field. */
  readonly typed?: readonly { readonly name: string; readonly value: string }[]
  /** What pages keep of the session outside of cookies: secret by its name, or as chance made it. */
  readonly kept?: readonly { readonly name: string; readonly value: string }[]
}

/** A value that is no secret by itself: hidden as the value of its name only. */
export interface OwnValue {
  /** `pair`: name and password of HTTP Basic, joined by a colon. */
  readonly of: 'cookie' | 'header' | 'scheme' | 'pair'
  readonly name: string
  readonly value: string
}

export interface Hidden {
  /** Hidden wherever they appear, in whatever coding; longest first. */
  readonly secrets: readonly string[]
  /** Hidden in their own place only: an ordinary word elsewhere is somebody else's. */
  readonly own: readonly OwnValue[]
}

/** Shorter values would be found everywhere, and protect nothing. */
export const SHORTEST = 6

/** How a value is known to be a secret: it is a credential as such, its name says so, or chance made it. */
type Because = 'credential' | 'name' | 'chance'

const SECRET_NAME =
  /sess|sid(?:$|[^a-z])|token|auth|key|jwt|[cx]srf|secret|pass|pwd|login|remember|sso|saml|credential|bearer|nonce|otp|ticket|signature|identity|access|refresh|__(?:host|secure)-/i

/** Fields that say who somebody is or what is wanted. What else is typed to sign in is secret. */
const PLAIN_NAME =
  /user|e-?mail|log_?in\b|^name|nickname|account|phone|tenant|remember|redirect|return|^next|grant_type|response_type|client_id|scope|audience|resource|lang|submit|action/i

/**
 * `vocabulary`: terms of the product, such as the ids of its checks. A value that is one of them is an ordinary word,
 * whatever its name.
 */
export const hiddenOf = (credentials: RunCredentials, vocabulary: ReadonlySet<string> = NO_WORDS): Hidden => {
  const secrets = new Set<string>()
  const own: OwnValue[] = []
  const sort = (value: string, because: Because, place: Omit<OwnValue, 'value'> | null): void => {
    for (const form of new Set([value, percentDecoded(value)])) {
      if (isSecret(form, because, vocabulary)) secrets.add(form)
      else if (place !== null && form !== '') own.push({ ...place, value: form })
    }
  }
  for (const { name, value } of cookiesOf(credentials)) {
    const named = SECRET_NAME.test(name) || name === ''
    sort(value, named ? 'name' : 'chance', name === '' ? null : { of: 'cookie', name })
  }
  for (const { name, value } of credentials.typed ?? []) {
    if (!value.includes('{{')) sort(value, PLAIN_NAME.test(name) ? 'chance' : 'credential', null)
  }
  for (const { name, value } of credentials.kept ?? []) sort(value, SECRET_NAME.test(name) ? 'name' : 'chance', null)
  const line = credentials.header ?? ''
  const colon = line.indexOf(':')
  if (colon > 0) sortHeader(line.slice(0, colon).trim(), line.slice(colon + 1).trim(), sort)
  return { secrets: [...secrets].sort((a, b) => b.length - a.length), own }
}

const NO_WORDS: ReadonlySet<string> = new Set()

/**
 * Cookies among the credentials that say what a visitor likes and not who they are: neither name nor value is that of a secret.
 * What is put in their place ends no session.
 */
export const settingsAmong = (credentials: Pick<RunCredentials, 'cookie'>): ReadonlyMap<string, string> =>
  new Map(
    cookiesOf(credentials)
      .map(({ name, value }) => [name, percentDecoded(value)] as const)
      .filter(([name, value]) => name !== '' && !SECRET_NAME.test(name) && !isSecret(value, 'chance', NO_WORDS)),
  )

/** The other cookies, as a request sends them. */
export const secretsAmong = (cookie: string): string => {
  const settings = settingsAmong({ cookie })
  return cookiesOf({ cookie })
    .filter(({ name }) => !settings.has(name))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

const cookiesOf = ({ cookie }: Pick<RunCredentials, 'cookie'>): readonly { name: string; value: string }[] =>
  (cookie ?? '').split(';').map((pair) => {
    const at = pair.indexOf('=')
    const value = pair
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    return { name: pair.slice(0, Math.max(at, 0)).trim(), value }
  })

const sortHeader = (
  name: string,
  value: string,
  sort: (value: string, because: Because, place: Omit<OwnValue, 'value'> | null) => void,
): void => {
  const [, scheme = '', token = ''] = /^([\w-]+)\s+(\S.*)$/.exec(value) ?? []
  if (scheme === '') {
    sort(value, 'credential', { of: 'header', name })
    return
  }
  sort(token, 'credential', { of: 'scheme', name: scheme })
  // Of Digest and its like the quoted parameters, too.
  for (const [, parameter = ''] of token.matchAll(/="([^"]*)"/g)) sort(parameter, 'credential', null)
  if (scheme.toLowerCase() !== 'basic') return
  const pair = Buffer.from(token, 'base64').toString('latin1')
  const at = pair.indexOf(':')
  if (at < 0) return
  const [user, password] = [pair.slice(0, at), pair.slice(at + 1)]
  sort(password, 'credential', { of: 'pair', name: user })
}

const isSecret = (value: string, because: Because, vocabulary: ReadonlySet<string>): boolean => {
  if (value.length < SHORTEST || vocabulary.has(value.toLowerCase())) return false
  return because === 'chance' ? randomBits(value) >= PLAIN_BITS : !isOrdinary(value)
}

/** The text itself when it is not percent-coded. */
const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
