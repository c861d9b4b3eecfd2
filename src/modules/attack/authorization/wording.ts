/** Documents of the program's own words: the texts of its pages in one language, which everybody who opens them is sent. */
import { jsonTreeOf } from '../../../page/json.ts'

const FEWEST = 20
const DEEPEST = 12
/** Shares of all values. */
const WORDED = 0.75
const SENTENCES = 0.2
/** What stands again and again under the same names is a list of records. */
const OF_ONE_KIND = 0.5

/**
 * Whether an answer is a catalogue of texts (`{"label":{"password":"Password"}}`): an object of objects whose values are all labels and sentences,
 * without a number, a date, an address or a list of records. Its members are called after what the program asks for, and hold nothing of anybody.
 */
export const isWording = (text: string): boolean => {
  const tree = jsonTreeOf(text)
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return false
  const seen: Seen = { values: [], kinds: new Map(), records: false }
  walk(tree, seen, 0)
  const { values, kinds, records } = seen
  if (records || values.length < FEWEST) return false
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length < values.length) return false
  const alike = Math.max(0, ...[...kinds.values()].map(({ members, count }) => (count > 2 ? members * count : 0)))
  return (
    alike <= OF_ONE_KIND * texts.length &&
    texts.filter(isWorded).length >= WORDED * texts.length &&
    texts.filter(isSentence).length >= SENTENCES * texts.length
  )
}

interface Seen {
  readonly values: unknown[]
  /** Of objects, by the names of their members. */
  readonly kinds: Map<string, { readonly members: number; count: number }>
  records: boolean
}

const walk = (value: unknown, seen: Seen, depth: number): void => {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) {
    seen.values.push(value)
    return
  }
  if (Array.isArray(value)) seen.records ||= value.some((one) => typeof one === 'object' && one !== null)
  else {
    const names = Object.keys(value)
    const kind = seen.kinds.get(names.join('\n')) ?? { members: names.length, count: 0 }
    kind.count += 1
    if (names.length > 1) seen.kinds.set(names.join('\n'), kind)
  }
  for (const one of Object.values(value)) walk(one, seen, depth + 1)
}

/** In scripts without capitals and spaces a word has neither. */
const isWorded = (text: string): boolean => !/[\d@]/.test(text) && /\s|^\p{Lu}|\p{Lo}/u.test(text)

const isSentence = (text: string): boolean => text.trim().split(/\s+/).length >= 3 || /\p{Lo}{6}/u.test(text)
