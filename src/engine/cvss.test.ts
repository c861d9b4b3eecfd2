import { expect, it } from 'vitest'
import { bandOf, cvssOf } from './cvss.ts'

it.each([
  ['injection, 3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['reflected script, 3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
  ['injection, 4.0', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
  ['no impact, 4.0', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
])('%s', (_name, vector, score) => {
  const { v4_0, v3_1 } = cvssOf(vector)
  expect((v4_0 ?? v3_1)?.score).toBe(score)
})

it.each([
  ['other version', 'CVSS:2.0/AV:N'],
  ['incomplete, 3.1', 'CVSS:3.1/AV:N/AC:L'],
  ['incomplete, 4.0', 'CVSS:4.0/AV:N'],
  ['unknown value', 'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
  ['unknown metric', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/ZZ:1'],
])('refuses a vector: %s', (_name, vector) => {
  expect(() => cvssOf(vector)).toThrow(vector)
})

it('bands begin where the specification says', () => {
  expect([10, 9, 8.9, 7, 6.9, 4, 3.9, 0.1, 0].map(bandOf)).toEqual([
    'critical',
    'critical',
    'high',
    'high',
    'medium',
    'medium',
    'low',
    'low',
    null,
  ])
})
