import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase, type TestDatabase } from '../../tests/support/databases.ts'
import { seedDomain, seedRun } from '../../tests/support/seed.ts'
import { until } from '../../tests/support/until.ts'
import { memoryStorage, workerOptions } from '../../tests/support/worker.ts'
import { hasEnded } from '../contract/run.ts'
import { getAnyRun } from '../store/runs.ts'
import { startWorker } from './loop.ts'

const DEADLINE = 60_000
let t: TestDatabase
let root = ''
beforeAll(async () => {
  t = await openPostgresDatabase()
  root = mkdtempSync(join(tmpdir(), 'sonde-child-'))
})
afterAll(async () => {
  await t.drop()
  rmSync(root, { recursive: true, force: true })
})

test.each([
  ['ends', 'ok.test', 1],
  ['dies', 'crash.test', 2],
  ['is killed with its memory full', 'out-of-memory.test', 2],
])('the folder of a child that %s is gone with it', { timeout: 2 * DEADLINE }, async (_, domain, children) => {
  const made: string[] = []
  const childFolder = async () => {
    const path = mkdtempSync(join(root, 'run-'))
    made.push(path)
    // What a child that is killed cannot remove itself.
    writeFileSync(join(path, 'left'), '')
    return { path, remove: async () => rmSync(path, { recursive: true }) }
  }
  const { id } = await seedRun(t.db, await seedDomain(t.db, { domain }))
  const worker = await startWorker(workerOptions(t.db, memoryStorage(), { childFolder, childMemoryMb: 64 }))
  try {
    await until(async () => {
      const run = await getAnyRun(t.db, id)
      return run !== null && hasEnded(run.status)
    }, DEADLINE)
  } finally {
    await worker.drain()
  }
  expect(made).toHaveLength(children)
  expect(made.filter((path) => existsSync(path))).toEqual([])
  expect(readdirSync(root)).toEqual([])
})
