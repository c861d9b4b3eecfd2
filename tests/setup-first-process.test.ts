/** `./run` as the first process of a container: it waits for what loses its parent, and passes signals on. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hasNamespaces, NEEDS } from './support/namespace.ts'

const SETUP = fileURLToPath(new URL('../scripts/setup.sh', import.meta.url))
const PROGRAM = fileURLToPath(new URL('support/first-process.ts', import.meta.url))
const UNSHARE = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']

const started = (...words: readonly string[]) =>
  spawnSync(
    'unshare',
    [
      ...UNSHARE,
      ...['--pid', '--fork', '--kill-child', 'bash', '-euo', 'pipefail', '-c'],
      `home=${fileURLToPath(new URL('..', import.meta.url))}; . "$0"; node=$1; shift; start_node "$@"`,
      ...[SETUP, process.execPath, PROGRAM, ...words],
    ],
    { timeout: 60_000, input: 'typed', encoding: 'utf8' },
  )

test.runIf(hasNamespaces())(`orphans do not stay as zombies, and what is typed arrives ${NEEDS}`, () => {
  expect(started('orphan')).toMatchObject({ status: 0, stdout: 'typed, gone\n' })
})

test.runIf(hasNamespaces())(`a signal ends the program in its own way, with its own code ${NEEDS}`, () => {
  expect(started('signal')).toMatchObject({ status: 7, stdout: 'told\n' })
})
