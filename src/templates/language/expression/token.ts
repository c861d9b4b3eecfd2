/** Words of an expression. */
import { DslError } from './value.ts'

export type Token =
  | { readonly kind: 'string' | 'name' | 'operator' | 'marker'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly at: number }

const OPERATORS = ['&&', '||', '==', '!=', '>=', '<=', '=~', '!~', '<<', '>>', '**', '??']
const SINGLE = '+-*/%()<>!,&|^~?:'
const SPACE = /\s/
const NUMBER = /(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const WORD = /[\p{L}_][\p{L}\p{N}_.]*/uy

/** @throws DslError at a character that begins nothing, and at a quote that is not closed */
export const tokenize = (source: string): readonly Token[] => {
  const tokens: Token[] = []
  let at = 0
  while (at < source.length) {
    const char = source[at] ?? ''
    if (SPACE.test(char)) {
      at += 1
      continue
    }
    if (char === '"' || char === "'" || char === '`') {
      const { text, end } = quoted(source, at)
      tokens.push({ kind: 'string', text, at })
      at = end
      continue
    }
    if (source.startsWith('{{', at)) {
      const end = source.indexOf('}}', at)
      if (end < 0) throw new DslError(`"{{" at character ${at + 1} is not closed`)
      tokens.push({ kind: 'marker', text: source.slice(at + 2, end), at })
      at = end + 2
      continue
    }
    if (char === '[') {
      const end = source.indexOf(']', at)
      if (end < 0) throw new DslError(`"[" at character ${at + 1} is not closed`)
      tokens.push({ kind: 'name', text: source.slice(at + 1, end), at })
      at = end + 1
      continue
    }
    const number = matchAt(NUMBER, source, at)
    if (number !== null) {
      tokens.push({ kind: 'number', value: Number(number), at })
      at += number.length
      continue
    }
    const word = matchAt(WORD, source, at)
    if (word !== null) {
      tokens.push({ kind: 'name', text: word, at })
      at += word.length
      continue
    }
    const operator = OPERATORS.find((one) => source.startsWith(one, at)) ?? (SINGLE.includes(char) ? char : null)
    if (operator === null) throw new DslError(`"${char}" at character ${at + 1} begins nothing`)
    tokens.push({ kind: 'operator', text: operator, at })
    at += operator.length
  }
  return tokens
}

const matchAt = (pattern: RegExp, source: string, at: number): string | null => {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0] ?? null
}

/** A backslash takes the next character as it is, as the expression language has it; `\\d` stays `\\d` for a regex. */
const quoted = (source: string, start: number): { readonly text: string; readonly end: number } => {
  const quote = source[start] ?? ''
  let text = ''
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source[at] ?? ''
    if (char === quote) return { text, end: at + 1 }
    if (char !== '\\') {
      text += char
      continue
    }
    at += 1
    const next = source[at] ?? ''
    text += ESCAPES[next] ?? (quote === next || next === '\\' ? next : `\\${next}`)
  }
  throw new DslError(`the quote at character ${start + 1} is not closed`)
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '/': '/' }
