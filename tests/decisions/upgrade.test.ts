/**
 * Decisions hold over an upgrade. stored/rule-1.json holds findings as version 0.1 at d59a222 stored them, each with the
 * hash that it gave them: at least one of every check whose proof was made anew in each run, recorded from the testbed
 * where it has the flaw. Beside them the facts of another run of the same pages, with other random numbers. stored/rule-2.json has
 * what 6945447 stored of the same checks and of those that came since, without the basis that they named.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { judgeModule } from '../../src/engine/judge.ts'
import { redactedFindings } from '../../src/engine/redaction.ts'
import { CASE_CRAWL } from '../../src/modules/attack/insertion-points/testing/probed-facts.ts'
import { MODULES } from '../../src/modules/index.ts'
import { caseContext } from '../../src/modules/testing/judge-cases.ts'
import { compareRuns } from '../../src/store/comparison.ts'
import { allFindings, type NewFinding } from '../../src/store/findings.ts'
import { finish } from '../../src/store/lease.ts'
import { saveModule } from '../../src/store/modules.ts'
import { PROOF_RULE, proofHash } from '../../src/store/proof-hash.ts'
import { getAnyRun } from '../../src/store/runs.ts'
import { adoptDecisions, decide } from '../../src/store/triage.ts'
import { SQL_ENGINES, type TestDatabase } from '../support/databases.ts'
import { finding, seedDomain, seedRun, takeAndStart } from '../support/seed.ts'

interface Recorded {
  readonly findings: readonly { readonly proof_hash: string; readonly body: NewFinding }[]
  readonly next: Readonly<Record<string, unknown>>
}
const storedBy = (rule: number): Recorded =>
  JSON.parse(readFileSync(new URL(`stored/rule-${rule}.json`, import.meta.url), 'utf8')) as Recorded
const BY_RULE = [1, 2].map((rule) => ({ rule, recorded: storedBy(rule) }))
const known = { ...CASE_CRAWL, dns: {}, waf: { blockPage: null } }

/** What this version says of the other run, by fingerprint, and by what older versions called it. */
const next = new Map(
  BY_RULE.flatMap(({ recorded }) => Object.entries(recorded.next)).flatMap(([id, facts]) => {
    const module = MODULES.find((one) => one.id === id)
    if (!module) throw new Error(`There is no module ${id}`)
    const about = caseContext()
    const judged = judgeModule(module, facts, known, { ...about, target: { ...about.target, tier: 'active' } })
    if (judged.failures.length > 0) throw judged.failures[0]?.error
    return redactedFindings({ text: (text) => text }, module, judged.findings).flatMap((finding) =>
      [finding.fingerprint, ...(finding.formerly ?? [])].map((name) => [name, finding as NewFinding] as const),
    )
  }),
)
/** Of them, those that the older version's run had found. */
const againOf = ({ findings }: Recorded): readonly NewFinding[] =>
  findings.flatMap(({ body }) => next.get(body.fingerprint) ?? [])

describe.each(BY_RULE)('what an older version stored by rule $rule', ({ recorded }) => {
  it.each(
    recorded.findings.map(({ body }) => [`${body.check_id} at ${body.location.url ?? body.location.host}`, body]),
  )('%s has the identity and the proof that it has today', (_, body) => {
    const again = next.get(body.fingerprint)
    expect(again?.check_id).toBe(body.check_id)
    expect(again && proofHash(again)).toBe(proofHash(body))
  })
})

it('a basis that a check names is stored, so that no decision rests on what is made anew', () => {
  const named = [...next.values()].filter(({ proof }) => proof?.basis !== undefined)
  expect(new Set(named.map(({ check_id }) => check_id)).size).toBeGreaterThan(50)
  for (const one of named)
    expect(proofHash(one)).toBe(proofHash({ ...one, proof: one.proof && { ...one.proof, mark: 'another' } }))
})

it('an older finding is changed by another severity, certainty, database and place in the page', () => {
  const of = (check: string): NewFinding => {
    const found = storedBy(1).findings.find(({ body }) => body.check_id === check)
    if (!found) throw new Error(`${check} is not recorded`)
    return found.body
  }
  const sql = of('sqli/error')
  const others: NewFinding[] = [
    { ...sql, severity: 'low' },
    { ...sql, confidence: 'tentative' },
    { ...sql, detail: sql.detail.replace(/^.+? worked/, 'Informix worked') },
  ]
  for (const other of others) expect(proofHash(other)).not.toBe(proofHash(sql))
  const scripts = new Set(
    storedBy(1)
      .findings.filter(({ body }) => body.check_id === 'xss/reflected')
      .map(({ body }) => proofHash(body)),
  )
  expect(scripts.size).toBeGreaterThan(4)
})

it('nonces of a site are no part of a proof', () => {
  const of = (nonce: string): string =>
    proofHash({
      ...finding('headers/content-security-policy-nonce-predictable'),
      proof: { excerpt: nonce, mark: `nonce-${nonce}`, replay: null },
    })
  expect(of('k/Qx+Tz/aZ==')).toBe(of('o1/bC/+yyw=='))
})

const OUTCOME = { state: 'completed', reason: null, duration_ms: 1, requests: 1 } as const

const UPGRADES = SQL_ENGINES.flatMap((engine) => BY_RULE.map((stored) => ({ ...engine, ...stored })))

describe.each(UPGRADES)('decisions of an older version on $kind, by rule $rule', ({ open, rule, recorded }) => {
  const again = againOf(recorded)
  let t: TestDatabase
  beforeAll(async () => {
    t = await open()
  }, 300_000)
  afterAll(() => t?.drop())
  beforeEach(() => t.empty())

  const scan = async (at: Awaited<ReturnType<typeof seedDomain>>, findings: readonly NewFinding[]): Promise<string> => {
    const run = await seedRun(t.db, at)
    const held = await takeAndStart(t.db)
    for (const module of new Set(findings.map((finding) => finding.module))) {
      const own = findings.filter((finding) => finding.module === module)
      await saveModule(t.db, held, { module, facts: {}, outcome: OUTCOME, coverage: [], findings: own })
    }
    await finish(t.db, held, { grade: 'B', artifacts: [] })
    return run.id
  }
  /** A run and decisions about all that it found, as the older version left them. */
  const upgraded = async (reopened: boolean): Promise<{ at: Awaited<ReturnType<typeof seedDomain>>; run: string }> => {
    const at = await seedDomain(t.db)
    const run = await scan(
      at,
      recorded.findings.map(({ body }) => body),
    )
    await t.db.query("update findings set identity_rule = default, formerly = '{}' where run_id = $1", [run])
    for (const { body, proof_hash } of recorded.findings) {
      await t.db.query('update findings set proof_hash = $3, proof_rule = $4 where run_id = $1 and fingerprint = $2', [
        run,
        body.fingerprint,
        proof_hash,
        rule,
      ])
      await t.db.query(
        `insert into triage (organisation_id, domain_id, fingerprint, state, owner, reason, proof_hash, proof_rule, subject, decided_by,
                             reopened_at, reopened)
         values ($1, $2, $3, 'accepted', 'J. Weber', 'until spring', $4, $7, $5, 'ci',
                 case when $6 then clock_timestamp() end, case when $6 then 'evidence_changed' end)`,
        [at.organisationId, at.domainId, body.fingerprint, proof_hash, JSON.stringify({}), reopened, rule],
      )
    }
    return { at, run }
  }
  const states = async (run: string): Promise<string[]> => [
    ...new Set((await allFindings(t.db, run)).map(({ triage }) => triage.reopened ?? triage.state)),
  ]
  const openOf = async (run: string): Promise<number> =>
    Object.values((await getAnyRun(t.db, run))?.open_counts ?? {}).reduce((sum, count) => sum + count, 0)

  test.each([
    ['by the start of the service', true],
    ['by the end of the next run, where a start came before the last rows', false],
  ])('hold over the next run: brought along %s', async (_, atStart) => {
    const { at, run } = await upgraded(false)
    if (atStart) {
      expect(await adoptDecisions(t.db)).toBe(recorded.findings.length)
      expect(await adoptDecisions(t.db)).toBe(0)
    }
    const after = await scan(at, again)
    expect([await states(run), await states(after)]).toEqual([['accepted'], ['accepted']])
    expect(await openOf(after)).toBe(0)
    const [now, base] = [await getAnyRun(t.db, after), await getAnyRun(t.db, run)]
    if (!now || !base) throw new Error('unreachable')
    expect(await compareRuns(t.db, now, base)).toMatchObject({
      new: [],
      changed: [],
      unchanged: recorded.findings.length,
    })
  })

  test('that fell to a payload of another run hold again; those about other evidence stay open', async () => {
    const { at, run } = await upgraded(true)
    const changed = recorded.findings[0]?.body
    if (!changed) throw new Error('unreachable')
    // The run after it, still by the older version: other payloads, so other hashes; and one is graver.
    const second = await scan(
      at,
      recorded.findings.map(({ body }) => (body === changed ? { ...body, severity: 'info' } : body)),
    )
    await t.db.query(`update findings set proof_hash = repeat('0', 64), proof_rule = ${rule} where run_id = $1`, [
      second,
    ])
    await t.db.query(
      `update triage set proof_rule = ${rule}, reopened = 'evidence_changed', reopened_at = clock_timestamp()`,
    )
    await t.db.query(
      'update triage t set proof_hash = f.proof_hash, decided_at = r.finished_at from findings f join runs r on r.id = f.run_id where r.id = $1 and f.fingerprint = t.fingerprint',
      [run],
    )
    await adoptDecisions(t.db)
    const opened = (await allFindings(t.db, second)).filter(({ triage }) => triage.state === 'open')
    expect(opened.map(({ fingerprint }) => fingerprint)).toEqual([changed.fingerprint])
    expect(await openOf(second)).toBe(1)
  })

  test('can be made about a finding that the older version stored', async () => {
    const { at, run } = await upgraded(false)
    await t.db.query('delete from triage')
    for (const finding of await allFindings(t.db, run)) {
      const decision = { state: 'accepted', owner: 'A', reason: 'r', expiresAt: null } as const
      expect(await decide(t.db, run, finding, decision, 'ci')).toBe('ok')
    }
    expect(await states(run)).toEqual(['accepted'])
    expect(await openOf(run)).toBe(0)
    expect(await states(await scan(at, again))).toEqual(['accepted'])
    expect(await t.db.query('select 1 from triage where proof_rule <> $1', [PROOF_RULE])).toEqual([])
  })
})
