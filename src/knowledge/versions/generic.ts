/**
 * For version texts whose maker keeps to no known rule, as in NVD's ranges: numbers part by part, missing ones are 0,
 * words of pre-releases before the release, other letters after it (`8.5 < 8.5p1`, `1.0.2 < 1.0.2zd`).
 */
import { compareNumbers, compareTexts, isNumber } from './numbers.ts'

export const compareGeneric = (a: string, b: string): number => {
  const left = remembered(a)
  const right = partsOf(b)
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = comparePart(left[index] ?? '', right[index] ?? '')
    if (order !== 0) return order
  }
  return 0
}

/** One version is held against thousands of ranges, so the last left side is kept. */
let last: { readonly text: string; readonly parts: readonly string[] } = { text: '', parts: [] }
const remembered = (text: string): readonly string[] => {
  if (text !== last.text) last = { text, parts: partsOf(text) }
  return last.parts
}

/** A leading `v` goes. */
const partsOf = (version: string): readonly string[] =>
  version
    .trim()
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .match(/\d+|[a-z]+/g) ?? []

/** Of words before a release. `m` and `ea` are milestones and early access. */
const BEFORE: readonly string[] = [
  'dev',
  'snapshot',
  'nightly',
  'canary',
  'pre',
  'preview',
  'ea',
  'a',
  'alpha',
  'b',
  'beta',
  'm',
  'milestone',
  'next',
  'cr',
  'rc',
]
const SAME: readonly string[] = ['', 'final', 'ga', 'release', 'lts', 'stable']

const comparePart = (a: string, b: string): number => {
  const byKind = kindOf(a) - kindOf(b)
  if (byKind !== 0) return byKind
  if (kindOf(a) === KIND.release) return 0
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  if (kindOf(a) === KIND.before) return stage(a) - stage(b)
  return compareTexts(a, b)
}

const KIND = { before: 0, release: 1, after: 2, number: 3 }

const kindOf = (part: string): number => {
  if (isNumber(part)) return /^0+$/.test(part) ? KIND.release : KIND.number
  if (SAME.includes(part)) return KIND.release
  // A single letter after a number is a patch (OpenSSL), so `a` and `b` are alpha and beta in no one-letter reading.
  return part.length > 1 && BEFORE.includes(part) ? KIND.before : KIND.after
}

const stage = (word: string): number => BEFORE.indexOf(word)
