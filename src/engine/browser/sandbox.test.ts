import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tryBrowser } from './sandbox.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sonde-sandbox-'))
  await chmod(folder, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A program in the place of Chromium, which this machine cannot be made to refuse. */
const standIn = async (name: string, script: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

test('the real one starts with its sandbox on', async () => {
  expect(await tryBrowser({})).toEqual({ state: 'ok', program: expect.stringContaining('chromium') })
})

test('none installed', async () => {
  expect(await tryBrowser({ SONDE_CHROMIUM: '/nonexistent/chromium' })).toEqual({ state: 'absent' })
})

test('one that finds no sandbox: its own words, the line that matters', async () => {
  const program = await standIn('refuses', 'echo "starting" >&2; echo "FATAL: No usable sandbox!" >&2; exit 1')
  const tried = await tryBrowser({ SONDE_CHROMIUM: program })
  expect(tried).toEqual({ state: 'refused', program, said: 'FATAL: No usable sandbox!' })
})

test('one that ends well and shows nothing', async () => {
  const program = await standIn('silent', 'exit 0')
  expect(await tryBrowser({ SONDE_CHROMIUM: program })).toEqual({
    state: 'refused',
    program,
    said: 'it showed no page',
  })
})

test('is never told to do without, and not asked as root', async () => {
  const program = await standIn('tells', 'echo "error: $* as $(id -u)" >&2; exit 1')
  const tried = await tryBrowser({ SONDE_CHROMIUM: program })
  const said = tried.state === 'refused' ? tried.said : ''
  expect(said).toContain('--headless')
  expect(said).not.toContain('no-sandbox')
  expect(said).not.toMatch(/as 0$/)
})
