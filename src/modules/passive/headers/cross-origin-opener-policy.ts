import type { Check, FindingDefinition } from '../../module.ts'
import { missingOrInvalid, openerPolicyOf } from './cross-origin-isolation.ts'
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
  judge: (facts, { site }) =>
    missingOrInvalid('Cross-Origin-Opener-Policy', openerPolicyOf, { missing, invalid }, site, facts),
}
