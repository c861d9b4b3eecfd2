/** One of several workers that do nothing but take runs and end them; and the same on a bare table. */
import pg from 'pg'
import { BUILT_IN_PLANS } from '../../src/contract/organisation.ts'
import { fail, lease } from '../../src/store/lease.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { serveParent, settingsOf } from './children.ts'

const { url, name } = settingsOf<{ url: string; name: string }>()
const db = await openDatabase({ url })
const pool = new pg.Pool({ connectionString: url, max: 1 })

const takeRuns = async (): Promise<number> => {
  for (let taken = 0; ; taken += 1) {
    const run = await lease(db, { workerId: name, seconds: 30, plans: BUILT_IN_PLANS })
    if (run === null) return taken
    const ended = await fail(db, run, { kind: 'internal', detail: 'Nothing is scanned', artifacts: [] })
    if (ended === 'lost') throw new Error('A lease was lost')
  }
}

const takeJobs = async (): Promise<number> => {
  for (let taken = 0; ; taken += 1) {
    const { rows } = await pool.query(
      `update bench_jobs set state = 'leased' where id = (
         select id from bench_jobs where state = 'queued' order by id limit 1 for update skip locked) returning id`,
    )
    if (rows.length === 0) return taken
    await pool.query(`update bench_jobs set state = 'failed' where id = $1`, [rows[0].id])
  }
}

serveParent({ runs: takeRuns, jobs: takeJobs }, async () => {
  await pool.end()
  await db.close()
}).ready(null)
