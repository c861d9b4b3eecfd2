/**
 * An embedded service is killed at random. With SONDE_LONG=1; a start after a kill has what was acknowledged in service.test.ts,
 * a worker and a scan child are killed beside this file.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expireAllLeases } from '../../src/store/heartbeat.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import { startWorker } from '../../src/worker/loop.ts'
import { copyTemplate } from '../support/databases.ts'
import { folderStorage } from '../support/folder-storage.ts'
import { seedDomain } from '../support/seed.ts'
import { until } from '../support/until.ts'
import { workerOptions } from '../support/worker.ts'
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

let folders: Folders
let service: Service | null
beforeEach(() => {
  folders = makeFolders()
  service = null
})
afterEach(async () => {
  await service?.kill()
  folders.remove()
})

test(
  'the whole embedded service killed at random: it opens again with every acknowledged run, and all end',
  async () => {
    await copyTemplate(folders.data)
    const first = await openDatabase({ dataDir: folders.data })
    const at = await seedDomain(first, { domain: 'slow.test' })
    await first.close()

    const acknowledged: string[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const running = await startService(folders.data, folders)
      service = running
      let creating = true
      const creator = (async () => {
        while (creating) {
          // The last one of each life is never acknowledged: it may exist or not.
          const id = await Promise.race([running.create(at), delay(2_000, null)])
          if (id) acknowledged.push(id)
          await delay(150)
        }
      })()
      // However busy the machine, each life acknowledges something and begins it; then the kill comes at any moment.
      const before = acknowledged.length
      await until(() => acknowledged.length > before && livingChildren(folders).length > 0, 30_000)
      await delay(Math.random() * 1_200)
      await running.kill()
      creating = false
      await creator
    }
    const db = await openDatabase({ dataDir: folders.data })
    try {
      for (const id of acknowledged) expect(await getAnyRun(db, id)).not.toBeNull()
      expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS)
      // Some were on their way: the kills met a service at work.
      const started = await db.query('select 1 from runs where first_leased_at is not null')
      expect(started.length).toBeGreaterThan(0)

      await expireAllLeases(db)
      const childEnv = { FAKE_SCAN_FOLDER: folders.marks }
      const worker = await startWorker(workerOptions(db, folderStorage(folders.objects), { childEnv }))
      const ids = (await db.query<{ id: string }>('select id from runs')).map(({ id }) => id)
      await allEnded(db, ids)
      await worker.drain()
      for (const id of ids) await assertWhole(db, folders, id)
      await until(() => livingChildren(folders).length === 0)
    } finally {
      await db.close()
    }
  },
  TIME,
)
