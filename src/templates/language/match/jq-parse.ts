/** The grammar of jq filters, as far as templates use it. */
import { DslError } from '../expression/value.ts'

export type Filter =
  | { readonly kind: 'identity' }
  | { readonly kind: 'recurse' }
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'text'; readonly parts: readonly (string | Filter)[] }
  | { readonly kind: 'index'; readonly of: Filter; readonly key: Filter }
  | { readonly kind: 'slice'; readonly of: Filter; readonly from: Filter | null; readonly to: Filter | null }
  | { readonly kind: 'each'; readonly of: Filter }
  | { readonly kind: 'try'; readonly body: Filter }
  | { readonly kind: 'pipe' | 'comma'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'operate'; readonly operator: string; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'negate'; readonly body: Filter }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Filter[] }
  | { readonly kind: 'array'; readonly body: Filter | null }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: Filter, value: Filter])[] }
  | { readonly kind: 'if'; readonly test: Filter; readonly yes: Filter; readonly no: Filter }

const TOKEN =
  /\s*(?:(#[^\n]*)|(\.\.|\?\/\/|\/\/|==|!=|<=|>=|[.[\](){}|,:;<>+\-*/%?])|("(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?)|(@?[A-Za-z_]\w*))/y

interface Token {
  readonly kind: 'symbol' | 'string' | 'number' | 'word'
  readonly text: string
}

const LONGEST = 10_000

/** @throws DslError */
export const parseJq = (source: string): Filter => {
  if (source.length > LONGEST) throw new DslError('a jq filter beyond 10,000 characters')
  return new Parser(tokensOf(source)).filter()
}

/** By recursive descent. */
class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  filter(): Filter {
    const filter = this.#pipe()
    if (this.#at < this.#tokens.length) throw new DslError(`jq: unexpected "${this.#tokens[this.#at]?.text}"`)
    return filter
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at]?.kind === 'string' ? undefined : this.#tokens[this.#at]?.text
  }

  #accept(text: string): boolean {
    if (this.#peek() !== text) return false
    this.#at += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#accept(text))
      throw new DslError(`jq: expected "${text}", found "${this.#tokens[this.#at]?.text ?? 'the end'}"`)
  }

  #pipe(): Filter {
    if (++this.#depth > 100) throw new DslError('jq: nested too deeply')
    let left = this.#level(0)
    while (this.#accept('|')) left = { kind: 'pipe', left, right: this.#pipe() }
    this.#depth -= 1
    return left
  }

  #level(index: number): Filter {
    const operators = LEVELS[index]
    if (operators === undefined) return this.#postfix()
    let left = this.#level(index + 1)
    for (let operator = this.#peek(); operator !== undefined && operators.includes(operator); operator = this.#peek()) {
      this.#at += 1
      const right = this.#level(index + 1)
      left = operator === ',' ? { kind: 'comma', left, right } : { kind: 'operate', operator, left, right }
    }
    return left
  }

  #postfix(): Filter {
    let of = this.#primary()
    for (;;) {
      if (this.#accept('?')) of = { kind: 'try', body: of }
      else if (this.#accept('[')) of = this.#bracket(of)
      else if (
        this.#peek() === '.' &&
        (this.#tokens[this.#at + 1]?.kind === 'word' ||
          this.#tokens[this.#at + 1]?.kind === 'string' ||
          this.#tokens[this.#at + 1]?.text === '[')
      ) {
        this.#at += 1
        of = this.#accept('[') ? this.#bracket(of) : { kind: 'index', of, key: this.#name() }
      } else return of
    }
  }

  #bracket(of: Filter): Filter {
    if (this.#accept(']')) return { kind: 'each', of }
    if (this.#accept(':')) {
      const to = this.#pipe()
      this.#expect(']')
      return { kind: 'slice', of, from: null, to }
    }
    const key = this.#pipe()
    if (this.#accept(':')) {
      const to = this.#peek() === ']' ? null : this.#pipe()
      this.#expect(']')
      return { kind: 'slice', of, from: key, to }
    }
    this.#expect(']')
    return { kind: 'index', of, key }
  }

  #name(): Filter {
    const token = this.#tokens[this.#at]
    this.#at += 1
    if (token?.kind === 'word') return { kind: 'literal', value: token.text }
    if (token?.kind === 'string') return textOf(token.text)
    throw new DslError('jq: a name is missing')
  }

  #primary(): Filter {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new DslError('jq: ends too early')
    this.#at += 1
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) }
    if (token.kind === 'string') return textOf(token.text)
    if (token.kind === 'word') return this.#word(token.text)
    switch (token.text) {
      case '.':
        if (this.#tokens[this.#at]?.kind === 'word' || this.#tokens[this.#at]?.kind === 'string') {
          return { kind: 'index', of: { kind: 'identity' }, key: this.#name() }
        }
        return { kind: 'identity' }
      case '..':
        return { kind: 'recurse' }
      case '(': {
        const body = this.#pipe()
        this.#expect(')')
        return body
      }
      case '[': {
        if (this.#accept(']')) return { kind: 'array', body: null }
        const body = this.#pipe()
        this.#expect(']')
        return { kind: 'array', body }
      }
      case '{':
        return this.#object()
      case '-':
        return { kind: 'negate', body: this.#postfix() }
      default:
        throw new DslError(`jq: unexpected "${token.text}"`)
    }
  }

  #word(text: string): Filter {
    if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' }
    if (text === 'null') return { kind: 'literal', value: null }
    if (text === 'if') {
      const test = this.#pipe()
      if (this.#tokens[this.#at]?.text !== 'then') throw new DslError('jq: "if" without "then"')
      this.#at += 1
      const yes = this.#pipe()
      let no: Filter = { kind: 'identity' }
      if (this.#accept('elif')) return { kind: 'if', test, yes, no: this.#word('if') }
      if (this.#accept('else')) no = this.#pipe()
      this.#expect('end')
      return { kind: 'if', test, yes, no }
    }
    const args: Filter[] = []
    if (this.#accept('(')) {
      do args.push(this.#pipe())
      while (this.#accept(';'))
      this.#expect(')')
    }
    return { kind: 'call', name: text, args }
  }

  #object(): Filter {
    const entries: [Filter, Filter][] = []
    while (!this.#accept('}')) {
      if (entries.length > 0) this.#expect(',')
      let key: Filter
      if (this.#accept('(')) {
        key = this.#pipe()
        this.#expect(')')
      } else key = this.#name()
      // Without a value, the member of that name. A value ends before the next comma.
      const value: Filter = this.#accept(':') ? this.#level(1) : { kind: 'index', of: { kind: 'identity' }, key }
      entries.push([key, value])
    }
    return { kind: 'object', entries }
  }
}

/** Loosest first. */
const LEVELS: readonly (readonly string[])[] = [
  [','],
  ['//'],
  ['or'],
  ['and'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
]

const tokensOf = (source: string): readonly Token[] => {
  const tokens: Token[] = []
  let at = 0
  const end = source.trimEnd().length
  while (at < end) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(source)
    if (!match) throw new DslError(`jq: "${source.slice(at, at + 10)}" begins nothing`)
    at = TOKEN.lastIndex
    const [, comment, symbol, string, number, word] = match
    if (comment !== undefined) continue
    if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
    else if (string !== undefined) tokens.push({ kind: 'string', text: string })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else tokens.push({ kind: 'word', text: word ?? '' })
  }
  return tokens
}

/** A string may hold filters: `"\(.a)"`. */
const textOf = (quoted: string): Filter => {
  const parts = quoted.slice(1, -1).split(/\\\(((?:[^()]|\([^()]*\))*)\)/)
  const read = parts.map((part, index) => (index % 2 === 1 ? parseJq(part) : unquoted(part)))
  const [only] = read
  return read.length === 1 && typeof only === 'string'
    ? { kind: 'literal', value: only }
    : { kind: 'text', parts: read }
}

const unquoted = (text: string): string => {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    throw new DslError(`jq: the string "${text.slice(0, 40)}" is not one of JSON`)
  }
}
