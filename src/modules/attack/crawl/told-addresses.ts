/**
 * Addresses that a page names in its text or in a comment and links to nowhere: "add ?detail=full", "see /archive/report?detail=full",
 * an absolute one. A path in quotes in a comment is read by `scripts/paths.ts`.
 */
import { MADE_UP } from './facts.ts'
import { isPlace } from './scripts/paths.ts'

/** Of one page. */
const MOST = 30

const NAME = '[A-Za-z_][\\w.-]{0,39}(?:\\[\\w{0,30}\\]){0,2}'
/** As it is, or what people write for one. */
const VALUE = '(?:<[\\w -]{1,30}>|\\{[\\w -]{1,30}\\}|\\[[\\w -]{1,30}\\]|[^\\s&<>"\'`“”‘’«»,;()\\[\\]{}|\\\\]{0,200})'
const PAIRS = `(${NAME}=${VALUE}(?:&${NAME}=${VALUE}){0,10})`
const PATH = '[\\w\\-.~%]{0,80}(?:/[\\w\\-.~%]{0,80}){0,20}'

/** Of the page itself. */
const OWN = new RegExp(`(?<![\\w/.)\\]?&=#-])[?&]${PAIRS}`, 'g')
const WITH_PATH = new RegExp(`(?<![\\w/.:@%?&=~-])(${PATH})\\?${PAIRS}`, 'g')
const ABSOLUTE = new RegExp(
  `\\bhttps?://((?:[\\w-]{1,63}\\.){0,8}[\\w-]{1,63}|\\[::1\\])(?::\\d{1,5})?(/${PATH})?(?:\\?${PAIRS})?`,
  'gi',
)
/** Addresses of the machine that it was written on stand for the site. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])$/

/** `text`: see `markedOf`. */
export const addressesToldIn = (text: string, page: string): readonly string[] => {
  const here = new URL(page)
  const found: (string | null)[] = []
  for (const match of text.matchAll(ABSOLUTE)) {
    const [, host = '', path = '/', pairs = ''] = match
    const isHere = host.toLowerCase() === here.hostname || LOCAL.test(host)
    if (isHere && isWhole(text, match)) found.push(addressOf(path, pairs, here))
  }
  for (const match of text.matchAll(WITH_PATH)) {
    const [, path = '', pairs = ''] = match
    if (path !== '' && isWhole(text, match) && isPlace(`${path}?${pairs}`)) found.push(addressOf(path, pairs, here))
  }
  for (const match of text.matchAll(OWN)) if (isWhole(text, match)) found.push(withPairs(here, match[1] ?? '').href)
  return [...new Set(found)].filter((one) => one !== null).slice(0, MOST)
}

/** Neither shortened, nor a form with gaps, nor a line of a log (`"GET /x HTTP/1.1" 404`). */
const isWhole = (text: string, { 0: match, index }: RegExpExecArray): boolean => {
  const behind = text.slice(index + match.length, index + match.length + 12)
  return !/^(?:…|\.{3}|[<{[]|["']?\s+HTTP\/)/.test(behind) && !/(?:\.{3}|…)$/.test(match)
}

const addressOf = (path: string, pairs: string, here: URL): string | null => {
  const url = URL.parse(path, here.href)
  return url === null ? null : withPairs(url, pairs).href
}

/** With these values in place of those of the same names. */
const withPairs = (address: URL, pairs: string): URL => {
  const url = new URL(address)
  url.hash = ''
  if (pairs === '') url.pathname = url.pathname.replace(/[.:]+$/, '')
  for (const pair of pairs === '' ? [] : pairs.split('&')) {
    const at = pair.indexOf('=')
    url.searchParams.set(decoded(pair.slice(0, at)), valueIn(pair.slice(at + 1)))
  }
  return url
}

/** What stands where a value has to be put in is none. */
const valueIn = (text: string): string => {
  const value = decoded(text.replace(/[.!?:…]+$/, ''))
  return value === '' || /^[<{[]/.test(value) ? MADE_UP : value
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
