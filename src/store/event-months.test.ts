import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { createPostgresDatabase } from '../../tests/support/postgres.ts'
import { PLANS, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import type { Database } from './database.ts'
import { dropOldEvents, eventDays, makeEventMonths } from './event-months.ts'
import { appendAudit, read, readAuditTexts } from './events.ts'
import { fail } from './lease.ts'
import { migrate, migrateTo, migrationFiles } from './migrate.ts'
import { openDatabase } from './open-database.ts'

const partsOf = async (db: Database): Promise<string[]> =>
  (
    await db.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`,
      [],
    )
  ).map(({ name }) => name)
const partOf = async (db: Database, runId: string): Promise<string[]> =>
  (
    await db.query<{ name: string }>(
      'select distinct tableoid::regclass::text as name from events where run_id = $1 order by 1',
      [runId],
    )
  ).map(({ name }) => name)
const line = (event: string) => ({ ts: new Date().toISOString(), module: 'site', event })
/** As if all of the run had been so many days ago. */
const age = async (db: Database, runId: string, days: number): Promise<void> => {
  for (const set of ['created_at', 'first_leased_at', 'started_at', 'finished_at']) {
    await db.query(`update runs set ${set} = ${set} - make_interval(days => $2) where id = $1`, [runId, days])
  }
  await db.query('update events set created_at = created_at - make_interval(days => $2) where run_id = $1', [
    runId,
    days,
  ])
}
const inMonths = (months: number): Date => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15))
}
const nameOf = (at: Date): string => `events_${at.toISOString().slice(0, 7).replace('-', '_')}`

describe.each(ENGINES)('months of events on $kind', ({ open }) => {
  let t: TestDatabase
  beforeEach(async () => {
    t = await open()
  })
  afterEach(() => t.drop())

  const endedRun = async () => {
    await seedRun(t.db, await seedDomain(t.db))
    const held = await takeAndStart(t.db)
    await appendAudit(t.db, held, [line('a'), line('b')])
    await fail(t.db, held, { kind: 'internal', detail: 'over', artifacts: [] })
    return held.runId
  }

  test('are made ahead, each once', async () => {
    expect(await makeEventMonths(t.db)).toEqual([])
    const before = await partsOf(t.db)
    const made = await makeEventMonths(t.db, inMonths(2))
    expect(made).toEqual([nameOf(inMonths(4)), nameOf(inMonths(5))])
    expect(await partsOf(t.db)).toEqual([...before, ...made].toSorted())
    expect(await makeEventMonths(t.db, inMonths(2))).toEqual([])
  })

  test('an event without a month is kept, read, and moves to its month once that is made', async () => {
    const run = await endedRun()
    const events = await read(t.db, run, 0, 100)
    await age(t.db, run, -400)
    expect(await partOf(t.db, run)).toEqual(['events_other'])
    expect(await read(t.db, run, 0, 100)).toEqual(
      events.map((event) => (event.type === 'done' ? { ...event, data: expect.anything() } : event)),
    )
    await makeEventMonths(t.db, new Date(Date.now() + 370 * 86_400_000))
    expect(await partOf(t.db, run)).toEqual([nameOf(new Date(Date.now() + 400 * 86_400_000))])
    expect((await read(t.db, run, 0, 100)).map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq))
    expect(await t.db.query('select 1 from events_other')).toEqual([])
  })

  test('old ones go by their part, and the end of the run stays', async () => {
    const old = await endedRun()
    await t.db.query('drop table events_before')
    for (const months of [-5, -4, -3, -2, -1, 0]) await makeEventMonths(t.db, inMonths(months))
    await seedRun(t.db, await seedDomain(t.db))
    const young = await takeAndStart(t.db)
    await appendAudit(t.db, young, [line('c')])
    await t.db.query(
      `insert into events (run_id, seq, type, data, created_at)
       select $1, n, case when n = 3 then 'done' else 'audit' end, '{}', now() - interval '100 days' from generate_series(1, 3) n`,
      [old],
    )
    await age(t.db, old, 100)
    await t.db.query(`update events set created_at = now() - interval '100 days' where run_id = $1`, [old])
    const [end] = await read(t.db, old, 2, 10)
    const dropped = await dropOldEvents(t.db, 60)
    expect(dropped).toContain(nameOf(new Date(Date.now() - 100 * 86_400_000)))
    expect(await partOf(t.db, old)).toEqual([])
    expect((await readAuditTexts(t.db, young.runId, 0, 10)).map(({ text }) => JSON.parse(text).event)).toEqual(['c'])
    const told = await read(t.db, old, 0, 10)
    expect(told).toMatchObject([{ type: 'done', data: { id: old, status: 'failed', error_kind: 'internal' } }])
    expect(end).toMatchObject({ type: 'done' })
    expect(await read(t.db, old, told[0]?.seq ?? 0, 10)).toEqual([])
    expect(await dropOldEvents(t.db, 60)).toEqual([])
  })

  test('a month stays while a run is under way that began in it, and rows without a month go with their runs', async () => {
    await seedRun(t.db, await seedDomain(t.db))
    const held = await takeAndStart(t.db)
    await appendAudit(t.db, held, [line('a')])
    const later = new Date(Date.now() + 200 * 86_400_000)
    expect(await dropOldEvents(t.db, 31, later)).toEqual([])
    expect(await readAuditTexts(t.db, held.runId, 0, 10)).toHaveLength(1)
    await fail(t.db, held, { kind: 'internal', detail: 'over', artifacts: [] })
    await age(t.db, held.runId, -1_000)
    expect(await partOf(t.db, held.runId)).toEqual(['events_other'])
    await dropOldEvents(t.db, 31, new Date(Date.now() + 1_100 * 86_400_000))
    expect(await partOf(t.db, held.runId)).toEqual([])
  })

  test('whether a run is under way is not looked for among those that have ended', async () => {
    const at = await seedDomain(t.db)
    await t.db.query(
      `insert into runs (id, organisation_id, domain_id, domain, tier, options, status, phase, created_at, first_leased_at, finished_at)
       select gen_random_uuid(), $1, $2, 'shop.test', 'passive', '{}', 'canceled', 'finished', now(), now(), now()
         from generate_series(1, 3000)`,
      [at.organisationId, at.domainId],
    )
    await t.db.query('analyze runs', [])
    const asked: [string, readonly unknown[]][] = []
    const watched: Database = {
      ...t.db,
      query: (sql, params = []) => {
        if (/\bfirst_leased_at </.test(sql)) asked.push([sql, params])
        return t.db.query(sql, params)
      },
    }
    expect(await dropOldEvents(watched, 31, inMonths(5))).not.toEqual([])
    expect(asked.length).toBeGreaterThan(0)
    const plan = await t.db.query<Record<string, string>>(`explain ${asked[0]?.[0]}`, asked[0]?.[1] ?? [])
    expect(plan.map((row) => Object.values(row)[0]).join('\n')).not.toMatch(/Seq Scan|runs_by_status/)
  })

  test('what is erased leaves nothing in any part', async () => {
    const run = await endedRun()
    await t.db.query(
      `insert into events (run_id, seq, type, data, created_at) values ($1, 99, 'audit', '{}', now() + interval '70 days')`,
      [run],
    )
    expect(await partOf(t.db, run)).toHaveLength(2)
    await t.db.query('delete from runs where id = $1', [run])
    expect(await partOf(t.db, run)).toEqual([])
  })
})

test('they stay as long as the files of the plan that keeps them longest, and a month at least', () => {
  expect(eventDays(PLANS, null)).toBe(365)
  expect(eventDays(PLANS, 90)).toBe(90)
  expect(eventDays([{ retention_days: 7 }], null)).toBe(31)
})

describe('on PostgreSQL', () => {
  let own: Awaited<ReturnType<typeof createPostgresDatabase>>
  let db: Database
  beforeEach(async () => {
    own = await createPostgresDatabase()
    db = await openDatabase({ url: own.url })
  })
  afterEach(async () => {
    await db.close()
    await own.drop()
  })

  const filesBefore = () => migrationFiles().filter((name) => name < '0041')
  const oldRun = async (): Promise<string> => {
    const [run] = await db.query<{ id: string }>(
      `with o as (insert into organisations (name, plan) values ('o', 'team') returning id)
       insert into runs (id, organisation_id, domain, tier, options, status, phase, progress, finished_at)
       select gen_random_uuid(), id, 'shop.test', 'passive', '{}', 'done', 'finished', 100, now() from o returning id`,
      [],
    )
    await db.query(
      `insert into events (run_id, seq, type, data, created_at)
       select $1, n, 'audit', json_build_object('n', n), now() - make_interval(days => n) from generate_series(0, 400) n`,
      [run?.id],
    )
    return run?.id ?? ''
  }

  test('the table of a version before becomes the first part as it is', async () => {
    await migrateTo(db, filesBefore())
    const run = await oldRun()
    const [file] = await db.query<{ node: number }>(`select pg_relation_filenode('events') as node`, [])
    await migrate(db)
    expect(await partOf(db, run)).toEqual(['events_before'])
    expect(await db.query(`select pg_relation_filenode('events_before') as node`, [])).toEqual([file])
    expect(await db.query('select count(*) as n from events', [])).toEqual([{ n: 401 }])
    // As a process of the version before writes it.
    await db.query(`insert into events (run_id, seq, type, data) values ($1, 500, 'audit', '{}')`, [run])
    await db.query('delete from runs', [])
    expect(await db.query('select 1 from events', [])).toEqual([])
  })

  test('a clock that was ahead keeps nobody from the upgrade', async () => {
    await migrateTo(db, filesBefore())
    const run = await oldRun()
    await db.query(
      `insert into events (run_id, seq, type, data, created_at) values ($1, 999, 'audit', '{}', now() + interval '300 days')`,
      [run],
    )
    await migrate(db)
    expect(await db.query('select count(*) as n from events', [])).toEqual([{ n: 402 }])
    expect(await makeEventMonths(db, new Date(Date.now() + 400 * 86_400_000))).not.toEqual([])
  })

  test('who reads at that moment keeps its part, and nothing waits for it', async () => {
    await migrate(db)
    await db.transaction(async (tx) => {
      await tx.query('select count(*) from events', [])
      expect(await dropOldEvents(db, 31, new Date(Date.now() + 200 * 86_400_000))).toEqual([])
    })
    expect(await dropOldEvents(db, 31, new Date(Date.now() + 200 * 86_400_000))).toContain('events_before')
  })
})
