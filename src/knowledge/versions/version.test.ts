import { describe, expect, it } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import { coarse } from './coarse.ts'
import { COMPARATORS, compareVersions, inRange, rangeText, type Scheme } from './version.ts'

const SCHEMES = Object.keys(COMPARATORS) as Scheme[]

/** Older to newer. */
const ORDERED: readonly (readonly [name: string, scheme: Scheme, versions: readonly string[]])[] = [
  [
    'semver.org, item 11',
    'semver',
    [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
    ],
  ],
  [
    'short and long numbers',
    'semver',
    ['1', '1.0.1', '1.2', '1.10', '2', '20230101000000000001', '20230101000000000002'],
  ],
  [
    'Debian revisions of one upstream',
    'dpkg',
    ['9.2p1-2', '9.2p1-2+deb12u1', '9.2p1-2+deb12u2', '9.2p1-2+deb12u10', '9.2p1-3'],
  ],
  ['tilde before the end', 'dpkg', ['1.0~~', '1.0~~a', '1.0~', '1.0~rc1', '1.0', '1.0a', '1.0+b', '1:0.1']],
  ['rpm-version(7)', 'rpm', ['1.0~rc1', '1.0', '1.0^20200101', '1.0.1-1.el8', '1.0.1-2.el8', '1.0.1-10.el8', '1:0.1']],
  ['letters are older than numbers', 'rpm', ['1.0a', '1.0aa', '1.0.1', '2']],
  [
    'the qualifiers of the specification',
    'maven',
    ['1-alpha', '1-beta', '1-milestone', '1-rc', '1-SNAPSHOT', '1', '1-sp', '1-abc', '1-1', '1.1'],
  ],
  ['short words before numbers', 'maven', ['1-a1', '1-b1', '1-m2', '1-rc1', '1', '1.0.1', '1.2', '1.10']],
  [
    'PEP 440, summary of permitted suffixes',
    'pep440',
    [
      '1.0.dev456',
      '1.0a1',
      '1.0a2.dev456',
      '1.0a12.dev456',
      '1.0a12',
      '1.0b1.dev456',
      '1.0b2',
      '1.0b2.post345.dev456',
      '1.0b2.post345',
      '1.0rc1.dev456',
      '1.0rc1',
      '1.0',
      '1.0+abc.5',
      '1.0+abc.7',
      '1.0+5',
      '1.0.post456.dev34',
      '1.0.post456',
      '1.0.15',
      '1.1.dev1',
      '1!0.1',
    ],
  ],
  ['what is no version', 'pep440', ['banana', '0.0.dev1', '0.0']],
  [
    'letters',
    'openssl',
    [
      '1.0.2-beta1',
      '1.0.2',
      '1.0.2a',
      '1.0.2k',
      '1.0.2z',
      '1.0.2za',
      '1.0.2zd',
      '1.1.0-pre2',
      '1.1.0',
      '1.1.1w',
      '3.0.0-alpha1',
      '3.0.0-beta1',
      '3.0.0',
      '3.0.9',
      '3.0.10',
    ],
  ],
  [
    'the manual',
    'php',
    ['5.2', '5.2.0', '5.3.0-dev', '5.3.0alpha1', '5.3.0beta1', '5.3.0RC1', '5.3.0', '5.3.0pl1', '5.3.1', '5.10'],
  ],
  [
    'NVD texts',
    'generic',
    [
      '1.0.1',
      '1.0.2',
      '1.0.2a',
      '1.0.2zd',
      '1.1.0',
      '8.5',
      '8.5p1',
      '9.0.0-milestone1',
      '9.0.0-rc1',
      '9.0.0',
      '9.0.1',
      '10',
    ],
  ],
]

const EQUAL: readonly (readonly [scheme: Scheme, a: string, b: string])[] = [
  ['semver', 'v1.2', '1.2.0'],
  ['semver', '1.2.3+build', '1.2.3+other'],
  ['dpkg', '0:1.0', '1.0-0'],
  ['dpkg', '1.01', '1.1'],
  ['rpm', '1.0', '1_0'],
  ['rpm', '1.0', '1.0-5.el8'],
  ['maven', '1', '1.0.0-ga'],
  ['maven', '1-a1', '1-alpha-1'],
  ['maven', '1.0-rc', '1.0-CR'],
  ['pep440', '1.0', 'v1.0.0'],
  ['pep440', '1.0-1', '1.0.post1'],
  ['pep440', '1.0c1', '1.0-rc.1'],
  ['openssl', '1.0.2k', '1.0.2k-fips'],
  ['generic', '6.0', '6.0.0'],
  ['generic', 'v2.1', '2.1.0-final'],
]

describe('order', () => {
  it.each(ORDERED.map((row) => [`${row[1]}: ${row[0]}`, row] as const))('%s', (_name, [, scheme, versions]) => {
    for (const [index, older] of versions.entries()) {
      expect(compareVersions(scheme, older, older)).toBe(0)
      for (const newer of versions.slice(index + 1)) {
        expect(Math.sign(compareVersions(scheme, older, newer)), `${older} < ${newer}`).toBe(-1)
        expect(Math.sign(compareVersions(scheme, newer, older)), `${newer} > ${older}`).toBe(1)
      }
    }
  })

  it.each(EQUAL)('%s: %s is %s', (scheme, a, b) => {
    expect(compareVersions(scheme, a, b)).toBe(0)
    expect(compareVersions(scheme, b, a)).toBe(0)
  })
})

const number = fc.oneof(fc.nat(12).map(String), fc.constantFrom('0', '00', '07', '2023', '99999999999999999999'))
const word = fc.constantFrom(
  'a',
  'b',
  'p',
  'z',
  'za',
  'rc',
  'RC',
  'alpha',
  'beta',
  'dev',
  'post',
  'final',
  'sp',
  'el',
  'deb',
  'x',
)
const separator = fc.constantFrom('.', '.', '.', '-', '+', '~', '', '_', '^', ':', '!')
const anyVersion = fc
  .tuple(
    fc.constantFrom('', '', '', 'v', '1:', '2!'),
    fc.array(fc.tuple(fc.oneof(number, number, word), separator), { minLength: 1, maxLength: 6 }),
  )
  .map(([start, parts]) => start + parts.flat().slice(0, -1).join(''))

describe.each(SCHEMES)('%s', (scheme) => {
  it('is an order: of itself, turned round, and in a chain', () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, anyVersion, (a, b, c) => {
        expect(compareVersions(scheme, a, a)).toBe(0)
        expect(Math.sign(compareVersions(scheme, a, b)) + Math.sign(compareVersions(scheme, b, a))).toBe(0)
        const [x, y, z] = [a, b, c].sort((one, other) => compareVersions(scheme, one, other))
        expect(compareVersions(scheme, x ?? '', y ?? '')).toBeLessThanOrEqual(0)
        expect(compareVersions(scheme, y ?? '', z ?? '')).toBeLessThanOrEqual(0)
      }),
      { numRuns: 1_000 },
    )
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.string({ maxLength: 200 }), (a, b) => {
        expect(Number.isNaN(compareVersions(scheme, a, b))).toBe(false)
      }),
    )
  })
})

describe('the coarse number', () => {
  const tail = fc.constantFrom('', '', 'a1', 'b2', 'rc1', '.dev1', '.post1')
  const dotted = fc
    .tuple(fc.array(number, { minLength: 2, maxLength: 4 }), tail)
    .map(([numbers, end]) => numbers.join('.') + end)

  it.each(SCHEMES)('never falls where the version rises: %s', (scheme) => {
    fc.assert(
      fc.property(dotted, dotted, (a, b) => {
        if (compareVersions(scheme, a, b) < 0) expect(coarse(a)).toBeLessThanOrEqual(coarse(b))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('ranges', () => {
  const range = { start: '4.0.0', startIncluded: true, end: '4.2.1', endIncluded: false }
  it.each([
    ['the start', '4.0.0', true],
    ['the end', '4.2.1', false],
    ['before', '3.9', false],
    ['within', '4.2.0', true],
    ['a pre-release of the end', '4.2.1-rc1', true],
  ])('%s', (_trick, version, expected) => {
    expect(inRange('generic', version, range)).toBe(expected)
  })

  it('open on both sides holds everything', () => {
    const all = { start: null, startIncluded: false, end: null, endIncluded: false }
    expect(inRange('generic', '0', all)).toBe(true)
    expect(rangeText(all)).toBe('every version')
  })

  it('reads as a sentence', () => {
    expect(rangeText(range)).toBe('from 4.0.0 before 4.2.1')
    expect(rangeText({ ...range, start: '4.2.1', endIncluded: true })).toBe('4.2.1')
  })
})
