/**
 * A text that the `pattern` of an input accepts, built along its grammar. Nothing is ever matched against it: the page chose
 * it, and some expressions take hours. What looks ahead or behind is passed over, which most patterns forgive.
 */

const LONGEST_PATTERN = 300
const LONGEST_TEXT = 64
/** For `.`: a letter of either case, a sign and digits soon, as rules for passwords ask for. */
const ANY = 'Te-1st23456789'

/** Null where it cannot be read. */
export const exampleOfPattern = (pattern: string): string | null => {
  if (pattern.length > LONGEST_PATTERN) return null
  const reader: Reader = { pattern, at: 0, made: 0 }
  const text = alternatives(reader)
  return text === null || reader.at < pattern.length || text.length > LONGEST_TEXT ? null : text
}

interface Reader {
  readonly pattern: string
  at: number
  /** Characters made so far, so that a repeated class gives not the same one always. */
  made: number
}

/** The first alternative; the others are read past. */
const alternatives = (reader: Reader): string | null => {
  let first: string | null = null
  for (;;) {
    const text = sequence(reader)
    if (text === null) return null
    first ??= text
    if (reader.pattern[reader.at] !== '|') return first
    reader.at += 1
  }
}

const sequence = (reader: Reader): string | null => {
  let text = ''
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern[reader.at] ?? '')) {
    const start = reader.at
    const once = atom(reader)
    if (once === null) return null
    const end = reader.at
    const times = repetitions(reader)
    const after = reader.at
    for (let time = 0; time < times && text.length <= LONGEST_TEXT; time += 1) {
      reader.at = start
      text += time === 0 ? once : (atom(reader) ?? '')
    }
    reader.at = times === 0 ? Math.max(after, end) : after
  }
  return text
}

/** How often an atom is best repeated: as rarely as allowed, but once where it may be any number. */
const repetitions = (reader: Reader): number => {
  const [whole, low, more] = /^(?:\*|\+|\?|\{(\d{1,3})(,\d{0,3})?\})\??/.exec(reader.pattern.slice(reader.at)) ?? []
  if (whole === undefined) return 1
  reader.at += whole.length
  if (whole.startsWith('?')) return 0
  if (low === undefined) return 1
  return Number(low) === 0 && more !== undefined ? 1 : Number(low)
}

const atom = (reader: Reader): string | null => {
  const sign = reader.pattern[reader.at] ?? ''
  reader.at += 1
  if (sign === '^' || sign === '$') return ''
  if (sign === '.') return nth(reader, ANY)
  if (sign === '(') return group(reader)
  if (sign === '[') return oneOf(reader)
  if (sign === '\\') return nth(reader, escaped(reader))
  reader.made += 1
  return sign
}

const group = (reader: Reader): string | null => {
  const [mark = ''] = /^\?(?:[:=!]|<[=!]|<\w{1,50}>)/.exec(reader.pattern.slice(reader.at)) ?? []
  reader.at += mark.length
  const looks = /[=!]$/.test(mark)
  const made = reader.made
  const text = alternatives(reader)
  if (text === null || reader.pattern[reader.at] !== ')') return null
  reader.at += 1
  if (looks) reader.made = made
  return looks ? '' : text
}

const nth = (reader: Reader, signs: string): string => {
  const sign = signs[reader.made % Math.max(1, signs.length)] ?? ''
  reader.made += 1
  return sign
}

const CLASSES: Readonly<Record<string, string>> = { d: '1234567890', w: 'test1', s: ' ', D: 'test', W: '-', S: 'test1' }
const SIGNS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '', B: '' }

/** What a backslash makes of the sign behind it, as signs to choose from. */
const escaped = (reader: Reader): string => {
  const sign = reader.pattern[reader.at] ?? ''
  reader.at += 1
  const [code, hex] = /^(?:u\{?|x)([\da-f]{2,6})\}?/i.exec(sign + reader.pattern.slice(reader.at)) ?? []
  if (code !== undefined && hex !== undefined && Number.parseInt(hex, 16) <= 0x10ffff) {
    reader.at += code.length - 1
    return String.fromCodePoint(Number.parseInt(hex, 16))
  }
  if (sign === 'p' || sign === 'P') {
    reader.at += /^\{[^}]{1,40}\}/.exec(reader.pattern.slice(reader.at))?.[0].length ?? 0
    return 'Test'
  }
  return CLASSES[sign] ?? SIGNS[sign] ?? sign
}

/** A class of signs: the ends of its ranges, or, where it says what is not allowed, what is left of common ones. */
const oneOf = (reader: Reader): string | null => {
  const without = reader.pattern[reader.at] === '^'
  if (without) reader.at += 1
  const signs: string[] = []
  for (let first = true; ; first = false) {
    const sign = reader.pattern[reader.at]
    if (sign === undefined) return null
    reader.at += 1
    if (sign === ']' && !first) break
    const from = sign === '\\' ? escaped(reader) : sign
    const range = /^-([^\]\\])/.exec(reader.pattern.slice(reader.at))?.[1]
    if (range !== undefined && from.length === 1) reader.at += 2
    signs.push(...(range !== undefined && from.length === 1 ? rangeOf(from, range) : from))
  }
  if (!without) return nth(reader, signs.join(''))
  return nth(reader, [...'testTEST123-_ .'].filter((sign) => !signs.includes(sign)).join(''))
}

const rangeOf = (from: string, to: string): readonly string[] => {
  const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)]
  return Array.from({ length: Math.max(0, Math.min(high - low + 1, 128)) }, (_, index) =>
    String.fromCharCode(low + index),
  )
}
