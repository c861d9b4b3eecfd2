/** Starts that a caller may send twice: within the window the same key with the same body means the same thing. */
import type { Queryable } from './database.ts'

export interface Idempotency {
  readonly key: string
  readonly bodyHash: string
  /** The same body by the secret keys before. */
  readonly formerHashes?: readonly string[]
}

/** What a key has started; one of both. */
export interface Started {
  readonly runId: string | null
  readonly batchId: string | null
}

const WINDOW = '24 hours'

/** What the key started, null where it is new. `conflict`: with another body. Inside of the transaction that starts. */
export const startedBefore = async (
  tx: Queryable,
  organisationId: string,
  { key, bodyHash, formerHashes = [] }: Idempotency,
): Promise<Started | 'conflict' | null> => {
  const [row] = await tx.query<{ run_id: string | null; batch_id: string | null; body_hash: string }>(
    `select run_id, batch_id, body_hash from idempotency_keys
      where organisation_id = $1 and key = $2 and created_at > clock_timestamp() - interval '${WINDOW}'`,
    [organisationId, key],
  )
  if (!row) return null
  const isSame = [bodyHash, ...formerHashes].includes(row.body_hash)
  return isSame ? { runId: row.run_id, batchId: row.batch_id } : 'conflict'
}

export const rememberStart = async (
  tx: Queryable,
  organisationId: string,
  { key, bodyHash }: Idempotency,
  { runId, batchId }: Started,
): Promise<void> => {
  await tx.query(
    `insert into idempotency_keys (organisation_id, key, body_hash, run_id, batch_id) values ($1, $2, $3, $4, $5)
     on conflict (organisation_id, key)
     do update set body_hash = excluded.body_hash, run_id = excluded.run_id, batch_id = excluded.batch_id,
                   created_at = excluded.created_at`,
    [organisationId, key, bodyHash, runId, batchId],
  )
}

/** Keys older than the window mean nothing any more. */
export const forgetIdempotencyKeys = async (db: Queryable): Promise<void> => {
  await db.query(`delete from idempotency_keys where created_at < clock_timestamp() - interval '${WINDOW}'`, [])
}
