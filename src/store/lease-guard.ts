import type { Queryable } from './database.ts'
import type { Lease } from './lease.ts'

/**
 * Locks the run's row when the lease still holds, so that nobody can take the lease away before the transaction ends.
 * For writes to other tables.
 */
export const holds = async (tx: Queryable, held: Lease): Promise<boolean> =>
  (await tx.query('select 1 from runs where id = $1 and lease_token = $2 for update', [held.runId, held.token]))
    .length > 0
