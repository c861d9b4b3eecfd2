/**
 * `{{…}}` and `§…§` in the text of a template become values. Only text of the template is read for markers: a value is put
 * in as it is, so what a server answered is never evaluated, whatever braces it holds.
 */
import { bytesOfText } from './bytes.ts'
import { evaluate } from './expression/evaluate.ts'
import { type FunctionContext, functionNamed } from './expression/functions.ts'
import { type Expression, namesIn, parseExpression, refersToAnything } from './expression/parse.ts'
import { DslError, type Lookup, textOf } from './expression/value.ts'

/** Pieces of a template's text. */
export type TemplateText = readonly (string | Marker)[]

export interface Marker {
  /** As written, braces included; what remains when it cannot be resolved. A byte string. */
  readonly source: string
  /** Null where the content is no expression of the grammar. */
  readonly expression: Expression | null
  /** Names that must be known, where `expression` is not null. */
  readonly needs: readonly string[]
}

export interface Interpolated {
  /** Byte string. */
  readonly text: string
  /** Markers that stand for nothing known. Empty in most cases. */
  readonly unresolved: readonly string[]
}

const cache = new Map<string, TemplateText>()
const KEPT = 50_000

/** Reads markers once; the result is kept. */
export const templateText = (text: string): TemplateText => {
  const kept = cache.get(text)
  if (kept !== undefined) return kept
  if (cache.size >= KEPT) cache.clear()
  const parsed = parseText(text)
  cache.set(text, parsed)
  return parsed
}

/** @throws DslError where a marker's expression fails for another reason than an unknown name */
export const interpolate = (text: string, lookup: Lookup, context: FunctionContext = {}): Interpolated => {
  const unresolved: string[] = []
  const pieces = templateText(text).map((piece) => {
    if (typeof piece === 'string') return piece
    const { expression, needs, source } = piece
    if (expression === null || needs.some((name) => lookup(name) === undefined)) {
      unresolved.push(source)
      return source
    }
    return textOf(evaluate(expression, lookup, context))
  })
  return { text: pieces.join(''), unresolved }
}

export const hasMarkers = (text: string): boolean => templateText(text).some((piece) => typeof piece !== 'string')

/** Names of variables that the markers of a text need. */
export const namesOf = (text: string): readonly string[] =>
  templateText(text).flatMap((piece) => (typeof piece === 'string' ? [] : piece.needs))

const OPEN = /\{\{|§/g

const parseText = (text: string): TemplateText => {
  const pieces: (string | Marker)[] = []
  let last = 0
  let at = 0
  const literal = (end: number): void => {
    if (end > last) pieces.push(bytesOfText(text.slice(last, end)))
  }
  for (;;) {
    OPEN.lastIndex = at
    const open = OPEN.exec(text)
    if (open === null) break
    const end = open[0] === '§' ? endOfSection(text, open.index) : endOfBraces(text, open.index)
    if (end === null) {
      at = open.index + open[0].length
      continue
    }
    const inner = text.slice(open.index + open[0].length, end - open[0].length)
    const marker = markerOf(inner, text.slice(open.index, end))
    if (marker === null) {
      // Not one itself, yet one may begin inside: `{{{{x}}`.
      at = open.index + 1
      continue
    }
    literal(open.index)
    pieces.push(marker)
    last = end
    at = end
  }
  literal(text.length)
  return pieces
}

const endOfSection = (text: string, start: number): number | null => {
  const end = text.indexOf('§', start + 1)
  return end < 0 || end - start > 200 ? null : end + 1
}

const LONGEST = 100_000

/** Braces nest: `{{base64('{{Host}}')}}` ends at the last pair. Without a balanced end, at the first. */
const endOfBraces = (text: string, start: number): number | null => {
  let depth = 0
  const limit = Math.min(text.length, start + LONGEST)
  for (let at = start; at < limit - 1; at += 1) {
    if (text[at] === '{' && text[at + 1] === '{') {
      depth += 1
      at += 1
    } else if (text[at] === '}' && text[at + 1] === '}') {
      depth -= 1
      at += 1
      if (depth === 0) {
        // `{{concat("a}}` … a brace of a JSON text may stand before: take what closes latest.
        return at + 1
      }
    }
  }
  const first = text.indexOf('}}', start)
  return first < 0 ? null : first + 2
}

/** What a payload's or a variable's name may look like; it may hold "-". */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]*$/u

/** Null where the braces stand for themselves: nothing in them, or numbers and texts alone (`{{7*7}}`). */
const markerOf = (inner: string, written: string): Marker | null => {
  const name = inner.trim()
  const source = bytesOfText(written)
  if (name === '') return null
  if (NAME.test(name) && !/^[\d.]+$/.test(name)) {
    return { source, expression: { kind: 'variable', name }, needs: [name] }
  }
  try {
    const expression = parseExpression(inner)
    if (!refersToAnything(expression)) return null
    const { variables, functions } = namesIn(expression, { variables: new Set(), functions: new Set() })
    const unknown = [...functions].some((used) => functionNamed(used) === null)
    return { source, expression: unknown ? null : expression, needs: [...variables] }
  } catch (error) {
    if (error instanceof DslError) return { source, expression: null, needs: [] }
    throw error
  }
}
