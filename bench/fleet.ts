/**
 * A fleet on the real queue, with sleeps in place of scans: 200 workers, 200,000 domains, one organisation that has half of all
 * runs, and workers that die. What is lost, what is done twice, who waits, and what it costs the database.
 * `npm run bench:fleet -- 1` makes everything five times as large.
 */
import { sleep } from '../src/contract/sleep.ts'
import { reap } from '../src/store/lease.ts'
import { settleWaiting } from '../src/store/what-waits.ts'
import { type Child, startChild } from './api/children.ts'
import { type FreshDatabase, openDatabases } from './api/databases.ts'
import { PLANS } from './fleet/settings.ts'
import { type BenchRow, percentile, publish, row } from './table.ts'

const scale = Number(process.argv[2] ?? 0.2)
const WORKERS = Math.max(10, Math.round(1_000 * scale))
const DOMAINS = Math.round(1_000_000 * scale)
const ORGANISATIONS = 1_000
const RUNS = Math.round(20_000 * scale)
const PROCESSES = 4
/** Domains of one statement. */
const AT_A_TIME = 50_000
const FLEET = { leaseSeconds: 10, scanSeconds: 2, deadly: 0.02 }
/** Milliseconds for all of it. */
const DEADLINE = 15 * 60_000
const never = new AbortController().signal

/** The first organisation has half of the runs, asked for before all others. */
const seed = async ({ db }: FreshDatabase): Promise<void> => {
  await db.query(
    `insert into organisations (id, name, plan) select gen_random_uuid(), 'org ' || n, $2 from generate_series(1, $1::int) n`,
    [ORGANISATIONS, PLANS[0]?.id],
  )
  // No statement may take as long as all of them do.
  for (let from = 0; from < DOMAINS; from += AT_A_TIME) {
    await db.query(
      `insert into domains (id, organisation_id, domain, token)
       select gen_random_uuid(), o.id, 'd' || n || '.example', md5(n::text)
         from generate_series($1::int + 1, $2::int) n
         join (select id, row_number() over (order by name) as place from organisations) o on o.place = 1 + n % $3::int`,
      [from, Math.min(DOMAINS, from + AT_A_TIME), ORGANISATIONS],
    )
  }
  await db.query(
    // Each domain of an organisation in its turn: two runs of one domain do not end at once.
    `with ranked as (select id, row_number() over (order by name) as place from organisations),
          own as (select organisation_id, id, domain, count(*) over (partition by organisation_id) as domains,
                         row_number() over (partition by organisation_id order by id) - 1 as place from domains)
     insert into runs (id, organisation_id, domain_id, domain, tier, options, created_at)
     select gen_random_uuid(), ranked.id, own.id, own.domain, 'passive', '{}', clock_timestamp() + make_interval(secs => n * 0.0001)
       from generate_series(1, $1::int) n
       join ranked on ranked.place = case when n <= $1::int / 2 then 1 else 2 + n % ($2::int - 1) end
       join own on own.organisation_id = ranked.id and own.place = n % own.domains`,
    [RUNS, ORGANISATIONS],
  )
  await db.query('vacuum analyze', [])
}

const waiting = async (db: FreshDatabase['db']): Promise<number> => {
  const [found] = await db.query<{ n: number }>(
    `select count(*)::int as n from runs where status in ('queued', 'leased', 'running')`,
    [],
  )
  return found?.n ?? 0
}

const commits = async (db: FreshDatabase['db']): Promise<number> => {
  const [found] = await db.query<{ n: number }>(
    'select xact_commit::float8 as n from pg_stat_database where datname = current_database()',
    [],
  )
  return found?.n ?? 0
}

/** Until nothing waits. @throws where it takes longer than the deadline */
const untilEnded = async (db: FreshDatabase['db']): Promise<number> => {
  const began = performance.now()
  for (;;) {
    await sleep(1_000, never)
    await reap(db)
    await settleWaiting(db)
    if ((await waiting(db)) === 0) return (performance.now() - began) / 1_000
    if (performance.now() - began > DEADLINE) throw new Error(`${await waiting(db)} runs have not ended`)
  }
}

interface Counts {
  readonly done: number
  readonly died: number
  /** Statements that the database refused or did not answer. */
  readonly refused: number
  /** Looks at the queue that found nothing to be had. */
  readonly vain: number
}

const fleetRows = async (database: FreshDatabase): Promise<BenchRow[]> => {
  const { db, url } = database
  await seed(database)
  const before = await commits(db)
  const fleet: Child[] = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) =>
      startChild('../fleet/sleeper-process.ts', { ...FLEET, url, name: `p${n}`, workers: WORKERS / PROCESSES }),
    ),
  )
  const seconds = await untilEnded(db)
  const counts = (await Promise.all(fleet.map((one) => one.ask('stop')))) as Counts[]
  await Promise.all(fleet.map((one) => one.end()))
  const spent = (await commits(db)) - before
  const sum = (of: keyof Counts): number => counts.reduce((all, one) => all + one[of], 0)
  const [ends] = await db.query<{ done: number; failed: number; twice: number }>(
    `select count(*) filter (where status = 'done')::int as done,
            count(*) filter (where status = 'failed')::int as failed,
            (select count(*)::int from (select run_id from events where type = 'done' group by run_id having count(*) > 1) t) as twice
       from runs`,
    [],
  )
  const waits = async (greedy: boolean): Promise<number[]> =>
    (
      await db.query<{ wait: number }>(
        `select extract(epoch from first_leased_at - $2::timestamptz)::float8 as wait from runs
          where (organisation_id = (select id from organisations order by name limit 1)) = $1`,
        [greedy, await firstLease(db)],
      )
    ).map(({ wait }) => wait)
  const others = await waits(false)
  const greedy = await waits(true)
  return [
    row({
      id: 'runs',
      what: `${RUNS} runs of ${ORGANISATIONS} organisations, ${WORKERS} workers`,
      unit: 'runs/s',
      ours: RUNS / seconds,
    }),
    row({
      id: 'lost',
      what: `runs without an end, ${sum('died')} workers having died`,
      unit: 'runs',
      ours: RUNS - (ends?.done ?? 0) - (ends?.failed ?? 0),
      target: NONE,
    }),
    row({
      id: 'twice',
      what: 'runs with two ends',
      unit: 'runs',
      ours: (ends?.twice ?? 0) + Math.max(0, sum('done') - (ends?.done ?? 0)),
      target: NONE,
    }),
    row({
      id: 'failed',
      what: 'runs that ended as failed, their third worker having died',
      unit: 'runs',
      ours: ends?.failed ?? 0,
    }),
    row({
      id: 'refused',
      what: 'statements that the database refused or did not answer',
      unit: 'n',
      ours: sum('refused'),
    }),
    row({
      id: 'wait-others',
      what: 'wait of those of others than the one with half of them, p99',
      unit: 's',
      ours: percentile(others, 0.99),
      peer: { name: 'of that one', value: percentile(greedy, 0.99) },
      target: { text: 'ratio < 0.8', met: (_, ratio) => ratio !== null && ratio < 0.8 },
    }),
    row({
      id: 'looks',
      what: 'looks at the queue in vain, for one run',
      unit: 'n',
      ours: sum('vain') / RUNS,
    }),
    row({
      id: 'commits',
      what: 'transactions of the database for one run, beats and looks included',
      unit: 'tx',
      ours: spent / RUNS,
    }),
  ]
}

const NONE = { text: '0', met: (ours: number) => ours === 0 }

const firstLease = async (db: FreshDatabase['db']): Promise<Date> => {
  const [found] = await db.query<{ at: Date }>('select min(first_leased_at) as at from runs', [])
  if (found === undefined) throw new Error('Nothing was leased')
  return found.at
}

const databases = await openDatabases().catch((error: Error) => error)
if (databases instanceof Error) process.stdout.write(`fleet: nothing measured. ${databases.message}\n`)
else {
  try {
    publish('fleet', await fleetRows(await databases.fresh('fleet')))
  } finally {
    await databases.close()
  }
}
