/** What `./test` says in its last line. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

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
    const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, report, '1', 'all'], {
      ...{ encoding: 'utf8' as const, env: { ...process.env, SONDE_LONG: '' } },
    })
    expect(stdout).toBe('2 3\n')
    expect(stderr).not.toContain('idle')
    const [whole = '', ...lines] = stderr.trimEnd().split('\n')
    expect(lines).toEqual([
      'not run, it needs root: x (needs root)',
      'left to ./test --long: 2 tests of 2 files: good (1 of 2), had (1 of 2)',
    ])
    for (const file of whole.replace('left to ./test --long as a whole: ', '').split(', '))
      expect(existsSync(join(HOME, file)), file).toBe(true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
