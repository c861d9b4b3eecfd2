/** What `./test` says in its last line. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { leftOut } from './support/left-out.ts'

const PROGRAM = fileURLToPath(new URL('support/count-tests.ts', import.meta.url))
const HOME = fileURLToPath(new URL('../', import.meta.url))
const ONE = { fullName: 'one', status: 'passed' }

test('a file whose preparation failed counts as one that failed, and none of its tests as left out; what is left to --long is said in a line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-count-'))
  try {
    const report = join(folder, 'report.json')
    const testResults = [
      { name: 'prepared badly', status: 'failed', assertionResults: [{ fullName: 'idle', status: 'skipped' }] },
      { name: 'mixed', status: 'failed', assertionResults: [ONE, { fullName: 'bad', status: 'failed' }] },
      { name: 'broken', status: 'failed', assertionResults: [] },
      { name: 'good', status: 'passed', assertionResults: [ONE, { fullName: 'later', status: 'skipped' }] },
      {
        ...{ name: 'had', status: 'passed' },
        assertionResults: [
          { fullName: 'short (needs networks)', status: 'passed' },
          { fullName: 'long (needs networks)', status: 'skipped' },
        ],
      },
      { name: 'lacking', status: 'passed', assertionResults: [{ fullName: 'x (needs root)', status: 'skipped' }] },
    ]
    writeFileSync(report, JSON.stringify({ numPassedTests: 2, numFailedTests: 1, testResults }))
    const say = (asked: NodeJS.ProcessEnv) => {
      const env = { ...process.env, SONDE_SHORT: '', SONDE_LONG: '', ...asked }
      const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, report, '1', 'all'], { encoding: 'utf8', env })
      const lines = stderr.trimEnd().split('\n')
      const whole = lines.filter((line) => line.includes(' as a whole: '))
      return { stdout, stderr, whole, lines: lines.filter((line) => !whole.includes(line)) }
    }
    const all = say({})
    expect(all.stdout).toBe('2 3\n')
    expect(all.stderr).not.toContain('idle')
    expect(all.lines).toEqual([
      'not run, it needs root: x (needs root)',
      'left to ./test --long: 2 tests of 2 files: good (1 of 2), had (1 of 2)',
    ])
    const short = say({ SONDE_SHORT: '1' })
    expect(short.whole.map((line) => line.split(' as a whole: ')[0])).toEqual([
      'left to ./test --all',
      'left to ./test --long',
    ])
    expect(short.whole[1]).toBe(all.whole[0])
    for (const file of short.whole.flatMap((line) => line.split(' as a whole: ')[1]?.split(', ') ?? []))
      expect(existsSync(join(HOME, file)), file).toBe(true)
    expect(say({ SONDE_LONG: '1' }).whole).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('what failed beside the others and passes by itself is told as unsteady; what fails again has failed; many are no chance', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-count-'))
  const file = (name: string, ...statuses: string[]): object => ({
    ...{ name: join(HOME, name), status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed' },
    assertionResults: statuses.map((status, at) => ({ fullName: `test ${at}`, status })),
  })
  const keep = (name: string, ...testResults: object[]): string => {
    const path = join(folder, name)
    const counted = testResults.flatMap((one) => (one as { assertionResults: { status: string }[] }).assertionResults)
    const numbered = (status: string): number => counted.filter((one) => one.status === status).length
    writeFileSync(
      path,
      JSON.stringify({ numPassedTests: numbered('passed'), numFailedTests: numbered('failed'), testResults }),
    )
    return path
  }
  const say = (...args: string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' })
  try {
    const first = keep('first', file('a', 'passed', 'failed', 'failed'), file('b'), file('c', 'passed'))
    expect(say(first, 'failed-files').stdout).toBe(`${join(HOME, 'a')}\n${join(HOME, 'b')}\n`)
    const again = keep('again', file('a', 'passed', 'passed', 'failed'), file('b', 'passed'))
    const { stdout, stderr } = say(first, '1', '', again)
    expect(stdout).toBe('4 1\n')
    expect(stderr).toContain('unsteady, failed beside the others and passed by itself: a: test 1\n')
    expect(stderr).toContain('unsteady, failed beside the others and passed by itself: b\n')
    expect(stderr).not.toContain('test 2')
    const many = keep('many', ...['a', 'b', 'c', 'd'].map((name) => file(name, 'failed')))
    expect(say(many, 'failed-files').stdout).toBe('')
    expect(say(many, '1', '').stdout).toBe('0 4\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('CI leaves nothing end to end, and a file that is named runs wherever it stands', () => {
  expect(readFileSync(join(HOME, '.ci/run'), 'utf8')).toMatch(/\/test" --all "\$@"$/m)
  const named = ({ SONDE_SHORT = '', SONDE_LONG = '' }) =>
    leftOut({ SONDE_SHORT, SONDE_LONG }).map(({ option }) => option)
  expect(named({ SONDE_SHORT: '1' })).toEqual(['--all', '--long'])
  expect(named({})).toEqual(['--long'])
  // Of all words that it may be started with, only none at all is the short run.
  const asks = (...words: string[]) => {
    const script = `${readFileSync(join(HOME, 'test'), 'utf8').match(/^groups=[\s\S]*?^esac$/m)?.[0]}; printf %s "\${SONDE_SHORT-}|\${SONDE_LONG-}|$*"`
    const { SONDE_SHORT, SONDE_LONG, ...env } = process.env
    return spawnSync('bash', ['-c', script, 'test', ...words], { encoding: 'utf8', env }).stdout
  }
  expect([asks(), asks('--all'), asks('--long'), asks('tests/service.test.ts'), asks('--changed')]).toEqual([
    ...['1||', '||', '|1|', '||tests/service.test.ts', '||--changed'],
  ])
})
