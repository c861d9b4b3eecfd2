/** How much a hit is worth before and after the controls: rules B3 of the check catalogue. */

import type { Confidence } from '../../../contract/finding.ts'
import type { Sign } from '../../../templates/language/match/match.ts'
import type { Controls } from '../../../templates/run/control.ts'
import type { Hit } from '../../../templates/run/hit.ts'

export interface Assessment {
  /** Null: it is no result, the control has refuted it. */
  readonly confidence: Confidence | null
  readonly because: string
}

export const confidenceOf = (hit: Hit, { again, sibling }: Controls): Assessment => {
  if (hit.outOfBand) return { confidence: 'confirmed', because: 'the target called our listener' }
  if (again === false) return { confidence: null, because: 'it did not match a second time' }
  if (sibling === true) return { confidence: null, because: 'a random path beside it matches too' }
  if (isWeak(hit)) {
    return again === true && sibling === false && isShort(hit)
      ? { confidence: 'firm', because: 'matched twice by a short word and more, and a random path beside it does not' }
      : { confidence: 'tentative', because: 'it rests on a status or on one common word' }
  }
  if (again === null) return { confidence: 'tentative', because: 'it could not be asked a second time' }
  if (sibling === null) return { confidence: 'firm', because: 'matched twice; there is no path to compare with' }
  return { confidence: 'confirmed', because: 'matched twice, and a random path beside it does not' }
}

/** Status, size or time alone, or one word that many pages hold. */
export const isWeak = ({ signs, extracted }: Hit): boolean => {
  if (extracted.some(({ values }) => values.some((value) => value.length >= 3))) return false
  return weightOf(signs) < 2
}

/** A word that few pages hold, with another sign beside it: what both controls bear out is no accident. */
const isShort = ({ signs }: Hit): boolean =>
  weightOf(signs) === 1 && signs.filter(({ negative }) => !negative).length > 1

const weightOf = (signs: readonly Sign[]): number => signs.flatMap(specificity).reduce((sum, one) => sum + one, 0)

/** 2 is enough by itself: a pattern, a phrase, several words. */
const specificity = (sign: Sign): readonly number[] => {
  if (sign.negative) return []
  switch (sign.type) {
    case 'status':
    case 'size':
      return []
    case 'word':
      return sign.values.map(wordWeight)
    case 'binary':
      return sign.values.map((value) => (value.length >= 4 ? 2 : 1))
    case 'regex':
      return sign.values.map((value) => (value.length >= 6 ? 2 : 1))
    case 'xpath':
      return [2]
    case 'dsl':
      return sign.values.map(expressionWeight)
  }
}

const COMMON: ReadonlySet<string> = new Set(
  'admin login password username dashboard error success true false null index test user root html text/html text/plain application/json application/xml server version title body'.split(
    ' ',
  ),
)

const wordWeight = (word: string): number => {
  const text = word.trim().toLowerCase()
  if (COMMON.has(text) || text.length < 4) return 0
  return text.length >= 12 ? 2 : 1
}

/** The literal texts of an expression are its words; hashes and patterns are worth a phrase. */
const expressionWeight = (expression: string): number => {
  if (/\b(?:regex|md5|mmh3|sha1|sha256|compare_versions)\s*\(/.test(expression)) return 2
  const words = [...expression.matchAll(/(['"])((?:\\.|(?!\1).)*)\1/g)].map(([, , word = '']) => wordWeight(word))
  return words.reduce((sum, one) => sum + one, 0)
}
