/** What there is to do beside the queue: what is due by the clock, or was left by workers that were lost. Nearly always there is nothing. */
import { PREPARING_MINUTES } from './batches.ts'
import type { Queryable } from './database.ts'

export interface Due {
  /** Runs whose lease has run out. */
  readonly lost: boolean
  /** Renderings to be made, or given up. */
  readonly reports: boolean
  readonly signatures: boolean
  readonly erasures: boolean
  /** Decisions about findings whose date has passed. */
  readonly decisions: boolean
  /** Batches whose makers were lost. */
  readonly batches: boolean
  readonly schedules: boolean
  readonly logins: boolean
  /** Organisations that have nothing in the queue any more. */
  readonly settled: boolean
}

/**
 * One statement in place of one for each kind. The conditions are those of the statements that do it, which ask them again under their
 * locks: what is due is said here, what is only held up may be.
 */
export const whatIsDue = async (db: Queryable): Promise<Due> => {
  const [due] = await db.query<Due>(DUE, [PREPARING_MINUTES])
  if (!due) throw new Error('unreachable: one row')
  return due
}

const DUE = `
  with clock as materialized (select clock_timestamp() as now)
  select exists (select 1 from runs where status in ('leased', 'running') and lease_until < clock.now) as lost,
         exists (select 1 from reports where state = 'pending' and due_at <= clock.now) as reports,
         exists (select 1 from reports q join runs r on r.id = q.run_id
                  where q.sign_due_at <= clock.now and q.state <> 'pending' and r.status = 'done') as signatures,
         exists (select 1 from erasures where ended_at is null) as erasures,
         exists (select 1 from triage where reopened_at is null and expires_at <= clock.now) as decisions,
         exists (select 1 from batches where prepared_at is null and drawn = 0
                  and created_at < clock.now - make_interval(mins => $1)) as batches,
         exists (select 1 from schedules where next_at <= clock.now and paused_at is null) as schedules,
         exists (select 1 from domain_identities w join domains o on o.id = w.domain_id
                  where w.test_asked_at is not null and w.test_claimed_at is null and o.agent_id is null
                    and not is_held(o.organisation_id)) as logins,
         exists (select 1 from organisations o
                  where o.waiting and not exists (select 1 from runs r where r.organisation_id = o.id and r.status = 'queued'
                                                     and r.batch_id is null and r.agent_id is null)) as settled
    from clock`
