/** The sign of life of whoever holds a run, and what it is told. */
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
