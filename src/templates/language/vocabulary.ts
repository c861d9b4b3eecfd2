/** The words that a set of templates looks for, for the one pass over an answer. */
import { lowerBytes } from './bytes.ts'
import { wordsAskedBy } from './expression/evaluate.ts'
import { childrenOf, type Expression } from './expression/parse.ts'
import { DslError } from './expression/value.ts'
import { compiled } from './expressions.ts'
import type { Vocabulary } from './match/text.ts'
import { buildWordIndex, type WordIndex } from './match/words.ts'
import type { Matcher, Template } from './template.ts'

/** Built when the first answer is asked often enough to be worth it. */
export const vocabularyOf = (templates: readonly Template[]): Vocabulary => {
  let words: ReturnType<typeof collect> | null = null
  let exact: WordIndex | null = null
  let lower: WordIndex | null = null
  const collected = (): ReturnType<typeof collect> => {
    words ??= collect(templates)
    return words
  }
  return {
    get exact() {
      exact ??= buildWordIndex(collected().exact)
      return exact
    },
    get lower() {
      lower ??= buildWordIndex(collected().lower)
      return lower
    },
  }
}

const collect = (templates: readonly Template[]) => {
  const exact = new Set<string>()
  const lower = new Set<string>()
  const add = (matcher: Matcher): void => {
    if (matcher.type === 'word' && !matcher.dynamic) {
      for (const word of matcher.words) (matcher.caseInsensitive ? lower : exact).add(word)
    }
    if (matcher.type === 'binary') for (const value of matcher.values) exact.add(value)
    if (matcher.type === 'dsl') for (const expression of matcher.expressions) addAsked(expression, exact, lower)
  }
  for (const { steps } of templates) for (const { operators } of steps) operators.matchers.forEach(add)
  return { exact, lower: new Set([...lower].map(lowerBytes)) }
}

const addAsked = (source: string, exact: Set<string>, lower: Set<string>): void => {
  if (!source.includes('contains')) return
  try {
    const walk = (expression: Expression): void => {
      const asked = expression.kind === 'call' ? wordsAskedBy(expression.name, expression.args) : null
      if (asked !== null) for (const word of asked.words) (asked.lower ? lower : exact).add(word)
      childrenOf(expression).forEach(walk)
    }
    walk(compiled(source))
  } catch (error) {
    // It can never hold, which lint has said.
    if (!(error instanceof DslError)) throw error
  }
}
