import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { aptCommand, checksText } from '../cli/check-text.ts'
import { ROOT } from './builds.ts'
import { readConfig } from './config.ts'
import { checkBrowser, diagnose } from './doctor.ts'

const screen = { out: () => undefined, err: () => undefined, isTTY: false, columns: () => 80, colour: false }
afterEach(() => vi.unstubAllEnvs())

test('where nothing is installed: one command at the end brings what a start as root does', async () => {
  const script = '. "$0"; echo $REPORT_PACKAGES $BROWSER_PACKAGES'
  const listed = execFileSync('bash', ['-c', script, join(ROOT, 'scripts/setup-debian.sh')], { encoding: 'utf8' })
  const away = () => Promise.reject(new Error('no database here'))
  const found = await diagnose(readConfig({}, ROOT), away, '/nonexistent')
  // This machine may have a browser.
  const bare = found.filter(({ name }) => name !== 'browser')
  const text = checksText(screen, bare)
  const [command = '', ...none] = text.split('\n').filter((line) => line.includes('apt-get'))
  expect(none).toEqual([])
  expect(text.endsWith(`${command}\n`)).toBe(true)
  expect(command.startsWith(`  ${aptCommand(['texlive-xetex'])} `)).toBe(true)
  const wanted = command
    .split(' ')
    .filter((word) => /^[a-z]+-?[a-z0-9-]*$/.test(word) && !/^(?:apt-get|update|install)$/.test(word))
  expect(wanted.toSorted()).toEqual([...listed.trim().split(/\s+/), 'util-linux'].toSorted())
})

test('nothing to install: no command', () => {
  const missing = { name: 'settings', state: 'missing', detail: 'SONDE_CONTACT is not set', fix: 'Set it.' } as const
  expect(checksText(screen, [missing])).toBe('missing  settings: SONDE_CONTACT is not set\n         Set it.\n')
})

test('a browser that the operator has named and that is not there: the setting is wrong, and nothing is to be installed', async () => {
  vi.stubEnv('SONDE_CHROMIUM', '/nonexistent/chromium')
  const check = await checkBrowser()
  expect(check).toMatchObject({ state: 'missing', detail: expect.stringContaining('SONDE_CHROMIUM') })
  expect(check.packages).toBeUndefined()
})
