import type { Page } from '../../../page/page.ts'
import { combined, markupOf } from '../../../page/pages.ts'
import { documentsSeen } from '../../documents.ts'
import { type Hit, posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { sendHeader } from './remedy.ts'

const REFERENCES = [
  'https://w3c.github.io/webappsec-referrer-policy/#parse-referrer-policy-from-header',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Referrer-Policy',
  'https://cwe.mitre.org/data/definitions/200.html',
] as const
const common = { cwe: 200, group: 'browser-policy', references: REFERENCES } as const
const FIX = sendHeader('Referrer-Policy', 'strict-origin-when-cross-origin')

const missing: FindingDefinition = {
  ...common,
  id: 'headers/referrer-policy-missing',
  title: 'Referrer-Policy missing',
  severity: 'info',
  why: 'Present browsers send other sites the origin alone by default; older ones send the full address with its parameters.',
  remediation: FIX,
}

const unsafe: FindingDefinition = {
  ...common,
  id: 'headers/referrer-policy-unsafe',
  title: 'Referrer-Policy unsafe: other sites are told more than by default',
  severity: 'low',
  why:
    'The policy in force sends the address of the page to other sites in full, or the origin over an insecure ' +
    'connection. Addresses may hold search terms, reset tokens or the names of customers.',
  remediation: FIX,
}

const invalid: FindingDefinition = {
  ...common,
  id: 'headers/referrer-policy-invalid',
  title: 'Referrer-Policy invalid: it has no value that browsers know',
  severity: 'low',
  why: 'Browsers skip unknown values and here nothing is left, so the default of each browser holds.',
  remediation: FIX,
}

const PRIVATE = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin']
const UNSAFE = ['unsafe-url', 'no-referrer-when-downgrade', 'origin', 'origin-when-cross-origin']
/** HTML, "meta referrer": values of the first draft that browsers still read. */
const LEGACY: Readonly<Record<string, string>> = {
  never: 'no-referrer',
  default: 'strict-origin-when-cross-origin',
  always: 'unsafe-url',
  'origin-when-crossorigin': 'origin-when-cross-origin',
}

/** What a page tells other sites about the address it was left from. */
export const referrerPolicy: Check<'headers', 'site'> = {
  findings: [missing, unsafe, invalid],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const judged = documentsSeen(site, facts).map((page) => ({ page, policy: referrerPolicyOf(page) }))
    const hits = (kind: ReferrerPolicy['kind'], detail: (page: Page, value: string) => string): readonly Hit[] =>
      judged
        .filter(({ policy }) => policy.kind === kind)
        .map(({ page, policy }) => ({ page, detail: detail(page, policy.value), mark: policy.value }))
    const options = { headers: ['referrer-policy'] }
    return [
      ...posture(
        missing,
        hits('missing', (page) => `${page.url} sets no referrer policy.`),
        options,
      ),
      ...posture(
        unsafe,
        hits('unsafe', (page, value) => `${page.url} sets the referrer policy ${value}.`),
        options,
      ),
      ...posture(
        invalid,
        hits('invalid', (page, value) => `${page.url} sends Referrer-Policy: ${value}.`),
        options,
      ),
    ]
  },
}

export interface ReferrerPolicy {
  readonly kind: 'private' | 'unsafe' | 'invalid' | 'missing'
  /** The policy in force, or what was sent where none is. */
  readonly value: string
}

/** The last value that is known counts; a meta element comes after the header and overrides it. */
export const referrerPolicyOf = (page: Page): ReferrerPolicy => {
  const header = combined(page.headers, 'referrer-policy')
  const fromHeader = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((value) => value.trim())
  const fromMeta = markupOf(page)
    .metas.filter(({ name }) => name === 'referrer')
    .map(({ content }) => content.trim().toLowerCase())
    .map((value) => LEGACY[value] ?? value)
  const known = [...fromHeader, ...fromMeta].filter((value) => PRIVATE.includes(value) || UNSAFE.includes(value))
  const value = known.at(-1)
  if (value !== undefined) return { kind: PRIVATE.includes(value) ? 'private' : 'unsafe', value }
  return header === null ? { kind: 'missing', value: '' } : { kind: 'invalid', value: header }
}
