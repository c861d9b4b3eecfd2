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
/** A form’s first characters make a sign at every place, later ones at every so many: of twelve in a row, the least that tell, one is met. */
const DENSE = 32
const SPARSE = 7

/** Secrets that are looked for, which come and go: a session may be another one after each answer. */
export interface SecretIndex {
  readonly add: (forms: readonly SecretForm[]) => void
  /** The same objects as were given. */
  readonly remove: (forms: readonly SecretForm[]) => void
  readonly search: Search
}

export const createIndex = (): SecretIndex => {
  const tables = new Map<Skin, FormTable>()
  const of = (skin: Skin): FormTable => {
    const table = tables.get(skin) ?? createTable(SKINS[skin])
    tables.set(skin, table)
    return table
  }
  return {
    add: (forms) => {
      for (const form of forms) of(form.skin).add(form)
    },
    remove: (forms) => {
      for (const form of forms) of(form.skin).remove(form)
    },
    search: (text) => {
      const spans = [...tables.values()].filter((table) => table.size() > 0).map((table) => table.search(text))
      return spans.length === 1 ? (spans[0] ?? []) : joined(spans.flat())
    },
  }
}

interface FormTable {
  readonly size: () => number
  readonly add: (form: SecretForm) => void
  readonly remove: (form: SecretForm) => void
  readonly search: Search
}

/** Forms that may lie about without being looked for before the table is made anew. */
const MOST_DEAD = 200

const createTable = (table: Uint8Array): FormTable => {
  let ids = new Map<SecretForm, number>()
  let forms: (SecretForm | null)[] = []
  const ways = createWays()

  const add = (form: SecretForm): void => {
    const id = forms.push(form) - 1
    ids.set(form, id)
    const { codes, shared } = form
    // A sign has to reach beyond what others share.
    const first = Math.max(0, shared - 2)
    for (let at = first; at + GRAM <= codes.length; at += at - first < DENSE ? 1 : SPARSE)
      ways.add(signAt(codes, at), id, at)
    if (codes.length - GRAM > first) ways.add(signAt(codes, codes.length - GRAM), id, codes.length - GRAM)
  }

  const remove = (form: SecretForm): void => {
    const id = ids.get(form)
    if (id === undefined) return
    ids.delete(form)
    forms[id] = null
    if (forms.length - ids.size <= Math.max(MOST_DEAD, ids.size)) return
    const living = [...ids.keys()]
    ids = new Map()
    forms = []
    ways.clear()
    for (const one of living) add(one)
  }

  const longest = (text: string, sign: number, from: number, floor: number): Meeting | null => {
    let best: Meeting | null = null
    for (let way = ways.first(sign); way >= 0; way = ways.next(way)) {
      const form = ways.signOf(way) === sign ? forms[ways.formOf(way)] : null
      const met = form ? meet(text, table, { form, at: ways.placeOf(way) }, from, floor) : null
      if (met !== null && (best === null || met.next - met.first > best.next - best.first)) best = met
    }
    return best
  }

  const search: Search = (text) => {
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
      if (count < GRAM || ways.first(sign) < 0) continue
      const met = longest(text, sign, backBy(text, table, at), floor)
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
  return { size: () => ids.size, add, remove, search }
}

const signAt = (codes: Uint8Array, at: number): number => {
  let sign = 0
  for (const code of codes.subarray(at, at + GRAM)) sign = (sign << BITS) | (code & LOW)
  return sign
}

/** Ways on by their signs, each known by its number. A bucket holds those of several signs. */
interface Ways {
  readonly add: (sign: number, form: number, place: number) => void
  /** Of the bucket of a sign; -1 for none. */
  readonly first: (sign: number) => number
  readonly next: (way: number) => number
  readonly signOf: (way: number) => number
  readonly formOf: (way: number) => number
  readonly placeOf: (way: number) => number
  readonly clear: () => void
}

/** So many buckets for each way on that few of the text's signs meet one by chance. */
const ROOM = 4
const [LEAST_BITS, MOST_BITS] = [14, 21]

/** Chains in flat memory: a secret of some hundred characters has thousands of ways. */
const createWays = (): Ways => {
  let bits = LEAST_BITS
  let heads = new Int32Array(2 ** bits).fill(-1)
  let signs = new Int32Array(4_096)
  let nexts = new Int32Array(4_096)
  let forms = new Int32Array(4_096)
  let places = new Int32Array(4_096)
  let count = 0

  const bucketOf = (sign: number): number => Math.imul(sign, SPREAD) >>> (32 - bits)
  const first = (sign: number): number => heads[bucketOf(sign)] as number
  const next = (way: number): number => nexts[way] as number
  const link = (way: number): void => {
    const bucket = bucketOf(signs[way] as number)
    let last = -1
    for (let at = heads[bucket] as number; at >= 0; at = next(at)) last = at
    nexts[way] = -1
    if (last < 0) heads[bucket] = way
    else nexts[last] = way
  }
  const grow = (): void => {
    if (count === signs.length) {
      signs = twice(signs)
      nexts = twice(nexts)
      forms = twice(forms)
      places = twice(places)
    }
    if (bits === MOST_BITS || count * ROOM < heads.length) return
    bits += 1
    heads = new Int32Array(2 ** bits).fill(-1)
    for (let way = 0; way < count; way += 1) link(way)
  }
  return {
    ...{ first, next },
    signOf: (way) => signs[way] as number,
    formOf: (way) => forms[way] as number,
    placeOf: (way) => places[way] as number,
    add: (sign, form, place) => {
      let met = 0
      for (let way = first(sign); way >= 0; way = next(way)) if (signs[way] === sign) met += 1
      if (met >= MAX_WAYS) return
      grow()
      signs[count] = sign
      forms[count] = form
      places[count] = place
      link(count)
      count += 1
    },
    clear: () => {
      count = 0
      heads.fill(-1)
    },
  }
}

const twice = (list: Int32Array): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(2 * list.length)
  larger.set(list)
  return larger
}

interface Way {
  readonly form: SecretForm
  readonly at: number
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

/** A part of a form as it lies in a text. */
interface Meeting {
  readonly form: SecretForm
  /** Index of the first code that is there, and of the one after the last. */
  readonly first: number
  readonly next: number
  readonly span: Span
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
