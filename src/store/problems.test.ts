import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { finding, PLANS, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import type { DomainFinding, ListDomainFindings } from '../contract/domain-finding.ts'
import type { Coverage, CoverageState } from '../contract/finding.ts'
import { getDueDays, setDueDays } from './due-days.ts'
import { allFindings, type NewFinding } from './findings.ts'
import { fail, finish, type LeasedRun } from './lease.ts'
import { saveModule } from './modules.ts'
import { followEarlierRuns } from './problem-runs.ts'
import { changeProblems, getProblem, groupProblems, listProblemEvents, listProblems } from './problems.ts'
import { createRetest } from './retests.ts'
import { getAnyRun, type NewRun } from './runs.ts'
import { decide, expireTriage } from './triage.ts'

const OUTCOME = { state: 'completed', reason: null, duration_ms: 1, requests: 1 } as const
const BORNE = { state: 'accepted', owner: 'J. Weber', reason: 'until spring', expiresAt: null } as const
type Site = Awaited<ReturnType<typeof seedDomain>>

const line = (check_id: string, state: CoverageState, more: Partial<Coverage> = {}): Coverage => ({
  ...{ module: 'headers', check_id, title: 't', state, reason: null },
  ...more,
})
const A = finding('headers/a', { severity: 'high' })
const B = finding('headers/b', { severity: 'low' })
const ASKED = [line('headers/a', 'pass'), line('headers/b', 'pass')]

describe.each(SQL_ENGINES)('problems of domains on $kind', ({ open }) => {
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

  const end = async (
    held: LeasedRun,
    findings: readonly NewFinding[],
    coverage: readonly Coverage[],
  ): Promise<void> => {
    await saveModule(t.db, held, {
      module: 'headers',
      facts: {},
      outcome: OUTCOME,
      coverage: [...coverage],
      findings: [...findings],
    })
    await finish(t.db, held, { grade: 'B', artifacts: [] })
  }
  const scan = async (
    findings: readonly NewFinding[],
    coverage: readonly Coverage[] = [],
    change: Partial<NewRun> = {},
  ) => {
    const { id } = await seedRun(t.db, at, change)
    await end(await takeAndStart(t.db), findings, coverage)
    return id
  }
  const list = async (filters: Partial<ListDomainFindings> = {}): Promise<DomainFinding[]> => {
    const { sort = 'severity', limit = 100, cursor: _, ...rest } = filters
    return (await listProblems(t.db, at.organisationId, rest, { sort, after: null, limit })).map((one) => one.finding)
  }
  const stateOf = async ({ fingerprint }: NewFinding): Promise<string | undefined> =>
    (await list()).find((one) => one.fingerprint === fingerprint)?.state
  const history = async ({ fingerprint }: NewFinding): Promise<string[]> => {
    const found = await getProblem(t.db, at.organisationId, at.domainId, fingerprint)
    const events = await listProblemEvents(t.db, at.domainId, found?.names ?? [], null, 50)
    return events.map(({ kind, data }) => [kind, data.state ?? data.because ?? ''].join(' ').trim())
  }
  const only = async (runId: string) => {
    const [first] = await allFindings(t.db, runId)
    if (!first) throw new Error('The run has no findings')
    return first
  }
  const hears = (...events: string[]) =>
    t.db.query(
      `insert into webhooks (organisation_id, url, description, events, secret) values ($1, 'https://hooks.test/x', '', $2, $3)`,
      [at.organisationId, events, Buffer.of(1)],
    )
  const told = async () => {
    const rows = await t.db.query<{ event: string; payload: { data: { total: number; findings: DomainFinding[] } } }>(
      `select event, payload from deliveries order by created_at, id`,
      [],
    )
    return rows.map(({ event, payload: { data } }) => [
      event,
      data.total,
      data.findings.map(({ state }) => state).join(),
    ])
  }

  test('one row over the runs, from the first that saw it to the last', async () => {
    const first = await scan([A, B])
    const last = await scan([{ ...A, title: 'As it is called now' }])
    const [a, b] = await list()
    expect(a).toMatchObject({
      title: 'As it is called now',
      state: 'open',
      severity: 'high',
      last_run: last,
      places: 1,
    })
    expect(b).toMatchObject({ state: 'open', last_run: first, domain: 'shop.test', check_id: 'headers/b' })
    expect(Date.parse(a?.first_seen ?? '')).toBeLessThan(Date.parse(a?.last_seen ?? ''))
    expect(a?.finding_id).toBe((await only(last)).id)
  })

  test.each<[string, Coverage[], Partial<NewRun>, string]>([
    ['a pass', ASKED, {}, 'fixed'],
    ['a fail elsewhere after everything was asked', [line('headers/a', 'fail')], {}, 'fixed'],
    ['a fail elsewhere that left something unasked', [line('headers/a', 'fail', { asked: 1, known: 2 })], {}, 'open'],
    ['a fail beside a fault of the scanner', [line('headers/a', 'fail', { reason_kind: 'scanner_fault' })], {}, 'open'],
    ['not everything asked', [line('headers/a', 'inconclusive', { asked: 1, known: 2 })], {}, 'open'],
    ['refused', [line('headers/a', 'blocked')], {}, 'open'],
    ['not applicable any more', [line('headers/a', 'not_applicable')], {}, 'open'],
    ['not part of the run', [], {}, 'open'],
    ['its place was excluded', ASKED, { exclude: ['/shop'] }, 'open'],
    ['another place was excluded', ASKED, { exclude: ['/other'] }, 'fixed'],
    ['a dry run', ASKED, { active: true, dry_run: true }, 'open'],
  ])('fixed only where the same place was asked again: %s', async (_, coverage, change, wanted) => {
    const placed = { ...A, location: { url: 'http://shop.test/shop/cart' } }
    await scan([placed])
    const run = await scan([], coverage, change)
    const [seen] = await list()
    expect(seen?.state).toBe(wanted)
    expect(seen?.fixed?.run_id ?? null).toBe(wanted === 'fixed' ? run : null)
  })

  test('a run that fails closes and opens nothing', async () => {
    await scan([A])
    await seedRun(t.db, at)
    const held = await takeAndStart(t.db)
    await saveModule(t.db, held, { module: 'headers', facts: {}, outcome: OUTCOME, coverage: ASKED, findings: [B] })
    await fail(t.db, held, { kind: 'target_unreachable', detail: 'Gone.', artifacts: [] })
    expect((await list()).map(({ check_id, state }) => [check_id, state])).toEqual([['headers/a', 'open']])
  })

  test('a run without a login says nothing about what one with a login found', async () => {
    const first = await scan([A])
    await t.db.query('update runs set signed_in = true where id = $1', [first])
    await scan([], ASKED)
    expect(await stateOf(A)).toBe('open')
    await scan([A])
    await scan([], ASKED)
    expect(await stateOf(A)).toBe('fixed')
  })

  test('a passive run says nothing about what active ones alone have seen', async () => {
    await scan([A], [], { active: true })
    await scan([], ASKED)
    expect(await stateOf(A)).toBe('open')
    await scan([], ASKED, { active: true })
    expect(await stateOf(A)).toBe('fixed')
    await scan([A])
    await scan([A], [], { active: true })
    await scan([], ASKED)
    expect(await stateOf(A)).toBe('fixed')
  })

  test('a run that began before the problem was last seen does not end it', async () => {
    await seedRun(t.db, at)
    const early = await takeAndStart(t.db)
    await scan([A])
    await end(early, [], ASKED)
    expect(await stateOf(A)).toBe('open')
  })

  test('a retest ends its own finding and no other', async () => {
    const run = await scan([A, B], [line('headers/a', 'fail'), line('headers/b', 'fail')])
    const before = await getAnyRun(t.db, run)
    if (!before) throw new Error('The run is gone')
    const about = { run: before, findingId: (await only(run)).id, module: 'headers' }
    await createRetest(t.db, PLANS, about, { sealed: null, auth_stored: false })
    await end(await takeAndStart(t.db), [], ASKED)
    expect([await stateOf(A), await stateOf(B)]).toEqual(['fixed', 'open'])
  })

  test('what comes back is reopened, and its history says so', async () => {
    await scan([A])
    await scan([], ASKED)
    await scan([A])
    expect(await stateOf(A)).toBe('reopened')
    expect((await list())[0]?.fixed).toBeNull()
    await scan([A])
    expect(await history(A)).toEqual(['reopened seen_again', 'fixed', 'opened'])
    await scan([], ASKED)
    expect(await stateOf(A)).toBe('fixed')
  })

  test('decisions: hold, end with other evidence or their date, are taken back, and stay in the history', async () => {
    const run = await scan([A])
    await decide(t.db, run, await only(run), BORNE, 'ci')
    expect((await list())[0]).toMatchObject({ state: 'accepted', triage: { owner: 'J. Weber', decided_by: 'ci' } })
    await scan([{ ...A, severity: 'critical' }])
    expect((await list())[0]).toMatchObject({ state: 'reopened', triage: { reopened: 'evidence_changed' } })
    const last = await scan([A])
    await decide(t.db, last, await only(last), { ...BORNE, state: 'false_positive' }, 'ci')
    expect(await stateOf(A)).toBe('false_positive')
    await t.db.query(`update triage set expires_at = clock_timestamp() - interval '1 second'`)
    await expireTriage(t.db)
    expect(await stateOf(A)).toBe('reopened')
    await decide(t.db, last, await only(last), null, 'ci')
    expect(await stateOf(A)).toBe('open')
    expect(await history(A)).toEqual([
      'decided open',
      'reopened expired',
      'decided false_positive',
      'reopened evidence_changed',
      'decided accepted',
      'opened',
    ])
  })

  test('a decision holds through its end and return', async () => {
    const run = await scan([A])
    await decide(t.db, run, await only(run), BORNE, 'ci')
    await scan([], ASKED)
    expect(await stateOf(A)).toBe('fixed')
    await scan([A])
    expect(await stateOf(A)).toBe('accepted')
  })

  test('another rule of identity carries age, assignee, due day, severity and history along', async () => {
    const old = { ...A, fingerprint: 'a'.repeat(64) }
    await scan([old])
    await t.db.query('update problems set identity_rule = 1', [])
    await t.db.query('update findings set identity_rule = 1', [])
    const key = { domain_id: at.domainId, fingerprint: old.fingerprint }
    const set = { assignee: 'A. Ruiz', due: '2030-01-31', severity: 'low', reason: 'behind a proxy' } as const
    await changeProblems(t.db, at.organisationId, [key], { ...set, decision: BORNE }, 'ci')
    const [before] = await list()
    await t.db.query('update triage set identity_rule = 1', [])
    await hears('finding.opened', 'finding.changed')
    const now = { ...A, formerly: [old.fingerprint] }
    await scan([now])
    const after = await list()
    expect(after).toHaveLength(1)
    expect(after[0]).toMatchObject({
      ...{ fingerprint: A.fingerprint, first_seen: before?.first_seen, state: 'accepted' },
      ...{ assignee: 'A. Ruiz', due: '2030-01-31', severity: 'low', judged_severity: 'high' },
    })
    // What one act changed is of one moment, in no order.
    expect((await history(now)).toSorted()).toEqual(['assigned', 'decided accepted', 'due', 'opened', 'severity'])
    expect(await told()).toEqual([])
    expect((await getProblem(t.db, at.organisationId, at.domainId, old.fingerprint))?.finding.fingerprint).toBe(
      A.fingerprint,
    )
  })

  test('receivers hear of each run and each act once', async () => {
    await hears('finding.opened', 'finding.changed')
    const run = await scan([A, B])
    await scan([A, B])
    await scan([A], [line('headers/a', 'fail'), line('headers/b', 'pass')])
    await scan([A, B])
    const key = { domain_id: at.domainId, fingerprint: A.fingerprint }
    await changeProblems(t.db, at.organisationId, [key], { decision: BORNE, comment: 'seen' }, 'ci')
    await decide(t.db, run, await only(run), null, 'ci')
    expect(await told()).toEqual([
      ['finding.opened', 2, 'open,open'],
      ['finding.changed', 1, 'fixed'],
      ['finding.opened', 1, 'reopened'],
      ['finding.changed', 1, 'accepted'],
      ['finding.changed', 1, 'open'],
    ])
  })

  test('what a target sent cannot break the message', async () => {
    await hears('finding.opened')
    await scan([{ ...A, title: 'a\0b \ud800', location: { url: 'http://shop.test/\0' } }])
    expect(await told()).toEqual([['finding.opened', 1, 'open']])
  })

  test('runs of before the list fill it, by the same rule, and nobody is told', async () => {
    await scan([A, B])
    await scan([A], [line('headers/a', 'fail'), line('headers/b', 'pass')])
    const wanted = await list()
    await t.db.query('delete from problems', [])
    await t.db.query(`delete from problem_events`, [])
    await t.db.query('update runs set problems_followed = false', [])
    await hears('finding.opened', 'finding.changed')
    expect(await followEarlierRuns(t.db)).toBe(2)
    expect(await followEarlierRuns(t.db)).toBe(0)
    expect(await list()).toEqual(wanted)
    expect(await history(B)).toEqual(['fixed', 'opened'])
    expect(await told()).toEqual([])
  })

  test('filters and orders', async () => {
    const kev = [
      { id: 'CVE-2024-1000', match: 'certain', epss: null, kev: { date_added: '2024-01-01', ransomware: false } },
    ]
    const c = finding('cookies/c', {
      severity: 'critical',
      cwe: 614,
      cve: kev as never,
      location: { host: 'shop.test', port: 8443 },
    })
    await scan([A, B, c])
    const key = { domain_id: at.domainId, fingerprint: B.fingerprint }
    await changeProblems(t.db, at.organisationId, [key], { assignee: 'A. Ruiz', due: '2020-01-01' }, 'ci')
    const checks = async (filters: Partial<ListDomainFindings>) => (await list(filters)).map(({ check_id }) => check_id)
    const all = ['cookies/c', 'headers/a', 'headers/b']
    expect(await checks({})).toEqual(all)
    expect(await checks({ sort: 'due' })).toEqual(['headers/b', ...(await checks({ sort: 'due' })).slice(1)])
    expect((await checks({ sort: 'last_seen' })).toSorted()).toEqual(all)
    expect(await checks({ severity: ['critical', 'low'] })).toEqual(['cookies/c', 'headers/b'])
    expect(await checks({ module: 'cookies' })).toEqual(['cookies/c'])
    expect(await checks({ check_id: 'headers/a' })).toEqual(['headers/a'])
    expect(await checks({ state: ['open', 'reopened'] })).toEqual(all)
    expect(await checks({ state: ['fixed'] })).toEqual([])
    expect(await checks({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([])
    expect(await checks({ assignee: 'A. Ruiz' })).toEqual(['headers/b'])
    expect(await checks({ assignee: '' })).toEqual(['cookies/c', 'headers/a'])
    expect(await checks({ due_before: '2020-01-02' })).toEqual(['headers/b'])
    expect(await checks({ kev: true })).toEqual(['cookies/c'])
    expect(await checks({ cwe: 614 })).toEqual(['cookies/c'])
    expect(await checks({ domain_id: at.organisationId })).toEqual([])
    expect(await checks({ q: 'HEAD prob' })).toEqual(['headers/a', 'headers/b'])
    expect(await checks({ q: "shop.test:8443 & '!" })).toEqual(['cookies/c'])
    expect((await list({ assignee: 'A. Ruiz' }))[0]).toMatchObject({ due: '2020-01-01', overdue: true })
    expect(await groupProblems(t.db, at.organisationId, { state: ['open', 'reopened'] })).toMatchObject([
      { check_id: 'cookies/c', severity: 'critical', findings: 1, domains: 1, overdue: 0 },
      { check_id: 'headers/a', overdue: 0 },
      { check_id: 'headers/b', overdue: 1 },
    ])
  })

  test('every change leaves a trace; what was that way already none; a stranger none at all', async () => {
    await scan([A])
    const key = { domain_id: at.domainId, fingerprint: A.fingerprint }
    const change = (...[given, organisation = at.organisationId]: [Parameters<typeof changeProblems>[3], string?]) =>
      changeProblems(t.db, organisation, [key, key], given, 'K. Ono')
    await change({
      severity: 'info',
      reason: 'not reachable',
      assignee: 'A. Ruiz',
      due: '2030-01-31',
      comment: 'hello\0',
    })
    await change({ severity: 'info', reason: 'not reachable', assignee: 'A. Ruiz', due: '2030-01-31' })
    await change({ severity: null, assignee: null, due: null })
    const traces = ['assigned', 'assigned', 'comment', 'due', 'due', 'opened', 'severity', 'severity']
    expect((await history(A)).toSorted()).toEqual(traces)
    expect((await list())[0]).toMatchObject({ severity: 'high', override: null, assignee: null, due: null })
    const other = await seedDomain(t.db, { domain: 'other.test' })
    expect(await change({ assignee: 'X' }, other.organisationId)).toBeNull()
    expect(
      await changeProblems(
        t.db,
        at.organisationId,
        [key, { ...key, fingerprint: '0'.repeat(64) }],
        { assignee: 'X' },
        'K',
      ),
    ).toBeNull()
    expect((await list())[0]?.assignee).toBeNull()
  })

  test('a policy gives days to what opens and what comes back, and leaves those that people set', async () => {
    const day = (later: number): string => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10)
    const days = { critical: 2, high: 7, medium: null, low: null, info: null }
    await scan([B])
    await setDueDays(t.db, at.organisationId, days)
    expect(await getDueDays(t.db, at.organisationId)).toEqual(days)
    await scan([A, B])
    const due = async (): Promise<(string | null)[]> => (await list()).map((one) => one.due)
    expect(await due()).toEqual([day(7), null])
    expect(await history(A)).toEqual(expect.arrayContaining(['due', 'opened']))
    const key = { domain_id: at.domainId, fingerprint: A.fingerprint }
    await changeProblems(t.db, at.organisationId, [key], { due: '2020-01-01' }, 'ci')
    await scan([A, B])
    expect(await due()).toEqual(['2020-01-01', null])
    await scan([B], ASKED)
    await scan([A, B])
    expect(await due()).toEqual([day(7), null])
  })

  test('a domain that is removed takes its problems along', async () => {
    await scan([A])
    await t.db.query('delete from domains where id = $1', [at.domainId])
    expect(await list()).toEqual([])
  })
})
