import { randomInt } from 'node:crypto'
import type { Place } from '../crawl/facts.ts'

/** A text that means nothing, and is like no word of a page. */
export const WORD = 'qzvkx'

/**
 * Same kind, but a record that is not there. Below zero: a number may be a size or a count, and a large one has the server make as
 * much of something.
 */
export const controlValue = (value: string): string => (/^\d+$/.test(value) ? `-${value}98765` : `${value}${WORD}`)

/** Text that no statement survives, in one go for every kind of quotes. */
export const breakOut = (v: string, place?: Place): string => `${v}'"${place === 'path' ? '' : '\\'})`

/** Text that quotes, tags and brackets of most languages make unreadable: one question where there is no room for many. */
export const sentinel = (v: string): string => `${v}'"\\)<%=(%>{{(}}\${(}#{(}`

/** In small letters and without spaces: XPath knows no others, and filters strip them. */
export const conjunction = (v: string, quote: "'" | '"', predicate: string): string =>
  `${v}${quote}and(${predicate})and${quote}q${quote}=${quote}q`

/** The same with a condition that holds. */
export const holding = (v: string, quote: "'" | '"'): string => {
  const [a, b] = [randomInt(12, 98), randomInt(12, 98)]
  return conjunction(v, quote, `${a}*${b}=${a * b}`)
}
