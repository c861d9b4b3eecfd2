/** Parts of the paces of addresses, held by runs of all workers: see contract/pace.ts. */
import { SLICE_MS, type Slice, sliceBeside } from '../contract/pace.ts'
import type { Database, Queryable } from './database.ts'

/** First key of the advisory locks of addresses. */
const LOCK = 1_886_545_765

/** A part for this run, in place of what it had; it is held from now on. The database's clock decides. */
export const leaseSlice = (db: Database, runId: string, address: string): Promise<Slice> =>
  db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCK, address])
    await tx.query('delete from paces where address = $1 and (until <= clock_timestamp() or run_id = $2)', [
      address,
      runId,
    ])
    const others = await tx.query<{ share: number }>('select share from paces where address = $1', [address])
    const slice = sliceBeside(others.map(({ share }) => share))
    // Who waits counts as one of them until it has asked again.
    await tx.query(
      `insert into paces (address, run_id, share, until)
       values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))`,
      [address, runId, slice.share, SLICE_MS / 1_000],
    )
    return slice
  })

/** Forgets those whose time is over. */
export const forgetSlices = async (db: Queryable): Promise<void> => {
  await db.query('delete from paces where until <= clock_timestamp()')
}
