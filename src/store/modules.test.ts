import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { finding, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import type { Database, Queryable } from './database.ts'
import { read } from './events.ts'
import { allFindings } from './findings.ts'
import { loadModules, type NewModule, saveTold, type Told } from './modules.ts'
import { getAnyRun } from './runs.ts'

const OUTCOME = { state: 'completed', reason: null, duration_ms: 12, requests: 3 } as const

const ended = (module: string, more: Partial<NewModule> = {}): NewModule => ({
  ...{ module, facts: { of: module }, outcome: OUTCOME, coverage: [], evidence: [] },
  ...{ findings: [finding(`${module}/a`)] },
  ...more,
})

const line = (event: string) => ({ ts: new Date().toISOString(), module: 'site', event })

/** What a scan tells within a second or two. */
const told = (modules: readonly string[]): Told => ({
  audit: [line('request'), line('request')],
  progress: [
    { phase: 'passive', detail: 'Reading the site', progress: 10 },
    { phase: 'judge', detail: 'Judging', progress: 40 },
  ],
  found: [{ module: 'tls', findings: [finding('tls/early', { severity: 'high' })] }],
  modules: modules.map((module) => ended(module)),
})

/** Counts what is asked of it. */
const counting = (db: Database) => {
  const asked: string[] = []
  const of = (tx: Queryable): Queryable => ({
    query: (sql, params) => {
      asked.push(sql)
      return tx.query(sql, params)
    },
  })
  const counted: Database = { ...db, ...of(db), transaction: (work) => db.transaction((tx) => work(of(tx))) }
  return { db: counted, asked }
}

describe.each(SQL_ENGINES)('what a scan has told on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
  })

  const begun = async () => {
    const run = await seedRun(t.db, await seedDomain(t.db))
    return { run, held: await takeAndStart(t.db) }
  }

  test('costs as many statements of ten modules as of one', async () => {
    const { held } = await begun()
    const [one, ten] = [counting(t.db), counting(t.db)]
    await saveTold(one.db, held, told(['headers']))
    const modules = Array.from({ length: 10 }, (_, n) => `module-${n}`)
    await saveTold(ten.db, held, { ...told(modules), found: [{ module: 'dns', findings: [finding('dns/early')] }] })
    expect(await loadModules(t.db, held.runId)).toHaveLength(11)
    expect(ten.asked.length).toBe(one.asked.length)
    expect(ten.asked.length).toBeLessThanOrEqual(9)
  })

  test('is stored, counted and told under numbers without a gap, each step of it', async () => {
    const { run, held } = await begun()
    const before = (await read(t.db, run.id, 0, 100)).at(-1)?.seq ?? 0
    expect(await saveTold(t.db, held, told(['headers', 'cookies']))).toBe('ok')
    const events = await read(t.db, run.id, before, 100)
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4].map((n) => before + n))
    expect(events.map(({ type }) => type)).toEqual(['audit', 'audit', 'progress', 'progress'])
    expect(events.slice(2).map(({ data }) => data)).toMatchObject([
      { phase_detail: 'Reading the site', progress: 10 },
      { phase_detail: 'Judging', progress: 40, counts: { high: 1, medium: 2 } },
    ])
    expect(await getAnyRun(t.db, run.id)).toMatchObject({
      ...{ phase: 'judge', progress: 40, eventSeq: before + 4 },
      counts: { high: 1, medium: 2 },
    })
    expect((await loadModules(t.db, run.id)).map(({ module, facts }) => ({ module, facts }))).toEqual([
      { module: 'headers', facts: { of: 'headers' } },
      { module: 'cookies', facts: { of: 'cookies' } },
    ])
    expect((await allFindings(t.db, run.id)).map(({ check_id }) => check_id)).toEqual([
      'tls/early',
      'cookies/a',
      'headers/a',
    ])
  })

  test('large facts are no part of an array, and come back as they were', async () => {
    const { run, held } = await begun()
    const { db, asked } = counting(t.db)
    const facts = { pages: Array.from({ length: 2_000 }, (_, n) => ({ n, text: '<a href="x\\y">"\0"</a>'.repeat(3) })) }
    await saveTold(db, held, { modules: [ended('headers'), ended('site', { facts }), ended('cookies')] })
    const stored = await loadModules(t.db, run.id)
    expect(stored.find(({ module }) => module === 'site')?.facts).toEqual(facts)
    expect(stored.map(({ module }) => module)).toEqual(['headers', 'site', 'cookies'])
    expect(asked.filter((sql) => sql.includes('into run_modules'))).toHaveLength(2)
  })

  test('counts are told where nothing else is', async () => {
    const { run, held } = await begun()
    const before = (await read(t.db, run.id, 0, 100)).length
    await saveTold(t.db, held, { modules: [ended('headers'), ended('cookies')] })
    await saveTold(t.db, held, { modules: [ended('dns', { findings: [], facts: null })] })
    const events = await read(t.db, run.id, 0, 100)
    expect(events).toHaveLength(before + 1)
    expect(events.at(-1)?.data).toMatchObject({ counts: { medium: 2 } })
    expect((await loadModules(t.db, run.id)).find(({ module }) => module === 'dns')?.facts).toBeNull()
  })

  test('is kept whole or not at all', async () => {
    const { run, held } = await begun()
    const before = (await read(t.db, run.id, 0, 100)).length
    const broken = ended('headers', { findings: [finding('headers/a', { fingerprint: null as never })] })
    await expect(saveTold(t.db, held, { ...told(['cookies']), modules: [ended('cookies'), broken] })).rejects.toThrow()
    expect(await read(t.db, run.id, 0, 100)).toHaveLength(before)
    expect(await loadModules(t.db, run.id)).toEqual([])
    expect(await allFindings(t.db, run.id)).toEqual([])
  })

  test('nothing of it is kept of who has lost the lease, or of a run that does not go on', async () => {
    const { run, held } = await begun()
    expect(await saveTold(t.db, { ...held, token: randomUUID() }, told(['headers']))).toBe('lost')
    await t.db.query(`update runs set status = 'leased' where id = $1`, [run.id])
    expect(await saveTold(t.db, held, told(['headers']))).toBe('lost')
    expect(await loadModules(t.db, run.id)).toEqual([])
    expect(await allFindings(t.db, run.id)).toEqual([])
    expect((await read(t.db, run.id, 0, 100)).filter(({ type }) => type === 'audit')).toEqual([])
  })
})
