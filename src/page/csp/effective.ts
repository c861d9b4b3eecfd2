/**
 * What a set of policies lets a script do. Several policies intersect: each alone can forbid,
 * so a weakness counts only where every one of them has it.
 */
import { matchesSource } from './match.ts'
import type { Policy } from './policy.ts'
import { hasKeyword, hasNonceOrHash, parseSource, type Source } from './source.ts'

export type ScriptKind = 'elem' | 'attr'

/** https://www.w3.org/TR/CSP3/#directive-fallback-list; base-uri, form-action and frame-ancestors have none. */
const FALLBACK: Readonly<Record<string, readonly string[]>> = {
  'script-src-elem': ['script-src-elem', 'script-src', 'default-src'],
  'script-src-attr': ['script-src-attr', 'script-src', 'default-src'],
  'script-src': ['script-src', 'default-src'],
  'worker-src': ['worker-src', 'child-src', 'script-src', 'default-src'],
  'frame-src': ['frame-src', 'child-src', 'default-src'],
  'style-src-elem': ['style-src-elem', 'style-src', 'default-src'],
  'style-src-attr': ['style-src-attr', 'style-src', 'default-src'],
}
const NO_FALLBACK = [
  'base-uri',
  'form-action',
  'frame-ancestors',
  'sandbox',
  'require-trusted-types-for',
  'trusted-types',
]

export interface EffectiveDirective {
  /** The directive that governs, which may be the one it falls back to. */
  readonly name: string
  readonly sources: readonly Source[]
}

/** Null where nothing governs it: everything is allowed then. */
export const effective = (policy: Policy, name: string): EffectiveDirective | null => {
  const chain = FALLBACK[name] ?? (NO_FALLBACK.includes(name) ? [name] : [name, 'default-src'])
  const governing = chain.find((one) => policy.directives.has(one))
  if (governing === undefined) return null
  return { name: governing, sources: (policy.directives.get(governing) ?? []).map(parseSource) }
}

/** Inline script elements, or inline event handlers: https://www.w3.org/TR/CSP3/#allow-all-inline */
export const allowsInline = (policy: Policy, kind: ScriptKind): boolean => {
  const directive = effective(policy, `script-src-${kind}`)
  if (directive === null) return true
  const { sources } = directive
  return hasKeyword(sources, 'unsafe-inline') && !hasNonceOrHash(sources) && !hasKeyword(sources, 'strict-dynamic')
}

export const allowsEval = (policy: Policy): boolean => {
  const directive = effective(policy, 'script-src')
  return directive === null || hasKeyword(directive.sources, 'unsafe-eval')
}

/** A script element that an attacker writes into the markup, without a nonce. */
export const allowsScript = (policy: Policy, url: URL, self: URL): boolean => {
  const directive = effective(policy, 'script-src-elem')
  if (directive === null) return true
  if (hasKeyword(directive.sources, 'strict-dynamic')) return false
  return directive.sources.some((source) => matchesSource(source, url, self))
}

export const allowsObject = (policy: Policy, url: URL, self: URL): boolean => {
  const directive = effective(policy, 'object-src')
  return directive === null || directive.sources.some((source) => matchesSource(source, url, self))
}

export const restrictsScripts = (policy: Policy): boolean => effective(policy, 'script-src-elem') !== null

/** The nonces of the directive that governs script elements. */
export const scriptNonces = (policy: Policy): readonly string[] =>
  (effective(policy, 'script-src-elem')?.sources ?? []).flatMap((source) =>
    source.kind === 'nonce' ? [source.value] : [],
  )

/** Of a sandbox without allow-scripts nothing runs at all. */
export const forbidsScripts = (policy: Policy): boolean => {
  const sandbox = policy.directives.get('sandbox')
  return sandbox !== undefined && !sandbox.some((token) => token.toLowerCase() === 'allow-scripts')
}
