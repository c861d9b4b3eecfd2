/**
 * Addresses that undo an allow list: hosts that serve anyone's script, and public files that run what they are told.
 * The lists come with csp_evaluator (Apache-2.0).
 */
import { createRequire } from 'node:module'
import { getDomain, getPublicSuffix, parse } from 'tldts'
import { allowsEval, allowsScript, effective } from './effective.ts'
import type { Policy } from './policy.ts'
import type { Source } from './source.ts'

export interface Bypass {
  readonly kind: 'open' | 'jsonp' | 'angular'
  /** An address of the kind that an attacker would load. */
  readonly url: string
  /** The source expressions that allow it, one for each policy. */
  readonly by: readonly string[]
}

interface UrlList {
  readonly URLS: readonly string[]
  readonly NEEDS_EVAL?: readonly string[]
}

// The package is CommonJS without an exports map; its lists have no named entry.
const require = createRequire(import.meta.url)
const JSONP: UrlList = require('csp_evaluator/dist/allowlist_bypasses/jsonp.js')
const ANGULAR: UrlList = require('csp_evaluator/dist/allowlist_bypasses/angular.js')

/** Every way that all of the policies leave open at once; at most one for each source expression. */
export const bypasses = (policies: readonly Policy[], self: URL): readonly Bypass[] => {
  if (policies.length === 0) return []
  const evalAllowed = policies.every(allowsEval)
  const open = policies.flatMap(openProbes).map((url) => ({ kind: 'open' as const, url }))
  const jsonp = JSONP.URLS.map((url) => ({ kind: 'jsonp' as const, url: `https:${url}` })).filter(
    ({ url }) => evalAllowed || !JSONP.NEEDS_EVAL?.includes(new URL(url).hostname),
  )
  const angular = ANGULAR.URLS.map((url) => ({ kind: 'angular' as const, url: `https:${url}` }))
  const found = new Map<string, Bypass>()
  for (const { kind, url } of [...open, ...jsonp, ...angular]) {
    const address = new URL(url)
    // What the site itself serves is its own affair: only hosts of others are listed.
    if (kind !== 'open' && address.hostname === self.hostname) continue
    if (!policies.every((policy) => allowsScript(policy, address, self))) continue
    const by = policies.map((policy) => allowing(policy, address, self))
    const key = by.join('\n')
    // An open source allows the listed hosts too; it is named once.
    if (!found.has(key)) found.set(key, { kind, url, by })
  }
  return [...found.values()]
}

const allowing = (policy: Policy, url: URL, self: URL): string => {
  const directive = effective(policy, 'script-src-elem')
  if (directive === null) return '(nothing)'
  const tokens = policy.directives.get(directive.name) ?? []
  const single = (token: string): Policy => ({ ...policy, directives: new Map([[directive.name, [token]]]) })
  return tokens.find((token) => allowsScript(single(token), url, self)) ?? directive.name
}

/** Addresses under an attacker's control that a broad source of this policy would allow. */
const openProbes = (policy: Policy): readonly string[] =>
  (effective(policy, 'script-src-elem')?.sources ?? []).flatMap(openProbe)

const openProbe = (source: Source): readonly string[] => {
  if (source.kind === 'scheme') {
    if (source.scheme === 'data') return ['data:text/javascript,1']
    return source.scheme === 'http' || source.scheme === 'https' ? [`${source.scheme}://attacker.example/x.js`] : []
  }
  if (source.kind !== 'host' || source.path !== null) return []
  const port = source.port === null || source.port === '*' ? '' : `:${source.port}`
  const scheme = source.scheme ?? 'https'
  if (!['http', 'https'].includes(scheme)) return []
  if (source.host === '*') return [`${scheme}://attacker.example${port}/x.js`]
  if (!source.host.startsWith('*.')) return []
  // Anyone can have a name below a public suffix, be it .com or a hoster's such as github.io.
  const parent = source.host.slice(2)
  return isPublicSuffix(parent) ? [`${scheme}://attacker.${parent}${port}/x.js`] : []
}

const isPublicSuffix = (name: string): boolean => {
  const options = { allowPrivateDomains: true }
  const { isIcann, isPrivate } = parse(name, options)
  return (
    (isIcann === true || isPrivate === true) &&
    getPublicSuffix(name, options) === name &&
    getDomain(name, options) === null
  )
}
