/**
 * A run that ended without its worker (lost for good, or cancelled while its worker was lost) keeps its audit log and
 * evidence too: whoever sweeps writes the files after the end.
 */
import { insertArtifact, type NewArtifact, type StoredArtifact } from './artifacts.ts'
import { type Database, DatabaseError, type Queryable } from './database.ts'

export interface UnclosedRun {
  readonly runId: string
  readonly plan: string
}

/** Runs that ended in the last week after a worker had them, and have no audit log file. */
export const runsToClose = (db: Queryable, limit: number): Promise<UnclosedRun[]> =>
  db.query(
    `select r.id as "runId", o.plan
       from runs r join organisations o on o.id = r.organisation_id
      where r.status in ('failed', 'canceled')
        and r.first_leased_at is not null
        and r.finished_at > clock_timestamp() - interval '7 days'
        and not exists (
          select 1 from artifacts a where a.run_id = r.id and a.kind = 'audit_log' and a.stored_at is not null)
      order by r.finished_at
      limit $1`,
    [limit],
  )

export const reserveClosing = (db: Queryable, runId: string, artifact: NewArtifact): Promise<void> =>
  insertArtifact(db, runId, null, artifact)

const UNIQUE_VIOLATION = '23505'

/** All files at once. `taken` when another worker was quicker; then nothing was written. */
export const confirmClosing = async (
  db: Database,
  runId: string,
  files: readonly StoredArtifact[],
): Promise<'ok' | 'taken'> => {
  try {
    await db.transaction(async (tx) => {
      for (const file of files) {
        await tx.query(
          `update artifacts set stored_at = clock_timestamp(), size_bytes = $3, sha256 = $4, page_count = $5
            where id = $1 and run_id = $2 and lease_token is null`,
          [file.id, runId, file.sizeBytes, file.sha256, file.pageCount],
        )
      }
    })
    return 'ok'
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) return 'taken'
    throw error
  }
}
