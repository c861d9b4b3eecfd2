/** Matchers and extractors. */
import { bytesOfText, lowerBytes } from '../bytes.ts'
import { functionNamed, functionNames } from '../expression/functions.ts'
import { namesIn } from '../expression/parse.ts'
import { DslError } from '../expression/value.ts'
import { compiled } from '../expressions.ts'
import { hasMarkers } from '../interpolate.ts'
import { parseJq } from '../match/jq-parse.ts'
import { parseXpath } from '../match/xpath-parse.ts'
import { regexProblem } from '../regex/regex.ts'
import type { Condition, Extractor, Matcher, Operators } from '../template.ts'
import type { Fields } from './fields.ts'
import { didYouMean } from './nearest.ts'

const CONDITIONS: readonly Condition[] = ['and', 'or']

/** `part` is what an operator of this protocol looks at when it names none. */
export const parseOperators = (fields: Fields, part: string): Operators => ({
  condition: fields.oneOf('matchers-condition', CONDITIONS, 'or'),
  matchers: fields.maps('matchers').flatMap((matcher) => parseMatcher(matcher, part) ?? []),
  extractors: fields.maps('extractors').flatMap((extractor) => parseExtractor(extractor, part) ?? []),
})

const MATCHERS = ['status', 'size', 'word', 'regex', 'binary', 'dsl', 'xpath'] as const

export const parseMatcher = (fields: Fields, part: string): Matcher | null => {
  const type = typeOf(fields, MATCHERS)
  const base = {
    name: fields.text('name'),
    part: fields.text('part') || part,
    condition: fields.oneOf('condition', CONDITIONS, 'or'),
    negative: fields.flag('negative'),
    internal: fields.flag('internal'),
  }
  const encoding = fields.oneOf('encoding', ['hex', 'none'], 'none')
  const caseInsensitive = fields.flag('case-insensitive')
  fields.flag('match-all')
  if (caseInsensitive && type !== 'word') fields.error('case-insensitive', 'case-insensitive belongs to word matchers')
  switch (type) {
    case null:
      return null
    case 'status':
      return { ...base, type, codes: needed(fields, 'status', fields.numbers('status')) }
    case 'size':
      return { ...base, type, sizes: needed(fields, 'size', fields.numbers('size')) }
    case 'word': {
      const words = needed(fields, 'words', fields.texts('words'))
      const dynamic = words.some(hasMarkers)
      if (encoding === 'hex')
        return {
          ...base,
          type,
          words: words.flatMap((word, at) => hexOf(fields, word, at)),
          caseInsensitive,
          dynamic: false,
        }
      // Markers are read from the text as it was written, so such words keep it.
      const kept = dynamic ? words : words.map((word) => (caseInsensitive ? lowerBytes : same)(bytesOfText(word)))
      return { ...base, type, words: kept, caseInsensitive, dynamic }
    }
    case 'regex': {
      const patterns = needed(fields, 'regex', fields.texts('regex'))
      const dynamic = patterns.some(hasMarkers)
      checkPatterns(fields, patterns, dynamic)
      return { ...base, type, patterns, dynamic }
    }
    case 'binary': {
      const values = needed(fields, 'binary', fields.texts('binary'))
      return { ...base, type, values: values.flatMap((value, at) => hexOf(fields, value, at)) }
    }
    case 'dsl': {
      const expressions = needed(fields, 'dsl', fields.texts('dsl'))
      checkExpressions(fields, expressions)
      return { ...base, type, expressions }
    }
    case 'xpath': {
      const queries = needed(fields, 'xpath', fields.texts('xpath'))
      check(fields, 'xpath', queries, parseXpath)
      return { ...base, type, queries }
    }
  }
}

const EXTRACTORS = ['regex', 'kval', 'json', 'xpath', 'dsl'] as const

const parseExtractor = (fields: Fields, part: string): Extractor | null => {
  const type = typeOf(fields, EXTRACTORS)
  const base = { name: fields.text('name'), part: fields.text('part') || part, internal: fields.flag('internal') }
  const caseInsensitive = fields.flag('case-insensitive')
  if (caseInsensitive && type !== 'kval')
    fields.error('case-insensitive', 'case-insensitive belongs to kval extractors')
  const group = fields.number('group') ?? 0
  const attribute = fields.text('attribute')
  switch (type) {
    case null:
      return null
    case 'regex': {
      const patterns = needed(fields, 'regex', fields.texts('regex'))
      const dynamic = patterns.some(hasMarkers)
      checkPatterns(fields, patterns, dynamic)
      return { ...base, type, patterns, group, dynamic }
    }
    case 'kval':
      return { ...base, type, keys: needed(fields, 'kval', fields.texts('kval')), caseInsensitive }
    case 'json': {
      const queries = needed(fields, 'json', fields.texts('json'))
      check(fields, 'json', queries, parseJq)
      return { ...base, type, queries }
    }
    case 'xpath': {
      const queries = needed(fields, 'xpath', fields.texts('xpath'))
      check(fields, 'xpath', queries, parseXpath)
      return { ...base, type, queries, attribute }
    }
    case 'dsl': {
      const expressions = needed(fields, 'dsl', fields.texts('dsl'))
      checkExpressions(fields, expressions)
      return { ...base, type, expressions }
    }
  }
}

const same = (text: string): string => text

const typeOf = <Type extends string>(fields: Fields, types: readonly Type[]): Type | null => {
  const given = fields.text('type')
  const type = types.find((one) => one === given?.toLowerCase())
  if (given === null) fields.error('', 'type is missing')
  else if (type === undefined) fields.error('type', `type has to be one of ${types.join(', ')}; it is "${given}"`)
  return type ?? null
}

const needed = <Item>(fields: Fields, name: string, items: readonly Item[]): readonly Item[] => {
  if (items.length === 0) fields.defect('', `${name} is missing`)
  return items
}

const hexOf = (fields: Fields, text: string, at: number): readonly string[] => {
  const hex = text.replace(/\s+/g, '')
  if (hex.length % 2 === 0 && /^[\da-f]+$/i.test(hex)) return [Buffer.from(hex, 'hex').toString('latin1')]
  fields.defect('', `item ${at + 1} is not pairs of hex digits: "${text.slice(0, 40)}"`)
  return []
}

const checkPatterns = (fields: Fields, patterns: readonly string[], dynamic: boolean): void => {
  if (dynamic) return
  for (const [at, pattern] of patterns.entries()) {
    const problem = regexProblem(pattern)
    if (problem === null) continue
    const hint = /\(\?<?[=!]/.test(pattern) ? '; RE2 cannot look ahead or behind, match more and take a group' : ''
    fields.error('regex', `not a regular expression of RE2: ${problem}${hint}`, at)
  }
}

export const checkExpressions = (fields: Fields, expressions: readonly string[]): void =>
  check(fields, 'dsl', expressions, (source) => {
    const { functions } = namesIn(compiled(source), { variables: new Set(), functions: new Set() })
    const unknown = [...functions].find((name) => functionNamed(name) === null && !NETWORKED.has(name))
    if (unknown !== undefined)
      throw new DslError(`there is no function "${unknown}"${didYouMean(unknown, functionNames())}`)
  })

/** Functions that open connections of their own, or load an attack's payload: known, and refused by policy. */
export const NETWORKED: ReadonlySet<string> = new Set(['public_ip', 'publicip', 'llm_prompt', 'generate_java_gadget'])

const check = (fields: Fields, name: string, sources: readonly string[], parse: (source: string) => unknown): void => {
  for (const [at, source] of sources.entries()) {
    try {
      parse(source)
    } catch (error) {
      if (!(error instanceof DslError)) throw error
      fields.defect(name, `${error.message}, in: ${source.length > 100 ? `${source.slice(0, 100)}…` : source}`, at)
    }
  }
}
