import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getAnyRun } from '../../src/store/runs.ts'
import { openPostgresDatabase, type TestDatabase } from '../support/databases.ts'
import { seedDomain, seedRun } from '../support/seed.ts'
import { until } from '../support/until.ts'
import {
  allEnded,
  assertWhole,
  type Folders,
  KILLS,
  livingChildren,
  makeFolders,
  type Service,
  startService,
  TIME,
} from './support.ts'

let t: TestDatabase
let folders: Folders
let workers: Service[]
beforeEach(async () => {
  folders = makeFolders()
  t = await openPostgresDatabase()
  workers = []
})
afterEach(async () => {
  for (const worker of workers) await worker.kill()
  await t.drop()
  folders.remove()
})

test(
  'one of two workers killed at random: every run ends once, and is whole',
  async () => {
    if (!('url' in t.where)) throw new Error('unreachable')
    const { url } = t.where
    const at = await seedDomain(t.db, { domain: 'slow.test' })
    const start = async (): Promise<void> => {
      workers.push(await startService(url, folders))
    }
    await start()
    await start()
    const ids: string[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (let i = 0; i < 3; i += 1) ids.push((await seedRun(t.db, at)).id)
      await delay(200 + Math.random() * 1_000)
      await workers.shift()?.kill()
      await start()
    }
    await allEnded(t.db, ids)
    for (const id of ids) await assertWhole(t.db, folders, id)
    // Three losses end a run; anything else means that a run was given up too early.
    for (const id of ids) {
      const run = await getAnyRun(t.db, id)
      if (run?.status !== 'done')
        expect(run).toMatchObject({ status: 'failed', error_kind: 'worker_lost', attempts: 3 })
    }
    await until(() => livingChildren(folders).length === 0)
  },
  TIME,
)
