/** SPF records by the grammar of RFC 7208, section 12. Pure. */
import { familyOf } from '../../knowledge/dns/addresses.ts'

export type Qualifier = '+' | '-' | '~' | '?'

export interface Mechanism {
  readonly kind: 'mechanism'
  readonly text: string
  readonly qualifier: Qualifier
  readonly name: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists'
  /** As written; null where the record's own domain is meant. */
  readonly domain: string | null
  /** Address of ip4 and ip6. */
  readonly network: string | null
  readonly prefix4: number
  readonly prefix6: number
}

export interface Modifier {
  readonly kind: 'modifier'
  readonly text: string
  readonly name: string
  readonly value: string
}

export type Term = Mechanism | Modifier

export interface SpfRecord {
  readonly terms: readonly Term[]
  /** What breaks the grammar, as phrases: any of them makes the whole record a permanent error. */
  readonly errors: readonly string[]
}

/** True for a TXT record that is meant as SPF (RFC 7208, 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text)

export const hasMacro = (domain: string): boolean => domain.includes('%')

/** Terms that cost one of the ten DNS lookups (RFC 7208, 4.6.4). */
export const costsLookup = (term: Term): boolean =>
  term.kind === 'mechanism' ? COSTLY.has(term.name) : term.name === 'redirect'

export const parseSpf = (text: string): SpfRecord => {
  const errors: string[] = []
  const terms = text
    .slice(6)
    .split(' ')
    .filter((part) => part !== '')
    .slice(0, MOST_TERMS)
    .flatMap((part) => {
      const term = parseTerm(part)
      if (typeof term === 'string') {
        errors.push(term)
        return []
      }
      return [term]
    })
  for (const name of ['redirect', 'exp']) {
    if (terms.filter((term) => term.kind === 'modifier' && term.name === name).length > 1)
      errors.push(`${name} occurs twice`)
  }
  if (/[^\x20-\x7e]/.test(text)) errors.push('it has characters outside ASCII')
  return { terms, errors }
}

const MOST_TERMS = 300
const COSTLY: ReadonlySet<string> = new Set(['include', 'a', 'mx', 'ptr', 'exists'])

/** A phrase where it is no term. */
const parseTerm = (text: string): Term | string => {
  const shown = text.slice(0, 100)
  const modifier = /^([a-z][\w.-]*)=(.*)$/i.exec(text)
  if (modifier) {
    const name = (modifier[1] ?? '').toLowerCase()
    const value = modifier[2] ?? ''
    const isName = name === 'redirect' || name === 'exp'
    return (isName ? isDomainSpec(value) : isMacroString(value))
      ? { kind: 'modifier', text, name, value }
      : `“${shown}” has no valid value`
  }
  const match = /^([+\-~?])?([a-z][\w-]*)(?:(:)([^/]*(?:%\{[^}]*\}[^/]*)*))?(\/.*)?$/i.exec(text)
  const name = (match?.[2] ?? '').toLowerCase()
  if (!match || !isMechanism(name)) return `“${shown}” is no mechanism`
  const qualifier = (match[1] ?? '+') as Qualifier
  const domain = match[3] === undefined ? null : (match[4] ?? '')
  const plain = { kind: 'mechanism', text, qualifier, name, domain, network: null, prefix4: 32, prefix6: 128 } as const
  if (name === 'ip4' || name === 'ip6') return parseNetwork(plain, text)
  const prefixes = parsePrefixes(match[5] ?? '')
  const takesDomain = name !== 'all'
  const takesPrefix = name === 'a' || name === 'mx'
  const needsDomain = name === 'include' || name === 'exists'
  if (prefixes === null || (match[5] !== undefined && !takesPrefix)) return `“${shown}” has no valid prefix length`
  if (domain === null ? needsDomain : !takesDomain || !isDomainSpec(domain)) return `“${shown}” has no valid domain`
  return { ...plain, ...prefixes }
}

const isMechanism = (name: string): name is Mechanism['name'] =>
  ['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'].includes(name)

const parseNetwork = (plain: Mechanism, text: string): Mechanism | string => {
  const match = /^[+\-~?]?ip([46]):([^/]+)(?:\/(\d{1,3}))?$/i.exec(text)
  const family = Number(match?.[1])
  const widest = family === 4 ? 32 : 128
  const prefix = match?.[3] === undefined ? widest : Number(match[3])
  const address = match?.[2] ?? ''
  const wellFormed = match?.[3] === undefined || /^(?:0|[1-9]\d*)$/.test(match[3])
  if (!match || familyOf(address) !== family || prefix > widest || !wellFormed)
    return `“${text.slice(0, 100)}” is no network`
  return { ...plain, domain: null, network: address, ...(family === 4 ? { prefix4: prefix } : { prefix6: prefix }) }
}

const parsePrefixes = (text: string): { readonly prefix4: number; readonly prefix6: number } | null => {
  if (text === '') return { prefix4: 32, prefix6: 128 }
  const match = /^(?:\/(0|[1-9]\d?))?(?:\/\/(0|[1-9]\d{0,2}))?$/.exec(text)
  const prefix4 = Number(match?.[1] ?? 32)
  const prefix6 = Number(match?.[2] ?? 128)
  return match && prefix4 <= 32 && prefix6 <= 128 ? { prefix4, prefix6 } : null
}

const MACRO = /%(?:\{[slodiphcrtv]\d*r?[.\-+,/_=]*\}|%|_|-)/gi

const isMacroString = (text: string): boolean => /^[\x21-\x24\x26-\x7e]*$/.test(text.replace(MACRO, ''))

/** Ends in a macro or in a top label that is not all digits. */
const isDomainSpec = (text: string): boolean => {
  if (text === '' || text.length > 253 || !isMacroString(text)) return false
  if (/%\{[^}]*\}$/.test(text)) return true
  const labels = text.replace(/\.$/, '').replace(MACRO, 'x').split('.')
  const top = labels.at(-1) ?? ''
  return (
    labels.length > 1 &&
    labels.every((label) => label !== '' && label.length <= 63) &&
    /^(?!\d+$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(top)
  )
}
