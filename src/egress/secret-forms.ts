/** A secret in the codings in which a target may echo it: an expression that finds its beginning, a reader for the rest. */

/** One way in which a secret may appear. */
export interface SecretForm {
  /** Source of an expression without capturing groups that matches the first `HEAD` units. */
  readonly head: string
  /** Where the secret ends in `text`, of which the head ends at `at`; less when only a part of it is there. */
  readonly extend: (text: string, at: number) => number
}

/** Units that the expression covers. More would make it too large to compile for a long session token. */
const HEAD = 24

/** `secret` is ASCII, as a header value is; `shortest` is the least number of units worth looking for. */
export const formsOf = (secret: string, shortest: number): SecretForm[] => {
  const bytes = Buffer.from(secret, 'utf8')
  return [characters(bytes), hexadecimal(bytes), ...base64(bytes, shortest)]
}

/** Raw, percent, HTML and JavaScript codings, mixed as they come, character by character. */
const characters = (bytes: Buffer): SecretForm => {
  // A run of backslashes is one unit: no coding keeps their number.
  const codes = [...bytes].filter((code, index) => code !== BACKSLASH || bytes[index - 1] !== BACKSLASH)
  return {
    head: codes
      .slice(0, HEAD)
      .map((code, index) => codedByte(code, codes[index - 1] === BACKSLASH))
      .join(''),
    extend: (text, at) =>
      walk(codes.length, at, (index, from) => {
        const code = codes[index] ?? -1
        return code === BACKSLASH ? runReadings(text, from) : readings(text, from, code, codes[index - 1] === BACKSLASH)
      }),
  }
}

const hexadecimal = (bytes: Buffer): SecretForm => {
  const digits = [...bytes].map((code) => code.toString(16).padStart(2, '0'))
  return {
    head: digits.slice(0, HEAD).map(anyCase).join('[ :]?'),
    extend: (text, at) =>
      walk(digits.length, at, (index, from) => {
        const start = text[from] === ' ' || text[from] === ':' ? from + 1 : from
        return text.slice(start, start + 2).toLowerCase() === digits[index] ? [start + 2] : []
      }),
  }
}

/**
 * The characters of the coded text that depend on the secret alone, for each of the three places a secret can begin
 * in a longer text, in both alphabets, the special ones possibly coded in turn.
 */
const base64 = (bytes: Buffer, shortest: number): SecretForm[] =>
  [0, 1, 2].flatMap((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(2)]).toString('base64')
    const core = coded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
    if (core.length < shortest) return []
    const extend = (text: string, at: number) => {
      const end = walk(core.length, at, (index, from) => {
        const code = core.charCodeAt(index)
        const other = code === 43 ? readings(text, from, 45) : code === 47 ? readings(text, from, 95) : []
        return [...readings(text, from, code), ...other]
      })
      TAIL.lastIndex = end
      return end + (TAIL.exec(text)?.[0].length ?? 0)
    }
    return [{ head: [...core.slice(0, HEAD)].map(base64Character).join(''), extend }]
  })

/** The character that the secret shares with what follows it, and padding. */
const TAIL = /[\w+/-]?={0,2}/y

const base64Character = (character: string): string =>
  character === '+' ? `(?:${codedByte(43)}|-)` : character === '/' ? `(?:${codedByte(47)}|_)` : character

/**
 * Reads units from `HEAD` on while they match, and says how far that went. A raw "%25" and a coded "%" begin alike,
 * so every reading is followed until it fails.
 */
const walk = (units: number, start: number, step: (index: number, at: number) => readonly number[]): number => {
  let places: readonly number[] = [start]
  for (let index = HEAD; index < units; index += 1) {
    const next = [...new Set(places.flatMap((at) => step(index, at)))].slice(0, MAX_READINGS)
    if (next.length === 0) break
    places = next
  }
  return Math.max(...places)
}
const MAX_READINGS = 8

/** Names of HTML references that stand for a character (HTML, 13.5). */
const NAMED: Readonly<Record<string, string>> = {
  '"': 'quot|QUOT',
  '&': 'amp|AMP',
  "'": 'apos',
  '<': 'lt|LT',
  '>': 'gt|GT',
  '=': 'equals',
  '+': 'plus',
  '/': 'sol',
  '%': 'percnt',
  ':': 'colon',
  ';': 'semi',
  '.': 'period',
  ',': 'comma',
  _: 'lowbar',
  '-': 'hyphen|dash',
  '!': 'excl',
  '#': 'num',
  $: 'dollar',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb|lbrack',
  ']': 'rsqb|rbrack',
  '\\': 'bsol',
  '^': 'Hat',
  '`': 'grave',
  '{': 'lcub|lbrace',
  '|': 'vert|verbar|VerticalLine',
  '}': 'rcub|rbrace',
  '~': 'tilde',
  '\t': 'Tab',
  ' ': 'nbsp',
}

/** One byte, raw or in any coding. Repeats are bounded, so that a page made of them costs a constant a character. */
const codedByte = (code: number, afterRun = false): string => {
  const character = String.fromCharCode(code)
  const space = character === ' ' ? '|\\+' : ''
  const percent = `%(?:25){0,3}${anyCase(code.toString(16).padStart(2, '0'))}`
  const coded = `${percent}|${htmlReference(code)}|${scriptEscape(code, afterRun)}`
  return code === BACKSLASH ? `(?:${RUN}|(?:${coded}){1,64})` : `(?:${literal(character)}|${coded}${space})`
}

const htmlReference = (code: number): string => {
  const named = NAMED[String.fromCharCode(code)]
  return `&(?:amp;){0,3}(?:#0{0,6}${code}|#[xX]0{0,6}${anyCase(code.toString(16))}${named ? `|${named}` : ''});`
}

/** JSON's \/ and \u002f, JavaScript's \x2f and \u{2f}, escaped again up to three times. The run before it may have taken the backslash. */
const scriptEscape = (code: number, afterRun: boolean): string => {
  const hex = anyCase(code.toString(16).padStart(2, '0'))
  const itself = code === BACKSLASH ? '' : `|${literal(String.fromCharCode(code))}`
  return `\\\\{${afterRun ? 0 : 1},8}(?:[uU]00${hex}|[uU]\\{0{0,6}${anyCase(code.toString(16))}\\}|[xX]${hex}${itself})`
}

/** Every place at which one character of this code, in any coding, may end when it begins at `at`. */
const readings = (text: string, at: number, code: number, afterRun = false): number[] => {
  const first = text.charCodeAt(at)
  const ends = first === code && code !== BACKSLASH ? [at + 1] : []
  if (first === PLUS && code === SPACE) ends.push(at + 1)
  if (first === PERCENT) {
    for (let digits = at + 1, repeat = 0; repeat <= 3; repeat += 1, digits += 2) {
      const pair = text.slice(digits, digits + 2)
      if (/^[0-9a-f]{2}$/i.test(pair) && Number.parseInt(pair, 16) === code) ends.push(digits + 2)
      if (pair !== '25') break
    }
  }
  if (first !== AMPERSAND && first !== BACKSLASH && !afterRun) return ends
  const coded = stickyOf(code, afterRun)
  coded.lastIndex = at
  if (coded.test(text)) ends.push(coded.lastIndex)
  return ends
}

/** The same for a run of backslashes, of which each may be coded. */
const runReadings = (text: string, at: number): number[] => {
  const ends = new Set<number>()
  let last = readings(text, at, BACKSLASH)
  for (let length = 0; length < 64 && last.length > 0; length += 1) {
    for (const end of last) ends.add(end)
    last = last.flatMap((end) => readings(text, end, BACKSLASH)).filter((end) => !ends.has(end))
  }
  return [...ends]
}

const stickies = new Map<string, RegExp>()
const stickyOf = (code: number, afterRun: boolean): RegExp => {
  const key = `${code}${afterRun}`
  const known = stickies.get(key)
  if (known) return known
  const run = code === BACKSLASH ? `|${RUN}` : ''
  const made = new RegExp(`${htmlReference(code)}|${scriptEscape(code, afterRun)}${run}`, 'y')
  stickies.set(key, made)
  return made
}

/** All of a run, so that what follows it cannot be read as escaped by its last one: there is one reading only. */
const RUN = '\\\\{1,64}(?!\\\\)'
const SPACE = 32
const PERCENT = 37
const AMPERSAND = 38
const PLUS = 43
const BACKSLASH = 92

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
