import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { listedRuns, seedDomain, seedRun } from '../../tests/support/seed.ts'
import { RUN_STATUSES, RunListItem, RunState } from '../contract/run.ts'
import type { Queryable } from './database.ts'
import { type After, listNewest, listRuns, type RunFilters, USUAL_PAGE } from './run-list.ts'
import { cancelRun, getAnyRun, readStates } from './runs.ts'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly Plans?: readonly PlanNode[]
}

type Explained = Record<string, [{ readonly Plan: PlanNode }]>

const planOf = (row: Explained | undefined): PlanNode => Object.values(row ?? {})[0]?.[0]?.Plan ?? {}

/** Rows of the table that a statement came to. */
const rowsOfRuns = ({ Plans = [], ...node }: PlanNode): number =>
  (node['Relation Name'] === 'runs' ? (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0) : 0) +
  Plans.reduce((sum, inner) => sum + rowsOfRuns(inner), 0)

describe.each(ENGINES)('lists of runs on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())

  /** What `work` finds, and the statements that it asks with their parameters. */
  const watching = async <Found>(work: (db: Queryable) => Promise<Found>) => {
    const asked: [string, readonly unknown[]][] = []
    const found = await work({
      query: (sql, params = []) => {
        asked.push([sql, params])
        return t.db.query(sql, params)
      },
    })
    return { found, asked }
  }

  test('pages hold every run once although others are created meanwhile, several in one millisecond', async () => {
    const at = await seedDomain(t.db)
    for (let i = 0; i < 25; i += 1) await seedRun(t.db, at)
    await t.db.query(`update runs set created_at = date_trunc('second', created_at) where organisation_id = $1`, [
      at.organisationId,
    ])
    const before = (await listedRuns(t.db, at.organisationId, {}, null, 100)).map((run) => run.id)
    const seen: string[] = []
    let after: { createdAt: Date; id: string } | null = null
    for (;;) {
      const page = await listedRuns(t.db, at.organisationId, {}, after, 4)
      seen.push(...page.map((run) => run.id))
      const last = page.at(-1)
      if (!last) break
      after = { createdAt: new Date(last.created_at), id: last.id }
      await seedRun(t.db, at)
    }
    expect(seen).toEqual(before)
  })

  test('several that ask at once get each what they would get alone', async () => {
    const [one, other] = [await seedDomain(t.db), await seedDomain(t.db)]
    for (let i = 0; i < 30; i += 1) await seedRun(t.db, one)
    await seedRun(t.db, other)
    const runs = await listedRuns(t.db, one.organisationId, {}, null, 100)
    const behind = (n: number): After => ({ createdAt: new Date(runs[n]?.created_at ?? 0), id: runs[n]?.id ?? '' })
    const asked = [
      { ...one, after: null },
      { ...other, after: null },
      { ...one, after: behind(3) },
      { ...one, after: behind(29) },
      { ...one, organisationId: randomUUID(), after: null },
      { ...one, after: null },
    ]
    const found = await listNewest(t.db, asked)
    expect(found.map(({ length }) => length)).toEqual([26, 1, 26, 0, 0, 26])
    for (const [n, { organisationId, after }] of asked.entries()) {
      expect(found[n]).toEqual(await listRuns(t.db, organisationId, {}, after, USUAL_PAGE))
    }
  })

  test('each is written to the letter as JSON.stringify writes what a read of the run says', async () => {
    const at = await seedDomain(t.db)
    const names = ['shop.test', 'a"b\\c/d.test', 'grüße-☃-😀.test', 'line\u2028\n\t\u0001\u007f<&>.test', '']
    const counts = { info: 5, low: 4, medium: 30, high: 2, critical: 1 }
    for (const [n, domain] of names.entries()) {
      const { id } = await seedRun(t.db, at, { active: n % 2 === 1 })
      await t.db.query(
        `update runs set domain = $2, counts = $3, open_counts = $3::jsonb || '{"low": 0}', progress = $4, retest_of = $5, baseline_run_id = $6,
                options = options || $7, created_at = $8 where id = $1`,
        [
          ...[id, domain, JSON.stringify(n === 0 ? { ...counts, info: 0 } : counts), n * 20],
          ...(n === 1 ? [crypto.randomUUID(), crypto.randomUUID()] : [null, n === 2 ? crypto.randomUUID() : null]),
          n === 3 ? JSON.stringify({ hypothesis: { weakness: 'sqli' } }) : '{}',
          new Date(Date.UTC(2026, 0, 31, 23, 59, 59, [0, 7, 70, 123, 999][n])),
        ],
      )
    }
    const items = await listRuns(t.db, at.organisationId, {}, null, 10)
    expect(items).toHaveLength(names.length)
    // By the name of their domain.
    expect(await listRuns(t.db, at.organisationId, { q: 'shop' }, null, 10)).toEqual(items)
    for (const item of items) {
      const run = await getAnyRun(t.db, JSON.parse(item).id)
      if (run === null) throw new Error('There is no such run')
      const { id, domain, tier, status, progress, counts, open_counts, retest_of, hypothesis, created_at } = run
      expect(item).toBe(
        JSON.stringify({
          ...{ id, domain, tier, status, progress, counts, open_counts, retest_of, hypothesis, created_at },
        }),
      )
      expect(RunListItem.safeParse(JSON.parse(item)).error).toBeUndefined()
    }
  })

  test('the state of one is written to the letter as JSON.stringify writes what a read of it says', async () => {
    const at = await seedDomain(t.db)
    const text = 'says "no"\\\u2028\n\t\u0001\u007f<&> grüße ☃ 😀'
    const time = (second: number) => new Date(Date.UTC(2026, 0, 31, 23, 59, second, [0, 7, 70, 123][second % 4]))
    const done = `status = 'done', progress = 100, first_leased_at = $2, started_at = $3, finished_at = $4, grade = 'A', context = 'shop'`
    const judged = JSON.stringify({ at: time(9).toISOString(), version: 2, feeds: {}, reason: text })
    const changes: readonly (readonly [string, readonly unknown[]])[] = [
      [`phase_detail = $2`, [text]],
      [
        `status = 'running', lease_token = id, first_leased_at = $2, started_at = $3, cancel_requested_at = $4, progress = 40`,
        [1, 2, 3].map(time),
      ],
      [done, [1, 2, 3].map(time)],
      [`${done}, judged_again = $5`, [...[1, 2, 3].map(time), judged]],
      [`status = 'failed', error_kind = 'internal', error_detail = $2, finished_at = $3`, [text, time(5)]],
      [`retest_of = $2, baseline_run_id = $3, signed_in = true, dry_run = true`, [randomUUID(), randomUUID()]],
      [`options = options || $2`, [JSON.stringify({ hypothesis: { weakness: 'sqli' } })]],
    ]
    for (const [set, values] of changes) {
      for (const report of [null, 'none', 'pending', 'failed', 'ready']) {
        const { id } = await seedRun(t.db, at)
        await t.db.query('delete from reports where run_id = $1', [id])
        await t.db.query(`update runs set ${set} where id = $1`, [id, ...values])
        if (report !== null)
          await t.db.query(
            `insert into reports (run_id, version, state, reason) values ($1, 1, 'none', null), ($1, 2, $2, $3)`,
            [id, report, report === 'failed' ? text : null],
          )
        const run = await getAnyRun(t.db, id)
        const [read = null] = await readStates(t.db, [{ organisationId: at.organisationId, id }])
        if (run === null || read === null) throw new Error('There is no such run')
        const { organisationId: _o, domainId: _d, options: _p, attempts: _a, eventSeq: _e, ...state } = run
        const settled = (said: string) =>
          said.replace(/"duration_ms":\d+/, (all) => (run.status === 'running' ? '' : all))
        expect(settled(`${read.state}}`)).toBe(settled(JSON.stringify(state)))
        expect(RunState.safeParse(JSON.parse(`${read.state}}`)).error).toBeUndefined()
        expect(read.going_on !== null).toBe(run.status === 'running')
      }
    }
    expect(await readStates(t.db, [{ organisationId: at.organisationId, id: randomUUID() }])).toEqual([null])
  })

  test('filters', async () => {
    const at = await seedDomain(t.db, { domain: 'a_b.example.test' })
    const other = await seedDomain(t.db, { domain: 'a_b.example.test' })
    await seedRun(t.db, other)
    const first = await seedRun(t.db, at)
    const second = await seedRun(t.db, at, { active: true })
    // Two starts may fall into one millisecond.
    await t.db.query(`update runs set created_at = created_at + interval '1 second' where id = $1`, [second.id])
    await cancelRun(t.db, at.organisationId, first.id)
    const ids = async (filters: Parameters<typeof listedRuns>[2]) =>
      (await listedRuns(t.db, at.organisationId, filters, null, 10)).map((run) => run.id)
    expect(await ids({})).toEqual([second.id, first.id])
    expect(await ids({ status: ['canceled'] })).toEqual([first.id])
    expect(await ids({ status: ['canceled', 'queued'] })).toEqual([second.id, first.id])
    expect(await ids({ tier: 'active' })).toEqual([second.id])
    expect(await ids({ domainId: other.domainId })).toEqual([])
    expect(await ids({ from: new Date(second.created_at) })).toContain(second.id)
    expect(await ids({ to: new Date(first.created_at) })).toEqual([])
    expect(await ids({ q: 'B.EXAM' })).toEqual([second.id, first.id])
    expect(await ids({ q: 'a%b' })).toEqual([])
    expect(await ids({ q: 'axb' })).toEqual([])
    for (const length of [8, 9, 13, 35, 36]) {
      expect(await ids({ q: first.id.slice(0, length).toUpperCase() })).toEqual([first.id])
    }
    expect(await ids({ q: first.id.replaceAll('-', '') })).toEqual([])
    expect(await ids({ q: `${first.id}0` })).toEqual([])
    expect(await ids({ q: `'; drop table runs; --\0` })).toEqual([])
  })

  describe('a search answers as reading everything would', () => {
    let organisationId: string
    let all: RunListItem[]
    let domains: { readonly id: string; readonly domain: string }[]
    beforeAll(async () => {
      await t.empty()
      organisationId = (await seedDomain(t.db, { domain: 'shop.test' })).organisationId
      const neighbour = await seedDomain(t.db, { domain: 'shop12.test' })
      await seedRun(t.db, neighbour)
      domains = await t.db.query(
        `insert into domains (id, organisation_id, domain, token)
         select gen_random_uuid(), $1, case when n % 3 = 0 then 'abc' || n || '.shop.test' else 'shop' || n || '.test' end, 't'
           from generate_series(1, 30) n returning id, domain`,
        [organisationId],
      )
      await t.db.query(
        `insert into runs (id, organisation_id, domain_id, domain, tier, options, status, phase, finished_at, created_at, progress)
         select gen_random_uuid(), d.organisation_id, d.id, d.domain, case when n % 4 = 0 then 'active' else 'passive' end, '{}',
                s.status, 'finished', case when s.status <> 'queued' then now() end, now() - make_interval(mins => n * 7 % 90),
                case when s.status = 'done' then 100 else 0 end
           from domains d, generate_series(1, 40) n,
                lateral (select (array['queued', 'done', 'canceled'])[1 + n % 3] as status) s
          where d.organisation_id = $1`,
        [organisationId],
      )
      const gone = domains.filter((_, n) => n % 5 === 0).map(({ id }) => id)
      await t.db.query('delete from domains where id = any ($1::uuid[])', [gone])
      all = await listedRuns(t.db, organisationId, {}, null, 5_000)
      expect(all).toHaveLength(31 * 40)
    })

    const WITH: Record<string, (runs: readonly RunListItem[]) => RunFilters> = {
      nothing: () => ({}),
      'a state': () => ({ status: ['done'] }),
      'two states': () => ({ status: ['canceled', 'queued'] }),
      'every state twice': () => ({ status: [...RUN_STATUSES, ...RUN_STATUSES] }),
      'a tier': () => ({ tier: 'active' }),
      'a time': (runs) => ({ from: new Date(runs[900]?.created_at ?? 0), to: new Date(runs[50]?.created_at ?? 0) }),
    }
    const SOUGHT: Record<string, (runs: readonly RunListItem[]) => string> = {
      everything: () => 'shop',
      'one name': () => 'Shop17.test',
      'some names': () => 'hop1',
      'the end of names': () => '2.test',
      'two letters': () => 'bc',
      'one letter': () => 's',
      'names of removed domains among others': () => 'shop2',
      'no name': () => 'nowhere',
      'pieces of names in another order': () => 'testshop',
      'a number that begins ids too': () => '1',
      'two letters of ids': (runs) => runs[700]?.id.slice(0, 2) ?? '',
      'an id': (runs) => runs.at(-1)?.id ?? '',
      'what means something to LIKE': () => 'shop_.te%',
      'what is only a dash': () => '-',
    }
    const matches = (run: RunListItem, { status, tier, from, to }: RunFilters, q: string): boolean =>
      (run.domain.includes(q.toLowerCase()) || run.id.startsWith(q)) &&
      (status === undefined || status.includes(run.status)) &&
      (tier === undefined || run.tier === tier) &&
      (from === undefined || run.created_at >= from.toISOString()) &&
      (to === undefined || run.created_at < to.toISOString())

    test.each(Object.entries(SOUGHT))('%s, with every filter, on every page', async (_, sought) => {
      const q = sought(all)
      for (const filters of Object.values(WITH).map((make) => make(all))) {
        const expected = all.filter((run) => matches(run, filters, q)).map(({ id }) => id)
        const found: string[] = []
        for (let after: After | null = null; ; ) {
          const page = await listedRuns(t.db, organisationId, { ...filters, q }, after, 90)
          found.push(...page.map(({ id }) => id))
          const last = page.at(-1)
          if (last === undefined || page.length < 90) break
          after = { createdAt: new Date(last.created_at), id: last.id }
        }
        expect(found).toEqual(expected)
      }
    })

    test('of many names that match, of each its newest run is read, and more of as many as there may be on a page', async () => {
      const { organisationId } = await seedDomain(t.db, { domain: 'first.test' })
      await t.db.query(
        `with made as (
           insert into domains (id, organisation_id, domain, token)
           select gen_random_uuid(), $1, case when n <= 60 then 'many' || n || '.test' else 'other' || n || '.test' end, 't'
             from generate_series(1, 100) n returning id, domain)
         insert into runs (id, organisation_id, domain_id, domain, tier, options, created_at)
         select gen_random_uuid(), $1, id, domain, 'passive', '{}',
                now() - make_interval(mins => n * 7 % 90, days => case when domain like 'many%' then 1 else 0 end)
           from made, generate_series(1, 40) n`,
        [organisationId],
      )
      await t.db.query('analyze runs', [])
      const runs = await listedRuns(t.db, organisationId, {}, null, 5_000)
      const { found, asked } = await watching((db) => listRuns(db, organisationId, { q: 'many' }, null, 5))
      expect(found.map((item) => JSON.parse(item).id)).toEqual(
        runs
          .filter(({ domain }) => domain.startsWith('many'))
          .slice(0, 5)
          .map(({ id }) => id),
      )
      const [sql, params] = asked[1] ?? ['', []]
      const [row] = await t.db.query<Explained>(`explain (analyze, format json) ${sql}`, params)
      // Five of each of sixty names would be 300.
      expect(rowsOfRuns(planOf(row))).toBeLessThan(150)
    })

    test('where most organisations have few runs, no plan sorts all that the largest has', async () => {
      const { organisationId } = await seedDomain(t.db)
      await t.db.query(
        `with made as (
           insert into organisations (id, name, plan) select gen_random_uuid(), 'few ' || n, 'enterprise' from generate_series(1, 60) n
           returning id)
         insert into runs (id, organisation_id, domain, tier, options, status, phase, finished_at, created_at)
         select gen_random_uuid(), o.id, 'shop.test', 'passive', '{}', 'canceled', 'finished', now(), now() - make_interval(mins => n * 7919 % 4001)
           from (select id, 50 as runs from made union all select $1, 4000) as o, generate_series(1, o.runs) n
          order by md5(o.id::text || n)`,
        [organisationId],
      )
      await t.db.query('analyze runs', [])
      const { asked } = await watching(async (db) => {
        await listRuns(db, organisationId, { q: 'shop' }, null, 5)
        await listRuns(db, organisationId, {}, null, 101)
        await listNewest(db, [{ organisationId, after: null }])
      })
      expect(asked).toHaveLength(3)
      for (const [sql, params] of asked) {
        const row = await t.db.transaction(async (tx) => {
          await tx.query('set local plan_cache_mode = force_generic_plan')
          await tx.query(`prepare large as ${sql}`)
          const values = params.map((value) => `'${value}'`).join(', ')
          const [explained] = await tx.query<Explained>(`explain (analyze, format json) execute large (${values})`)
          await tx.query('deallocate large')
          return explained
        })
        expect(rowsOfRuns(planOf(row))).toBeLessThan(1_100)
      }
    })

    test('what was added to the index of names waits in no long list', async () => {
      const { organisationId } = await seedDomain(t.db)
      await t.db.query(
        `insert into domains (id, organisation_id, domain, token)
         select gen_random_uuid(), $1, 'added' || n || '.example.test', 't' from generate_series(1, 500) n`,
        [organisationId],
      )
      const [waiting] = await t.db.query<{ pages: number }>(
        `select gin_clean_pending_list('domains_by_pieces') as pages`,
        [],
      )
      expect(waiting?.pages).toBeLessThanOrEqual(16)
    })

    test('within one domain', async () => {
      const [, one] = domains
      const list = (q: string) => listedRuns(t.db, organisationId, { domainId: one?.id, q }, null, 100)
      expect(await list('shop')).toHaveLength(40)
      expect(await list('nowhere')).toEqual([])
    })
  })
})
