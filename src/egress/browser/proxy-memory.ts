/**
 * What a browser would have kept: scripts, style sheets, fonts and images (RFC 9111). A browser that is looked into keeps
 * nothing, and would ask for the same thirty scripts on every page, at the site's expense. All browsers of a run share it.
 */
import type { HeaderPairs, HttpExchange } from '../door/egress.ts'

export interface ProxyMemory {
  /** The answer that is still fresh; `now` in milliseconds since the epoch. */
  readonly recall: (asked: Asked, now: number) => HttpExchange | null
  readonly keep: (asked: Asked, exchange: HttpExchange, now: number) => void
}

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
}

/** Bytes of all bodies; what was not asked for the longest goes first. */
const MOST = 32 * 1024 * 1024
/** A guessed lifetime (RFC 9111, 4.2.2) is a tenth of the file's age, and no longer than a run. */
const LONGEST_GUESS = 3_600
/** Seconds. What a browser would ask again whether it has changed is not asked for in each of a thousand visits. */
const LEAST = 600
const KEPT: ReadonlySet<string> = new Set(['script', 'style', 'font', 'image'])
/** The same by what an answer says that it is (WHATWG MIME Sniffing, 4.6), where the browser does not say what it asks for. */
const KEPT_TYPES =
  /^(?:(?:text|application)\/(?:x-)?(?:java|ecma|j)script|text\/css|font\/|application\/(?:x-)?font-|image\/)/i

/** One for what the run's credentials see, one for what strangers do. */
export type ProxyMemories = (authenticated: boolean) => ProxyMemory

export const createProxyMemories = (): ProxyMemories => {
  const [signedIn, signedOut] = [createProxyMemory(), createProxyMemory()]
  return (authenticated) => (authenticated ? signedIn : signedOut)
}

export const createProxyMemory = (most = MOST): ProxyMemory => {
  const kept = new Map<string, Kept>()
  let size = 0
  const forget = (url: string): void => {
    size -= kept.get(url)?.exchange.body.length ?? 0
    kept.delete(url)
  }
  return {
    recall: (asked, now) => {
      const found = isKept(asked) ? kept.get(asked.url) : undefined
      if (!found?.selected.every(([name, value]) => combinedOf(asked.headers, name) === value)) return null
      if (found.until <= now) {
        forget(asked.url)
        return null
      }
      // What every page has stays beside the bundles that each has for itself.
      kept.delete(asked.url)
      kept.set(asked.url, found)
      return found.exchange
    },
    keep: (asked, exchange, now) => {
      const seconds = isKept(asked) && (saysWhat(asked) || isKeptType(exchange)) ? freshness(exchange, now) : 0
      if (seconds <= 0 || exchange.body.length > most / 4) return
      forget(asked.url)
      const selected = selectingOf(exchange).map((name) => [name, combinedOf(asked.headers, name)] as const)
      kept.set(asked.url, { exchange, until: now + seconds * 1_000, selected })
      size += exchange.body.length
      for (const [oldest] of kept) {
        if (size <= most) break
        forget(oldest)
      }
    },
  }
}

interface Kept {
  readonly exchange: HttpExchange
  readonly until: number
  /** Fields of the request by which the answer was chosen (RFC 9111, 4.1): it answers those alone that have the same. */
  readonly selected: HeaderPairs
}

/** As `Vary` names them, those aside that are the same for all of a run's browsers. */
const selectingOf = ({ headers }: Pick<HttpExchange, 'headers'>): readonly string[] =>
  combinedOf(headers, 'vary')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '' && !SAME.includes(name))
const SAME: readonly string[] = ['accept-encoding', 'origin']

/** Browsers tell it to secure origins alone (Fetch Metadata, 2). */
const saysWhat = ({ headers }: Asked): boolean => combinedOf(headers, 'sec-fetch-dest') !== ''

const isKept = (asked: Asked): boolean =>
  asked.method === 'GET' &&
  (saysWhat(asked)
    ? KEPT.has(combinedOf(asked.headers, 'sec-fetch-dest'))
    : !combinedOf(asked.headers, 'accept').includes('text/html')) &&
  combinedOf(asked.headers, 'range') === '' &&
  combinedOf(asked.headers, 'authorization') === ''

const isKeptType = ({ headers }: HttpExchange): boolean => KEPT_TYPES.test(combinedOf(headers, 'content-type'))

/** Seconds for which the answer is used again without asking, 0 where it must not be. */
export const freshness = ({ status, headers, truncated }: HttpExchange, now: number): number => {
  const control = combinedOf(headers, 'cache-control').toLowerCase()
  if (status !== 200 || truncated || control.includes('no-store') || combinedOf(headers, 'set-cookie') !== '') return 0
  const selecting = selectingOf({ headers })
  if (selecting.includes('*')) return 0
  // What is another one for others may be made anew: it is kept as long as it says itself, as a visitor's browser keeps it.
  if (selecting.length > 0) return saysHowLong(control, headers) ? said(control, headers, now) : 0
  // What is made anew each time says so, and has nothing to tell one version from another by.
  if (/no-cache|private/.test(control) && !VALIDATORS.some((name) => combinedOf(headers, name) !== '')) return 0
  return Math.max(LEAST, said(control, headers, now))
}
const VALIDATORS = ['etag', 'last-modified']

const saysHowLong = (control: string, headers: HeaderPairs): boolean =>
  control.includes('max-age') || combinedOf(headers, 'expires') !== ''

const said = (control: string, headers: HeaderPairs, now: number): number => {
  if (control.includes('no-cache')) return 0
  const age = /(?:^|[\s,])max-age="?(\d{1,10})/.exec(control)?.[1]
  if (age !== undefined) return Number(age)
  const answered = Date.parse(combinedOf(headers, 'date')) || now
  const expires = combinedOf(headers, 'expires')
  if (expires !== '') return ((Date.parse(expires) || answered) - answered) / 1_000
  const changed = Date.parse(combinedOf(headers, 'last-modified'))
  return Number.isNaN(changed) ? 0 : Math.min(LONGEST_GUESS, (answered - changed) / 10_000)
}

/** All values of a header field, as one; '' where there is none. */
const combinedOf = (headers: HeaderPairs, wanted: string): string =>
  headers
    .filter(([name]) => name.toLowerCase() === wanted)
    .map(([, value]) => value)
    .join(', ')
