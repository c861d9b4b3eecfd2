/** One extractor on one answer. */
import { bytesOfText, textOfBytes } from '../bytes.ts'
import { evaluate } from '../expression/evaluate.ts'
import type { FunctionContext } from '../expression/functions.ts'
import { DslError, type Lookup, textOf, type Value } from '../expression/value.ts'
import { compiled } from '../expressions.ts'
import { interpolate } from '../interpolate.ts'
import { compileRegex } from '../regex/regex.ts'
import type { Extractor } from '../template.ts'
import type { Answer } from './answer.ts'
import { runJq } from './jq.ts'
import { selectXpath } from './xpath.ts'

/** Values of one extractor, and characters of one value. */
const MOST = 1_000
const LONGEST = 256 * 1024

/** Byte strings in order of the answer, each once. What cannot be evaluated extracts nothing. */
export const extract = (
  extractor: Extractor,
  answer: Answer,
  lookup: Lookup,
  context: FunctionContext,
): readonly string[] => {
  try {
    const values = valuesOf(extractor, answer, lookup, context)
    return [...new Set(values.filter((value) => value !== '').map((value) => value.slice(0, LONGEST)))].slice(0, MOST)
  } catch (error) {
    if (error instanceof DslError) return []
    throw error
  }
}

const valuesOf = (
  extractor: Extractor,
  answer: Answer,
  lookup: Lookup,
  context: FunctionContext,
): readonly string[] => {
  if (extractor.type === 'kval') return extractor.keys.flatMap((key) => keyed(key, extractor.caseInsensitive, answer))
  if (extractor.type === 'dsl') {
    return extractor.expressions.flatMap((expression) => evaluated(expression, lookup, context))
  }
  const text = answer.text(extractor.part)
  if (text === undefined) return []
  switch (extractor.type) {
    case 'regex':
      return extractor.patterns.flatMap((pattern) => {
        const filled = extractor.dynamic ? textOfBytes(interpolate(pattern, lookup, context).text) : pattern
        return compileRegex(filled).groups(text.bytes, extractor.group)
      })
    case 'json': {
      const value = text.json()
      return value === undefined
        ? []
        : extractor.queries.flatMap((query) => runJq(query, value).map((found) => bytesOfText(shown(found))))
    }
    case 'xpath':
      return extractor.queries.flatMap((query) =>
        selectXpath(query, text.html(), extractor.attribute).map((found) => bytesOfText(found.trim())),
      )
  }
}

/** Text as it is, anything else as JSON. */
const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)

/** Header and cookie names are known in lower case with underscores. */
const keyed = (key: string, caseInsensitive: boolean, answer: Answer): readonly string[] => {
  const names = caseInsensitive ? [key.toLowerCase()] : [key, key.toLowerCase()]
  for (const name of names.flatMap((one) => [one, one.replaceAll('-', '_')])) {
    const value = answer.get(name)
    if (value !== undefined) return [textOf(value)]
  }
  return []
}

const evaluated = (expression: string, lookup: Lookup, context: FunctionContext): readonly string[] => {
  const value: Value = evaluate(compiled(expression), lookup, context)
  return typeof value === 'object' && value !== null ? value.map(textOf) : [textOf(value)]
}
