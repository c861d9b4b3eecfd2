/** Which cookies open somebody's session: by the names that frameworks give them, or by a value nobody could guess. */
import type { PageKind } from '../page.ts'
import { percentDecoded } from '../percent.ts'
import { type Cookie, isRemoval, parseSetCookie } from './set-cookie.ts'

/** Names of frameworks' session and sign-in cookies, prefixes of cookies removed. */
const NAMES = [
  /sess(ion)?([-_.]?(id|key|token|data|auth))?$/i,
  /^(sess|session)/i,
  /^(phpsessid|jsessionid|asp\.net_sessionid|aspsessionid\w*|cfid|cftoken|cakephp|laravel_session|ci_session)$/i,
  /^(connect\.sid|sid|s?sid|[\w-]+[.:]sid|koa[.:]sess|express[.:]sess|_[\w-]+_session|play_session|beaker\.session\.id)$/i,
  /^\.?aspnet(core)?[.\w-]*(identity|session|cookies|auth)/i,
  /^\.(aspxauth|aspnet)/i,
  /^(wordpress_logged_in|wordpress_sec|wp-postpass)_?/i,
  /(^|[-_.])(auth|jwt|login|signin|logged[-_]?in|remember[-_]?(me|token)|access[-_]?token|refresh[-_]?token|id[-_]?token|bearer|sso)([-_.]?(token|key|id))?$/i,
  /^(auth(?!or)|jwt|token|remember_|login)/i,
  /^(frontend|adminhtml)$/i,
  /^(shopware-session|session-|(wp_)?woocommerce_session)/i,
]

/** A random id that Express has signed, whatever it is called: `s:<id>.<HMAC-SHA-256>` (cookie-signature, uid-safe). */
const SIGNED_ID = /^s(?::|%3a)[\w-]{22,64}\.[\w%+/]{43,60}$/i

/** Tokens against forged requests: scripts have to read them. */
const CSRF = /(csrf|xsrf|requestverificationtoken|__anti)/i
/** Settings, consent, statistics, load balancers: long values that open nothing. */
const OTHERS =
  /^(_ga|_gid|_gat|_gcl|_fbp|_fbc|_hj|_pk_|_uet|_clck|_clsk|amp_|ajs_|optimizely|hubspotutk|__hs|__cf|cf_|aws(alb|elb)|incap_|visid_|nlbi_|bigip|ts0|ak_bmsc|bm_|datadome|_abck|locale|lang|theme|currency|country|timezone|cookie_?consent|consent|cookieyes|cky|optanon|euconsent|gdpr|didomi|prefs?$|(user[-_]?)?preferences$|(ui[-_]?|display[-_]?|user[-_]?)?settings$|heroku-session-affinity|session_?affinity|sessionaffinity|route|server_?id)/i

const withoutPrefix = (name: string): string => name.replace(/^__(host|secure)-(http-)?/i, '')

export const isCsrfCookie = ({ name }: Cookie): boolean => CSRF.test(name)
/** What the next page is to say once, signed by some frameworks. */
const MESSAGES = /(?:^|[-_.])flash(?:[-_.]?(?:messages?|data|notices?))?$|^(?:messages?|notices?|toasts?|alerts?)$/i
export const isOrdinaryCookie = ({ name }: Cookie): boolean =>
  OTHERS.test(withoutPrefix(name)) || MESSAGES.test(withoutPrefix(name))

/**
 * By name; without a telling name, where the page belongs to a person or asks to sign in and the value holds
 * 64 bits or more that could not be guessed.
 */
export const isSessionCookie = (cookie: Cookie, page: PageKind): boolean => {
  if (isCsrfCookie(cookie) || isOrdinaryCookie(cookie)) return false
  const name = withoutPrefix(cookie.name)
  if (NAMES.some((pattern) => pattern.test(name)) || SIGNED_ID.test(cookie.value)) return true
  return (page === 'authenticated' || page === 'login') && secretBitsOf(cookie.value) >= 64
}

/**
 * How many bits of a value nobody could guess, at most. What reads as data (settings as JSON, PHP's or Ruby's
 * serialised form, in Base64 or encoded for an address) is told, not drawn: of it only the parts count that
 * look drawn by chance.
 */
export const secretBitsOf = (value: string): number => {
  const data = dataIn(value.slice(0, 4_096))
  if (data === null) return bitsOf(value)
  const drawn = (data.match(/[A-Za-z0-9+/_-]{16,}/g) ?? []).filter((part) => /\d/.test(part) && /[A-Za-z]/.test(part))
  return Math.max(0, ...drawn.map(bitsOf))
}

/** The text of a value that is written as data, its parts apart; null where it is not. */
const dataIn = (value: string): string | null => {
  const plain = percentDecoded(value)
  if (/[{}[\]"=:;|,&\s]/.test(plain.replace(/={1,2}$/, ''))) return plain
  if (!/^[\w+/-]{8,}={0,2}$/.test(plain)) return null
  const bytes = Buffer.from(plain, 'base64').toString('latin1')
  const words = bytes.match(/[\x20-\x7e]{3,}/g) ?? []
  return words.join('').length * 10 >= bytes.length * MOSTLY_TEXT ? words.join('\n') : null
}

/** Of ten bytes so many are text in data; of bytes drawn by chance 37 of a hundred are, few of them side by side. */
const MOSTLY_TEXT = 6

/** For checks that hold nothing but the line: by name, and not sent to delete (an expiry long past). */
export const isSessionCookieLine = (line: string): boolean => {
  const cookie = parseSetCookie(line)
  return cookie !== null && !isRemoval(cookie, 0) && cookie.value !== '' && isSessionCookie(cookie, 'plain')
}

/** Shannon entropy of the characters, in bits over the whole value: an upper bound of what it can hold. */
export const bitsOf = (value: string): number => {
  const text = value.slice(0, 512)
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length)
  return bits
}
