import { documentsSeen } from '../../documents.ts'
import { posture } from '../../evidence/pages.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { openerPolicyOf } from './cross-origin-isolation.ts'
import { sendHeader } from './remedy.ts'

const REFERENCES = [
  'https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Cross-Origin-Opener-Policy',
  'https://cwe.mitre.org/data/definitions/693.html',
] as const
const common = { cwe: 693, group: 'browser-policy', references: REFERENCES } as const
const FIX =
  `${sendHeader('Cross-Origin-Opener-Policy', 'same-origin')} Use same-origin-allow-popups where the site opens windows ` +
  'of others that have to answer it, such as a payment or a sign-in.'

const missing: FindingDefinition = {
  ...common,
  id: 'headers/cross-origin-opener-policy-missing',
  title: 'Cross-Origin-Opener-Policy missing',
  severity: 'info',
  why: 'A site that opens this one in a window keeps a handle on it: it can count its frames, navigate it, and learn from both.',
  remediation: FIX,
}

const invalid: FindingDefinition = {
  ...common,
  id: 'headers/cross-origin-opener-policy-invalid',
  title: 'Cross-Origin-Opener-Policy invalid: browsers ignore its value',
  severity: 'low',
  why: 'An unknown value, or the header sent twice, counts as unsafe-none: the isolation that was meant is absent.',
  remediation: FIX,
}

/** Is a document cut off from the windows of other sites. */
export const crossOriginOpenerPolicy: Check<'headers', 'site'> = {
  findings: [missing, invalid],
  judge: (facts, { site }) => {
    const none = withoutDocuments(site)
    if (none) return none
    const judged = documentsSeen(site, facts).map((page) => ({ page, policy: openerPolicyOf(page.headers) }))
    const options = { headers: ['cross-origin-opener-policy'] }
    return [
      ...posture(
        missing,
        judged
          .filter(({ policy }) => policy.kind === 'missing')
          .map(({ page }) => ({ page, detail: `${page.url} answers without Cross-Origin-Opener-Policy.` })),
        options,
      ),
      ...posture(
        invalid,
        judged
          .filter(({ policy }) => policy.kind === 'invalid')
          .map(({ page, policy: { value } }) => ({
            page,
            detail: `${page.url} sends Cross-Origin-Opener-Policy: ${value}.`,
            mark: value,
          })),
        options,
      ),
    ]
  },
}
