import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SQL_ENGINES, type TestDatabase } from '../../tests/support/databases.ts'
import { finding, seedDomain, seedRun, takeAndStart } from '../../tests/support/seed.ts'
import type { Finding } from '../contract/finding.ts'
import { allFindings, type NewFinding } from './findings.ts'
import { finish } from './lease.ts'
import { saveModule } from './modules.ts'
import { getAnyRun } from './runs.ts'
import { decide, expireTriage, listTriage } from './triage.ts'

const OUTCOME = { state: 'completed', reason: null, duration_ms: 1, requests: 1 } as const
const BORNE = {
  state: 'accepted',
  owner: 'J. Weber',
  reason: 'until spring',
  expiresAt: null,
} as const
type Site = Awaited<ReturnType<typeof seedDomain>>

describe.each(SQL_ENGINES)('triage on $kind', ({ open }) => {
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  })
  afterAll(() => t.drop())
  beforeEach(async () => {
    await t.empty()
  })

  /** A done run that saw these. */
  const scan = async (at: Site, findings: NewFinding[]): Promise<string> => {
    const run = await seedRun(t.db, at)
    const held = await takeAndStart(t.db)
    await saveModule(t.db, held, { module: 'headers', facts: {}, outcome: OUTCOME, coverage: [], findings })
    await finish(t.db, held, { grade: 'B', artifacts: [] })
    return run.id
  }
  const only = async (runId: string): Promise<Finding> => {
    const [first] = await allFindings(t.db, runId)
    if (!first) throw new Error('The run has no findings')
    return first
  }
  const openHigh = async (runId: string): Promise<number | undefined> =>
    (await getAnyRun(t.db, runId))?.open_counts.high
  const high = (change: Partial<NewFinding> = {}): NewFinding => finding('headers/a', { severity: 'high', ...change })

  test('a decision holds in the runs before and after it; what the scan saw stays', async () => {
    const at = await seedDomain(t.db)
    const [before, now] = [await scan(at, [high()]), await scan(at, [high()])]
    expect((await only(now)).triage).toMatchObject({ state: 'open', owner: null, reopened: null })
    expect(await decide(t.db, now, await only(now), BORNE, 'ci')).toBe('ok')
    const after = await scan(at, [high()])
    for (const run of [before, now, after]) {
      expect((await only(run)).triage).toMatchObject({ state: 'accepted', owner: 'J. Weber', decided_by: 'ci' })
      expect(await openHigh(run)).toBe(0)
      expect((await getAnyRun(t.db, run))?.counts.high).toBe(1)
    }
    await decide(t.db, now, await only(now), null, 'ci')
    expect(await openHigh(before)).toBe(1)
    expect((await only(after)).triage.state).toBe('open')
  })

  test('the same fingerprint of another domain is another problem', async () => {
    const [ours, theirs] = [await seedDomain(t.db), await seedDomain(t.db)]
    const [mine, other] = [await scan(ours, [high()]), await scan(theirs, [high()])]
    await decide(t.db, mine, await only(mine), BORNE, 'ci')
    expect((await only(other)).triage.state).toBe('open')
    expect(await openHigh(other)).toBe(1)
  })

  test.each([
    ['graver', { severity: 'critical' }],
    ['surer', { confidence: 'confirmed' }],
    ['another version', { proof: { excerpt: 'x', mark: 'nginx/1.18', replay: null } }],
    ['exploited by now', { cve: [{ id: 'CVE-2024-1000', match: 'certain', epss: null, kev: null }] }],
  ] as const)('other evidence reopens it for good: %s', async (_, change) => {
    const at = await seedDomain(t.db)
    const first = await scan(at, [high()])
    await decide(t.db, first, await only(first), BORNE, 'ci')
    const second = await scan(at, [high({ ...change, cve: [...('cve' in change ? change.cve : [])] })])
    expect((await only(second)).triage).toMatchObject({
      state: 'open',
      reopened: 'evidence_changed',
      owner: 'J. Weber',
    })
    expect((await only(first)).triage.state).toBe('open')
    expect(await openHigh(first)).toBe(1)
    const third = await scan(at, [high()])
    expect((await only(third)).triage.reopened).toBe('evidence_changed')
    await decide(t.db, third, await only(third), BORNE, 'ci')
    expect((await only(third)).triage).toMatchObject({ state: 'accepted', reopened: null })
  })

  test('what changes by itself does not reopen it', async () => {
    const at = await seedDomain(t.db)
    const seen = (mark: string): NewFinding => high({ detail: mark, proof: { excerpt: mark, mark, replay: null } })
    const first = await scan(at, [seen('nonce-Zm9vYmFyMTIz 2026-11-21T09:00:00Z 1795511290')])
    await decide(t.db, first, await only(first), BORNE, 'ci')
    const second = await scan(at, [seen('nonce-a81kdk2kd9a0 2026-12-01T10:11:12Z 1796511290')])
    expect((await only(second)).triage.state).toBe('accepted')
  })

  test('a date that has passed opens it at once, and the counts follow', async () => {
    const at = await seedDomain(t.db)
    const run = await scan(at, [high()])
    await decide(t.db, run, await only(run), { ...BORNE, expiresAt: new Date(Date.now() + 3_600_000) }, 'ci')
    expect(await expireTriage(t.db)).toBe(0)
    await t.db.query(`update triage set expires_at = clock_timestamp() - interval '1 second'`)
    expect((await only(run)).triage).toMatchObject({ state: 'open', reopened: 'expired' })
    const expired = await Promise.all([expireTriage(t.db), expireTriage(t.db)])
    expect(expired.toSorted()).toEqual([0, 1])
    expect(await openHigh(run)).toBe(1)
  })

  test('the list of a domain: the latest first, page by page', async () => {
    const at = await seedDomain(t.db)
    const run = await scan(at, [high(), finding('headers/b'), finding('headers/c')])
    for (const one of await allFindings(t.db, run)) await decide(t.db, run, one, BORNE, 'ci')
    const all = await listTriage(t.db, at.domainId, null, 10)
    expect(all.map((one) => one.finding.check_id)).toEqual(['headers/c', 'headers/b', 'headers/a'])
    const [, second] = all
    if (!second?.decided_at) throw new Error('unreachable')
    const after = { decidedAt: new Date(second.decided_at), fingerprint: second.finding.fingerprint }
    expect(await listTriage(t.db, at.domainId, after, 10)).toEqual(all.slice(2))
  })

  test('nothing is decided once the domain is gone', async () => {
    const at = await seedDomain(t.db)
    const run = await scan(at, [high()])
    const seen = await only(run)
    await decide(t.db, run, seen, BORNE, 'ci')
    await t.db.query('delete from domains where id = $1', [at.domainId])
    expect(await decide(t.db, run, seen, BORNE, 'ci')).toBe('no_domain')
    expect((await only(run)).triage.state).toBe('open')
  })
})
