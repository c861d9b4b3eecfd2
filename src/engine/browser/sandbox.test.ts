import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_NAMESPACES, tryBrowser, whyRefused } from './sandbox.ts'

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

test('one that finds no sandbox: why, in a sentence', async () => {
  const program = await standIn('refuses', 'echo "starting" >&2; echo "FATAL: No usable sandbox!" >&2; exit 1')
  expect(await tryBrowser({ SONDE_CHROMIUM: program })).toEqual({ state: 'refused', program, said: NO_NAMESPACES })
})

test('one that ends otherwise: its own words, the line that matters', async () => {
  const program = await standIn('broken', 'echo "starting" >&2; echo "error while loading libx.so" >&2; exit 1')
  const tried = await tryBrowser({ SONDE_CHROMIUM: program })
  expect(tried).toEqual({ state: 'refused', program, said: 'error while loading libx.so' })
})

test('of a browser that the driver started: neither its arguments nor pages of log', () => {
  const log = [
    'browserType.launch: Target page, context or browser has been closed',
    'Browser logs:',
    '<launching> /x/start.sh --enable-automation --disable-sandbox-errors',
    '[pid=7][err] Failed to move to new namespace: PID namespaces supported, but failed: errno = Operation not permitted',
    '[pid=7][err] [1122/1:FATAL:content/browser/zygote_host_impl_linux.cc:207] Check failed: . : (1)',
  ]
  expect(whyRefused(log.join('\n'))).toBe(NO_NAMESPACES)
  expect(whyRefused([...log.slice(0, 3), ...log.slice(4)].join('\n'))).toMatch(/^\[1122.*Check failed/)
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
