/** What stands in the way of packages is said in a sentence, before anything is built. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('./package.ts', import.meta.url))
let programs = ''
beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), 'sonde-programs-'))
})
afterEach(() => rmSync(programs, { recursive: true, force: true }))

const put = (name: string, script: string): void =>
  writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', SCRIPT, ...words],
    { env: { PATH: programs, ...env }, encoding: 'utf8', timeout: 60_000 },
  )
  return { status, stdout, stderr }
}

test.each([
  ['a revision', ['--revision', '0'], '--revision is a whole number from 1 on\n'],
  ['a maintainer', ['--maintainer', 'nobody'], '--maintainer is a name and an address: "Ada Ruiz <ada@example.com>"\n'],
  ['a processor', ['--also', 'mips'], 'There is no package for the processor mips\n'],
  ['an option that there is not', ['--nope'], "Unknown option '--nope'\n"],
])('%s', (_, words, stderr) => {
  expect(run(words)).toEqual({ status: 3, stdout: '', stderr })
})

test('no dpkg', () => {
  expect(run([])).toMatchObject({ status: 3, stderr: expect.stringMatching(/^[^\n]*dpkg-deb[^\n]*\n$/) })
})

test.each([
  ['no git', null, 'git cannot be started'],
  ['no history', 'echo "fatal: not a git repository" >&2; exit 128', 'fatal: not a git repository'],
])('%s: the time of the sources is asked for, with the command', (_, git, why) => {
  put('dpkg-deb', 'exit 0')
  if (git !== null) put('git', git)
  const { status, stderr } = run([])
  expect(status).toBe(3)
  expect(stderr).toContain(`(${why})`)
  expect(stderr).toMatch(/\n {2}SOURCE_DATE_EPOCH=\$\(date \+%s\) \.\/run package\n$/)
  expect(run([], { SOURCE_DATE_EPOCH: 'yesterday' }).stderr).toBe('SOURCE_DATE_EPOCH must be seconds since 1970\n')
})
