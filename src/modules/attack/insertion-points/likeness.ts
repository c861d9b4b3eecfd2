/** How alike two answers are, with what the page repeats of the probe and what changes by itself left out. */
import { withoutEntities } from '../../../page/entities.ts'
import { encodeValue } from './body.ts'
import type { Reply } from './prober.ts'
import { slotsOf, withoutVarying } from './varying.ts'
import { WORD } from './word.ts'

/** 0 to 1; another status is another answer. By pairs of neighbouring words (Dice), so that another order is another page. */
export const likeness = (a: Reply, b: Reply): number => {
  if (a.status !== b.status) return 0
  // What is the same letter for letter need not be read.
  if (a.text === b.text && a.location === b.location) return 1
  return dice(lastWordsOf(a), lastWordsOf(b))
}

/** One answer is held against many: those that were used last, so many words in all. */
const lately = new Map<Reply, readonly string[]>()
const MOST_WORDS = 400_000
let wordsKept = 0

const lastWordsOf = (reply: Reply): readonly string[] => {
  const kept = lately.get(reply)
  if (kept) {
    lately.delete(reply)
    lately.set(reply, kept)
    return kept
  }
  const words = wordsOf(reply)
  lately.set(reply, words)
  wordsKept += words.length
  for (const [oldest, { length }] of lately) {
    if (wordsKept <= MOST_WORDS || oldest === reply) break
    lately.delete(oldest)
    wordsKept -= length
  }
  return words
}

/** The words of an answer; those that look minted for this answer alone are one and the same word. */
export const wordsOf = (reply: Reply): readonly string[] => {
  const said = `${reply.location}\n${reply.text}`
  const text = (reply.echoes ?? [reply.value]).reduce(withoutEcho, resolved(said)).replace(HELD, 'value="#token"')
  const words = (text.match(/[\p{L}\p{N}_.:-]+|[^\s\p{L}\p{N}_.:-]/gu) ?? []).slice(0, 40_000).map(masked)
  return reply.varying ? withoutVarying(words, reply.varying) : words
}

/** The state of a page, which is another one with each value that it is sent (`__VIEWSTATE`), and as many words as it has strokes. */
const HELD = /\bvalue=(["'])[A-Za-z0-9+/=_-]{64,}\1/g

/** Two answers to one request, and more where there are: what differs between them is known from then on to be no answer. */
export const steadied = (
  [first, second]: readonly [Reply, Reply],
  ...more: readonly Reply[]
): readonly [Reply, Reply] => {
  const words = wordsOf(first)
  const slots = [second, ...more].flatMap((other) => slotsOf(words, wordsOf(other)))
  const varying = [...new Map(slots.map((slot) => [JSON.stringify(slot), slot])).values()]
  return varying.length === 0
    ? [first, second]
    : [
        { ...first, varying },
        { ...second, varying },
      ]
}

/** Times, dates and tokens change from answer to answer. */
const masked = (word: string): string => {
  if (word.length < 4 || (word.length < 16 && !/\d/.test(word))) return word
  if (/^\d{1,2}:\d{2}(:\d{2})?(\.\d+)?Z?$|^\d{4}-\d{2}-\d{2}(T.*)?$|^\d{10,}$/.test(word)) return '#time'
  if (/^[0-9a-f]{16,}$/i.test(word) || (/^[\w-]{20,}$/.test(word) && /\d/.test(word) && /[a-z]/i.test(word)))
    return '#token'
  return word
}

/** What both begin and end with is shared, and need not be counted. */
const dice = (a: readonly string[], b: readonly string[]): number => {
  const shorter = Math.min(a.length, b.length)
  let begin = 0
  while (begin < shorter && a[begin] === b[begin]) begin += 1
  let end = 0
  while (end < shorter - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const counts = new Map<string, number>()
  for (const pair of pairsBetween(a, begin, end)) counts.set(pair, (counts.get(pair) ?? 0) + 1)
  let shared = begin + end
  for (const pair of pairsBetween(b, begin, end)) {
    const left = counts.get(pair) ?? 0
    if (left === 0) continue
    shared += 1
    counts.set(pair, left - 1)
  }
  return (2 * shared) / (a.length + b.length + 2)
}

/** Of neighbours, the beginning and the end of the page among them, without those within its first and last words. */
const pairsBetween = function* (words: readonly string[], begin: number, end: number): Generator<string> {
  for (let at = begin; at <= words.length - end; at += 1) yield `${words[at - 1] ?? ''} ${words[at] ?? ''}`
}

/** The text without the probe, in the codings in which pages repeat it; references to characters are resolved first. */
export const withoutEcho = (text: string, value: string): string => {
  if (value.length < 2) return text
  const encoded = encodeURIComponent(value.toWellFormed())
  const forms = new Set([
    value,
    encoded,
    encoded.replaceAll("'", '%27'),
    encoded.replaceAll("'", '%27').replaceAll('%20', '+'),
    encodeURI(value.toWellFormed()),
    // As it was sent: pages repeat their own address in links, hidden fields and scripts.
    encodeValue(value),
    encodeValue(value).replaceAll('%20', '+'),
    JSON.stringify(value).slice(1, -1),
    value.replace(/['"\\]/g, '\\$&'),
    value.replaceAll("'", "''"),
    ...withoutSigns(value),
    ...inOtherLetters(value),
    ...unmistakable(value.replace(/[^\w ]/g, '')),
  ])
  let stripped = resolved(text)
  for (const form of [...forms].toSorted((a, b) => b.length - a.length)) stripped = stripped.replaceAll(form, '#echo')
  return stripped
}

/** What is left where a page takes brackets or quotes out, as long as a sign is left by which it is like no word of the page's own. */
const withoutSigns = (value: string): readonly string[] =>
  [/[<>]/g, /['"]/g, /[<>'"]/g]
    .map((signs) => value.replace(signs, ''))
    .filter((left) => left !== value && left.length >= LEAST_ECHO && /[^\p{L}\p{N}_ ]/u.test(left))
const LEAST_ECHO = 6

/** What is left where a page takes all signs out: only where it is like nothing that the page says by itself. */
const unmistakable = (text: string): readonly string[] => (text.length >= 12 && /\d/.test(text) ? [text] : [])

/** Of a value with signs, or with the word of ours that means nothing: it is like no word of the page's own. */
const inOtherLetters = (value: string): readonly string[] =>
  /[^\p{L}\p{N}_ ]/u.test(value) || value.includes(WORD) ? [value.toUpperCase(), value.toLowerCase()] : []

/** Every page is read this way, so that one which encodes what another does not is compared by its words alone. */
const resolved = (text: string): string =>
  withoutEntities(/\\[ux]/.test(text) ? text.replace(/\\(?:u00|x)([2-7][0-9a-f])/gi, signOf) : text)

/** As scripts and JSON write it, where it is a sign. */
const signOf = (written: string, hex: string): string => {
  const char = String.fromCharCode(Number.parseInt(hex, 16))
  return /\w/.test(char) ? written : char
}

/** How far two answers to the same request are apart by themselves. */
export const noiseOf = ([first, second]: readonly [Reply, Reply]): number => 1 - likeness(first, second)

/**
 * Whether a value changes more than the places where the page repeats it. `values` are those that stood there before:
 * a page that shows the one in place of the other says nothing else by it.
 */
export const moves = (reply: Reply, baseline: readonly [Reply, Reply], values: readonly string[]): boolean => {
  const [usual] = baseline
  const room = Math.max(0.0005, 3 * noiseOf(baseline))
  if (1 - likeness(reply, usual) <= room) return false
  // Of a value too short to be told from other words, what was sent is replaced by it instead.
  const [value = ''] = values
  const back = (text: string): string => resolved(text).replaceAll(reply.value, value)
  if (
    value.length === 1 &&
    back(reply.text) === resolved(usual.text) &&
    back(reply.location) === resolved(usual.location)
  )
    return false
  const without = (text: string): string => values.reduce(withoutWord, resolved(text))
  const plain = { ...usual, text: without(usual.text), location: without(usual.location) }
  if (1 - likeness(reply, plain) <= room) return false
  // Another field may hold the same word, as forms are filled: the page repeats it of either.
  const own = (text: string): string => without((reply.echoes ?? [reply.value]).reduce(withoutEcho, resolved(text)))
  return 1 - likeness({ ...reply, text: own(reply.text), location: own(reply.location) }, plain) > room
}

/** An ordinary value may be part of the page's own words: "tent" of "content". */
const withoutWord = (text: string, value: string): string => {
  if (value.length < 2) return text
  const whole = `(?<![\\p{L}\\p{N}])${value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}])`
  return withoutEcho(text.replace(new RegExp(whole, 'gu'), '#echo'), /^\w+$/.test(value) ? '' : value)
}

/** Not even one row more in a long page. `noise` as of noiseOf. */
export const identical = (a: Reply, b: Reply, noise: number): boolean =>
  1 - likeness(a, b) <= Math.max(3 * noise, 0.0005)

/**
 * Another value changes the page, and quotes, a backslash and a bracket behind the value change nothing: only its beginning is
 * read, as a number's is, and nothing that stands behind it can matter. `broken` is the answer to them.
 */
export const readsBeginning = (
  broken: Reply,
  control: Reply,
  baseline: readonly [Reply, Reply],
  value: string,
): boolean => moves(control, baseline, [value]) && baseline.every((usual) => identical(broken, usual, 0))

/** A page that differs from itself by more than this answers no questions. */
export const TOO_NOISY = 0.2
