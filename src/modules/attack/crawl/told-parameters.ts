/**
 * Parameters that an answer names in words: the text of a page, a comment, what a framework or an author says of one that is missing
 * ("Missing parameter: detail", `Undefined array key "detail"`, `KeyError: 'detail'`). What stands there must look like a name: set
 * apart by markup or quotes, spelled as none but names are, or behind a colon at the end of a clause.
 */
import { fieldsRefusedIn } from './refused-fields.ts'
import { markedOf } from './told-text.ts'

export interface ToldParameter {
  /** Its name; where it is a member of another one, that of the other first. */
  readonly way: readonly string[]
  /** Null where none is told. */
  readonly value: string | null
  /** Where it stands in a request, where that is said. */
  readonly in: 'query' | 'body' | null
  /** That it was missing, and not merely that there is one. */
  readonly missing: boolean
}

/** Of one answer. */
const MOST = 20

const NAME = '[A-Za-z_][\\w.-]{0,39}(?:\\[\\w{0,30}\\]){0,2}'
const QUOTED = `["'“‘«\`]{1,2}\\s?(${NAME})\\s?["'”’»\`]{1,2}`
/** `sort_by`, `perPage`: in running text no other word is spelled like that. */
const SPELLED = '([A-Za-z][a-z0-9]{0,30}(?:_[A-Za-z0-9]{1,30}){1,5}|[a-z][a-z0-9]{0,30}(?:[A-Z][a-z0-9]{0,30}){1,5})\\b'
const PLAIN = '([A-Za-z_][\\w-]{0,39}(?:\\[\\w{0,30}\\]){0,2})'
const GAP = '\\s{1,4}'
const KIND = `(?:(?:query|request|url|uri|get|post|http|input|form|string|required|mandatory|optional|integer|additional|extra|the|a|an)${GAP}){0,4}`
const PARAMETER = '(?:param(?:eter)?s?|arg(?:ument)?s?|query[ -]string)'
const PART = `(?:${PARAMETER}|fields?|keys?|propert(?:y|ies)|attributes?|variables?|values?|inputs?)`
const CALLED = `(?:${GAP}(?:named|called|name))?\\s{0,3}:?\\s{0,3}`
const AND = `\\s{0,3}(?:,|and|&)\\s{0,3}`
const ENDED = '(?=[ \\t]{0,3}(?:[.;!?)<(\\r\\n]|$))'
const LACK = '(?:missing|lacks?|requires?|required|expected|needs?|no|empty|without|supply|specify|provide)'
const IS_MISSING = `(?:is|was|are|must)${GAP}(?:a${GAP})?(?:required|missing|mandatory|needed|undefined|empty|not${GAP}(?:set|present|provided|given|specified|found|supplied|sent)|be${GAP}(?:set|given|provided|present|supplied|specified))`

interface Way {
  readonly pattern: RegExp
  /** Only where the answer is an error by its status, as the words alone say too little. */
  readonly ofErrors?: true
}

const MISSING: readonly Way[] = [
  // Missing parameter: detail, sort
  {
    pattern: new RegExp(`\\b${LACK}${GAP}${KIND}${PART}\\s{0,3}[:=]\\s{0,3}${PLAIN}(?:${AND}${PLAIN})?${ENDED}`, 'gi'),
  },
  { pattern: new RegExp(`\\b${LACK}${GAP}${KIND}${PART}${CALLED}${QUOTED}(?:${AND}${QUOTED})?`, 'gi') },
  { pattern: new RegExp(`\\b${LACK}${GAP}${KIND}${QUOTED}`, 'gi'), ofErrors: true },
  { pattern: new RegExp(`\\bmissing${GAP}(?:required${GAP})?${PLAIN}${GAP}${PARAMETER}\\b`, 'gi') },
  // Parameter 'detail' is required
  { pattern: new RegExp(`\\b${PART}${CALLED}${QUOTED}\\s{0,3}${IS_MISSING}`, 'gi') },
  { pattern: new RegExp(`${QUOTED}\\s{0,3}${KIND}${PART}\\s{1,3}${IS_MISSING}`, 'gi') },
  { pattern: new RegExp(`${QUOTED}\\s{0,3}${IS_MISSING}`, 'gi'), ofErrors: true },
  { pattern: new RegExp(`\\b${PARAMETER}\\s{1,3}${PLAIN}${GAP}${IS_MISSING}`, 'gi') },
  // Laravel, ASP.NET: The detail field is required.
  { pattern: new RegExp(`\\bThe${GAP}${PLAIN}${GAP}field${GAP}${IS_MISSING}`, 'g') },
  // PHP: Undefined array key "detail"; Undefined index: detail
  { pattern: /\bUndefined (?:array key|index|offset):? {0,3}["'`]{1,2}([A-Za-z_][\w.-]{0,39})["'`]{1,2}/g },
  { pattern: /\bUndefined index: {1,3}([A-Za-z_][\w-]{0,39})/g },
  // Python: KeyError: 'detail'; Ruby: key not found: :detail
  { pattern: /KeyError(?:: {1,3}|\()["']([A-Za-z_][\w.-]{0,39})["']/g },
  { pattern: /\bkey not found: {1,3}[:"]([A-Za-z_]\w{0,39})/g },
  { pattern: /\bparam is missing or the value is empty(?: or invalid)?: {1,3}([A-Za-z_]\w{0,39})/g },
  // Java, Go
  { pattern: /MissingServletRequestParameter\w{0,20}[^\n]{0,200}?["'`]([A-Za-z_][\w.-]{0,39})["'`]/g },
  { pattern: /\bField validation for ["']([A-Za-z_]\w{0,39})["']/g },
]

const NAMED: readonly RegExp[] = [
  new RegExp(`\\b${PARAMETER}${CALLED}${QUOTED}`, 'gi'),
  new RegExp(`${QUOTED}\\s{1,3}${KIND}${PARAMETER}\\b`, 'gi'),
  new RegExp(`\\b[Pp]aram(?:eter)?s?\\s{1,3}${SPELLED}`, 'g'),
  new RegExp(`(?<![\\w-])${SPELLED}\\s{1,3}(?:query )?param(?:eter)?\\b`, 'g'),
]
/** Name and value: append `detail=full`, the parameter detail=full. */
const WITH_VALUE: readonly RegExp[] = [
  new RegExp(
    `\\b(?:add|append|use|with|try|pass|set|send|${PARAMETER})${GAP}${KIND}["'“‘\`]{1,2}(${NAME})=([\\w.:/-]{1,100})["'”’\`]{1,2}`,
    'gi',
  ),
  new RegExp(`\\b${PARAMETER}\\s{1,3}(${NAME})=([\\w:/-]{1,100})`, 'gi'),
]
/** Behind a name: to `full`; takes `short` or `full`. */
const VALUE_BEHIND =
  /^\s{0,3}(?:(?:query |request |url )?param(?:eter)?\s{1,3})?(?:set )?(?:to|=|with(?: the)? value(?: of)?|takes?|accepts?|(?:can|may|must|should) be|is one of|such as|e\.g\.)[\s:]{0,3}(?:the value |either |one of )?["'“‘«`]{1,2}\s?([^\s"'”’»`<>]{1,100})\s?["'”’»`]/i
const CLOSE_BY = 160

/** Words that stand where a name would. */
const NO_NAME =
  /^(?:null|nil|none|true|false|undefined|required|optional|mandatory|missing|invalid|unknown|empty|first|second|third|last|next|previous|following|same|other|another|new|each|every|any|all|no|not|this|that|these|those|it|its|the|an?|is|are|was|be|of|in|on|for|to|and|or|with|query|url|uri|request|get|post|http|input|form|header|body|param|params|parameter|parameters|arg|args|argument|arguments|field|fields|key|keys|string|int|integer|number|boolean|array|object|values?)$/i

/**
 * `status`: of the answer. Fields that the page has itself are no news: they come with its forms.
 */
export const parametersToldIn = (markup: string, type: string, status: number): readonly ToldParameter[] => {
  const refused = /json/i.test(type) ? fieldsRefusedIn(markup, status) : null
  const text = refused === null ? markedOf(markup, type) : refused.texts.join('\n')
  const found = [...(refused?.fields ?? []), ...(TELLS.test(text) ? toldByWords(text, status) : [])]
  const own = new Set(/html/.test(type) ? [...markup.matchAll(OWN_FIELD)].map(([, name = '']) => name) : [])
  const byName = new Map<string, ToldParameter>()
  for (const one of found) {
    const name = one.way.join('.')
    const before = byName.get(name)
    if (own.has(name) || NO_NAME.test(name)) continue
    byName.set(name, {
      ...(before ?? one),
      ...{ value: before?.value ?? one.value, missing: one.missing || before?.missing === true },
    })
  }
  return [...byName.values()].slice(0, MOST)
}

const OWN_FIELD = /\sname\s*=\s*["']?([\w.[\]-]{1,60})/gi
const TELLS = /param|arg(?:s|ument)|field|key|undefined|query|missing|required|=/i

const toldByWords = (text: string, status: number): readonly ToldParameter[] => {
  const isError = status >= 400
  const valued = WITH_VALUE.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '', value = '']) => told(name, false, value)),
  )
  const missing = MISSING.filter(({ ofErrors }) => isError || !ofErrors).flatMap(({ pattern }) =>
    [...text.matchAll(pattern)].flatMap(([, ...names]) =>
      names.flatMap((name) => (name === undefined ? [] : [told(name, true)])),
    ),
  )
  const named = NAMED.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: whole, 1: name = '', index }) => {
      const end = index + whole.length
      // The last sign of the name's own may begin what is behind.
      const [, value] = VALUE_BEHIND.exec(text.slice(end, end + CLOSE_BY)) ?? []
      return told(name, isError, value)
    }),
  )
  return [...valued, ...named, ...missing]
}

const told = (name: string, missing: boolean, value: string | null = null): ToldParameter => ({
  ...{ way: [name], value, in: null, missing },
})
