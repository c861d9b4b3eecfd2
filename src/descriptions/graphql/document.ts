/**
 * Documents of GraphQL as clients send them (GraphQL, October 2021, 2.1 to 2.12): their operations, fragments and variables, and the values
 * that stand in them as they are. Read by their tokens; what is no document gives nothing.
 */
import { ROOTS, type Root, type TypeRef } from './schema.ts'

export interface DocumentVariable {
  readonly name: string
  readonly type: TypeRef
  /** It has a default. */
  readonly given: boolean
}

/** One operation or fragment, as it is written. */
export interface Definition {
  readonly kind: Root | 'fragment'
  /** Empty where it has none. */
  readonly name: string
  readonly variables: readonly DocumentVariable[]
  readonly text: string
  /** Names of the fragments that it spreads. */
  readonly spreads: readonly string[]
}

/** A text or number among the arguments of a field. */
export interface Literal {
  /** `topProducts.orderBy`, `addReview.input.title`; from the second of a name on with its number, `#2`. */
  readonly path: string
  readonly value: string
  readonly isNumber: boolean
  /** Offsets in the document. */
  readonly start: number
  readonly end: number
}

interface Token {
  readonly text: string
  readonly at: number
}

/** Characters: longer texts are no documents that a client sends. */
const LONGEST = 60_000
const BEGINS =
  /^\uFEFF?(?:\s|#[^\n]*\n)*(?:(?:query|mutation|subscription|fragment)\b|\{(?=[\s,]*(?:[A-Za-z_]|\.\.\.)))/
const TOKEN =
  /[\s,\uFEFF]+|#[^\n]*|("""(?:\\"""|[\s\S])*?"""|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|-?\d[\d.eE+-]*|\.\.\.|[!$&()=:@[\]{|}])/y

/** Null where a sign stands that no document has. */
const tokensOf = (text: string): readonly Token[] | null => {
  if (text.length > LONGEST) return null
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex
    const found = pattern.exec(text)
    if (found === null) return null
    if (found[1] !== undefined) tokens.push({ text: found[1], at })
  }
  return tokens
}

/** Operations that have a word for what they are, and fragments; none where the text is no document. */
export const definitionsIn = (text: string): readonly Definition[] => {
  if (!BEGINS.test(text)) return []
  const tokens = tokensOf(text)
  if (tokens === null) return []
  const found: Definition[] = []
  let from = 0
  while (from < tokens.length) {
    const end = endOf(tokens, from)
    if (end === null) return []
    const one = definitionOf(tokens.slice(from, end + 1), text)
    if (one === null) return []
    found.push(one)
    from = end + 1
  }
  return found
}

/** The brace that closes the selection of the definition that begins there; null where none does. */
const endOf = (tokens: readonly Token[], from: number): number | null => {
  let [braces, rounds] = [0, 0]
  for (let at = from; at < tokens.length; at += 1) {
    const { text = '' } = tokens[at] ?? {}
    if (text === '(') rounds += 1
    if (text === ')') rounds -= 1
    if (rounds > 0) continue
    if (text === '{') braces += 1
    if (text === '}') braces -= 1
    if (text === '}' && braces === 0) return at
  }
  return null
}

const definitionOf = (tokens: readonly Token[], whole: string): Definition | null => {
  const [first, second] = tokens
  const last = tokens.at(-1)
  if (first === undefined || last === undefined) return null
  const kind = KINDS.find((one) => one === first.text) ?? (first.text === '{' ? 'query' : null)
  if (kind === null) return null
  const name = /^[A-Za-z_]/.test(second?.text ?? '') && first.text !== '{' ? (second?.text ?? '') : ''
  const spreads = tokens.flatMap(({ text }, at) => {
    const next = tokens[at + 1]?.text ?? ''
    return text === '...' && /^[A-Za-z_]/.test(next) && next !== 'on' ? [next] : []
  })
  const text = whole.slice(first.at, last.at + 1)
  return { kind, name, variables: kind === 'fragment' ? [] : variablesOf(tokens), text, spreads: [...new Set(spreads)] }
}
const KINDS: readonly Definition['kind'][] = [...ROOTS, 'fragment']

/** `($id: ID!, $first: Int = 10)` */
const variablesOf = (tokens: readonly Token[]): readonly DocumentVariable[] => {
  const head = tokens.slice(
    0,
    tokens.findIndex(({ text }) => text === '{'),
  )
  return head.flatMap(({ text }, at): DocumentVariable[] => {
    if (text !== '$' || head[at + 2]?.text !== ':') return []
    const type = typeAt(head, at + 3)
    return type === null
      ? []
      : [{ name: head[at + 1]?.text ?? '', type: type.ref, given: head[type.next]?.text === '=' }]
  })
}

const typeAt = (tokens: readonly Token[], at: number): { readonly ref: TypeRef; readonly next: number } | null => {
  const { text = '' } = tokens[at] ?? {}
  const inner = text === '[' ? typeAt(tokens, at + 1) : null
  if (text === '[' && tokens[inner?.next ?? -1]?.text !== ']') return null
  if (inner === null && !/^[A-Za-z_]/.test(text)) return null
  const ref: TypeRef = inner === null ? { kind: 'named', name: text } : { kind: 'list', of: inner.ref }
  const next = inner === null ? at + 1 : inner.next + 1
  return tokens[next]?.text === '!' ? { ref: { kind: 'required', of: ref }, next: next + 1 } : { ref, next }
}

/**
 * Texts and numbers that stand as arguments of fields, in their order. Those of directives say how the document is read, and defaults of
 * variables what is not sent.
 */
export const literalsIn = (text: string): readonly Literal[] => {
  const tokens = BEGINS.test(text) ? tokensOf(text) : null
  const found: Literal[] = []
  const counts = new Map<string, number>()
  // The way to where a value stands: the field, its argument, and the members of objects.
  let way: string[] | null = null
  let [depth, inner] = [0, 0]
  for (const [at, { text: token, at: start }] of (tokens ?? []).entries()) {
    const before = tokens?.[at - 1]?.text ?? ''
    if (way === null) {
      if (token === '{') depth += 1
      if (token === '}') depth -= 1
      const isField = token === '(' && depth > 0 && tokens?.[at - 2]?.text !== '@'
      if (isField) way = [before]
      if (token === '(' && !isField) inner += 1
      if (token === ')' && inner > 0) inner -= 1
      continue
    }
    if (token === ')') way = null
    else if (token === '{') way.push('')
    else if (token === '}') way = way.slice(0, Math.max(1, way.lastIndexOf('')))
    else if (tokens?.[at + 1]?.text === ':') way = [...way.slice(0, Math.max(1, objects(way))), token]
    else if (/^(?:"|-?\d)/.test(token)) {
      const named = way.filter((step) => step !== '').join('.')
      const count = (counts.get(named) ?? 0) + 1
      counts.set(named, count)
      const isNumber = !token.startsWith('"')
      const path = count === 1 ? named : `${named}#${count}`
      found.push({ path, value: isNumber ? token : textOfToken(token), isNumber, start, end: start + token.length })
    }
  }
  return found
}

/** How much of the way is kept where a further member is named: up to the object that holds it. */
const objects = (way: readonly string[]): number => {
  const at = way.lastIndexOf('')
  return at < 0 ? 1 : at + 1
}

const textOfToken = (token: string): string => {
  if (token.startsWith('"""')) return token.slice(3, -3).replaceAll('\\"""', '"""').trim()
  try {
    return String(JSON.parse(token))
  } catch (error) {
    if (error instanceof SyntaxError) return token.slice(1, -1)
    throw error
  }
}

/** The document with another value there: a text as it is quoted in JSON (GraphQL, 2.9.4), a number as it is. Null where it has no such place. */
export const withLiteral = (text: string, path: string, value: string): string | null => {
  const one = literalsIn(text).find((literal) => literal.path === path)
  if (one === undefined) return null
  const isPlain = one.isNumber && /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/.test(value)
  return `${text.slice(0, one.start)}${isPlain ? value : JSON.stringify(value)}${text.slice(one.end)}`
}

/**
 * With each field at the root of the operation skipped: it is read and checked, and nothing is carried out (GraphQL, 3.13.1 and 6.3.2). Null
 * where the root has a fragment, which may hold anything, or no operation comes first.
 */
export const withFieldsSkipped = (text: string): string | null => {
  const tokens = BEGINS.test(text) ? tokensOf(text) : null
  const end = tokens === null ? null : endOf(tokens, 0)
  if (tokens === null || end === null || tokens[0]?.text === 'fragment') return null
  let [braces, rounds] = [0, 0]
  const places: number[] = []
  for (const [at, { text: token, at: start }] of tokens.slice(0, end).entries()) {
    if (token === '(') rounds += 1
    if (token === ')') rounds -= 1
    if (rounds > 0) continue
    if (token === '{') braces += 1
    if (token === '}') braces -= 1
    if (braces !== 1) continue
    if (token === '...') return null
    const next = tokens[at + 1]?.text ?? ''
    const isName = /^[A-Za-z_]/.test(token) && tokens[at - 1]?.text !== '@' && next !== ':'
    // Behind the arguments, where there are any; of directives that it has already nothing is read.
    if ((isName && next !== '(') || (token === ')' && !isOfDirective(tokens, at))) places.push(start + token.length)
  }
  const skip = ' @skip(if: true)'
  return places.toReversed().reduce((whole, place) => `${whole.slice(0, place)}${skip}${whole.slice(place)}`, text)
}

/** Whether the arguments that end there are those of a directive: `@include(if: $all)`. */
const isOfDirective = (tokens: readonly Token[], end: number): boolean => {
  let rounds = 0
  for (let at = end; at >= 0; at -= 1) {
    if (tokens[at]?.text === ')') rounds += 1
    if (tokens[at]?.text === '(') rounds -= 1
    if (rounds === 0) return tokens[at - 2]?.text === '@'
  }
  return false
}
