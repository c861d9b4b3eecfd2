import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { memoryStorage, silentLogger, workerOptions } from '../../tests/support/worker.ts'
import { read } from '../store/events.ts'
import { startWorker, type Worker } from './loop.ts'
import type { WorkerOptions } from './options.ts'

const MEBIBYTE = 1024 * 1024

let t: TestDatabase
let worker: Worker | null = null
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.drop())
beforeEach(() => t.empty())
afterEach(async () => {
  await worker?.drain()
  worker = null
})

/** The most that were at work at once, of runs with a browser, of those without, and of all. */
const most = async (browsers: number, light: number, change: Partial<WorkerOptions>) => {
  const at = await seedDomain(t.db, { domain: 'slow.test' })
  for (let n = 0; n < browsers; n += 1) await seedRun(t.db, at, { privacy: true })
  for (let n = 0; n < light; n += 1) await seedRun(t.db, at)
  worker = await startWorker(workerOptions(t.db, memoryStorage(), change))
  await until(async () => (await t.db.query('select 1 from runs where finished_at is null')).length === 0, 60_000)
  await worker.drain()
  const runs = await t.db.query<{ light: boolean; from: Date; to: Date }>(
    'select is_light(tier, options) as light, first_leased_at as from, finished_at as to from runs where domain_id = $1',
    [at.domainId],
  )
  const atOnce = (which: (run: { light: boolean }) => boolean): number =>
    Math.max(
      0,
      ...runs
        .filter(which)
        .map(({ from }) => runs.filter(which).filter((one) => one.from <= from && one.to > from).length),
    )
  return { browsers: atOnce((run) => !run.light), light: atOnce((run) => run.light), all: atOnce(() => true) }
}

test('light runs have places beside the others', async () => {
  expect(await most(2, 4, { concurrency: 1, lightConcurrency: 2 })).toMatchObject({ browsers: 1, all: 3 })
}, 120_000)

test('they take the places of others, too, where nothing else waits', async () => {
  expect(await most(0, 5, { concurrency: 2, lightConcurrency: 1 })).toEqual({ browsers: 0, light: 3, all: 3 })
}, 120_000)

test('runs with a browser never take theirs, and without a number for them there are none', async () => {
  expect(await most(3, 0, { concurrency: 1, lightConcurrency: 3 })).toMatchObject({ browsers: 1, all: 1 })
  expect(await most(0, 3, { concurrency: 1 })).toMatchObject({ light: 1, all: 1 })
}, 120_000)

test('without memory for a second run there is one, and with little a light one beside it', async () => {
  expect(await most(2, 1, { concurrency: 3, freeMemory: () => 1 })).toMatchObject({ all: 1 })
  const some = () => 1_100 * MEBIBYTE
  expect(await most(2, 2, { concurrency: 3, freeMemory: some })).toMatchObject({ browsers: 1, all: 2 })
}, 120_000)

test('what runs at work have not taken yet is not given to others, however many wait', async () => {
  const free = () => 1_700 * MEBIBYTE
  expect(await most(8, 0, { concurrency: 8, freeMemory: free })).toMatchObject({ all: 2 })
}, 120_000)

test('the process that waits for the next run: killed, it costs that run nothing; and it goes with the worker', async () => {
  const marks = mkdtempSync(join(tmpdir(), 'sonde-marks-'))
  const pids = () => readdirSync(marks).map((name) => Number.parseInt(name, 10))
  const logger = silentLogger()
  const at = await seedDomain(t.db, { domain: 'ok.test' })
  const done = async (count: number) => {
    const ended = await t.db.query(`select 1 from runs where status = 'done'`)
    return ended.length === count
  }
  const childEnv = { FAKE_SCAN_FOLDER: marks }
  const change = { childEnv, logger, spareSeconds: 600, freeMemory: () => 2 ** 34 }
  worker = await startWorker(workerOptions(t.db, memoryStorage(), change))
  try {
    await seedRun(t.db, at)
    await until(() => done(1), 60_000)
    await until(() => pids().length === 2, 60_000)
    for (const pid of pids()) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL')
    const { id } = await seedRun(t.db, at)
    await until(() => done(2), 60_000)
    const lines = (await read(t.db, id, 0, 1_000)).flatMap((event) =>
      event.type === 'audit' ? [event.data.event] : [],
    )
    expect(lines).toContain('run_started')
    expect(lines).not.toContain('scanner_restarted')
    expect(logger.lines).toEqual([])
    await until(() => pids().some((pid) => existsSync(`/proc/${pid}`)), 60_000)
    await worker.drain()
    expect(pids().filter((pid) => existsSync(`/proc/${pid}`))).toEqual([])
  } finally {
    rmSync(marks, { recursive: true })
  }
}, 240_000)
