/**
 * Decisions hold over a change of identity. Up to rule 1 the program that a front controller chose was no part of a place, and
 * each place behind one error handler was a problem of its own; the facts of those versions had neither route nor handler. Up to rule 2
 * procedures at one address were one place.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { gateHits } from '../../src/cli/gate.ts'
import { judgeModule } from '../../src/engine/judge.ts'
import type { ProbedPoint } from '../../src/modules/attack/insertion-points/facts.ts'
import { CASE_CRAWL, casePoint } from '../../src/modules/attack/insertion-points/testing/probed-facts.ts'
import type { MessageHit, SqliHit } from '../../src/modules/attack/sqli/facts.ts'
import { sqli } from '../../src/modules/attack/sqli/module.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import { compareRuns } from '../../src/store/comparison.ts'
import { allFindings, type NewFinding, resolvedFindings } from '../../src/store/findings.ts'
import { finish } from '../../src/store/lease.ts'
import { saveModule } from '../../src/store/modules.ts'
import { readHistory } from '../../src/store/overview.ts'
import { createRetest, listRetests } from '../../src/store/retests.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import { decide, listTriage } from '../../src/store/triage.ts'
import { openPostgresDatabase, type TestDatabase } from '../support/databases.ts'
import { PLANS, seedDomain, seedRun, takeAndStart } from '../support/seed.ts'

type Point = ProbedPoint<SqliHit>
const judged = (points: readonly Point[]): readonly NewFinding[] => {
  const about = caseContext()
  const facts = { points, left: 0, sessionLost: false }
  const { findings, failures } = judgeModule(sqli, facts, CASE_CRAWL, {
    ...about,
    target: { ...about.target, tier: 'active' },
  })
  if (failures.length > 0) throw failures[0]?.error
  return findings
}

const shown = (expected: string) => ({ payload: '0 union', expected, seen: true, excerpt: expected, replay: 'curl' })
const routed = (route?: string): Point =>
  casePoint<SqliHit>([{ technique: 'union', columns: 4, computed: [shown('6000000'), shown('6002000')] }], {
    at: {
      ...{ url: 'https://shop.test/index.php', method: 'GET', place: 'query', name: 'id' },
      ...(route === undefined ? {} : { route }),
    },
  })
const error: MessageHit = {
  technique: 'message',
  dbms: 'SQLite',
  payload: "1'",
  excerpt: 'unrecognized token',
  mark: 'unrecognized token',
  toggles: false,
  replay: 'curl',
}
const handled = (path: string, known: { readonly handler?: string; readonly route?: string } = {}): Point => {
  const { handler, ...place } = known
  return casePoint<SqliHit>([{ ...error, ...(handler === undefined ? {} : { handler }) }], {
    at: { url: `https://shop.test/${path}`, method: 'GET', place: 'query', name: 'id', ...place },
  })
}
const PATHS = Array.from(
  { length: 72 },
  (_, index) => `part-${String.fromCharCode(97 + (index % 26))}${'x'.repeat(index / 26)}`,
)

/** As version 0.1 made them: of sqli/union at index.php, and of sqli/database-error at part-b. */
const ROUTED = 'b24efe6d082f4521229782ef92c8baaf46218ae390e06c233876e4b0f9a9d07f'
const HANDLED = 'df8c33489ef6d752709a591c5174669436bf32dc5be82ff79d23174ed922aa22'

/** Of sqli/union at the member `/params/id` of POST /rpc, as 6945447 made it. */
const CALLED = 'b980560b12f668377fab44200077f96486c99fdfd25eeb58303b32ccc0af913f'
const called = (procedure?: string): Point =>
  casePoint<SqliHit>([{ technique: 'union', columns: 4, computed: [shown('6000000'), shown('6002000')] }], {
    at: {
      ...{ url: 'https://shop.test/rpc', method: 'POST', place: 'json', name: '/params/id' },
      ...(procedure === undefined ? {} : { procedure }),
    },
  })
const OLD_CALLED = judged([called()])
const NEW_CALLED = judged([called('method=order.get'), called('method=invoice.get')])

const OLD_ROUTED = judged([routed()])
const plainly = (paths: readonly string[]): readonly NewFinding[] => judged(paths.map((path) => handled(path)))
const debugged = (paths: readonly string[]): readonly NewFinding[] =>
  judged(paths.map((path) => handled(path, { handler: 'debugger' })))
const OLD_HANDLED = plainly(PATHS.slice(0, 4))
const NEW_ROUTED = judged([routed('page=order'), routed('page=invoice')])
const NEW_HANDLED = debugged(PATHS.slice(0, 4))

describe('identities', () => {
  it('are those of the older version where it had the facts', () => {
    expect(OLD_ROUTED.map(({ fingerprint }) => fingerprint)).toEqual([ROUTED])
    expect(OLD_HANDLED.find(({ location }) => location.url?.endsWith('/part-b'))?.fingerprint).toBe(HANDLED)
  })

  it('two flaws of one front controller are two findings, which were one', () => {
    expect(NEW_ROUTED).toHaveLength(2)
    expect(NEW_ROUTED.map(({ formerly }) => formerly)).toEqual([[ROUTED], [ROUTED]])
  })

  it('two flaws of two procedures at one address are two findings, which were one', () => {
    expect(OLD_CALLED.map(({ fingerprint }) => fingerprint)).toEqual([CALLED])
    expect(new Set(NEW_CALLED.map(({ fingerprint }) => fingerprint)).size).toBe(2)
    expect(NEW_CALLED.map(({ formerly }) => formerly)).toEqual([[CALLED], [CALLED]])
  })

  it('72 places of one error handler are one finding, whatever routes lead to it, and were 72', () => {
    const [before, after] = [plainly(PATHS), debugged(PATHS)]
    expect([before.length, after.length]).toEqual([72, 1])
    expect(after[0]?.places).toHaveLength(72)
    expect(after[0]?.formerly).toEqual(before.map(({ fingerprint }) => fingerprint).toSorted())
    const behind = PATHS.map((page) => handled('index.php', { handler: 'debugger', route: `page=${page}` }))
    expect(judged(behind)).toHaveLength(1)
    expect(judged([...behind, handled('index.php', { handler: 'other', route: 'page=a' })])).toHaveLength(2)
  })
})

const ACCEPTED = {
  state: 'accepted',
  owner: 'J. Weber',
  reason: 'until spring',
  expiresAt: null,
} as const
const COVERAGE = [...new Set([...OLD_ROUTED, ...OLD_HANDLED].map(({ check_id }) => check_id))].map((check_id) => ({
  ...{ module: 'sqli', check_id, title: 't', state: 'fail' as const, reason: null },
}))
const OUTCOME = { state: 'completed', reason: null, duration_ms: 1, requests: 1 } as const

describe('decisions under former fingerprints', () => {
  let t: TestDatabase
  let at: Awaited<ReturnType<typeof seedDomain>>
  beforeAll(async () => {
    t = await openPostgresDatabase()
  })
  afterAll(() => t?.drop())
  beforeEach(async () => {
    await t.empty()
    at = await seedDomain(t.db)
  })

  const look = async (findings: readonly NewFinding[]): Promise<void> => {
    const held = await takeAndStart(t.db)
    await saveModule(t.db, held, { module: 'sqli', facts: {}, outcome: OUTCOME, coverage: COVERAGE, findings })
    await finish(t.db, held, { grade: 'B', artifacts: [] })
  }
  const scan = async (findings: readonly NewFinding[]): Promise<string> => {
    const run = await seedRun(t.db, at)
    await look(findings)
    return run.id
  }
  /** A run of the older version, and decisions about all that it found but `undecided`. */
  const old = async (
    findings: readonly NewFinding[],
    undecided = 0,
    change: Partial<Parameters<typeof decide>[3]> = {},
  ): Promise<string> => {
    const run = await scan(findings)
    await t.db.query("update findings set identity_rule = 1, formerly = '{}' where run_id = $1", [run])
    for (const one of (await allFindings(t.db, run)).slice(undecided)) {
      expect(await decide(t.db, run, one, { ...ACCEPTED, ...change }, 'ci')).toBe('ok')
    }
    return run
  }
  const states = async (run: string): Promise<string[]> =>
    (await allFindings(t.db, run)).map(({ triage }) => triage.reopened ?? triage.state)
  const openOf = async (run: string): Promise<number> =>
    Object.values((await getAnyRun(t.db, run))?.open_counts ?? {}).reduce((sum, count) => sum + count, 0)
  const listed = async (): Promise<string[]> =>
    (await listTriage(t.db, at.domainId, null, 100)).map(({ finding }) => finding.fingerprint).toSorted()

  test('hold for each of the findings that one became, and for those alone', async () => {
    const before = await old(OLD_ROUTED)
    const after = await scan(NEW_ROUTED)
    expect([await states(after), await openOf(after)]).toEqual([['accepted', 'accepted'], 0])
    expect([await states(before), await openOf(before)]).toEqual([['accepted'], 0])
    expect(await listed()).toEqual(NEW_ROUTED.map(({ fingerprint }) => fingerprint).toSorted())
    const later = await scan([...NEW_ROUTED, ...judged([routed('page=new')])])
    expect((await states(later)).toSorted()).toEqual(['accepted', 'accepted', 'open'])
  })

  test('hold for each procedure of an address that was one place', async () => {
    const before = await old(OLD_CALLED)
    await t.db.query('update findings set identity_rule = 2 where run_id = $1', [before])
    await t.db.query('update triage set identity_rule = 2')
    const after = await scan(NEW_CALLED)
    expect([await states(after), await openOf(after)]).toEqual([['accepted', 'accepted'], 0])
    expect((await allFindings(t.db, after)).map(({ status }) => status)).toEqual(['recurring', 'recurring'])
    const later = await scan([...NEW_CALLED, ...judged([called('method=order.drop')])])
    expect((await states(later)).toSorted()).toEqual(['accepted', 'accepted', 'open'])
  })

  test('hold for the one finding that many became, where all were decided', async () => {
    await old(OLD_HANDLED)
    const after = await scan(NEW_HANDLED)
    expect([await states(after), await openOf(after)]).toEqual([['accepted'], 0])
    expect(await listed()).toEqual(NEW_HANDLED.map(({ fingerprint }) => fingerprint))
    const [one] = await allFindings(t.db, after)
    if (!one) throw new Error('unreachable')
    expect(await decide(t.db, after, one, null, 'ci')).toBe('ok')
    expect(await states(await scan(NEW_HANDLED))).toEqual(['open'])
  })

  test('do not cover what nobody decided about', async () => {
    await old(OLD_HANDLED, 1)
    expect(await states(await scan(NEW_HANDLED))).toEqual(['open'])
    await t.db.query('delete from triage')
    await old(OLD_ROUTED, 0, { expiresAt: new Date(Date.now() - 1_000) })
    expect(await states(await scan(NEW_ROUTED))).toEqual(['open', 'open'])
  })

  test('fall to other evidence, and never replace one under the present fingerprint', async () => {
    await old(OLD_ROUTED)
    const [first, second] = NEW_ROUTED
    if (!first || !second) throw new Error('unreachable')
    const graver = { ...first, severity: 'info' as const }
    expect((await states(await scan([graver, second]))).toSorted()).toEqual(['accepted', 'evidence_changed'])
  })

  test('and findings are neither new nor gone for their name', async () => {
    const before = await old([...OLD_ROUTED, ...OLD_HANDLED], 5)
    const after = await scan([...NEW_ROUTED, ...NEW_HANDLED])
    const found = await allFindings(t.db, after)
    expect(found.map(({ status }) => status)).toEqual(['recurring', 'recurring', 'recurring'])
    expect(await resolvedFindings(t.db, after, COVERAGE)).toEqual([])
    const [now, base] = [await getAnyRun(t.db, after), await getAnyRun(t.db, before)]
    if (!now || !base || !found[0]) throw new Error('unreachable')
    expect(await compareRuns(t.db, now, base)).toMatchObject({ new: [], gone: [], changed: [], unchanged: 3 })
    expect(await compareRuns(t.db, base, now)).toMatchObject({ new: [], gone: [], changed: [] })
    expect(gateHits(found, { severity: 'info', baseline: { run: before } }, await allFindings(t.db, before))).toEqual(
      [],
    )
    const { fingerprint, formerly = [], check_id: checkId } = found[0]
    const history = await readHistory(t.db, at.organisationId, {
      ...{ runId: after, domainId: at.domainId, fingerprint, formerly, checkId },
    })
    expect(history.map(({ state }) => state)).toEqual(['found', 'found'])
    // A run of this version that found the old place alone is another matter.
    const bare = await scan(OLD_ROUTED)
    expect((await allFindings(t.db, bare)).map(({ status }) => status)).toEqual(['new'])
  })

  test('a retest finds what is still there under its present name', async () => {
    const before = await old(OLD_ROUTED)
    const [run, one] = [await getAnyRun(t.db, before), (await allFindings(t.db, before))[0]]
    if (!run || !one) throw new Error('unreachable')
    await createRetest(t.db, PLANS, { run, findingId: one.id, module: 'sqli' }, { sealed: null })
    await look(NEW_ROUTED)
    const again = await listRetests(t.db, at.organisationId, { run, findingId: one.id, limit: 1 })
    expect(again).toMatchObject([{ state: 'still_there' }])
  })
})
