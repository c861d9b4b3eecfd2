/** The three Cross-Origin headers as browsers read them: a value they do not know counts as none. */
import { ParseError, parseItem, Token } from 'structured-headers'
import type { HeaderPairs } from '../../../egress/door/egress.ts'
import { combined } from '../../../page/pages.ts'
import { documentsSeen, type FurtherPages } from '../../documents.ts'
import { posture } from '../../evidence/pages.ts'
import type { Finding, FindingDefinition, Unjudged } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import { withoutDocuments } from '../site/facts-pages.ts'

export interface IsolationHeader {
  readonly name: string
  readonly kind: 'missing' | 'valid' | 'invalid'
  /** The token in force, or what was sent where none is. */
  readonly value: string
}

const OPENER = ['unsafe-none', 'same-origin', 'same-origin-allow-popups', 'noopener-allow-popups']
const EMBEDDER = ['unsafe-none', 'require-corp', 'credentialless']
const RESOURCE = ['same-origin', 'same-site', 'cross-origin']

export const openerPolicyOf = (headers: HeaderPairs): IsolationHeader =>
  structured(headers, 'cross-origin-opener-policy', OPENER)

export const embedderPolicyOf = (headers: HeaderPairs): IsolationHeader =>
  structured(headers, 'cross-origin-embedder-policy', EMBEDDER)

/** Fetch, "cross-origin resource policy check": the combined value has to be one of three, case included. */
export const resourcePolicyOf = (headers: HeaderPairs): IsolationHeader => {
  const name = 'cross-origin-resource-policy'
  const value = combined(headers, name)
  if (value === null) return { name, kind: 'missing', value: '' }
  return { name, kind: RESOURCE.includes(value) ? 'valid' : 'invalid', value }
}

/** HTML: an item whose value is a token; two lines make a list, which is no item. */
const structured = (headers: HeaderPairs, name: string, known: readonly string[]): IsolationHeader => {
  const value = combined(headers, name)
  if (value === null) return { name, kind: 'missing', value: '' }
  const token = tokenOf(value)
  return token !== null && known.includes(token)
    ? { name, kind: 'valid', value: token }
    : { name, kind: 'invalid', value }
}

const tokenOf = (value: string): string | null => {
  try {
    const [item] = parseItem(value.slice(0, 2_048))
    return item instanceof Token ? item.toString() : null
  } catch (error) {
    if (error instanceof ParseError) return null
    throw error
  }
}

/** Judges one of them on all documents that were seen. `name`: as it is written. */
export const missingOrInvalid = (
  name: string,
  policyOf: (headers: HeaderPairs) => IsolationHeader,
  { missing, invalid }: { readonly missing: FindingDefinition | null; readonly invalid: FindingDefinition },
  site: SiteFacts,
  facts: FurtherPages,
): readonly Finding[] | Unjudged => {
  const none = withoutDocuments(site, facts)
  if (none) return none
  const judged = documentsSeen(site, facts).map((page) => ({ page, ...policyOf(page.headers) }))
  const absent = judged
    .filter(({ kind }) => kind === 'missing')
    .map(({ page }) => ({ page, detail: `${page.url} answers without ${name}.` }))
  const wrong = judged
    .filter(({ kind }) => kind === 'invalid')
    .map(({ page, value }) => ({ page, detail: `${page.url} sends ${name}: ${value}.`, mark: value }))
  const options = { headers: [name.toLowerCase()] }
  return [...(missing === null ? [] : posture(missing, absent, options)), ...posture(invalid, wrong, options)]
}
