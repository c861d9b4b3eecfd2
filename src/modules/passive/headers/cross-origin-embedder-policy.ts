import type { Check, FindingDefinition } from '../../module.ts'
import { embedderPolicyOf, missingOrInvalid } from './cross-origin-isolation.ts'
import { sendHeader } from './remedy.ts'

const invalid: FindingDefinition = {
  id: 'headers/cross-origin-embedder-policy-invalid',
  title: 'Cross-Origin-Embedder-Policy invalid: browsers ignore its value',
  severity: 'low',
  cwe: 693,
  group: 'browser-policy',
  why: 'An unknown value, or the header sent twice, counts as unsafe-none: the page is not isolated as was meant.',
  remediation:
    `${sendHeader('Cross-Origin-Embedder-Policy', 'require-corp')} Use credentialless where resources of others cannot ` +
    'be changed. Remove the header where the page needs no isolation.',
  references: [
    'https://html.spec.whatwg.org/multipage/browsers.html#coep',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Cross-Origin-Embedder-Policy',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
}

/** Its absence is no fault: only pages that use shared memory need it. */
export const crossOriginEmbedderPolicy: Check<'headers', 'site'> = {
  findings: [invalid],
  judge: (facts, { site }) =>
    missingOrInvalid('Cross-Origin-Embedder-Policy', embedderPolicyOf, { missing: null, invalid }, site, facts),
}
