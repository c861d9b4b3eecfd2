import { expect, test } from 'vitest'
import { renderFindingsDoc } from './generate-findings-doc.ts'

const MODULES = [
  {
    id: 'headers',
    title: 'Response headers',
    conduct: 'passive',
    checks: [
      {
        findings: [
          {
            id: 'headers/referrer-policy-missing',
            title: 'Addresses are passed on',
            severity: 'low',
            cwe: 200,
            group: 'browser-policy',
            why: 'Others see them.',
            remediation: 'Send `Referrer-Policy: no-referrer`.',
            references: ['https://example.org/a'],
          },
          {
            id: 'sqli/boolean',
            title: 'Named by a source',
            severity: 'from-source',
            cwe: null,
            why: 'It is known.',
            remediation: 'Update.',
            references: [],
          },
        ],
      },
    ],
  },
] as const

test('every definition has its heading, severity, reason and remedy', () => {
  const page = renderFindingsDoc(MODULES)
  expect(page).toContain('2 findings in 1 module.')
  expect(page).toContain('| [Response headers](#module-headers) | passive | 2 |')
  expect(page).toContain('### `headers/referrer-policy-missing`\n\n**Addresses are passed on**\n\n**Severity** low')
  expect(page).toContain('[CWE-200](https://cwe.mitre.org/data/definitions/200.html)')
  expect(page).toContain('OWASP A01:2021, A01:2025 · WSTG-CONF-07\n\n**No CVSS vector.** CVSS rates vulnerabilities')
  expect(page).toContain('**Severity** by the source that names it · WSTG-INPV-05\n\n`CVSS:4.0/AV:N/AC:L')
  expect(page).toContain('- <https://example.org/a>')
})
