/**
 * The state of a problem follows from whether runs still see it and from the decision about it. It is stored, so that lists
 * can go by it; whoever changes one of the two has it made anew here, in the same transaction, and receivers are told there.
 */
import type { DomainFindingEvent, ProblemState } from '../contract/domain-finding.ts'
import { TOLD_AT_ONCE } from '../contract/domain-finding.ts'
import type { ProblemKey } from './adoption.ts'
import type { Queryable } from './database.ts'
import { type ProblemRow, SELECT_PROBLEMS, toDomainFinding } from './problem-row.ts'

/** Who is behind a change: a run, a person, the calendar, or a new version of the product, which tells nobody. */
export type Cause =
  | { readonly by: 'run'; readonly runId: string; readonly at: Date; readonly silent: boolean }
  | { readonly by: 'person' }
  | { readonly by: 'calendar' }
  | { readonly by: 'upgrade' }

const NOW = `case
  when p.fixed_at is not null then 'fixed'
  when t.reopened_at is null and (t.expires_at is null or t.expires_at > clock_timestamp())
       and t.proof_hash = coalesce(f.proof_hash, '') then t.state
  when t.state is not null or p.returned_at is not null then 'reopened'
  else 'open' end`

export interface Restated extends ProblemKey {
  readonly was: ProblemState
  readonly now: ProblemState
}

/** Gives problems the state that follows from runs and decisions. Returns those whose state changed. */
export const restate = async (tx: Queryable, keys: readonly ProblemKey[], cause: Cause): Promise<Restated[]> => {
  if (keys.length === 0) return []
  const changed = await tx.query<Restated>(
    `with now as (
       select p.domain_id, p.fingerprint, p.state as was, ${NOW} as now
         from (select distinct domain_id, fingerprint from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint)) k
         join problems p on p.domain_id = k.domain_id and p.fingerprint = k.fingerprint and p.superseded_at is null
         left join triage t on t.domain_id = p.domain_id and t.fingerprint = p.fingerprint
         left join findings f on f.id = p.finding_id
        order by p.domain_id, p.fingerprint
          for no key update of p)
     update problems p set state = now.now from now
      where p.domain_id = now.domain_id and p.fingerprint = now.fingerprint and p.state <> now.now
     returning p.domain_id, p.fingerprint, now.was, now.now`,
    columnsOf(keys),
  )
  if (cause.by === 'upgrade' || cause.by === 'person') return changed
  const at = cause.by === 'run' ? cause.at : null
  const runId = cause.by === 'run' ? cause.runId : null
  await record(tx, changed.filter(isReopened), {
    ...{ kind: 'reopened', actor: null, runId, at },
    data: ({ was }) => ({
      because: cause.by === 'calendar' ? 'expired' : was === 'fixed' ? 'seen_again' : 'evidence_changed',
    }),
  })
  return changed
}

const isReopened = ({ was, now }: Restated): boolean => was === 'fixed' || now === 'reopened'

interface NewEvent<K> {
  readonly kind: DomainFindingEvent['kind']
  readonly actor: string | null
  readonly runId: string | null
  /** Null: now. */
  readonly at: Date | null
  readonly data: (key: K) => DomainFindingEvent['data']
}

/** Writes down what happened to problems. */
export const record = async <K extends ProblemKey>(
  tx: Queryable,
  keys: readonly K[],
  { kind, actor, runId, at, data }: NewEvent<K>,
): Promise<void> => {
  if (keys.length === 0) return
  await tx.query(
    `insert into problem_events (organisation_id, domain_id, fingerprint, at, kind, actor, run_id, data)
     select d.organisation_id, d.id, k.fingerprint, coalesce($4, clock_timestamp()), $5, $6, $7::uuid, k.data::json
       from unnest($1::uuid[], $2::text[], $3::text[]) as k (domain_id, fingerprint, data)
       join domains d on d.id = k.domain_id`,
    [...columnsOf(keys), keys.map((key) => JSON.stringify(data(key))), at, kind, actor, runId],
  )
}

/**
 * Tells the receivers of an event: one message an organisation, with the gravest of the problems. `judged`: the feeds that brought
 * news of a run, and the version of its results.
 */
export const tell = async (
  tx: Queryable,
  event: 'finding.opened' | 'finding.changed' | 'finding.overdue',
  keys: readonly ProblemKey[],
  runId: string | null,
  judged?: { readonly version: number; readonly feeds: Readonly<Record<string, string>> },
): Promise<void> => {
  if (keys.length === 0) return
  const receivers = await tx.query<{ organisation_id: string }>(
    `select distinct d.organisation_id from domains d
      where d.id = any ($1::uuid[])
        and (exists (select 1 from webhooks w
                      where w.organisation_id = d.organisation_id and $2 = any (w.events) and w.paused_at is null)
             or exists (select 1 from mail_subscriptions m
                         where m.organisation_id = d.organisation_id and $2 = any (m.events)))`,
    [[...new Set(keys.map(({ domain_id }) => domain_id))], event],
  )
  for (const { organisation_id: organisation } of receivers) {
    const rows = await tx.query<ProblemRow & { readonly total: number }>(
      `${SELECT_PROBLEMS.replace('select ', 'select count(*) over () as total, ')}
        where p.organisation_id = $3
          and (p.domain_id, p.fingerprint) in (
            select domain_id, fingerprint from unnest($1::uuid[], $2::text[]) as k (domain_id, fingerprint))
        order by p.gravity desc, p.first_seen desc, p.domain_id, p.fingerprint
        limit ${TOLD_AT_ONCE}`,
      [...columnsOf(keys), organisation],
    )
    const data = {
      ...{ run_id: runId, total: rows[0]?.total ?? 0, findings: rows.map(toDomainFinding) },
      ...(judged === undefined ? {} : { judged_again: judged }),
    }
    await tx.query('select notify_receivers($1::uuid, $2, $3::jsonb)', [
      organisation,
      event,
      JSON.stringify(data, sound),
    ])
  }
}

/** What a target sent may hold what jsonb refuses: NUL and halves of surrogate pairs. */
const sound = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value

export const columnsOf = (keys: readonly ProblemKey[]): [string[], string[]] => [
  keys.map(({ domain_id }) => domain_id),
  keys.map(({ fingerprint }) => fingerprint),
]
