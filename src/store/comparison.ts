/** Two runs of a domain beside each other. */
import type { Comparison, Listed } from '../contract/comparison.ts'
import type { Coverage } from '../contract/finding.ts'
import type { Queryable } from './database.ts'
import type { NewFinding } from './findings.ts'
import { isAnswer } from './gone.ts'
import { loadModules, type ModuleRecord } from './modules.ts'
import { proofHash } from './proof-hash.ts'
import { type RunRecord, wholeRun } from './run-row.ts'

/** The done run of the same domain before this one; of the same tier where there is one: that compares best. */
export const earlierRun = async (db: Queryable, run: RunRecord): Promise<string | null> => {
  const [row] = await db.query<{ id: string }>(
    `select b.id from runs b
      where b.organisation_id = $1 and b.domain_id = $2 and b.status = 'done' and ${wholeRun('b')} and not b.dry_run and b.id <> $3 and b.created_at < $4
      order by b.tier = $5 desc, b.created_at desc, b.id
      limit 1`,
    [run.organisationId, run.domainId, run.id, new Date(run.created_at), run.tier],
  )
  return row?.id ?? null
}

export const compareRuns = async (db: Queryable, run: RunRecord, base: RunRecord | null): Promise<Comparison> => {
  const after = await seenBy(db, run.id, base && withoutLogin(run, base))
  const sides = { run: side(run), base: base && side(base) }
  if (base === null)
    return { ...sides, new: [], gone: [], changed: [], not_comparable: [], unchanged: after.findings.size }
  const before = await seenBy(db, base.id, withoutLogin(base, run))
  const only = (one: Sight, other: Sight): Found[] =>
    [...one.findings.values()].filter((found) => counterpart(found, other) === null)
  const [fresh, missing] = [only(after, before), only(before, after)]
  const both = [...after.findings.values()].flatMap((now) => {
    const then = counterpart(now, before)
    return then ? [{ now, then }] : []
  })
  const changed = both.filter(({ now, then }) => now.proofHash !== then.proofHash)
  return {
    ...sides,
    new: fresh.filter((found) => unseen(before, found) === null).map(listed),
    gone: missing.filter((found) => unseen(after, found) === null).map(listed),
    changed: changed.map(({ now, then }) => ({ ...listed(now), before: seen(then), after: seen(now) })),
    not_comparable: [
      ...missing.flatMap((found) => unseenOf(after, found, 'base')),
      ...fresh.flatMap((found) => unseenOf(before, found, 'run')),
    ],
    unchanged: both.length - changed.length,
  }
}

/** The same problem in another run, whichever of the two is of the older identity. */
const counterpart = (found: Found, { findings, renamed }: Sight): Found | null => {
  const older = (found.formerly ?? []).flatMap((name) => findings.get(name) ?? [])
  const newer = renamed.get(found.fingerprint) ?? []
  return (
    findings.get(found.fingerprint) ??
    older.find((one) => one.identityRule < found.identityRule) ??
    newer.find((one) => found.identityRule < one.identityRule) ??
    null
  )
}

interface Found extends NewFinding {
  readonly id: string
  readonly identityRule: number
  readonly proofHash: string
}

interface Sight {
  /** By fingerprint, the gravest first. */
  readonly findings: ReadonlyMap<string, Found>
  /** By what earlier versions called them. */
  readonly renamed: ReadonlyMap<string, readonly Found[]>
  /** By check. */
  readonly coverage: ReadonlyMap<string, Coverage>
  /** What a module as a whole came to, by its id. */
  readonly modules: ReadonlyMap<string, string | null>
  /** Why it says nothing about what the other run found and it did not; null in general. */
  readonly blind: string | null
}

/** Why what the other run found behind a login is not gone when this one did not see it; null where both could look. */
export const withoutLogin = (run: Pick<RunRecord, 'signed_in'>, other: Pick<RunRecord, 'signed_in'>): string | null =>
  other.signed_in && !run.signed_in ? 'it had no login, the other run had one' : null

/** Why a run of these modules says nothing about the problem; null when it had looked and come to an answer. */
export const unseenIn = (modules: readonly ModuleRecord[], of: Pick<Found, 'check_id' | 'module'>): string | null =>
  unseen({ ...sightOf(modules), blind: null }, of)

const seenBy = async (db: Queryable, runId: string, blind: string | null): Promise<Sight> => {
  const rows = await db.query<{ id: string; identity_rule: number; body: NewFinding }>(
    'select id, identity_rule, body from findings where run_id = $1 order by rank, check_id, fingerprint, id',
    [runId],
  )
  // From the bodies: the stored hash of an older run may be of an older rule.
  const found = rows.map(({ id, identity_rule, body }) => {
    return { ...body, id, identityRule: identity_rule, proofHash: proofHash(body) }
  })
  const renamed = new Map<string, Found[]>()
  for (const one of found) for (const name of one.formerly ?? []) renamed.set(name, [...(renamed.get(name) ?? []), one])
  return {
    ...sightOf(await loadModules(db, runId)),
    blind,
    findings: new Map(found.map((one) => [one.fingerprint, one])),
    renamed,
  }
}

const sightOf = (modules: readonly ModuleRecord[]): Pick<Sight, 'coverage' | 'modules'> => ({
  coverage: new Map(modules.flatMap((module) => module.coverage.map((entry) => [entry.check_id, entry]))),
  modules: new Map(modules.map(({ module, outcome }) => [module, outcome.reason])),
})

/** Why this run says nothing about the problem; null when it had looked and come to an answer. */
const unseen = (
  { coverage, modules, blind }: Omit<Sight, 'findings' | 'renamed'>,
  { check_id, module }: Pick<Found, 'check_id' | 'module'>,
): string | null => {
  if (blind !== null) return blind
  const entry = coverage.get(check_id)
  if (entry && isAnswer(entry)) return null
  if (entry?.state === 'fail') return entry.reason ?? 'it did not ask all that the check applies to'
  if (entry) return entry.reason ?? entry.state.replace('_', ' ')
  return modules.get(module) ?? 'the check was not part of that run'
}

const unseenOf = (sight: Sight, found: Found, where: 'run' | 'base'): Comparison['not_comparable'] => {
  const reason = unseen(sight, found)
  return reason === null ? [] : [{ ...listed(found), in: where, reason }]
}

const listed = ({ id, check_id, title, severity, location, fingerprint }: Found): Listed => ({
  ...{ id, check_id, title, severity, location, fingerprint },
})

const seen = ({ severity, confidence, detail, places }: Found) => ({
  ...{ severity, confidence, detail },
  places: places.length,
})

const side = ({ id, tier, grade, finished_at }: RunRecord): Comparison['run'] => ({ id, tier, grade, finished_at })
