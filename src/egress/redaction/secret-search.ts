/**
 * Finds secrets in a text in one pass, however many there are and in whatever form: a window over what counts of the
 * text (as of Karp and Rabin, 1987) says where a form may go on, the form itself says how far. Linear in the text.
 */
import { randomBits } from './ordinary.ts'
import { type SecretForm, SKINS, type Skin } from './secret-forms.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

/** Spans of a text that hold a secret or a telling part of one: in order, apart from each other. */
export type Search = (text: string) => readonly Span[]

/** Counted characters that make a sign, and bits of each that go into it: what looks alike is told apart afterwards. */
const GRAM = 6
const BITS = 5
const LOW = (1 << BITS) - 1
const WHOLE = (1 << (GRAM * BITS)) - 1
/** Spreads signs over a table (Knuth, 6.4). */
const SPREAD = 0x9e3779b1
/** Ways on from one sign: more come only of a form that repeats itself. */
const MAX_WAYS = 8
/** What does not count may stand so long between two characters: white space, separators, a line's end and its indent. */
const MAX_GAP = 16
/** A form's first characters make a sign at every place, later ones at every so many. */
const DENSE = 32
const SPARSE = 4

interface Way {
  readonly form: SecretForm
  readonly at: number
}

export const createSearch = (forms: readonly SecretForm[]): Search => {
  const searches = [...Map.groupBy(forms, ({ skin }) => skin)].map(([skin, group]) => searchOf(skin, group))
  const [only] = searches
  if (only && searches.length === 1) return only
  return (text) => joined(searches.flatMap((search) => search(text)))
}

const searchOf = (skin: Skin, forms: readonly SecretForm[]): Search => {
  const table = SKINS[skin]
  const ways = waysOf(forms)
  // So many places that few of the text's signs meet one by chance.
  const shift = 32 - Math.min(18, Math.max(14, Math.ceil(Math.log2(ways.size + 1)) + 4))
  const known = new Uint8Array(2 ** (32 - shift))
  for (const sign of ways.keys()) known[Math.imul(sign, SPREAD) >>> shift] = 1

  return (text) => {
    const spans: Span[] = []
    const { length } = text
    let floor = 0
    let sign = 0
    let count = 0
    for (let at = 0; at < length; at += 1) {
      const unit = text.charCodeAt(at)
      const code = unit < 128 ? (table[unit] as number) : 0
      if (code === 0) continue
      sign = ((sign << BITS) | (code & LOW)) & WHOLE
      count += 1
      if (count < GRAM || known[Math.imul(sign, SPREAD) >>> shift] === 0) continue
      const found = ways.get(sign)
      if (found === undefined) continue
      const met = longest(text, table, found, backBy(text, table, at), floor)
      if (met === null) continue
      if (tells(text, met)) {
        const span = whole(text, met, floor)
        spans.push(span)
        floor = span.to
        at = span.to - 1
        count = 0
      } else {
        // Another form may go on within its last characters.
        const last = met.span.to - 1
        if (last <= at) continue
        at = backBy(text, table, last)
        count = 0
      }
    }
    return spans
  }
}

/** Where the sign begins that ends at this place. */
const backBy = (text: string, table: Uint8Array, end: number): number => {
  let at = end
  for (let left = GRAM - 1; left > 0; ) {
    at -= 1
    if (codeAt(text, table, at) !== 0) left -= 1
  }
  return at
}

const codeAt = (text: string, table: Uint8Array, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit < 128 ? (table[unit] as number) : 0
}

const waysOf = (forms: readonly SecretForm[]): Map<number, Way[]> => {
  const ways = new Map<number, Way[]>()
  for (const form of forms) {
    const { codes, shared } = form
    // A sign has to reach beyond what others share.
    const first = Math.max(0, shared - 2)
    for (let at = first; at + GRAM <= codes.length; at += at - first < DENSE ? 1 : SPARSE) add(ways, { form, at })
    if (codes.length - GRAM > first) add(ways, { form, at: codes.length - GRAM })
  }
  return ways
}

const add = (ways: Map<number, Way[]>, way: Way): void => {
  let sign = 0
  for (const code of way.form.codes.subarray(way.at, way.at + GRAM)) sign = (sign << BITS) | (code & LOW)
  const list = ways.get(sign)
  if (list === undefined) ways.set(sign, [way])
  else if (list.length < MAX_WAYS) list.push(way)
}

/** A part of a form as it lies in a text. */
interface Meeting {
  readonly form: SecretForm
  /** Index of the first code that is there, and of the one after the last. */
  readonly first: number
  readonly next: number
  readonly span: Span
}

const longest = (
  text: string,
  table: Uint8Array,
  ways: readonly Way[],
  from: number,
  floor: number,
): Meeting | null => {
  let best: Meeting | null = null
  for (const way of ways) {
    const met = meet(text, table, way, from, floor)
    if (met !== null && (best === null || met.next - met.first > best.next - best.first)) best = met
  }
  return best
}

const meet = (text: string, table: Uint8Array, { form, at }: Way, from: number, floor: number): Meeting | null => {
  const { codes } = form
  let next = at
  let to = from
  for (let place = from, gap = 0; place < text.length && next < codes.length && gap <= MAX_GAP; place += 1) {
    const code = codeAt(text, table, place)
    if (code === 0) {
      gap += 1
      continue
    }
    if (code !== codes[next]) break
    next += 1
    to = place + 1
    gap = 0
  }
  if (next - at < GRAM) return null
  let first = at
  let begin = from
  for (let place = from - 1, gap = 0; place >= floor && first > 0 && gap <= MAX_GAP; place -= 1) {
    const code = codeAt(text, table, place)
    if (code === 0) {
      gap += 1
      continue
    }
    if (code !== codes[first - 1]) break
    first -= 1
    begin = place
    gap = 0
  }
  return { form, first, next, span: { from: begin, to } }
}

/** All of a form tells; a part of it where it is too long and too random to be met by chance, or was cut off there. */
const tells = (text: string, { form, first, next, span }: Meeting): boolean => {
  const { length } = form.codes
  const met = next - first
  if (form.alone) return met === length && standsAlone(text, span, form)
  if (met === length) return true
  if (next <= form.shared + 2) return false
  const part = text.slice(span.from, span.to)
  // Most of a secret made of words: no single word, which others may write too.
  if (met >= 12 && met >= 0.6 * length && /[^a-z]/i.test(part)) return true
  const bits = randomBits(part)
  if (met >= 12 && bits >= 36) return true
  if (met >= 8 && met >= 0.6 * length && bits >= 25) return true
  const cut = (first === 0 && isOver(text, span.to, 1)) || (next === length && isOver(text, span.from - 1, -1))
  return cut && bits >= 18
}

/** Nothing but an ellipsis or other marks up to the end of the text. */
const isOver = (text: string, from: number, step: 1 | -1): boolean => {
  const rest = step === 1 ? text.slice(from, from + 9) : text.slice(Math.max(0, from - 8), from + 1)
  return rest.length < 9 && !/[a-z0-9]/i.test(rest)
}

const standsAlone = (text: string, { from, to }: Span, { codes: { length }, exact }: SecretForm): boolean => {
  if (/[a-z0-9]/i.test(`${text[from - 1] ?? ''}${text[to] ?? ''}`)) return false
  const between = to - from - length
  if (between === 0 || text.slice(from, to).toLowerCase() === exact.toLowerCase()) return true
  // Spaced evenly, as s-e-c-r-e-t is.
  const gap = between / (length - 1)
  return (
    Number.isInteger(gap) && gap <= 2 && new RegExp(`^(?:\\w[^a-z0-9]{${gap}})*\\w$`, 'i').test(text.slice(from, to))
  )
}

/** With the decoration at its ends. */
const whole = (text: string, { form, first, next, span }: Meeting, floor: number): Span => {
  let { from, to } = span
  if (next === form.codes.length) {
    for (const character of form.after) {
      while (text[to] === '\\' && character !== '\\') to += 1
      if (!isSame(text[to], character)) break
      to += 1
    }
    if (form.padded) {
      TAIL.lastIndex = to
      to += TAIL.exec(text)?.[0].length ?? 0
    }
  }
  if (first === 0) {
    for (const character of [...form.before].reverse()) {
      if (from - 1 < floor || !isSame(text[from - 1], character)) break
      from -= 1
    }
    while (form.before !== '' && from > floor && text[from - 1] === '\\') from -= 1
  }
  return { from, to }
}

const isSame = (found: string | undefined, wanted: string): boolean =>
  found === wanted || (wanted === ' ' && found === '+')

/** The character that a secret in base64 shares with what follows it, and padding. */
const TAIL = /[\w+/-]?={0,2}/y

/** In order, those that overlap as one. */
export const joined = (spans: readonly Span[]): Span[] => {
  const list: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = list.at(-1)
    if (last && span.from < last.to) list[list.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    else list.push(span)
  }
  return list
}
