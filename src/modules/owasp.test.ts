import { expect, it } from 'vitest'
import { owaspOf } from './owasp.ts'

it.each([
  ['SQL injection', 89, ['A03:2021', 'A05:2025']],
  ['request forgery moved under access control', 918, ['A10:2021', 'A01:2025']],
  ['error message moved to exceptional conditions', 209, ['A04:2021', 'A10:2025']],
  ['listed by the newer edition alone', 693, ['A06:2025']],
  ['cookie without Secure', 614, ['A05:2021', 'A02:2025']],
  ['a kind of injection', 1336, ['A03:2021', 'A05:2025']],
  ['a kind of a kind of failed authentication', 1392, ['A07:2021', 'A07:2025']],
  ['a kind of missing origin validation', 1385, ['A07:2021', 'A07:2025']],
  ['a component with known vulnerabilities', 1395, ['A06:2021', 'A03:2025']],
  ['listed by neither', 672, []],
  ['none', null, []],
] as const)('%s', (_name, cwe, expected) => {
  expect(owaspOf(cwe)).toEqual(expected)
})
