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
  const tokens = tokensOf(source)
  let at = 0
  let depth = 0
  const peek = (): string | undefined => (tokens[at]?.kind === 'string' ? undefined : tokens[at]?.text)
  const accept = (text: string): boolean => {
    if (peek() !== text) return false
    at += 1
    return true
  }
  const expect = (text: string): void => {
    if (!accept(text)) throw new DslError(`jq: expected "${text}", found "${tokens[at]?.text ?? 'the end'}"`)
  }

  const pipe = (): Filter => {
    if (++depth > 100) throw new DslError('jq: nested too deeply')
    let left = level(0)
    while (accept('|')) left = { kind: 'pipe', left, right: pipe() }
    depth -= 1
    return left
  }

  const level = (index: number): Filter => {
    const operators = LEVELS[index]
    if (operators === undefined) return postfix()
    let left = level(index + 1)
    for (let operator = peek(); operator !== undefined && operators.includes(operator); operator = peek()) {
      at += 1
      const right = level(index + 1)
      left = operator === ',' ? { kind: 'comma', left, right } : { kind: 'operate', operator, left, right }
    }
    return left
  }

  const postfix = (): Filter => {
    let of = primary()
    for (;;) {
      if (accept('?')) of = { kind: 'try', body: of }
      else if (accept('[')) of = bracket(of)
      else if (
        peek() === '.' &&
        (tokens[at + 1]?.kind === 'word' || tokens[at + 1]?.kind === 'string' || tokens[at + 1]?.text === '[')
      ) {
        at += 1
        of = accept('[') ? bracket(of) : { kind: 'index', of, key: name() }
      } else return of
    }
  }

  const bracket = (of: Filter): Filter => {
    if (accept(']')) return { kind: 'each', of }
    if (accept(':')) {
      const to = pipe()
      expect(']')
      return { kind: 'slice', of, from: null, to }
    }
    const key = pipe()
    if (accept(':')) {
      const to = peek() === ']' ? null : pipe()
      expect(']')
      return { kind: 'slice', of, from: key, to }
    }
    expect(']')
    return { kind: 'index', of, key }
  }

  const name = (): Filter => {
    const token = tokens[at]
    at += 1
    if (token?.kind === 'word') return { kind: 'literal', value: token.text }
    if (token?.kind === 'string') return textOf(token.text)
    throw new DslError('jq: a name is missing')
  }

  const primary = (): Filter => {
    const token = tokens[at]
    if (token === undefined) throw new DslError('jq: ends too early')
    at += 1
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) }
    if (token.kind === 'string') return textOf(token.text)
    if (token.kind === 'word') return word(token.text)
    switch (token.text) {
      case '.':
        if (tokens[at]?.kind === 'word' || tokens[at]?.kind === 'string') {
          return { kind: 'index', of: { kind: 'identity' }, key: name() }
        }
        return { kind: 'identity' }
      case '..':
        return { kind: 'recurse' }
      case '(': {
        const body = pipe()
        expect(')')
        return body
      }
      case '[': {
        if (accept(']')) return { kind: 'array', body: null }
        const body = pipe()
        expect(']')
        return { kind: 'array', body }
      }
      case '{':
        return object()
      case '-':
        return { kind: 'negate', body: postfix() }
      default:
        throw new DslError(`jq: unexpected "${token.text}"`)
    }
  }

  const word = (text: string): Filter => {
    if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' }
    if (text === 'null') return { kind: 'literal', value: null }
    if (text === 'if') {
      const test = pipe()
      if (tokens[at]?.text !== 'then') throw new DslError('jq: "if" without "then"')
      at += 1
      const yes = pipe()
      let no: Filter = { kind: 'identity' }
      if (accept('elif')) return { kind: 'if', test, yes, no: word('if') }
      if (accept('else')) no = pipe()
      expect('end')
      return { kind: 'if', test, yes, no }
    }
    const args: Filter[] = []
    if (accept('(')) {
      do args.push(pipe())
      while (accept(';'))
      expect(')')
    }
    return { kind: 'call', name: text, args }
  }

  const object = (): Filter => {
    const entries: [Filter, Filter][] = []
    while (!accept('}')) {
      if (entries.length > 0) expect(',')
      let key: Filter
      if (accept('(')) {
        key = pipe()
        expect(')')
      } else key = name()
      // Without a value, the member of that name. A value ends before the next comma.
      const value: Filter = accept(':') ? level(1) : { kind: 'index', of: { kind: 'identity' }, key }
      entries.push([key, value])
    }
    return { kind: 'object', entries }
  }

  const filter = pipe()
  if (at < tokens.length) throw new DslError(`jq: unexpected "${tokens[at]?.text}"`)
  return filter
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
