import type { Check, FindingDefinition } from '../../module.ts'
import { missingOrInvalid, resourcePolicyOf } from './cross-origin-isolation.ts'
import { sendHeader } from './remedy.ts'

const REFERENCES = [
  'https://fetch.spec.whatwg.org/#cross-origin-resource-policy-header',
  'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Cross-Origin-Resource-Policy',
  'https://cwe.mitre.org/data/definitions/693.html',
] as const
const common = { cwe: 693, group: 'browser-policy', references: REFERENCES } as const
const FIX =
  `${sendHeader('Cross-Origin-Resource-Policy', 'same-origin')} Use same-site where other hosts of yours embed the answer, ` +
  'cross-origin for files that are meant for everyone, such as fonts.'

const missing: FindingDefinition = {
  ...common,
  id: 'headers/cross-origin-resource-policy-missing',
  title: 'Cross-Origin-Resource-Policy missing',
  severity: 'info',
  why: 'Another site can load the answer into its own process as an image or script, where attacks like Spectre read it.',
  remediation: FIX,
}

const invalid: FindingDefinition = {
  ...common,
  id: 'headers/cross-origin-resource-policy-invalid',
  title: 'Cross-Origin-Resource-Policy invalid: browsers ignore its value',
  severity: 'low',
  why: 'Only same-origin, same-site and cross-origin are known, in lower case and sent once. Anything else protects nothing.',
  remediation: FIX,
}

/** May other sites load the answer into their pages. */
export const crossOriginResourcePolicy: Check<'headers', 'site'> = {
  findings: [missing, invalid],
  judge: (facts, { site }) =>
    missingOrInvalid('Cross-Origin-Resource-Policy', resourcePolicyOf, { missing, invalid }, site, facts),
}
