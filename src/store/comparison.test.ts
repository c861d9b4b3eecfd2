import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { finding, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import { Comparison } from '../contract/comparison.ts'
import type { CoverageState } from '../contract/finding.ts'
import { compareRuns, earlierRun } from './comparison.ts'
import { type NewFinding, resolvedFindings } from './findings.ts'
import { finish } from './lease.ts'
import { type ModuleEnd, saveModule } from './modules.ts'
import { readHistory, readOverview } from './overview.ts'
import type { RunRecord } from './run-row.ts'
import { getAnyRun } from './runs.ts'

const COMPLETED: ModuleEnd = { state: 'completed', reason: null, duration_ms: 1, requests: 1 }
type Site = Awaited<ReturnType<typeof seedDomain>>

describe.each(SQL_ENGINES)('comparison on $kind', ({ open }) => {
  let t: TestDatabase
  let at: Site
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
    at = await seedDomain(t.db)
  })

  const reread = async (id: string): Promise<RunRecord> => {
    const run = await getAnyRun(t.db, id)
    if (!run) throw new Error('The run is gone')
    return run
  }
  const scan = async (
    findings: NewFinding[],
    states: Record<string, CoverageState>,
    { outcome = COMPLETED, active = false, site = at, login = false } = {},
  ): Promise<RunRecord> => {
    const { id } = await seedRun(t.db, site, { active, sealedCredentials: login ? Buffer.of(1) : null })
    const held = await takeAndStart(t.db)
    const coverage = Object.entries(states).map(([check_id, state]) => ({
      ...{ module: 'headers', check_id, title: 't', state },
      reason: state === 'blocked' ? 'a firewall answered' : null,
    }))
    await saveModule(t.db, held, { module: 'headers', facts: {}, outcome, coverage, findings })
    await finish(t.db, held, { grade: 'B', artifacts: [] })
    return reread(id)
  }
  const answered = (check_id: string) => [
    { module: 'headers', check_id, title: 't', state: 'pass' as const, reason: null },
  ]
  const titles = (list: readonly { check_id: string }[]) => list.map(({ check_id }) => check_id)

  test('what a run with a login found is not gone in one without, nor new after one', async () => {
    const behind = finding('headers/behind')
    const signed = await scan([behind], {}, { login: true })
    const plain = await scan([], { 'headers/behind': 'pass' })
    for (const [run, base] of [
      [plain, signed],
      [signed, plain],
    ] as const) {
      const made = await compareRuns(t.db, run, base)
      expect([made.new, made.gone, titles(made.not_comparable)]).toEqual([[], [], ['headers/behind']])
      expect(made.not_comparable[0]?.reason).toContain('no login')
    }
    expect(await resolvedFindings(t.db, plain.id, answered('headers/behind'))).toEqual([])
    const {
      domains: [overview],
    } = await readOverview(t.db, at.organisationId)
    expect(overview?.latest).toMatchObject({ gone: 0, not_comparable: 1 })
    const about = {
      runId: signed.id,
      domainId: at.domainId,
      fingerprint: behind.fingerprint,
      formerly: [],
      checkId: 'headers/behind',
    }
    const history = await readHistory(t.db, at.organisationId, about)
    expect(history.map(({ state }) => state)).toEqual(['not_tested', 'found'])

    const again = await scan([], { 'headers/behind': 'pass' }, { login: true })
    await t.db.query('update runs set baseline_run_id = $2 where id = $1', [again.id, signed.id])
    expect(titles((await compareRuns(t.db, again, signed)).gone)).toEqual(['headers/behind'])
    expect(titles(await resolvedFindings(t.db, again.id, answered('headers/behind')))).toEqual(['headers/behind'])
  })

  test('of more than a hundred domains the overview has those that were scanned last, and says how many there are', async () => {
    await scan([finding('headers/kept')], {})
    await t.db.query(
      `insert into domains (organisation_id, domain, token)
       select $1, 'site-' || n || '.example.com', 'token' || n from generate_series(1, 120) n`,
      [at.organisationId],
    )
    const { domains, total } = await readOverview(t.db, at.organisationId)
    expect([domains.length, total]).toEqual([100, 121])
    expect(domains[0]).toMatchObject({ id: at.domainId, latest: { added: { medium: 1 } } })
    expect(domains.slice(1).every(({ latest }) => latest === null)).toBe(true)
  })

  test('new, gone, changed and unchanged', async () => {
    const kept = finding('headers/kept')
    const worse = finding('headers/worse', { severity: 'low' })
    const base = await scan([kept, worse, finding('headers/gone')], { 'headers/fresh': 'pass' })
    const run = await scan([kept, { ...worse, severity: 'high' }, finding('headers/fresh')], { 'headers/gone': 'pass' })
    const made = Comparison.parse(await compareRuns(t.db, run, base))
    expect([titles(made.new), titles(made.gone), titles(made.changed), made.unchanged, made.not_comparable]).toEqual([
      ['headers/fresh'],
      ['headers/gone'],
      ['headers/worse'],
      1,
      [],
    ])
    expect([made.changed[0]?.before.severity, made.changed[0]?.after.severity]).toEqual(['low', 'high'])
    expect([made.run.id, made.base?.id]).toEqual([run.id, base.id])
  })

  test('what one side could not look at is neither new nor gone', async () => {
    const base = await scan([finding('headers/a')], { 'headers/a': 'fail', 'headers/b': 'not_tested' })
    const run = await scan([finding('headers/b'), finding('headers/c')], { 'headers/a': 'blocked' })
    const { new: fresh, gone, not_comparable } = await compareRuns(t.db, run, base)
    expect([fresh, gone]).toEqual([[], []])
    expect(not_comparable.map(({ check_id, in: where, reason }) => [check_id, where, reason])).toEqual([
      ['headers/a', 'base', 'a firewall answered'],
      ['headers/b', 'run', 'not tested'],
      ['headers/c', 'run', 'the check was not part of that run'],
    ])
  })

  test('a module that failed says why', async () => {
    const base = await scan([finding('headers/a')], { 'headers/a': 'fail' })
    const outcome: ModuleEnd = { ...COMPLETED, state: 'failed', reason: 'the site stopped answering' }
    const { not_comparable } = await compareRuns(t.db, await scan([], {}, { outcome }), base)
    expect(not_comparable.map(({ reason }) => reason)).toEqual(['the site stopped answering'])
  })

  test('the run before: of the same domain, done, of the same tier where there is one', async () => {
    const other = await seedDomain(t.db)
    await scan([], {}, { site: other })
    const first = await scan([], {})
    expect(await earlierRun(t.db, first)).toBeNull()
    expect(await compareRuns(t.db, first, null)).toMatchObject({ base: null, new: [], unchanged: 0 })
    const active = await scan([], {}, { active: true })
    expect(await earlierRun(t.db, active)).toBe(first.id)
    const last = await scan([], {})
    expect(await earlierRun(t.db, last)).toBe(first.id)
    expect(await earlierRun(t.db, await scan([], {}, { active: true }))).toBe(active.id)
  })
})
