/** Readings over several runs of a domain. */
import { type Coverage, type CoverageState, SEVERITIES, type Severity } from '../contract/finding.ts'
import {
  type DomainOverview,
  type FindingAppearance,
  OVERVIEW_RUNS,
  type Overview,
  type OverviewRun,
} from '../contract/overview.ts'
import { type Counts, NO_COUNTS, type Tier } from '../contract/run.ts'
import type { Queryable } from './database.ts'
import { answeredBy } from './gone.ts'
import { wholeRun } from './run-row.ts'
import { IDENTITY_RULE } from './succession.ts'
import { iso, isoOrNull } from './time.ts'

const DOMAINS = 100
/** Runs in which those that were scanned last are looked for: one domain may have most of them. */
const LAST_RUNS = 2_000
const HISTORY_RUNS = 50

interface RunRow {
  readonly domain_id: string
  readonly id: string
  readonly tier: Tier
  readonly grade: string | null
  readonly counts: Counts
  readonly finished_at: Date
  readonly baseline_run_id: string | null
}

/** Of an organisation of more than a hundred domains those that were scanned last: an import must not hide what was found. */
export const readOverview = async (db: Queryable, organisationId: string): Promise<Overview> => {
  const domains = await db.query<{ id: string; domain: string; verified_until: Date | null; total: number }>(
    `with recent as (
       select domain_id, max(created_at) as at from (
         select domain_id, created_at from runs
          where organisation_id = $1 and status = 'done' and ${wholeRun('runs')} and not dry_run
          order by created_at desc limit ${LAST_RUNS}) last
        group by domain_id)
     select d.id, d.domain, d.verified_until, count(*) over () as total
       from domains d left join recent on recent.domain_id = d.id
      where d.organisation_id = $1
      order by recent.at desc nulls last, d.created_at desc, d.id desc limit ${DOMAINS}`,
    [organisationId],
  )
  const ids = domains.map(({ id }) => id)
  const runs = await db.query<RunRow>(
    `select r.* from unnest($2::uuid[]) as d (id)
       cross join lateral (
         select domain_id, id, tier, grade, counts, finished_at, baseline_run_id from runs
          where organisation_id = $1 and domain_id = d.id and status = 'done' and ${wholeRun('runs')} and not dry_run
          order by finished_at desc limit ${OVERVIEW_RUNS}
       ) r`,
    [organisationId, ids],
  )
  const ofDomain = Map.groupBy(runs, (run) => run.domain_id)
  const latest = [...ofDomain.values()].flatMap(([newest]) => (newest ? [newest] : []))
  const compared = await compare(db, latest)
  const read = domains.map(({ id, domain, verified_until }) => {
    const own = ofDomain.get(id) ?? []
    return {
      ...{ id, domain, verified_until: isoOrNull(verified_until) },
      runs: own.toReversed().map(toRun),
      latest: (own[0] && compared.get(own[0].id)) ?? null,
    }
  })
  return { domains: read, total: domains[0]?.total ?? 0 }
}

type Latest = NonNullable<DomainOverview['latest']>

/** Each run against its baseline: by fingerprint, and by whether the check ran to an answer. */
const compare = async (db: Queryable, runs: readonly RunRow[]): Promise<Map<string, Latest>> => {
  const ids = runs.map(({ id }) => id)
  const added = await db.query<{ run_id: string; severity: Severity; n: number }>(
    `select run_id, severity, count(*) as n from findings
      where run_id = any ($1::uuid[]) and status = 'new' group by run_id, severity`,
    [ids],
  )
  const missing = await db.query<{ run_id: string; check_id: string; blind: boolean; n: number }>(
    `select r.id as run_id, b.check_id, before.signed_in and not r.signed_in as blind, count(*) as n
       from runs r
       join runs before on before.id = r.baseline_run_id
       join findings b on b.run_id = before.id
      where r.id = any ($1::uuid[])
        and not exists (
          select 1 from known_as f
           where f.run_id = r.id and f.fingerprint = b.fingerprint and b.identity_rule < f.before_rule)
      group by r.id, b.check_id, before.signed_in`,
    [ids],
  )
  const coverage = await db.query<{ run_id: string; coverage: Coverage[] }>(
    'select run_id, coverage from run_modules where run_id = any ($1::uuid[])',
    [ids],
  )
  return new Map(
    ids.map((id) => {
      const checks = coverage.filter((row) => row.run_id === id).flatMap((row) => row.coverage)
      const answered = answeredBy(checks)
      const lost = missing.filter((row) => row.run_id === id)
      const looked = (row: (typeof lost)[number]): boolean => !row.blind && answered.has(row.check_id)
      const sum = (rows: typeof lost): number => rows.reduce((total, row) => total + row.n, 0)
      const counts = { ...NO_COUNTS }
      for (const row of added) if (row.run_id === id) counts[row.severity] = row.n
      return [
        id,
        {
          added: counts,
          gone: sum(lost.filter(looked)),
          not_comparable: sum(lost.filter((row) => !looked(row))),
          checks: countStates(checks),
        },
      ]
    }),
  )
}

const countStates = (coverage: readonly Coverage[]): Record<CoverageState, number> => {
  const states = { pass: 0, fail: 0, not_applicable: 0, not_tested: 0, blocked: 0, inconclusive: 0 }
  for (const { state } of coverage) states[state] += 1
  return states
}

const toRun = (row: RunRow): OverviewRun => ({
  id: row.id,
  tier: row.tier,
  grade: row.grade,
  counts: Object.fromEntries(SEVERITIES.map((severity) => [severity, row.counts[severity]])) as Counts,
  finished_at: iso(row.finished_at),
})

/** Done runs of the run's domain, newest first, with what became of the fingerprint in each. */
export const readHistory = async (
  db: Queryable,
  organisationId: string,
  of: {
    readonly runId: string
    /** Null once the domain was deleted: then the run stands alone. */
    readonly domainId: string | null
    readonly fingerprint: string
    /** What earlier versions called it. */
    readonly formerly: readonly string[]
    readonly checkId: string
  },
): Promise<FindingAppearance[]> => {
  const rows = await db.query<{
    run_id: string
    finished_at: Date
    finding_id: string | null
    severity: Severity | null
    coverage: Coverage[] | null
    blind: boolean
  }>(
    `select r.id as run_id, r.finished_at, f.id as finding_id, f.severity, m.coverage, seen.signed_in and not r.signed_in as blind
       from (select id, finished_at, signed_in from runs
              where organisation_id = $1 and ${of.domainId === null ? 'id' : 'domain_id'} = $2 and status = 'done'
                and ${wholeRun('runs')} and not dry_run
              order by finished_at desc, id desc limit ${HISTORY_RUNS}) r
       join runs seen on seen.id = $5
       left join lateral (
         select id, severity from findings
          where run_id = r.id and (fingerprint = $3 or (fingerprint = any ($6::text[]) and identity_rule < ${IDENTITY_RULE}))
          order by rank, id limit 1
       ) f on true
       left join run_modules m on m.run_id = r.id and m.module = split_part($4, '/', 1)
      order by r.finished_at desc, r.id desc`,
    [organisationId, of.domainId ?? of.runId, of.fingerprint, of.checkId, of.runId, of.formerly],
  )
  return rows.map(({ run_id, finished_at, finding_id, severity, coverage, blind }) => ({
    ...{ run_id, finding_id, severity },
    state:
      finding_id !== null ? 'found' : !blind && answeredBy(coverage ?? []).has(of.checkId) ? 'not_found' : 'not_tested',
    finished_at: iso(finished_at),
  }))
}
