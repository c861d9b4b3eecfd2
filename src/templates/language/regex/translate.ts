/**
 * RE2 syntax (https://github.com/google/re2/wiki/Syntax) as a JavaScript pattern of the same meaning, for the flags "v"-less
 * "u". Differences that are bridged: flags inside the pattern, `\A` and `\z`, POSIX classes, named groups, ASCII-only `\s`,
 * what `.` and line anchors break on, literal brackets and braces.
 */

/** The pattern cannot be said in JavaScript; the linear engine alone runs it. */
export class Untranslatable extends Error {}

interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly U: boolean
}

export interface Translated {
  readonly source: string
  readonly flags: string
}

/** @throws Untranslatable */
export const translate = (pattern: string): Translated => {
  const { flags, rest } = leadingFlags(pattern)
  const source = new Translator(rest, flags).run()
  return { source, flags: flags.i ? 'ui' : 'u' }
}

const NONE: Flags = { i: false, m: false, s: false, U: false }

/** Flags in front of everything become those of the whole pattern, which V8 runs faster than groups with flags. */
const leadingFlags = (pattern: string): { readonly flags: Flags; readonly rest: string } => {
  const match = /^\(\?([imsU]+)\)/.exec(pattern)
  if (!match) return { flags: NONE, rest: pattern }
  return { flags: withFlags(NONE, match[1] ?? ''), rest: pattern.slice(match[0].length) }
}

const withFlags = (flags: Flags, text: string): Flags => {
  const [on = '', off = ''] = text.split('-')
  const set = { ...flags }
  for (const flag of on) if (flag in set) set[flag as keyof Flags] = true
  for (const flag of off) if (flag in set) set[flag as keyof Flags] = false
  return set
}

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
}
const SPACE = '\\t\\n\\f\\r '
const CLASSES: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: SPACE }
const CONTROL: Readonly<Record<string, string>> = { a: '\\x07', f: '\\f', n: '\\n', r: '\\r', t: '\\t', v: '\\v' }
const SPECIAL = /[\^$\\.*+?()[\]{}|/]/

class Translator {
  private at = 0
  private readonly stack: Flags[] = []
  private readonly text: string
  private flags: Flags
  /** Groups opened for flags in the middle of a group, to be closed with it. */
  private readonly extra: number[] = [0]

  constructor(text: string, flags: Flags) {
    this.text = text
    this.flags = flags
  }

  run(): string {
    let out = ''
    while (this.at < this.text.length) out += this.next()
    return out + ')'.repeat(this.extra.at(-1) ?? 0)
  }

  private next(): string {
    const char = this.char()
    switch (char) {
      case '\\':
        return this.escape()
      case '[':
        return this.set()
      case '(':
        return this.open()
      case ')':
        return this.close()
      case '.':
        return this.flags.s ? '[^]' : '[^\\n]'
      case '^':
        return this.flags.m ? '(?<![^\\n])' : '(?<![^])'
      case '$':
        return this.flags.m ? '(?![^\\n])' : '(?![^])'
      case '{':
        return this.brace()
      case '}':
      case ']':
        return `\\${char}`
      case '/':
        return '\\/'
      case '*':
      case '+':
      case '?':
        return char + this.lazy()
      default:
        return char
    }
  }

  private char(): string {
    const code = this.text.codePointAt(this.at) ?? 0
    const char = String.fromCodePoint(code)
    this.at += char.length
    return char
  }

  /** `(?U)` swaps what `*` and `*?` mean. */
  private lazy(): string {
    const written = this.text[this.at] === '?'
    if (written) this.at += 1
    return written === this.flags.U ? '' : '?'
  }

  private brace(): string {
    const match = /^\d+(?:,\d*)?\}/.exec(this.text.slice(this.at, this.at + 12))
    if (!match) return '\\{'
    this.at += match[0].length
    return `{${match[0]}${this.lazy()}`
  }

  private open(): string {
    this.stack.push(this.flags)
    this.extra.push(0)
    if (this.text[this.at] !== '?') return '('
    const named = /^\?P?<([A-Za-z_]\w*)>/.exec(this.text.slice(this.at, this.at + 200))
    if (named) {
      this.at += named[0].length
      return '('
    }
    const flagged = /^\?([imsU]*(?:-[imsU]+)?)([:)])/.exec(this.text.slice(this.at, this.at + 20))
    if (!flagged) throw new Untranslatable('a group of an unknown kind')
    this.at += flagged[0].length
    const flags = withFlags(this.flags, flagged[1] ?? '')
    if (flagged[2] === ':') {
      const head = this.head(flags)
      this.flags = flags
      return head
    }
    // `(?i)` holds up to the end of the enclosing group: a group opened here and closed there. Alternatives would be cut.
    this.stack.pop()
    this.extra.pop()
    if (this.hasAlternative()) throw new Untranslatable('flags before an alternative')
    const head = this.head(flags)
    this.flags = flags
    this.extra[this.extra.length - 1] = (this.extra.at(-1) ?? 0) + 1
    return head
  }

  /** Only "i" is JavaScript's business, the other flags are translated away. */
  private head(flags: Flags): string {
    if (flags.i === this.flags.i) return '(?:'
    return flags.i ? '(?i:' : '(?-i:'
  }

  private hasAlternative(): boolean {
    let depth = 0
    for (let at = this.at; at < this.text.length; at += 1) {
      const char = this.text[at]
      if (char === '\\') at += 1
      else if (char === '[') at = this.endOfSet(at)
      else if (char === '(') depth += 1
      else if (char === ')' && --depth < 0) return false
      else if (char === '|' && depth === 0) return true
    }
    return false
  }

  private endOfSet(start: number): number {
    let at = start + 1
    if (this.text[at] === '^') at += 1
    if (this.text[at] === ']') at += 1
    for (; at < this.text.length && this.text[at] !== ']'; at += 1) {
      if (this.text[at] === '\\') at += 1
      else if (this.text.startsWith('[:', at)) at = Math.max(at, this.text.indexOf(':]', at) + 1)
    }
    return at
  }

  private close(): string {
    const extra = this.extra.pop() ?? 0
    const flags = this.stack.pop()
    if (flags === undefined) throw new Untranslatable('a ")" without its "("')
    this.flags = flags
    return `${')'.repeat(extra)})`
  }

  private escape(): string {
    const char = this.char()
    const members = CLASSES[char]
    if (members !== undefined) return `[${members}]`
    const lower = CLASSES[char.toLowerCase()]
    if (lower !== undefined) return `[^${lower}]`
    if (char === 'A') return '(?<![^])'
    if (char === 'z') return '(?![^])'
    if (char === 'b' || char === 'B') return this.flags.i ? this.boundary(char) : `\\${char}`
    if (char === 'Q') return this.literal()
    if (char === 'C') throw new Untranslatable('\\C')
    return this.charEscape(char)
  }

  /** With "i" and "u" JavaScript counts U+017F and U+212A among word characters. */
  private boundary(char: string): string {
    const word = '[0-9A-Za-z_]'
    const at = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
    return char === 'b' ? at : `(?!${at})`
  }

  private literal(): string {
    const end = this.text.indexOf('\\E', this.at)
    const text = this.text.slice(this.at, end < 0 ? undefined : end)
    this.at = end < 0 ? this.text.length : end + 2
    return [...text].map(quoted).join('')
  }

  private charEscape(char: string): string {
    const control = CONTROL[char]
    if (control !== undefined) return control
    if (char === 'x') {
      const match = /^(?:\{([\da-fA-F]{1,6})\}|([\da-fA-F]{2}))/.exec(this.text.slice(this.at, this.at + 8))
      if (!match) throw new Untranslatable('\\x without digits')
      this.at += match[0].length
      return `\\u{${match[1] ?? match[2]}}`
    }
    if (char === 'p' || char === 'P') {
      const match = /^(?:\{(\^?)(\w+)\}|([A-Z]))/.exec(this.text.slice(this.at, this.at + 40))
      if (!match) throw new Untranslatable('\\p without a name')
      this.at += match[0].length
      const negated = (char === 'P') !== (match[1] === '^')
      const name = match[2] ?? match[3] ?? ''
      return `\\${negated ? 'P' : 'p'}{${name.length <= 2 ? name : `Script=${name}`}}`
    }
    if (/\d/.test(char)) {
      const match = /^[0-7]{0,2}/.exec(this.text.slice(this.at, this.at + 2))
      if (char !== '0' && (match?.[0].length ?? 0) === 0) throw new Untranslatable('a back-reference')
      this.at += match?.[0].length ?? 0
      return `\\u{${Number.parseInt(char + (match?.[0] ?? ''), 8).toString(16)}}`
    }
    return quoted(char)
  }

  private set(): string {
    let out = '['
    if (this.text[this.at] === '^') {
      this.at += 1
      out += '^'
    }
    let first = true
    while (first || this.text[this.at] !== ']') {
      if (this.at >= this.text.length) throw new Untranslatable('a "[" without its "]"')
      first = false
      out += this.member()
    }
    this.at += 1
    return `${out}]`
  }

  private member(): string {
    const posix = /^\[:(\^?)(\w+):\]/.exec(this.text.slice(this.at, this.at + 14))
    if (posix) {
      const members = POSIX[posix[2] ?? '']
      if (members === undefined || posix[1] === '^') throw new Untranslatable('a POSIX class')
      this.at += posix[0].length
      return members
    }
    const char = this.char()
    if (char === '-') return this.text[this.at] === ']' || this.text[this.at - 2] === '[' ? '\\-' : '-'
    if (char !== '\\') return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char
    const escaped = this.char()
    const members = CLASSES[escaped]
    if (members !== undefined) return members
    if (escaped === 'D') return '\\D'
    if (escaped === 'W' && !this.flags.i) return '\\W'
    if (escaped === 'S') return '\\u{0}-\\u{8}\\u{b}\\u{e}-\\u{1f}\\u{21}-\\u{10ffff}'
    if (CLASSES[escaped.toLowerCase()] !== undefined) throw new Untranslatable('a negated class in a set')
    if (escaped === '-') return '\\-'
    return this.charEscape(escaped)
  }
}

const quoted = (char: string): string => (SPECIAL.test(char) ? `\\${char}` : char)
