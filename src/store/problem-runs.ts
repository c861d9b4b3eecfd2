/** What a done run does to the problems of its domain: it opens them, sees them again, or shows that they are gone. */
import { createExclusion } from '../contract/exclude.ts'
import type { Coverage, Finding, Location } from '../contract/finding.ts'
import type { RunOptions, Tier } from '../contract/run.ts'
import type { ProblemKey } from './adoption.ts'
import type { Database, Queryable } from './database.ts'
import { giveDueDays } from './due-days.ts'
import { answeredBy } from './gone.ts'
import { record, restate, tell } from './problem-states.ts'

export interface Run {
  readonly id: string
  readonly organisation_id: string
  readonly domain_id: string
  readonly domain: string
  readonly tier: Tier
  readonly options: RunOptions
  readonly signed_in: boolean
  readonly retest_of: string | null
  readonly started_at: Date
  readonly finished_at: Date
}

interface Found {
  readonly id: string
  readonly fingerprint: string
  readonly formerly: readonly string[]
  readonly identity_rule: number
  readonly body: Pick<
    Finding,
    'check_id' | 'module' | 'title' | 'severity' | 'confidence' | 'location' | 'places' | 'cwe' | 'cve'
  >
}

/** SQL, in the `set` of the update that ends a run `r`: its problems follow it in the same transaction. A dry run says nothing. */
export const FOLLOWED = 'problems_followed = not r.dry_run and r.domain_id is not null'

/** Inside the transaction that ended the run with `FOLLOWED`, after the decisions have followed it. */
export const followEnded = async (tx: Queryable, runId: string): Promise<void> => {
  const run = await readRun(tx, runId)
  if (run !== null) await follow(tx, run, { silent: false })
}

/** Once a run. It is of the past, and nobody is told. */
const followEarlier = async (tx: Queryable, runId: string): Promise<void> => {
  const mine = await tx.query(
    'update runs set problems_followed = true where id = $1 and not problems_followed returning 1',
    [runId],
  )
  const run = mine.length === 0 ? null : await readRun(tx, runId)
  if (run !== null) await follow(tx, run, { silent: true })
}

/** What there is nothing to be done for is not asked for: most runs are as the one before. */
const follow = async (tx: Queryable, run: Run, { silent }: { readonly silent: boolean }): Promise<void> => {
  const found = await foundBy(tx, run.id)
  const keys = found.map(({ fingerprint }) => ({ domain_id: run.domain_id, fingerprint }))
  const listed = await listedOf(tx, run.domain_id, found)
  const known = knownBy(listed, found)
  await see(tx, run, found)
  const names = new Set([...listed, ...found.map(({ fingerprint }) => fingerprint)])
  if (found.some(({ formerly }) => formerly.some((one) => names.has(one)))) await inherit(tx, run)
  const missed = await miss(tx, run)
  const cause = { by: 'run', runId: run.id, at: run.finished_at, silent } as const
  const event = { actor: null, runId: run.id, at: run.finished_at, data: () => ({}) }
  const fresh = keys.filter(({ fingerprint }) => !known.has(fingerprint))
  await record(tx, fresh, { kind: 'opened', ...event })
  await record(tx, missed, { kind: 'fixed', ...event })
  const changed = await restate(tx, [...keys, ...missed], cause)
  if (silent) return
  const dated = await giveDueDays(tx, [...fresh, ...changed.filter(({ was }) => was === 'fixed')], {
    at: run.finished_at,
  })
  await record(tx, dated, { kind: 'due', ...event, data: ({ due }) => ({ due }) })
  await tell(tx, 'finding.opened', [...fresh, ...changed.filter(({ now }) => now === 'reopened')], run.id)
  await tell(
    tx,
    'finding.changed',
    changed.filter(({ was, now }) => now === 'fixed' || (was === 'fixed' && now !== 'reopened')),
    run.id,
  )
}

/**
 * After an upgrade: the problems follow the done runs of before, the oldest first, each in a transaction of its own. Returns
 * how many runs.
 */
export const followEarlierRuns = async (db: Database): Promise<number> => {
  for (let count = 0; ; count++) {
    const followed = await db.transaction(async (tx) => {
      const [next] = await tx.query<{ id: string }>(
        `select r.id from runs r where r.status = 'done' and not r.problems_followed and not r.dry_run and r.domain_id is not null
          order by r.finished_at, r.id limit 1`,
        [],
      )
      if (!next) return false
      await followEarlier(tx, next.id)
      return true
    })
    if (!followed) return count
  }
}

/** A done run whose problems have followed it; null of any other. One run of a domain after the other. */
export const readRun = async (tx: Queryable, runId: string): Promise<Run | null> => {
  const [run] = await tx.query<Run>(
    `select ${OF_RUN} from runs r join domains d on d.id = r.domain_id
      where r.id = $1 and r.problems_followed for no key update of d`,
    [runId],
  )
  return run ?? null
}

/** Columns of `Run`, of a run `r` and its domain `d`. */
const OF_RUN = `r.id, r.organisation_id, r.domain_id, d.domain, r.tier, r.options, r.signed_in, r.retest_of,
  coalesce(r.started_at, r.created_at) as started_at, r.finished_at`

/** The gravest of each fingerprint; of all modules, or of these. */
export const foundBy = (tx: Queryable, runId: string, modules: readonly string[] | null = null): Promise<Found[]> =>
  tx.query(
    `select distinct on (fingerprint) id, fingerprint, formerly, identity_rule, body
       from findings where run_id = $1 and ($2::text[] is null or module = any ($2::text[]))
      order by fingerprint, rank, check_id, id`,
    [runId, modules],
  )

/** Those that the list knows already, under their present name or an earlier one. */
export const knownOf = async (tx: Queryable, domainId: string, found: readonly Found[]): Promise<ReadonlySet<string>> =>
  knownBy(await listedOf(tx, domainId, found), found)

/** Present and earlier names of these that the list has. */
const listedOf = async (tx: Queryable, domainId: string, found: readonly Found[]): Promise<ReadonlySet<string>> => {
  if (found.length === 0) return new Set()
  const names = found.flatMap(({ fingerprint, formerly }) => [fingerprint, ...formerly])
  const rows = await tx.query<{ fingerprint: string }>(
    'select fingerprint from problems where domain_id = $1 and fingerprint = any ($2::text[])',
    [domainId, names],
  )
  return new Set(rows.map(({ fingerprint }) => fingerprint))
}

const knownBy = (listed: ReadonlySet<string>, found: readonly Found[]): ReadonlySet<string> => {
  const isListed = ({ fingerprint, formerly }: Found): boolean =>
    [fingerprint, ...formerly].some((one) => listed.has(one))
  return new Set(found.filter(isListed).map(({ fingerprint }) => fingerprint))
}

/** A run that is judged again may be older than who saw the problem last. */
export const see = async (tx: Queryable, run: Run, found: readonly Found[]): Promise<void> => {
  if (found.length === 0) return
  const of = <T>(column: (one: Found) => T): T[] => found.map(column)
  await tx.query(
    `insert into problems as p
       (organisation_id, domain_id, domain, first_seen, last_seen, last_run, seen_passive, fingerprint, identity_rule, formerly,
        finding_id, check_id, module, title, location, places, place, cwe, kev, confidence, seen_severity)
     select $1, $2, $3, $4, $4, $5, $6, n.fingerprint, n.identity_rule,
            (select coalesce(array_agg(one), '{}') from json_array_elements_text(n.formerly::json) as one),
            n.id, n.check_id, n.module, n.title, n.location::json, n.places, n.place, n.cwe, n.kev, n.confidence, n.severity
       from unnest($7::text[], $8::int[], $9::text[], $10::uuid[], $11::text[], $12::text[], $13::text[], $14::text[],
                   $15::int[], $16::text[], $17::int[], $18::boolean[], $19::text[], $20::text[])
              as n (fingerprint, identity_rule, formerly, id, check_id, module, title, location, places, place, cwe, kev, confidence, severity)
     on conflict (domain_id, fingerprint) do update set
       domain = excluded.domain, last_seen = greatest(p.last_seen, excluded.last_seen),
       last_run = case when p.last_seen > excluded.last_seen then p.last_run else excluded.last_run end,
       seen_passive = p.seen_passive or excluded.seen_passive, identity_rule = excluded.identity_rule,
       formerly = excluded.formerly, check_id = excluded.check_id,
       finding_id = case when p.last_seen > excluded.last_seen then p.finding_id else excluded.finding_id end, module = excluded.module,
       title = excluded.title, location = excluded.location, places = excluded.places, place = excluded.place,
       cwe = excluded.cwe, kev = excluded.kev, confidence = excluded.confidence, seen_severity = excluded.seen_severity,
       returned_at = case when p.fixed_at is null then p.returned_at else excluded.last_seen end,
       fixed_at = null, fixed_in = null, superseded_at = null`,
    [
      ...[run.organisation_id, run.domain_id, run.domain, run.finished_at, run.id, run.tier === 'passive'],
      of(({ fingerprint }) => fingerprint),
      of(({ identity_rule }) => identity_rule),
      of(({ formerly }) => JSON.stringify(formerly)),
      of(({ id }) => id),
      of(({ body }) => body.check_id),
      of(({ body }) => body.module),
      of(({ body }) => body.title),
      of(({ body }) => JSON.stringify(body.location)),
      of(({ body }) => Math.max(1, body.places.length)),
      of(({ body }) => placeOf(body.location)),
      of(({ body }) => body.cwe),
      of(({ body }) => body.cve.some(({ kev }) => kev !== null)),
      of(({ body }) => body.confidence),
      of(({ body }) => body.severity),
    ],
  )
}

const placeOf = ({ method, url, host, port, parameter }: Location): string =>
  [method, url ?? [host, port].filter((part) => part !== undefined).join(':'), parameter]
    .filter((part) => part !== undefined)
    .join(' ')
    .slice(0, MOST_OF_A_PLACE)

/** Characters that are searched. */
const MOST_OF_A_PLACE = 2000

/**
 * What earlier rules called otherwise hands over its age and what people have set. One that became several does so to each;
 * it stays, for those that a later run sees, and is listed no more.
 */
const inherit = async (tx: Queryable, run: Run): Promise<void> => {
  await tx.query(
    `update problems h
        set state = o.state, first_seen = least(h.first_seen, o.since), assignee = coalesce(h.assignee, o.assignee), due = coalesce(h.due, o.due),
            severity = coalesce(h.severity, o.severity), severity_reason = coalesce(h.severity_reason, o.severity_reason),
            severity_by = coalesce(h.severity_by, o.severity_by), severity_at = coalesce(h.severity_at, o.severity_at),
            seen_passive = h.seen_passive or o.seen_passive, returned_at = coalesce(h.returned_at, o.returned_at,
              case when o.fixed_at is null then null else h.last_seen end)
       from findings f
       join lateral (
         select o.*, min(o.first_seen) over () as since from problems o
          where o.domain_id = $2 and o.fingerprint = any (f.formerly) and o.identity_rule < f.identity_rule
          order by o.last_seen desc limit 1) o on true
      where f.run_id = $1 and h.domain_id = $2 and h.fingerprint = f.fingerprint and h.first_seen = h.last_seen`,
    [run.id, run.domain_id],
  )
  await tx.query(
    `update problems o set superseded_at = $3
       from findings f
      where f.run_id = $1 and o.domain_id = $2 and o.fingerprint = any (f.formerly) and o.identity_rule < f.identity_rule
        and o.superseded_at is null`,
    [run.id, run.domain_id, run.finished_at],
  )
}

interface Candidate extends ProblemKey {
  readonly check_id: string
  readonly location: Location
}

/**
 * Ends the problems that this run asked for at the same place and did not find: their check came to an answer, nothing kept it
 * from the place (login, excluded addresses, a tier that has never seen the problem), and nobody saw them since it began. A
 * retest speaks of its finding alone, a hypothesis of the one place that it asked.
 */
const miss = async (tx: Queryable, run: Run): Promise<ProblemKey[]> => {
  if (run.options.hypothesis !== undefined && run.retest_of === null) return []
  const modules = await tx.query<{ coverage: Coverage[] }>('select coverage from run_modules where run_id = $1', [
    run.id,
  ])
  const answered = answeredBy(modules.flatMap(({ coverage }) => coverage))
  if (answered.size === 0) return []
  const candidates = await tx.query<Candidate>(
    `select p.domain_id, p.fingerprint, p.check_id, p.location
       from problems p left join runs s on s.id = p.last_run
      where p.domain_id = $2 and p.superseded_at is null and p.fixed_at is null and p.check_id = any ($3::text[])
        and p.last_seen <= $4 and ($5 or not coalesce(s.signed_in, false)) and ($6 or p.seen_passive)
        and ($7::uuid is null or exists (
              select 1 from findings o
               where o.id = $7 and (p.fingerprint = any (o.fingerprint || o.formerly) or o.fingerprint = any (p.formerly))))
        and not exists (
              select 1 from known_as f
               where f.run_id = $1 and f.fingerprint = p.fingerprint and p.identity_rule < f.before_rule)`,
    [...[run.id, run.domain_id, [...answered], run.started_at, run.signed_in, run.tier === 'active', run.retest_of]],
  )
  const excluded = createExclusion(run.options.exclude ?? [])
  const missed = candidates.filter(({ location: { url } }) => url === undefined || !excluded(url))
  if (missed.length === 0) return []
  await tx.query(
    `update problems set fixed_at = $3, fixed_in = $4, returned_at = null
      where domain_id = $1 and fingerprint = any ($2::text[])`,
    [run.domain_id, missed.map(({ fingerprint }) => fingerprint), run.finished_at, run.id],
  )
  return missed
}
