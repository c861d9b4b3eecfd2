/** One of several workers that do nothing but take runs and end them, or take them only; and the same on a bare table. */
import pg from 'pg'
import { BUILT_IN_PLANS } from '../../src/contract/organisation.ts'
import { fail, finish, type LeasedRun, lease, startRun } from '../../src/store/lease.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import { serveParent, settingsOf } from './children.ts'

const { url, name } = settingsOf<{ url: string; name: string }>()
const db = await openDatabase({ url })
const pool = new pg.Pool({ connectionString: url, max: 1 })

/** Takes runs until none is left; `then` is what becomes of each. */
const runs = (then: (run: LeasedRun) => Promise<unknown>) => async (): Promise<number> => {
  for (let taken = 0; ; taken += 1) {
    const run = await lease(db, { workerId: name, seconds: 600, plans: BUILT_IN_PLANS })
    if (run === null) return taken
    if ((await then(run)) === 'lost') throw new Error('A lease was lost')
  }
}

const broken = (run: LeasedRun) => fail(db, run, { kind: 'internal', detail: 'Nothing is scanned', artifacts: [] })

/** As a worker brings a run through that found nothing. */
const whole = async (run: LeasedRun): Promise<unknown> => {
  if ((await startRun(db, run)) === 'lost') return 'lost'
  return finish(db, run, { grade: 'A', artifacts: [] })
}

const jobs = (then: (id: number) => Promise<unknown>) => async (): Promise<number> => {
  for (let taken = 0; ; taken += 1) {
    const { rows } = await pool.query(
      `update bench_jobs set state = 'leased' where id = (
         select id from bench_jobs where state = 'queued' order by id limit 1 for update skip locked) returning id`,
    )
    if (rows.length === 0) return taken
    await then(rows[0].id)
  }
}

const ended = (id: number) => pool.query(`update bench_jobs set state = 'failed' where id = $1`, [id])

const words = {
  ...{ 'runs-taken': runs(async () => null), 'runs-failed': runs(broken), 'runs-done': runs(whole) },
  ...{ 'jobs-taken': jobs(async () => null), 'jobs-ended': jobs(ended) },
}
serveParent(words, async () => {
  await pool.end()
  await db.close()
}).ready(null)
