/** What in a policy no browser can read as it was meant. */
import type { Policy } from '../../../page/csp/policy.ts'
import { isUnquotedKeyword, parseSource } from '../../../page/csp/source.ts'

/** Directives whose value is a source list. */
const SOURCE_LISTS = [
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'connect-src',
  'font-src',
  'object-src',
  'media-src',
  'frame-src',
  'child-src',
  'worker-src',
  'manifest-src',
  'fenced-frame-src',
  'base-uri',
  'form-action',
  'frame-ancestors',
]
const OTHERS = [
  'sandbox',
  'report-uri',
  'report-to',
  'require-trusted-types-for',
  'trusted-types',
  'upgrade-insecure-requests',
  'webrtc',
]
const DEPRECATED = [
  'block-all-mixed-content',
  'plugin-types',
  'prefetch-src',
  'navigate-to',
  'referrer',
  'reflected-xss',
  'require-sri-for',
]

export const isDeprecatedDirective = (name: string): boolean => DEPRECATED.includes(name)
export const isKnownDirective = (name: string): boolean =>
  SOURCE_LISTS.includes(name) || OTHERS.includes(name) || isDeprecatedDirective(name)

/** Each as a phrase for "the policy has …"; the offending text first, so that it can be marked. */
export const syntaxProblems = (policy: Policy): readonly string[] => [
  ...policy.nonAscii.map((part) => `${part} (dropped for a character outside ASCII)`),
  ...[...policy.directives].flatMap(([name, tokens]) =>
    SOURCE_LISTS.includes(name) ? listProblems(name, tokens) : [],
  ),
]

const listProblems = (name: string, tokens: readonly string[]): readonly string[] => {
  const problems = tokens.flatMap((token) => {
    if (isKnownDirective(token.toLowerCase())) return [`${token} inside ${name} (a ";" before it is missing)`]
    if (isUnquotedKeyword(token)) return [`${token} in ${name} (a keyword without quotes is taken for a host)`]
    // A malformed nonce has a definition of its own.
    if (parseSource(token).kind === 'invalid' && !/^'nonce-/i.test(token))
      return [`${token} in ${name} (no valid source)`]
    return []
  })
  const none = tokens.find((token) => token.toLowerCase() === "'none'")
  return none !== undefined && tokens.length > 1
    ? [...problems, `${none} in ${name} beside other sources, which voids it`]
    : problems
}
