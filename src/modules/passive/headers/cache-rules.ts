/** What a cache may do with an answer (RFC 9111). */
import type { HeaderPairs } from '../../../egress/door/egress.ts'
import { parseDirective, splitField } from '../../../page/headers/fields.ts'
import { combined } from '../../../page/pages.ts'

export interface CacheRules {
  readonly names: ReadonlySet<string>
  /** Seconds, or null. */
  readonly maxAge: number | null
  readonly sharedMaxAge: number | null
}

/** RFC 9111, 5.2: directives in any case, arguments quoted or not; the first of a repeated one counts. */
export const cacheRulesOf = (headers: HeaderPairs): CacheRules => {
  const directives = splitField(combined(headers, 'cache-control') ?? '', ',')
    .filter((part) => part !== '')
    .map(parseDirective)
  const seconds = (name: string): number | null => {
    const value = directives.find((one) => one.name === name)?.value ?? ''
    return /^\d+$/.test(value) ? Number(value) : null
  }
  const names = new Set(directives.map(({ name }) => name))
  return { names, maxAge: seconds('max-age'), sharedMaxAge: seconds('s-maxage') }
}

/**
 * RFC 9111, 3: a lifetime without `private` lets a shared cache store the answer, cookies or not. What a cache may do by
 * its own heuristics is not held against the site. `by`: lower case names of headers that carry the session; an answer that varies by one
 * of them is given to nobody else (4.1), and one to `Authorization` is stored only where that is allowed expressly (3.5).
 */
export const isShareable = (headers: HeaderPairs, by: readonly string[] = []): boolean => {
  const { names, sharedMaxAge } = cacheRulesOf(headers)
  if (names.has('no-store') || names.has('private') || names.has('no-cache')) return false
  const varies = (combined(headers, 'vary') ?? '').toLowerCase().split(',')
  if (varies.some((name) => name.trim() === '*' || by.includes(name.trim()))) return false
  if (by.includes('authorization') && !names.has('public') && !names.has('must-revalidate') && sharedMaxAge === null)
    return false
  const lifetime = lifetimeOf(headers)
  return lifetime === null ? names.has('public') : lifetime > 0
}

/** Seconds that a shared cache may use it for (RFC 9111, 4.2.1), null where it does not say. */
const lifetimeOf = (headers: HeaderPairs): number | null => {
  const { maxAge, sharedMaxAge } = cacheRulesOf(headers)
  const expires = Date.parse(combined(headers, 'expires') ?? '')
  const date = Date.parse(combined(headers, 'date') ?? '')
  const until = Number.isNaN(expires) || Number.isNaN(date) ? null : (expires - date) / 1000
  return sharedMaxAge ?? maxAge ?? until
}

/** Said expressly: many caches pass on an answer with Set-Cookie unless they are told that it is for all. */
export const isPublic = (headers: HeaderPairs): boolean => {
  const { names, sharedMaxAge } = cacheRulesOf(headers)
  return isShareable(headers) && (names.has('public') || sharedMaxAge !== null)
}

/** The browser's own copy, or one that others are given, is ruled out. */
export const forbidsStoring = (headers: HeaderPairs): boolean => {
  const { names } = cacheRulesOf(headers)
  return ['no-store', 'no-cache', 'private'].some((name) => names.has(name))
}
