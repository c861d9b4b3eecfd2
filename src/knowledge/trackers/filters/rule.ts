/**
 * One network rule of a filter list, in the syntax of Adblock Plus and its relatives. Rules that hide elements, rewrite
 * requests or run scripts say nothing about who a request goes to, and are left out.
 */
export interface FilterRule {
  readonly text: string
  readonly exception: boolean
  readonly matches: (url: string) => boolean
  /** Runs of letters and digits that every matching address holds, the longest first; none: asked for each address. */
  readonly tokens: readonly string[]
  /** `script`, `image`, …; null: every type but whole pages. */
  readonly types: ReadonlySet<string> | null
  readonly notTypes: ReadonlySet<string>
  /** True: only to third parties; false: only to the first; null: both. */
  readonly thirdParty: boolean | null
  /** Domains of pages; empty: all. */
  readonly on: readonly string[]
  readonly notOn: readonly string[]
}

const LONGEST = 2_000
const TYPES: Readonly<Record<string, string>> = {
  script: 'script',
  image: 'image',
  stylesheet: 'stylesheet',
  css: 'stylesheet',
  font: 'font',
  media: 'media',
  xmlhttprequest: 'xhr',
  xhr: 'xhr',
  subdocument: 'document',
  frame: 'document',
  document: 'document',
  doc: 'document',
  ping: 'ping',
  beacon: 'ping',
  websocket: 'websocket',
  other: 'other',
  object: 'other',
}
/** What blocks like a plain rule whatever it adds. */
const HARMLESS = new Set(['important', 'all', 'popup'])

/** Null for comments, for rules about elements, and for options that are not known. */
export const parseRule = (line: string): FilterRule | null => {
  const text = line.trim()
  if (text === '' || text.length > LONGEST || /^[![]/.test(text) || /#[@?$%]?#/.test(text)) return null
  const exception = text.startsWith('@@')
  const bare = exception ? text.slice(2) : text
  const dollar = optionsAt(bare)
  const body = dollar < 0 ? bare : bare.slice(0, dollar)
  const options = readOptions(dollar < 0 ? '' : bare.slice(dollar + 1))
  if (options === null) return null
  // "$ping,third-party": no pattern, but limits that say enough.
  const limited = options.types !== null && options.thirdParty !== null
  const pattern = body === '' && limited ? () => EVERYTHING : patternOf(body, options.matchCase)
  if (pattern === null) return null
  const { matchCase: _case, ...limits } = options
  // Of 50,000 rules a run asks a few hundred: an expression is built when it is first needed.
  let built: RegExp | null = null
  const matches = (url: string): boolean => {
    built ??= pattern()
    return built.test(url)
  }
  return { text, exception, matches, tokens: tokensOf(body), ...limits }
}

/** A "$" within a regular expression is none of ours. */
const optionsAt = (rule: string): number => {
  const at = rule.lastIndexOf('$')
  if (at < 0 || !/^[\w~,=.|*-]+$/.test(rule.slice(at + 1))) return -1
  return rule.startsWith('/') && rule.endsWith('/') && rule.length > 1 ? -1 : at
}

interface Options extends Pick<FilterRule, 'types' | 'notTypes' | 'thirdParty' | 'on' | 'notOn'> {
  readonly matchCase: boolean
}

const readOptions = (text: string): Options | null => {
  const types = new Set<string>()
  const notTypes = new Set<string>()
  const on: string[] = []
  const notOn: string[] = []
  let thirdParty: boolean | null = null
  let matchCase = false
  for (const option of text === '' ? [] : text.toLowerCase().split(',')) {
    const negated = option.startsWith('~')
    const name = negated ? option.slice(1) : option
    const type = TYPES[name]
    if (type !== undefined) (negated ? notTypes : types).add(type)
    else if (name === 'third-party' || name === '3p') thirdParty = !negated
    else if (name === 'first-party' || name === '1p') thirdParty = negated
    else if (name === 'match-case') matchCase = true
    else if (name.startsWith('domain=') || name.startsWith('from=')) {
      for (const domain of name.slice(name.indexOf('=') + 1).split('|'))
        if (domain.startsWith('~')) notOn.push(domain.slice(1))
        else on.push(domain)
    } else if (!HARMLESS.has(name)) return null
  }
  return { types: types.size > 0 ? types : null, notTypes, thirdParty, on, notOn, matchCase }
}

/** Regular expressions of lists run in no linear time; only what the simple grammar says is translated. */
const patternOf = (body: string, matchCase: boolean): (() => RegExp) | null => {
  if (body.startsWith('/') && body.endsWith('/') && body.length > 1) return null
  const trimmed = body.replace(/^\*+|\*+$/g, '')
  if (trimmed === '' || (trimmed.match(/\*/g)?.length ?? 0) > 6) return null
  return () => {
    const start = trimmed.startsWith('||') ? DOMAIN_START : trimmed.startsWith('|') ? '^' : ''
    const inner = trimmed.replace(/^\|{1,2}/, '').replace(/\|$/, '')
    const end = trimmed.length > 1 && trimmed.endsWith('|') ? '$' : ''
    const middle = inner
      .replace(/[.+?${}()|[\]\\]/g, '\\$&')
      .replaceAll('^', '(?:[^\\w.%-]|$)')
      .replace(/\*+/g, '.*')
    return new RegExp(start + middle + end, matchCase ? '' : 'i')
  }
}

const EVERYTHING = /^/

/** "||": the name itself, or one below it. */
const DOMAIN_START = '^[a-z][a-z0-9+.-]*://(?:[^/?#]*\\.)?'

/** A run counts only where both of its ends are sure: beside a separator, or at an anchor. */
const tokensOf = (body: string): readonly string[] => {
  const text = body.toLowerCase()
  const found: string[] = []
  for (const match of text.matchAll(/[a-z0-9]+/g)) {
    const before = text[match.index - 1]
    const after = text[match.index + match[0].length]
    const closed = (sign: string | undefined, edge: boolean) => (sign === undefined ? edge : sign !== '*')
    // "||ads." also matches the name after a dot; a rule that begins or ends in letters may go on in them.
    if (match[0].length >= 3 && closed(before, false) && closed(after, false)) found.push(match[0])
  }
  return found.toSorted((a, b) => b.length - a.length)
}
