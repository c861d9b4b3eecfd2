/**
 * Keys in links that a page shows whoever is signed in: of feeds, calendars, downloads. Whoever has such an address needs no sign-in, so that the key is
 * as secret as the session.
 */
import { randomBits } from './ordinary.ts'

/** What opens something, and no token against forged requests: that opens nothing by itself, and is another one on each page. */
const KEY_NAME = /(?:key|token|secret|signature|sig|hmac|auth|ticket|pass(?:word|wd)?|pwd)$/i
const FORGERY = /csrf|xsrf|forgery|authenticity|nonce|^_?token$/i
/** Files for everybody: what stands behind them is a version. */
const ASSET = /\.(?:js|mjs|css|png|jpe?g|gif|svg|webp|ico|woff2?|ttf|map)$/i
/** Of these a segment of the path may be the key. */
const SUBSCRIBED = /\.(?:ics|ical|rss|atom|rdf)$/i
/** A folder that is called as what programs subscribe to: what stands behind it may be the key. A calendar or a feed may be a record. */
const SUBSCRIBED_FOLDER = /\/(?:ics|i-?cal|rss|atom|webcal)\//i
/** Bits of chance: fewer are the name of something. */
const OF_PARAMETER = 40
const OF_SEGMENT = 60
const SHORTEST = 12

/** Addresses with a query, and such as people subscribe to, as they stand in pages, scripts and JSON. */
const ADDRESSES =
  /(?:(?:https?|webcal):(?:\\?\/){2}[\w.:-]+)?(?:\\?\/[\w.~%@!+-]*)+(?:\?[^\s"'<>\\)]{3,1000})?|(?<=["'=])\?[^\s"'<>\\)]{3,1000}/g
const LONGEST = 262_144
const MOST = 100

/** Values in addresses of the site itself. `url`: of the page. */
export const keysInLinks = (text: string, url: string): readonly string[] => {
  const found = new Set<string>()
  const { host } = new URL(url)
  for (const [match] of text.slice(0, LONGEST).matchAll(ADDRESSES)) {
    if (found.size >= MOST) break
    const plain = match.replaceAll('\\/', '/')
    if (!plain.includes('?') && !/^webcal:|\.\w{3,4}$/i.test(plain) && !SUBSCRIBED_FOLDER.test(plain)) continue
    const written = plain.replaceAll('&amp;', '&').replace(/^webcal:/i, 'http:')
    const link = URL.parse(written, url)
    if (link === null || link.host !== host || ASSET.test(link.pathname)) continue
    for (const [name, value] of link.searchParams) if (isKey(name, value)) found.add(value)
    for (const segment of segmentsOf(link, plain)) {
      const own = segment.replace(SUBSCRIBED, '')
      if (own.length >= SHORTEST && randomBits(own) >= OF_SEGMENT) found.add(own)
    }
  }
  return [...found]
}

/** Segments of the path that may be a key; none where nobody subscribes to the address. */
const segmentsOf = ({ pathname }: URL, written: string): readonly string[] => {
  if (SUBSCRIBED.test(pathname) || /^webcal:/i.test(written)) return pathname.split('/')
  const folder = SUBSCRIBED_FOLDER.exec(pathname)
  return folder === null ? [] : pathname.slice(folder.index + folder[0].length).split('/')
}

const isKey = (name: string, value: string): boolean =>
  KEY_NAME.test(name) && !FORGERY.test(name) && value.length >= SHORTEST && randomBits(value) >= OF_PARAMETER
