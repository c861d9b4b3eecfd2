/** The sign of life of whoever holds a run, and what it is told; and its end, where all are known to be dead. */
import type { Queryable } from './database.ts'
import type { Lease } from './lease.ts'

/** What the holder of a lease is told when it extends it. */
export interface Beat {
  readonly cancelRequested: boolean
  /** Why nothing more may be sent; null: something may. */
  readonly silence: string | null
}

/** Extends the lease by so many seconds from now. A run of an organisation under a hold is asked to end. */
export const heartbeat = async (db: Queryable, held: Lease, seconds: number): Promise<Beat | 'lost'> => {
  const [row] = await db.query<{ asked: boolean; silence: string | null }>(
    `update runs
        set lease_until = clock_timestamp() + make_interval(secs => $3),
            cancel_requested_at = coalesce(cancel_requested_at, case when is_held(organisation_id) then clock_timestamp() end)
      where id = $1 and lease_token = $2
      returning cancel_requested_at is not null as asked,
                (select why from silence_of(organisation_id, domain_id)) as silence`,
    [held.runId, held.token, seconds],
  )
  return row ? { cancelRequested: row.asked, silence: row.silence } : 'lost'
}

/**
 * Lets every lease run out at once, those of reports and judgements too. For the start of the embedded service: it holds the data
 * folder, so whoever held a lease is dead, but for agents, which have none of it. The reaper does the rest.
 */
export const expireAllLeases = async (db: Queryable): Promise<void> => {
  await db.query(
    `update runs set lease_until = clock_timestamp() - interval '1 millisecond'
      where status in ('leased', 'running') and (agent_id is null or scan_end is not null)`,
    [],
  )
  await db.query(
    `update reports set due_at = clock_timestamp() where state = 'pending' and lease_token is not null`,
    [],
  )
  await db.query('update judgements set due_at = clock_timestamp() where token is not null', [])
  await db.query('update knowledge_news set due_at = clock_timestamp() where token is not null', [])
}
