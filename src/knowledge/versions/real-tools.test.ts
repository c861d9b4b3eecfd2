/**
 * Each comparator beside the program whose order it is. Debian packages: dpkg, rpm, php-cli, python3-packaging; Maven's
 * needs a Java machine (libmaven3-core-java) and runs with SONDE_LONG alone.
 */
import { execFileSync } from 'node:child_process'
import semver from 'semver'
import { describe, expect, it } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import { compareVersions, type Scheme } from './version.ts'

type Pair = readonly [string, string]

/** What the program said, -1, 0 or 1 for each pair, and what we say. */
const agree = (scheme: Scheme, pairs: readonly Pair[], said: readonly number[]): void => {
  expect(said).toHaveLength(pairs.length)
  const differences = pairs.flatMap(([a, b], index) => {
    const [ours, theirs] = [Math.sign(compareVersions(scheme, a, b)), said[index] ?? Number.NaN]
    return ours === theirs ? [] : [`${a} ${SIGNS[ours + 1]} ${b}, the program says ${SIGNS[theirs + 1]}`]
  })
  expect(differences).toEqual([])
}
const chunksOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
const SIGNS = ['<', '=', '>']
const numbersOf = (text: string): readonly number[] => text.trim().split('\n').map(Number)
const sampled = (version: fc.Arbitrary<string>, count: number): readonly Pair[] =>
  // Half of them differ in little: a version beside itself with another end.
  fc.sample(
    fc.oneof(
      fc.tuple(version, version),
      fc.tuple(version, fc.constantFrom('', '.0', '.1', '0')).map(([one, end]): [string, string] => [one, one + end]),
    ),
    count,
  )

describe('beside the real tools', () => {
  const debian = fc
    .tuple(
      fc.constantFrom('', '', '1:', '2:'),
      fc.stringMatching(/^[0-9][0-9a-zA-Z.+~]{0,8}$/),
      fc.oneof(fc.constant(''), fc.stringMatching(/^-[0-9a-zA-Z.+~]{1,6}$/)),
    )
    .map((parts) => parts.join(''))

  it('dpkg --compare-versions says the same', () => {
    const pairs = fc.sample(fc.tuple(debian, debian), 400)
    const script =
      'while read -r a b; do for r in lt eq gt; do dpkg --compare-versions "$a" $r "$b" && echo $r; done; done'
    const input = pairs.map((pair) => `${pair.join(' ')}\n`).join('')
    // The loop ends with the status of the last question, which is most often "no".
    const said = execFileSync('sh', ['-c', `${script}; true`], { input, encoding: 'utf8', timeout: 60_000 })
    const order = ['lt', 'eq', 'gt']
    agree(
      'dpkg',
      pairs,
      said
        .trim()
        .split('\n')
        .map((one) => order.indexOf(one) - 1),
    )
  }, 70_000)

  it("npm's semver says the same", () => {
    const part = fc.nat(30).map(String)
    const identifier = fc.oneof(part, fc.stringMatching(/^[a-z][a-z0-9-]{0,4}$/))
    const version = fc
      .tuple(part, part, part, fc.oneof(fc.constant([]), fc.array(identifier, { maxLength: 3 })))
      .map(([major, minor, patch, pre]) => `${major}.${minor}.${patch}${pre.length ? `-${pre.join('.')}` : ''}`)
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(Math.sign(compareVersions('semver', a, b))).toBe(semver.compare(a, b))
      }),
      { numRuns: 2_000 },
    )
  })

  it("rpm's vercmp says the same", () => {
    const text = fc.stringMatching(/^[0-9a-zA-Z.+~^_]{1,10}$/)
    const version = fc
      .tuple(fc.constantFrom('', '', '1:', '2:'), fc.stringMatching(/^[0-9][0-9a-zA-Z.+~^_]{0,8}$/), text)
      .map(([epoch, number, release]) => `${epoch}${number}-${release}`)
    const pairs = sampled(version, 2_000)
    // A macro holds some thousand characters.
    const said = chunksOf(pairs, 100).map((chunk) => {
      const calls = chunk.map(([a, b]) => `t[#t+1]=rpm.vercmp("${a}","${b}")`).join(' ')
      const program = `local t = {} ${calls} print(table.concat(t, string.char(10)))`
      return execFileSync('rpm', ['--eval', `%{lua: ${program}}`], { encoding: 'utf8', timeout: 60_000 })
    })
    agree('rpm', pairs, numbersOf(said.join('')))
  }, 70_000)

  it("PHP's version_compare says the same", () => {
    const word = fc.constantFrom('dev', 'alpha', 'a', 'beta', 'b', 'RC', 'rc', 'pl', 'p', 'x', 'final', '')
    const version = fc
      .array(fc.tuple(fc.nat(20).map(String), fc.constantFrom('.', '-', '_', '+', ''), word), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.flat().join(''))
    // A number with a separator behind it is not even equal to itself there.
    const pairs = sampled(version, 3_000).filter((pair) => pair.every((one) => !/[._+-]$/.test(one)))
    const program = 'while ($l = fgets(STDIN)) { [$a, $b] = json_decode($l); echo version_compare($a, $b), "\\n"; }'
    const input = pairs.map((pair) => `${JSON.stringify(pair)}\n`).join('')
    agree('php', pairs, numbersOf(execFileSync('php', ['-r', program], { input, encoding: 'utf8', timeout: 60_000 })))
  }, 70_000)

  it("Python's packaging says the same", () => {
    const small = fc.nat(12).map(String)
    const optional = (part: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), part)
    const tagged = (...words: readonly string[]) =>
      fc
        .tuple(fc.constantFrom('', '.', '-', '_'), fc.constantFrom(...words), optional(small))
        .map((parts) => parts.join(''))
    const version = fc
      .tuple(
        fc.constantFrom('', '', 'v', '1!'),
        fc.array(small, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
        optional(tagged('a', 'b', 'c', 'rc', 'alpha', 'beta', 'preview', 'pre')),
        optional(
          fc.oneof(
            tagged('post', 'rev', 'r'),
            small.map((number) => `-${number}`),
          ),
        ),
        optional(tagged('dev')),
        optional(fc.stringMatching(/^\+[a-z0-9]{1,3}([._-][a-z0-9]{1,3})?$/)),
      )
      .map((parts) => parts.join(''))
    const pairs = sampled(version, 3_000).filter(([, b]) => !/\+.*\+|\+$/.test(b))
    const program = [
      'import sys, json',
      'from packaging.version import Version',
      'for line in sys.stdin:',
      '  try:',
      '    a, b = (Version(one) for one in json.loads(line))',
      '    print((a > b) - (a < b))',
      '  except ValueError:',
      '    print(9)',
    ].join('\n')
    const input = pairs.map((pair) => `${JSON.stringify(pair)}\n`).join('')
    const said = numbersOf(
      execFileSync('/usr/bin/python3', ['-c', program], { input, encoding: 'utf8', timeout: 60_000 }),
    )
    const valid = pairs.filter((_pair, index) => said[index] !== 9)
    expect(valid.length).toBeGreaterThan(2_000)
    agree(
      'pep440',
      valid,
      said.filter((one) => one !== 9),
    )
  }, 70_000)

  it.runIf(process.env.SONDE_LONG)(
    "Maven's ComparableVersion says the same",
    () => {
      const word = fc.constantFrom(
        'alpha',
        'a',
        'beta',
        'b',
        'm',
        'milestone',
        'rc',
        'cr',
        'snapshot',
        'ga',
        'final',
        'sp',
        'x',
        'abc',
      )
      // A word between dots with more behind it (`1.beta.1`) is sorted by no rule of the specification.
      const tail = fc
        .tuple(fc.constantFrom('.', '-', ''), word, fc.constantFrom('', '1', '-1', '2', '-10'))
        .map((parts) => parts.join(''))
      const version = fc
        .tuple(
          fc.array(fc.nat(12).map(String), { minLength: 1, maxLength: 4 }).map((numbers) => numbers.join('.')),
          fc.constantFrom('', '-1', '-2.1'),
          fc.oneof(fc.constant(''), tail),
        )
        .map((parts) => parts.join(''))
      const pairs = sampled(version, 1_500).filter((pair) => pair.every((one) => !/\.[a-z]+\.\d/.test(one)))
      const jars = ['/usr/share/java/maven-artifact-3.x.jar', '/usr/share/java/commons-lang3.jar'].join(':')
      const main = 'org.apache.maven.artifact.versioning.ComparableVersion'
      // The program compares each argument with the one before it.
      const said = execFileSync('java', ['-cp', jars, main, ...pairs.flat()], {
        encoding: 'utf8',
        timeout: 60_000,
        maxBuffer: 2 ** 24,
      })
      const compared = said.split('\n').filter((line) => line.startsWith('   '))
      const signs = compared.map((line) => ['<', '==', '>'].indexOf(line.trim().split(' ')[1] ?? '') - 1)
      agree(
        'maven',
        pairs,
        signs.filter((_sign, index) => index % 2 === 0),
      )
    },
    70_000,
  )
})
