/** Filter lists, asked for one request at a time. Rules lie under one rare word of theirs, so that few are tried. */
import { getDomain } from 'tldts'
import type { ListedRequest } from '../vendor.ts'
import { type FilterRule, parseRule } from './rule.ts'

export interface FilterList {
  readonly name: string
  readonly text: string
}

/** Most rules of one list; real ones have some 50,000. */
const MOST_RULES = 500_000
const LONGEST_URL = 4_096

interface Indexed {
  readonly list: string
  readonly rule: FilterRule
}

/** The name of the first list that blocks a request and does not except it again; null when none does. */
export const openFilters = (lists: readonly FilterList[]): ((request: ListedRequest) => string | null) => {
  const blocks = new Map<string, Indexed[]>()
  const excepts = new Map<string, Indexed[]>()
  for (const { name, text } of lists) {
    let rules = 0
    for (const line of text.split('\n')) {
      const rule = parseRule(line)
      if (rule === null || rules >= MOST_RULES) continue
      rules += 1
      add(rule.exception ? excepts : blocks, { list: name, rule })
    }
  }
  return (request) => {
    const asked = readRequest(request)
    const blocking = find(blocks, asked, () => true)
    if (blocking === null) return null
    return find(excepts, asked, ({ list }) => list === blocking.list) === null ? blocking.list : null
  }
}

const add = (index: Map<string, Indexed[]>, entry: Indexed): void => {
  // Of the words of a rule the one that fewest rules lie under.
  const [first = '', ...others] = entry.rule.tokens
  const size = (token: string) => index.get(token)?.length ?? 0
  const key = others.slice(0, 3).reduce((best, token) => (size(token) < size(best) ? token : best), first)
  const list = index.get(key) ?? []
  list.push(entry)
  index.set(key, list)
}

interface Asked {
  readonly url: string
  readonly type: string
  readonly thirdParty: boolean
  readonly pageHost: string
  readonly tokens: readonly string[]
}

const readRequest = ({ url, page, type }: ListedRequest): Asked => {
  const text = url.slice(0, LONGEST_URL)
  const pageHost = URL.parse(page)?.hostname ?? ''
  const host = URL.parse(url)?.hostname ?? ''
  return {
    url: text,
    type,
    thirdParty: siteOf(host) !== siteOf(pageHost),
    pageHost,
    tokens: [...new Set(text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []), ''],
  }
}

const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host

const find = (
  index: ReadonlyMap<string, readonly Indexed[]>,
  asked: Asked,
  counts: (entry: Indexed) => boolean,
): Indexed | null => {
  for (const token of asked.tokens) {
    const found = index.get(token)?.find((entry) => counts(entry) && applies(entry.rule, asked))
    if (found) return found
  }
  return null
}

const applies = (rule: FilterRule, { url, type, thirdParty, pageHost }: Asked): boolean =>
  (rule.thirdParty === null || rule.thirdParty === thirdParty) &&
  (rule.types === null || rule.types.has(type)) &&
  !rule.notTypes.has(type) &&
  (rule.on.length === 0 || rule.on.some((domain) => isUnder(pageHost, domain))) &&
  !rule.notOn.some((domain) => isUnder(pageHost, domain)) &&
  rule.matches(url)

/** `example.*` stands for every ending. */
const isUnder = (host: string, domain: string): boolean => {
  if (domain.endsWith('.*')) return `.${host}`.includes(`.${domain.slice(0, -1)}`)
  return host === domain || host.endsWith(`.${domain}`)
}
