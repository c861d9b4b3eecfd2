/** Headers that a page tells people of: "the value of the <code>X-Client</code> header", "set a header called “Batch-Id”". */
import { withoutCode } from '../../../page/visible.ts'
import type { Draft } from './requests.ts'

/** Names of one page. */
const MOST_NAMES = 5
/** Characters of a page. */
const MAX_TEXT = 200_000
const NAME = '([A-Za-z][\\w-]{1,39})'
const KINDS = '(?:(?:custom|extra|own|http|request)[\\s-]+){0,3}'
const CALLED = '(?:\\s+(?:named|called|field))?[\\s:]+'
const MARKED = 'b|strong|i|em|code|kbd|samp|var|tt'
/** In markup of its own or in quotes any word is a name; in running text only what is spelled as names of headers are. */
const SPELLED = '([A-Za-z][a-z0-9]*(?:-[A-Za-z0-9]+){1,4})'
/** `header-search` is a word of its own. */
const ENDED = '(?![\\w-])'

const WAYS: readonly RegExp[] = [
  new RegExp(`<(?:${MARKED})\\b[^<>]{0,200}>\\s*${NAME}\\s*:?\\s*</(?:${MARKED})>\\s+${KINDS}headers?${ENDED}`, 'gi'),
  new RegExp(`\\bheader${CALLED}<(?:${MARKED})\\b[^<>]{0,200}>\\s*${NAME}\\s*:?\\s*</(?:${MARKED})>`, 'gi'),
  new RegExp(`["“‘\`]${NAME}["”’\`]\\s+${KINDS}headers?${ENDED}`, 'gi'),
  new RegExp(`\\bheader${CALLED}["“‘\`]${NAME}["”’\`]`, 'gi'),
  new RegExp(`\\b${SPELLED}\\s+${KINDS}headers?${ENDED}`, 'gi'),
  new RegExp(`\\bheader${CALLED}${SPELLED}\\b`, 'gi'),
]

/**
 * What is no place for a value of ours: headers of every request or of answers, what says who asks, and what has a request mean another
 * one.
 */
const NO_PLACE =
  /^(?:accept|accept-.*|allow|connection|content-.*|cookie|date|etag|expires|host|http|location|origin|pragma|cache-control|proxy-.*|referer|referrer-policy|sec-.*|server|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|vary|via|x-forwarded-.*|x-frame-options|x-content-type-options|x-xss-protection|strict-transport-security|permissions-policy|request|response|page|table|custom|own)$|method|override|auth|token|key|secret|signature|user|role|csrf|xsrf/i

export const isPlaceToldOf = (name: string): boolean => !NO_PLACE.test(name)

export const headersToldIn = (markup: string): readonly string[] => {
  const text = withoutCode(markup.slice(0, MAX_TEXT))
    // Classes and ids are told to nobody.
    .replace(/<([a-z]\w*)\s[^<>]*>/gi, '<$1>')
    .replace(/&(?:quot|[lr]dquo|[lr]squo);/gi, '"')
  const found = WAYS.flatMap((way) => [...text.matchAll(way)].map(([, name = '']) => name))
  const names = new Map(found.filter(isPlaceToldOf).map((name) => [name.toLowerCase(), name]))
  return [...names.values()].slice(0, MOST_NAMES)
}

/** What stands in a header of which a page tells the name alone. */
const TOLD = 'value'

/** Headers of the page itself, as it tells people. */
export const toldIn = (text: string): Pick<Draft, 'headers'> => {
  const names = headersToldIn(text)
  return names.length > 0 ? { headers: names.map((name) => [name, TOLD]) } : {}
}
