import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { FAKE_SCAN, silentLogger } from '../../tests/support/worker.ts'
import { caseContext } from '../modules/testing/judge-cases.ts'
import { createStop } from './heartbeat.ts'
import type { ScanOptions } from './options.ts'
import { createScanProcesses, discard, type ScanProcess, type ScanProcesses, scanFlags } from './scan-processes.ts'
import { superviseChild } from './supervise.ts'

const DEADLINE = 30_000
let marks = ''
let folders = ''
let processes: ScanProcesses | null = null
let taken: ScanProcess[] = []
beforeEach(() => {
  marks = mkdtempSync(join(tmpdir(), 'sonde-marks-'))
  folders = mkdtempSync(join(tmpdir(), 'sonde-folders-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await processes?.close()
  for (const one of taken) await discard(one)
  ;[processes, taken] = [null, []]
  for (const folder of [marks, folders]) rmSync(folder, { recursive: true, force: true })
})

const open = (change: Partial<ScanOptions> = {}): ScanProcesses => {
  processes = createScanProcesses(
    {
      logger: silentLogger(),
      childEnv: { FAKE_SCAN_FOLDER: marks },
      childFolder: async () => {
        const path = mkdtempSync(join(folders, 'run-'))
        return { path, remove: async () => rmSync(path, { recursive: true }) }
      },
      scanScript: async () => FAKE_SCAN,
      freeMemory: () => 2 ** 34,
      spareSeconds: 60,
      ...change,
    },
    0,
  )
  return processes
}
const take = async (from: ScanProcesses): Promise<ScanProcess> => {
  const one = await from.take()
  taken.push(one)
  return one
}
/** Numbers of those that are up: each leaves a mark. */
const started = (): number[] => readdirSync(marks).map((name) => Number.parseInt(name, 10))
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`)
/** That of the one that waits, once it is up: one more than there were. */
const waiting = async (from: ScanProcesses): Promise<number> => {
  const before = started()
  await from.keep(true)
  await until(() => started().length > before.length, DEADLINE)
  return started().find((pid) => !before.includes(pid)) ?? 0
}

test('a scan process has the browser that the operator chose, and nothing of what is secret', {
  timeout: DEADLINE,
}, async () => {
  vi.stubEnv('SONDE_CHROMIUM', '/opt/browser')
  vi.stubEnv('SONDE_SECRET_KEY', 'ab'.repeat(32))
  vi.stubEnv('DATABASE_URL', 'postgres://sonde:secret@db.example/sonde')
  const { child } = await take(open())
  await until(() => started().length === 1, DEADLINE)
  const names = readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0')
  expect(names).toContain('SONDE_CHROMIUM=/opt/browser')
  expect(names.filter((one) => /^(?:SONDE_(?!CHROMIUM)|DATABASE_URL)/.test(one))).toEqual([])
})

test('a scan process has thresholds of memory of its own, not those of the service', {
  timeout: DEADLINE,
}, async () => {
  vi.stubEnv('MALLOC_TRIM_THRESHOLD_', '131072')
  vi.stubEnv('MALLOC_MMAP_THRESHOLD_', '131072')
  const { child } = await take(open())
  await until(() => started().length === 1, DEADLINE)
  const lines = readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0')
  expect(lines.filter((one) => /^(?:MALLOC_|GLIBC_)/.test(one)).toSorted()).toEqual([
    'GLIBC_TUNABLES=glibc.malloc.hugetlb=1',
    'MALLOC_ARENA_MAX=1',
    'MALLOC_MMAP_THRESHOLD_=1048576',
    'MALLOC_TOP_PAD_=4194304',
    'MALLOC_TRIM_THRESHOLD_=16777216',
  ])
  const command = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0')
  expect(command.filter((one) => /^--(?:.*-space-size=|no-memory-)/.test(one))).toEqual([
    expect.stringMatching(/^--max-old-space-size=/),
    '--min-semi-space-size=64',
    '--no-memory-reducer',
  ])
})

test('the flags of a scan process leave what Node has compiled of its own modules of use', () => {
  const tagUnder = (flags: readonly string[]): string =>
    spawnSync(process.execPath, [...flags, '-p', 'v8.cachedDataVersionTag()'], { encoding: 'utf8' }).stdout
  expect(tagUnder(scanFlags(1_024))).toBe(tagUnder([]))
})

test('nobody waits before the first run; then one does, and has the next run alone', {
  timeout: DEADLINE,
}, async () => {
  const from = open()
  await from.keep(false)
  expect(readdirSync(folders)).toEqual([])
  const first = await take(from)
  await until(() => started().length === 1, DEADLINE)
  const pid = await waiting(from)
  await from.keep(false)
  const second = await take(from)
  expect([first.waited, second.waited, second.child.pid]).toEqual([false, true, pid])
  const third = await take(from)
  expect([third.waited, new Set(taken.map(({ child }) => child.pid)).size]).toEqual([false, 3])
})

test('of two runs at once one has it', { timeout: DEADLINE }, async () => {
  const from = open()
  await waiting(from)
  const both = await Promise.all([take(from), take(from)])
  expect(both.map(({ waited }) => waited).sort()).toEqual([false, true])
})

test('it is as a fresh one: the same words, the same environment, a folder of its own', {
  timeout: DEADLINE,
}, async () => {
  const from = open()
  process.env.SONDE_SECRET_KEY = 'a secret'
  try {
    await waiting(from)
  } finally {
    delete process.env.SONDE_SECRET_KEY
  }
  const [one, other] = [await take(from), await take(from)]
  await until(() => started().length === 2, DEADLINE)
  const [waited, fresh] = [one, other].map(({ child }) => ({
    words: readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'),
    environment: readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0').sort(),
  }))
  const without = (lines: readonly string[] = []) => lines.filter((line) => !/^(?:TMPDIR|NODE_CHANNEL_FD)=/.test(line))
  expect(waited?.words).toBe(fresh?.words)
  expect(without(waited?.environment)).toEqual(without(fresh?.environment))
  expect(waited?.environment.some((line) => line.includes('a secret'))).toBe(false)
  expect(readdirSync(folders)).toHaveLength(2)
})

test.each([
  ['memory is short', 2 ** 29, (from: ScanProcesses) => from.keep(true)],
  ['nobody is left', 2 ** 34, (from: ScanProcesses) => from.close()],
])('it ends, and its folder goes, where %s', { timeout: DEADLINE }, async (_, then, end) => {
  let free = 2 ** 34
  const from = open({ freeMemory: () => free })
  const pid = await waiting(from)
  free = then
  await end(from)
  expect([isAlive(pid), readdirSync(folders)]).toEqual([false, []])
})

test('it ends when no run has come for so long, and none is started', { timeout: DEADLINE }, async () => {
  const from = open({ spareSeconds: 0.2 })
  const pid = await waiting(from)
  await until(async () => {
    await from.keep(false)
    return !isAlive(pid)
  }, DEADLINE)
  await from.keep(false)
  expect([started(), readdirSync(folders)]).toEqual([[pid], []])
})

test('one that was killed is followed by a fresh one', { timeout: DEADLINE }, async () => {
  const from = open()
  const pid = await waiting(from)
  process.kill(pid, 'SIGKILL')
  await until(() => !isAlive(pid), DEADLINE)
  expect((await take(from)).waited).toBe(false)
  expect(readdirSync(folders)).toHaveLength(1)
  expect(await waiting(from)).not.toBe(pid)
})

test('one that was killed after it was taken: nobody has heard of the run', { timeout: DEADLINE }, async () => {
  const from = open()
  await waiting(from)
  const dead = await take(from)
  dead.child.kill('SIGKILL')
  await once(dead.child, 'exit')
  const { target, options, now } = caseContext()
  const end = await superviseChild(
    {
      runId: '00000000-0000-4000-8000-00000000000a',
      target,
      options,
      egress: {
        ...{ hosts: {}, allowNetworks: [], resolvers: [], requestsPerSecond: 1, concurrency: 1 },
        ...{ contact: '', trafficKey: '' },
      },
      credentials: { cookie: null, header: null },
      now,
      deadline: 30,
      activeRefused: null,
      completed: {},
    },
    dead,
    {
      ...{ grace: 1_000, silence: 60_000, overrun: 1_000, stop: createStop() },
      onMessage: () => expect.fail('a dead process said something'),
      onLine: () => undefined,
    },
  )
  expect(end).toMatchObject({ type: 'crashed', heard: false, modules: [] })
})

test('a built script that is another one now: the one of before goes', { timeout: DEADLINE }, async () => {
  let script = FAKE_SCAN
  const from = open({ scanScript: async () => script })
  const pid = await waiting(from)
  script = new URL('?anew', FAKE_SCAN)
  expect((await take(from)).waited).toBe(false)
  expect(isAlive(pid)).toBe(false)
})

test('it dies with its worker', { timeout: 2 * DEADLINE }, async () => {
  const code = `
    const { createScanProcesses } = await import(${JSON.stringify(new URL('./scan-processes.ts', import.meta.url).href)})
    const script = new URL(${JSON.stringify(FAKE_SCAN.href)})
    const childEnv = { FAKE_SCAN_FOLDER: ${JSON.stringify(marks)} }
    const options = { logger: console, childEnv, scanScript: async () => script, freeMemory: () => 2 ** 34, spareSeconds: 60 }
    await createScanProcesses(options, 0).keep(true)
    setInterval(() => undefined, 1000)`
  const worker = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' })
  await until(() => started().length === 1, DEADLINE)
  const [pid = 0] = started()
  expect(isAlive(pid)).toBe(true)
  worker.kill('SIGKILL')
  await until(() => !isAlive(pid), DEADLINE)
})
