/** One matcher on one answer. */
import { bytesOfText, lowerBytes } from '../bytes.ts'
import { evaluate } from '../expression/evaluate.ts'
import type { FunctionContext } from '../expression/functions.ts'
import { DslError, type Lookup } from '../expression/value.ts'
import { compiled } from '../expressions.ts'
import { interpolate } from '../interpolate.ts'
import { compileRegex } from '../regex/regex.ts'
import type { Matcher } from '../template.ts'
import type { Answer } from './answer.ts'
import type { Text } from './text.ts'
import { selectXpath } from './xpath.ts'

/** Why a matcher held. */
export interface Sign {
  readonly type: Matcher['type']
  readonly name: string | null
  readonly part: string
  readonly negative: boolean
  /** Words, patterns' first hits or expressions; byte strings, a few. */
  readonly values: readonly string[]
}

/** Null when it does not hold. A part that is not there decides nothing, negated or not; an expression that cannot be evaluated is false. */
export const matches = (matcher: Matcher, answer: Answer, lookup: Lookup, context: FunctionContext): Sign | null => {
  const hits = hitsOf(matcher, answer, lookup, context)
  if (hits === 'unknown') return null
  const holds = hits !== null
  if (holds === matcher.negative) return null
  return {
    type: matcher.type,
    name: matcher.name,
    part: matcher.part,
    negative: matcher.negative,
    values: (hits ?? []).slice(0, 5),
  }
}

type Hits = readonly string[] | null | 'unknown'

const hitsOf = (matcher: Matcher, answer: Answer, lookup: Lookup, context: FunctionContext): Hits => {
  if (matcher.type === 'status') {
    const status = answer.get('status_code')
    return typeof status === 'number' ? one(matcher.codes.includes(status), String(status)) : 'unknown'
  }
  if (matcher.type === 'dsl') {
    return every(matcher, matcher.expressions, (expression) => {
      const value = evaluateQuietly(expression, lookup, { ...context, contains: containsIn(answer) })
      return value === true ? expression : null
    })
  }
  const text = answer.text(matcher.part)
  if (text === undefined) return 'unknown'
  switch (matcher.type) {
    case 'size':
      return one(matcher.sizes.includes(text.bytes.length), String(text.bytes.length))
    case 'word':
      return every(matcher, matcher.words, (word) => hasWord(text, word, matcher, lookup, context))
    case 'binary':
      return every(matcher, matcher.values, (value) => (text.has(value) ? value : null))
    case 'regex':
      return every(matcher, matcher.patterns, (pattern) => firstHit(text, pattern, matcher.dynamic, lookup, context))
    case 'xpath':
      return every(matcher, matcher.queries, (query) => (selectXpath(query, text.html()).length > 0 ? query : null))
  }
}

const one = (holds: boolean, value: string): Hits => (holds ? [value] : null)

/** All of them, or any, as the matcher's condition says. */
const every = (
  { condition }: Pick<Matcher, 'condition'>,
  values: readonly string[],
  hit: (value: string) => string | null,
): Hits => {
  const hits: string[] = []
  for (const value of values) {
    const found = hit(value)
    if (found === null && condition === 'and') return null
    if (found !== null) {
      hits.push(found)
      if (condition === 'or') return hits
    }
  }
  return hits.length > 0 ? hits : null
}

const filled = (value: string, lookup: Lookup, context: FunctionContext): string | null => {
  const { text, unresolved } = interpolateQuietly(value, lookup, context)
  return unresolved ? null : text
}

const interpolateQuietly = (value: string, lookup: Lookup, context: FunctionContext) => {
  try {
    const { text, unresolved } = interpolate(value, lookup, context)
    return { text, unresolved: unresolved.length > 0 }
  } catch (error) {
    if (error instanceof DslError) return { text: value, unresolved: true }
    throw error
  }
}

const hasWord = (
  text: Text,
  written: string,
  matcher: Extract<Matcher, { type: 'word' }>,
  lookup: Lookup,
  context: FunctionContext,
): string | null => {
  const word = matcher.dynamic ? filled(written, lookup, context) : written
  // A word that came out empty would be in every page.
  if (word === null || word === '') return null
  if (matcher.caseInsensitive) return text.hasInLower(matcher.dynamic ? lowerBytes(word) : word) ? word : null
  return text.has(word) ? word : null
}

const firstHit = (
  text: Text,
  written: string,
  dynamic: boolean,
  lookup: Lookup,
  context: FunctionContext,
): string | null => {
  // Values are put in as they are, as the format has it; the linear engine bounds what a page can make of that.
  const pattern = dynamic ? filled(written, lookup, context) : bytesOfText(written)
  if (pattern === null) return null
  try {
    const regex = compileRegex(dynamic ? Buffer.from(pattern, 'latin1').toString('utf8') : written)
    if (!regex.test(text.bytes)) return null
    return (regex.groups(text.bytes, 0)[0] ?? '').slice(0, 500)
  } catch (error) {
    if (error instanceof DslError) return null
    throw error
  }
}

const evaluateQuietly = (expression: string, lookup: Lookup, context: FunctionContext) => {
  try {
    return evaluate(compiled(expression), lookup, context)
  } catch (error) {
    if (error instanceof DslError) return undefined
    throw error
  }
}

/** Words in a part that is kept as text are found with the one pass for all words. */
const containsIn =
  (answer: Answer): NonNullable<FunctionContext['contains']> =>
  (part, value, word, lower) => {
    const text = answer.text(part)
    // A variable of the template may hide the part of the same name.
    if (text === undefined || text.bytes !== value) return undefined
    return lower ? text.hasInLower(word) : text.has(word)
  }
