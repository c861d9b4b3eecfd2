/** From POST to lease with an idle worker, and how many runs a second several workers take and end. */
import { listenRuns } from '../../src/store/events.ts'
import { settleWaiting } from '../../src/store/what-waits.ts'
import { type BenchRow, percentile, row } from '../table.ts'
import { type Child, startChild } from './children.ts'
import type { FreshDatabase } from './databases.ts'
import { openClient, request } from './load.ts'
import { createTenant } from './tenant.ts'

const STARTS = 40
const WORKERS = 4
/** Milliseconds for one run that scans nothing. */
const RUN_DEADLINE = 20_000

export const queueRows = async (database: FreshDatabase): Promise<BenchRow[]> => [
  ...(await wakeRows(database)),
  ...(await rateRows(database)),
]

const wakeRows = async ({ url, db }: FreshDatabase): Promise<BenchRow[]> => {
  const tenant = await createTenant(db, 'shop.example.com')
  const service = await startChild('service-process.ts', { url, key: '00'.repeat(32) })
  const worker = await startChild('worker-process.ts', { url })
  const { port } = service.ready as { port: number }
  const client = await openClient(port)
  const post = {
    ...{ port, status: 202 },
    request: () => request('POST', '/v1/scans', tenant.secret, { domain_id: tenant.domainId }),
  }
  const samples: number[] = []
  for (let start = 0; start < STARTS; start += 1) {
    // Both clocks are this machine's.
    const asked = performance.timeOrigin + performance.now()
    const { id } = JSON.parse(await client.ask(post)) as { id: string }
    const leasedAt = await untilEnded(db, id)
    // The first finds the processes cold.
    if (start > 0) samples.push(leasedAt.getTime() - asked)
  }
  client.close()
  await worker.end()
  await service.end()
  return [0.5, 0.99].map((share) =>
    row({
      ...{ id: `wake-p${share * 100}`, what: 'POST sent until leased by an idle worker', unit: 'ms' },
      ours: percentile(samples, share),
      target: { text: '< 100 ms', met: (ours) => ours < 100 },
    }),
  )
}

/** When it was leased first, once nothing of it runs any more. */
const untilEnded = async (db: FreshDatabase['db'], id: string): Promise<Date> => {
  const ended = Promise.withResolvers<Date>()
  const look = async (): Promise<void> => {
    const [run] = await db.query<{ at: Date; over: boolean }>(
      'select first_leased_at as at, finished_at is not null as over from runs where id = $1',
      [id],
    )
    if (run?.over) ended.resolve(run.at)
  }
  const stop = await listenRuns(db, (wake) => {
    if (wake === null || wake.runId === id) look().catch(ended.reject)
  })
  const timer = setTimeout(() => ended.reject(new Error('A run did not end')), RUN_DEADLINE)
  try {
    await look()
    return await ended.promise
  } finally {
    clearTimeout(timer)
    await stop()
  }
}

/** What is done with a queue of this size; how it is filled, and what the bare table has beside it. */
const RATES = [
  { ours: 'runs-taken', bare: 'jobs-taken', what: 'runs taken', organisations: 400, each: 10 },
  { ours: 'runs-failed', bare: 'jobs-ended', what: 'runs taken and failed', organisations: 40, each: 100 },
  { ours: 'runs-done', bare: 'jobs-ended', what: 'runs taken, started and done', organisations: 40, each: 100 },
] as const

/** Runs a second of queues filled for it, and of a bare table. `of`: words before what was measured. */
export const rateRows = async (database: FreshDatabase, of = ''): Promise<BenchRow[]> => {
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, (_, index) =>
      startChild('leaser-process.ts', { url: database.url, name: `worker ${index}` }),
    ),
  )
  const rows: BenchRow[] = []
  for (const { what, organisations, each, ...words } of RATES) {
    await fillQueue(database.db, organisations, each)
    const total = organisations * each
    const bare = await rate(workers, words.bare, total)
    const ours = await rate(workers, words.ours, total)
    rows.push(
      row({
        ...{
          id: `${of}${words.ours}`,
          what: `${of}${what}, ${WORKERS} workers, ${organisations} organisations, no fsync`,
          unit: '/s',
        },
        ours,
        peer: { name: 'bare table with skip locked', value: bare },
        ...(words.ours === 'runs-taken' ? { target: { text: '≥ 2,500/s', met: (each) => each >= 2500 } } : {}),
      }),
    )
  }
  await Promise.all(workers.map((worker) => worker.end()))
  return rows
}

/** Runs in the queue of organisations of their own, and as many jobs in a bare table. */
const fillQueue = async (db: FreshDatabase['db'], organisations: number, each: number): Promise<void> => {
  for (let index = 0; index < organisations; index += 1) {
    const { organisationId, domainId } = await createTenant(db, 'shop.example.com')
    await db.query(
      `insert into runs (id, organisation_id, domain_id, domain, tier, options)
       select gen_random_uuid(), $1, $2, 'shop.example.com', 'passive', '{}' from generate_series(1, $3::int)`,
      [organisationId, domainId, each],
    )
  }
  await db.query('drop table if exists bench_jobs')
  await db.query(`create table bench_jobs (id bigint generated always as identity primary key, state text not null)`)
  await db.query(`create index on bench_jobs (id) where state = 'queued'`)
  await db.query(`insert into bench_jobs (state) select 'queued' from generate_series(1, $1::int)`, [
    organisations * each,
  ])
  // As the reaper does in each of its rounds: organisations of the queue before have run out.
  await settleWaiting(db)
  await db.query('analyze runs')
  await db.query('analyze bench_jobs')
}

const rate = async (workers: readonly Child[], word: string, of: number): Promise<number> => {
  const began = performance.now()
  const taken = await Promise.all(workers.map((worker) => worker.ask(word)))
  const total = taken.reduce<number>((sum, each) => sum + Number(each), 0)
  if (total !== of) throw new Error(`${total} of ${of} were taken`)
  return total / ((performance.now() - began) / 1000)
}
