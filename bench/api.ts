/**
 * The HTTP interface and the queue on PostgreSQL: requests a second and latency beside a bare route on the same database,
 * lists of 10,000 and 1,000,000 runs, the way from POST to lease, leases a second, 2,000 open event streams, and tables of
 * up to 100,000,000 rows (`npm run bench:api -- tables 100000000`; 40 GB). The database is thrown away and flushes nothing to disk, that
 * of the peer neither: rates are shares of the same peer, and none of a database that keeps its promises.
 */
import { type Databases, openDatabases } from './api/databases.ts'
import { queueRows } from './api/queue.ts'
import { longListRows, requestRows } from './api/requests.ts'
import { streamRows } from './api/streams.ts'
import { tableRows } from './api/tables.ts'
import { publish } from './table.ts'

const run = async (databases: Databases): Promise<void> => {
  try {
    const parts = {
      requests: requestRows,
      lists: longListRows,
      queue: queueRows,
      streams: streamRows,
      tables: tableRows,
    }
    const wanted = process.argv[2]
    const rows = []
    for (const [name, part] of Object.entries(parts)) {
      if (wanted === undefined || wanted === name) rows.push(...(await part(await databases.fresh(name))))
    }
    publish('api', rows)
  } finally {
    await databases.close()
  }
}

const databases = await openDatabases().catch((error: Error) => error)
if (databases instanceof Error) process.stdout.write(`api: nothing measured. ${databases.message}\n`)
else await run(databases)
