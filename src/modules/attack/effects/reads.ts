/** Whether two reads of one page are equal, up to what changes by itself. */

/** One read: what the page says, or null where it did not answer. */
export type Read = string | null

/** What is new on every load and stores nothing: tokens, nonces, clocks, measured times. */
const FLEETING: readonly RegExp[] = [
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g,
  /\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b/g,
  /\b1[6-9]\d{8}(?:\d{3})?\b/g,
  /\b\d+[.,]\d{2,}\s*(?:ms|msec|sec(?:onds?)?|s)\b/gi,
  // Without a unit it is one by its words and its many digits: hours that somebody writes down have fewer.
  /\b(?:time|took|elapsed|(?:generated|rendered|created|served|loaded|executed) in)\b[^<>\d\n]{0,30}\d{1,4}\.\d{4,}/gi,
]
/** With a letter and a digit one is a token, a nonce or a hash. Looked at as a whole: a page of nothing else takes no time. */
const LONG_WORD = /[\w+/=-]{16,}/g
const unlessToken = (word: string): string => (/\d/.test(word) && /[a-z]/i.test(word) ? '*' : word)
const INPUT = /<input\b[^<>]{0,4000}>/gi
const VALUE = /(\bvalue\s*=\s*)(?:"[^"]*"|'[^']*'|[^\s>]+)/i
const withoutHidden = (tag: string): string =>
  /\btype\s*=\s*["']?hidden\b/i.test(tag) ? tag.replace(VALUE, '$1""') : tag
const LONGEST = 500_000

/** The innermost objects of JSON in a page or a script: members have no order (RFC 8259, 4), and Perl gives them another one each time. */
const OBJECT = /\{"[^{}[\]\n]{2,20000}\}/g
const inOrder = (object: string): string => {
  try {
    return JSON.stringify(Object.entries(JSON.parse(object)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  } catch {
    return object
  }
}

/** In pieces between tags and lines, so that what changes can be told by its place. */
export const piecesOf = (text: string): readonly string[] => {
  const plain = text.slice(0, LONGEST).replace(INPUT, withoutHidden).replace(OBJECT, inOrder)
  const lasting = FLEETING.reduce((rest, pattern) => rest.replace(pattern, '*'), plain)
  return lasting.replace(LONG_WORD, unlessToken).split(/(?=<)|\n|(?<=[,;}])/)
}

/** Equal but for tokens and clocks. */
export const areEqual = (before: Read, after: Read): boolean => {
  if (before === null || after === null) return before === after
  if (before === after) return true
  const [a, b] = [piecesOf(before), piecesOf(after)]
  return a.length === b.length && a.every((piece, index) => piece === b[index])
}

/**
 * Whether `before` and `after` are equal but for what differs between `after` and `again`, two reads with nothing between
 * them: a counter of visits, an advertisement.
 */
export const areEqualBesides = (before: Read, after: Read, again: Read): boolean => {
  if (before === null || after === null || again === null) return false
  const [a, b, c] = [piecesOf(before), piecesOf(after), piecesOf(again)]
  if (a.length !== b.length || b.length !== c.length) return false
  const steady = b.flatMap((piece, index) => (piece === c[index] ? [index] : []))
  return steady.length < b.length && steady.every((index) => a[index] === b[index])
}
