import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getAnyRun } from '../../src/store/runs.ts'
import { startWorker, type Worker } from '../../src/worker/loop.ts'
import { openTestDatabase, type TestDatabase } from '../support/databases.ts'
import { folderStorage } from '../support/folder-storage.ts'
import { seedDomain, seedRun } from '../support/seed.ts'
import { until } from '../support/until.ts'
import { workerOptions } from '../support/worker.ts'
import { allEnded, assertWhole, type Folders, KILLS, livingChildren, makeFolders, TIME } from './support.ts'

let t: TestDatabase
let folders: Folders
let worker: Worker
beforeEach(async () => {
  folders = makeFolders()
  t = await openTestDatabase()
  worker = await startWorker(
    workerOptions(t.db, folderStorage(folders.objects), { childEnv: { FAKE_SCAN_FOLDER: folders.marks } }),
  )
})
afterEach(async () => {
  await worker.drain()
  await t.drop()
  folders.remove()
})

test(
  'the scan child killed at random: the run goes on and ends done',
  async () => {
    const at = await seedDomain(t.db, { domain: 'slow.test' })
    let killed = 0
    while (killed < KILLS) {
      const { id } = await seedRun(t.db, at)
      await until(() => livingChildren(folders).length > 0)
      await delay(Math.random() * 500)
      for (const pid of livingChildren(folders)) {
        process.kill(pid, 'SIGKILL')
        killed += 1
      }
      await allEnded(t.db, [id])
      expect((await getAnyRun(t.db, id))?.status).toBe('done')
      await assertWhole(t.db, folders, id)
    }
  },
  TIME,
)
