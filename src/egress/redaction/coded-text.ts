/**
 * A text with the codings undone in which targets echo what they were sent: percent (once or repeatedly), references of
 * HTML, escapes of JSON and JavaScript, in any mixture and depth; and from every place in it the way back.
 */

export interface PlainText {
  readonly text: string
  /** Where in the coded text the character at this place begins; at the length of the text, where the last one ends. */
  readonly begin: (at: number) => number
}

/** Each pass undoes one layer, however often a percent sign or an ampersand was coded within it. */
const MAX_PASSES = 4

/**
 * The text as it is, then with one layer of codings undone after the other; where percent signs are coded, also one coding of
 * them at a time: what was coded may itself hold the coding of a character.
 */
export const undoCodings = (coded: string): readonly PlainText[] => [
  { text: coded, begin: (at) => at },
  ...layersOf(coded, READERS),
  ...(coded.includes('%25') ? layersOf(coded, [onePercentAt, referenceAt, escapeAt]) : []),
]

const layersOf = (coded: string, readers: readonly Reader[]): readonly PlainText[] => {
  let plain: PlainText = { text: coded, begin: (at) => at }
  const layers: PlainText[] = []
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = undoOnce(plain.text, readers)
    if (next === null) break
    const { begin } = plain
    plain = { text: next.text, begin: (at) => begin(next.begin(at)) }
    layers.push(plain)
  }
  return layers
}

const undoOnce = (coded: string, readers: readonly Reader[]): PlainText | null => {
  const pieces: string[] = []
  /** Of each unit undone: where its character lies in the plain text, and where the unit begins and ends in the coded one. */
  const places: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  let end = 0
  /** Of each sign the next place. */
  const next = SIGNS.map((sign) => coded.indexOf(sign))
  let shift = 0
  for (;;) {
    const at = nearest(next)
    if (at < 0) break
    const unit = readers[next.indexOf(at)]?.(coded, at) ?? { code: -1, end: at + 1 }
    if (unit.code >= 0 && unit.code < 256) {
      places.push(at - shift)
      starts.push(at)
      ends.push(unit.end)
      pieces.push(coded.slice(end, at), String.fromCharCode(unit.code))
      end = unit.end
      shift += unit.end - at - 1
    }
    for (let index = 0; index < SIGNS.length; index += 1) {
      const place = next[index] ?? -1
      if (place >= 0 && place < unit.end) next[index] = coded.indexOf(SIGNS[index] ?? '', unit.end)
    }
  }
  if (places.length === 0) return null
  pieces.push(coded.slice(end))
  const begin = (at: number): number => {
    const index = lastNotAfter(places, at)
    if (index < 0) return at
    const place = places[index] ?? 0
    return at === place ? (starts[index] ?? 0) : (ends[index] ?? 0) + (at - place - 1)
  }
  return { text: pieces.join(''), begin }
}

/** The least of them that is not negative, or a negative one. */
const nearest = (places: readonly number[]): number => {
  let least = -1
  for (const place of places) if (place >= 0 && (least < 0 || place < least)) least = place
  return least
}

/** Index of the last number that is not above `at` in an ascending list; -1 where there is none. */
const lastNotAfter = (list: readonly number[], at: number): number => {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A character as it is coded; `code` is negative where none is, and what lies before `end` is none then. */
interface Unit {
  readonly code: number
  readonly end: number
}

type Reader = (text: string, at: number) => Unit

const PERCENT = 37
const AMPERSAND = 38
const BACKSLASH = 92
const SPACE = 32

/** %2f, %252f and so on, %u002f. */
const percentAt = (text: string, at: number): Unit => {
  let end = at + 1
  while (text[end] === '2' && text[end + 1] === '5') end += 2
  const digits = text[end] === 'u' && text.startsWith('00', end + 1) ? end + 3 : end
  const code = hexAt(text, digits, digits + 2)
  if (code >= 0) return { code, end: digits + 2 }
  return end === at + 1 ? { code: -1, end } : { code: PERCENT, end }
}

/** %25 is a percent sign, whatever follows. */
const onePercentAt: Reader = (text, at) =>
  text.startsWith('25', at + 1) ? { code: PERCENT, end: at + 3 } : percentAt(text, at)

/** &amp;, &amp;amp; and so on, &#47;, &#x2f;, &sol;. */
const referenceAt = (text: string, at: number): Unit => {
  let end = at + 1
  while (text.startsWith('amp;', end)) end += 4
  const close = text.slice(end, end + 14).indexOf(';')
  const name = close < 2 ? '' : text.slice(end, end + close)
  const code = /^#x[0-9a-f]+$/i.test(name)
    ? Number.parseInt(name.slice(2), 16)
    : /^#\d+$/.test(name)
      ? Number(name.slice(1))
      : (NAMES.get(name) ?? NAMES.get(name.toLowerCase()) ?? -1)
  if (code >= 0) return { code, end: end + close + 1 }
  return end === at + 1 ? { code: -1, end } : { code: AMPERSAND, end }
}

/** \\u002f, \\u{2f}, \\x2f, with any number of backslashes: they are escaped in turn. White space as itself. */
const escapeAt = (text: string, at: number): Unit => {
  let end = at
  while (text.charCodeAt(end) === BACKSLASH) end += 1
  const letter = (text[end] ?? '').toLowerCase()
  if ('bfnrtv'.includes(letter) && letter !== '') return { code: SPACE, end: end + 1 }
  if (letter === 'x') return digitsAt(text, end + 1, end + 3, end)
  if (letter !== 'u') return { code: -1, end }
  if (text[end + 1] !== '{') return digitsAt(text, end + 1, end + 5, end)
  const close = text.slice(end + 2, end + 9).indexOf('}')
  const unit = digitsAt(text, end + 2, end + 2 + Math.max(close, 0), end)
  return unit.code < 0 ? unit : { code: unit.code, end: unit.end + 1 }
}

const digitsAt = (text: string, from: number, to: number, otherwise: number): Unit => {
  const code = hexAt(text, from, to)
  return { code, end: code < 0 ? otherwise : to }
}

/** The number that these digits write; negative where they are none, or not so many. */
const hexAt = (text: string, from: number, to: number): number => {
  if (to > text.length || to <= from) return -1
  let code = 0
  for (let at = from; at < to; at += 1) {
    const digit = HEX.indexOf(text[at] ?? '')
    if (digit < 0) return -1
    code = code * 16 + (digit > 15 ? digit - 6 : digit)
  }
  return code
}
const HEX = '0123456789abcdefABCDEF'

/** What begins a coded character, and who reads on. */
const SIGNS = ['%', '&', '\\'] as const
const READERS = [percentAt, referenceAt, escapeAt] as const

/** Names of HTML references that stand for a character of ASCII (HTML, 13.5). */
const NAMES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    quot: '"',
    amp: '&',
    apos: "'",
    lt: '<',
    gt: '>',
    equals: '=',
    plus: '+',
    sol: '/',
    percnt: '%',
    colon: ':',
    semi: ';',
    period: '.',
    comma: ',',
    lowbar: '_',
    underbar: '_',
    hyphen: '-',
    dash: '-',
    excl: '!',
    num: '#',
    dollar: '$',
    lpar: '(',
    rpar: ')',
    ast: '*',
    midast: '*',
    quest: '?',
    commat: '@',
    lsqb: '[',
    lbrack: '[',
    rsqb: ']',
    rbrack: ']',
    bsol: '\\',
    hat: '^',
    grave: '`',
    lcub: '{',
    lbrace: '{',
    rcub: '}',
    rbrace: '}',
    verbar: '|',
    vert: '|',
    tilde: '~',
    tab: '\t',
    newline: '\n',
    nbsp: ' ',
  }).map(([name, character]) => [name, character.charCodeAt(0)]),
)
