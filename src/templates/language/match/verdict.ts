/** What operators say about one answer: extractors first, then matchers, which see what was extracted. */
import type { FunctionContext } from '../expression/functions.ts'
import type { Lookup, Value } from '../expression/value.ts'
import { watchTogether } from '../regex/regex.ts'
import type { Matcher, Operators } from '../template.ts'
import type { Answer } from './answer.ts'
import { extract } from './extract.ts'
import { matches, type Sign } from './match.ts'

export interface Verdict {
  /** The matchers hold. Without matchers: something was extracted to show. */
  readonly matched: boolean
  /** `matched`, and not by internal matchers alone: a result to report. */
  readonly reported: boolean
  /** Names of matchers that held, where each alone decides. */
  readonly names: readonly string[]
  /** What extractors show, by their name ('' without), in order of the page. */
  readonly extracted: readonly { readonly name: string; readonly values: readonly string[] }[]
  /** What feeds later requests. */
  readonly dynamic: ReadonlyMap<string, readonly string[]>
  /** What made the matchers hold, for evidence and for the weight of the result. */
  readonly signs: readonly Sign[]
}

/** Pure, so that it can be begun again when a pattern takes too long. */
export const judgeAnswer = (
  operators: Operators,
  answer: Answer,
  lookup: Lookup,
  context: FunctionContext = {},
): Verdict => watchTogether(() => judge(operators, answer, lookup, context))

const judge = (operators: Operators, answer: Answer, lookup: Lookup, context: FunctionContext): Verdict => {
  const own = new Map<string, Value>()
  const see: Lookup = (name) => own.get(name) ?? lookup(name) ?? answer.get(name)
  const extracted: { name: string; values: readonly string[] }[] = []
  const dynamic = new Map<string, readonly string[]>()
  for (const extractor of operators.extractors) {
    const values = extract(extractor, answer, see, context)
    if (values.length === 0) continue
    const name = extractor.name ?? ''
    if (extractor.internal && name !== '') dynamic.set(name, [...(dynamic.get(name) ?? []), ...values])
    if (!extractor.internal) extracted.push({ name, values })
    const [first = ''] = values
    if (name !== '') own.set(name, values.length === 1 ? first : values)
  }
  const { matched, names, signs } = judgeMatchers(operators, answer, see, context)
  const decided = operators.matchers.length === 0 ? extracted.length > 0 : matched
  const shown = operators.matchers.length === 0 || operators.matchers.some(({ internal }) => !internal)
  return { matched: decided, reported: decided && shown, names, extracted, dynamic, signs }
}

const judgeMatchers = (operators: Operators, answer: Answer, see: Lookup, context: FunctionContext) => {
  const names: string[] = []
  const signs: Sign[] = []
  let matched = false
  for (const matcher of operators.matchers) {
    const sign = matches(matcher, answer, see, context)
    if (sign === null) {
      if (operators.condition === 'and') return { matched: false, names: [], signs: [] }
      continue
    }
    matched = true
    signs.push(sign)
    if (operators.condition === 'or' && !matcher.internal && named(matcher)) names.push(matcher.name)
  }
  return { matched, names, signs }
}

const named = (matcher: Matcher): matcher is Matcher & { readonly name: string } =>
  matcher.name !== null && matcher.name !== ''
