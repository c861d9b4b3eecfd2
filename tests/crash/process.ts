/**
 * A small service for the crash tests: a worker, and a queue that takes runs over the channel to its parent.
 * Arguments: database (`postgres://…` or a folder), folder of objects, folder of the scan children's marks.
 */

import { expireAllLeases } from '../../src/store/heartbeat.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { startWorker } from '../../src/worker/loop.ts'
import { folderStorage } from '../support/folder-storage.ts'
import { seedRun } from '../support/seed.ts'
import { silentLogger, workerOptions } from '../support/worker.ts'

export type ToService = { readonly type: 'create'; readonly organisationId: string; readonly domainId: string }
export type FromService =
  | { readonly type: 'ready' }
  /** Sent once the run is committed. */
  | { readonly type: 'created'; readonly runId: string }

const [database = '', objects = '', marks = ''] = process.argv.slice(2)
const say = (message: FromService): void => {
  process.send?.(message)
}

const db = await openDatabase(database.startsWith('postgres:') ? { url: database } : { dataDir: database })
await migrate(db)
if (db.kind === 'embedded') await expireAllLeases(db)
process.on('message', ({ organisationId, domainId }: ToService) => {
  void seedRun(db, { organisationId, domainId }).then(({ id }) => say({ type: 'created', runId: id }))
})
process.once('disconnect', () => process.exit(1))
const logger = silentLogger((line) => console.error(line))
await startWorker(
  workerOptions(db, folderStorage(objects), {
    logger,
    childEnv: { FAKE_SCAN_FOLDER: marks },
    timing: { lease: 1_500, heartbeat: 200, poll: 200, grace: 500, reap: 200, sweep: 300 },
  }),
)
say({ type: 'ready' })
