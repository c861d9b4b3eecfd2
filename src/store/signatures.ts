/**
 * Which version of a run still has to be signed. Whoever makes a version signs it in the same breath; what could not be (a PDF
 * that came after the run's end, a worker that was lost, a version of before there were signatures) is signed by whoever looks.
 */
import type { ArtifactKind } from '../contract/artifact.ts'
import { confirmArtifacts, insertArtifact, type NewArtifact, type StoredArtifact } from './artifacts.ts'
import type { Database, Queryable } from './database.ts'
import type { Lease } from './lease.ts'

export interface SigningJob extends Lease {
  readonly version: number
}

/** The next version that has no signature although its run is done and nothing of it is being made; two never get the same. */
export const claimSigning = async (db: Queryable, seconds: number): Promise<SigningJob | null> => {
  const [job] = await db.query<SigningJob>(
    `update reports p
        set sign_token = gen_random_uuid(), sign_due_at = clock_timestamp() + make_interval(secs => $1)
      where (p.run_id, p.version) = (
        select q.run_id, q.version from reports q join runs r on r.id = q.run_id
         where q.sign_due_at <= clock_timestamp() and q.state <> 'pending' and r.status = 'done'
         order by q.sign_due_at limit 1 for update of q skip locked)
      returning p.run_id as "runId", p.version, p.sign_token as token`,
    [seconds],
  )
  return job ?? null
}

/** Before the object is written. */
export const reserveSignature = (db: Database, job: SigningJob, file: NewArtifact): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    if (!(await owns(tx, job))) return 'lost'
    await insertArtifact(tx, job.runId, job.token, file)
    return 'ok'
  })

/** From here on the version is signed, and the signature is shown. */
export const finishSigning = (db: Database, job: SigningJob, stored: StoredArtifact): Promise<'ok' | 'lost'> =>
  db.transaction(async (tx) => {
    if (!(await owns(tx, job))) return 'lost'
    await confirmArtifacts(tx, job, [stored])
    return 'ok'
  })

/** Hands it back: to be tried after so many seconds; null: nothing is left that could be signed. */
export const releaseSigning = async (db: Queryable, job: SigningJob, seconds: number | null): Promise<void> => {
  await db.query(
    `update reports set sign_token = null, sign_due_at = clock_timestamp() + make_interval(secs => $4)
      where run_id = $1 and version = $2 and sign_token = $3`,
    [job.runId, job.version, job.token, seconds],
  )
}

/** What a signature binds, and what it says of it. */
export interface Signable {
  readonly target: string
  /** By the database's clock. */
  readonly now: Date
  /** Files of the version, and those of the run that have none; evidence in the order of its archive. */
  readonly files: readonly {
    readonly id: string
    readonly kind: ArtifactKind
    /** Null for files of the whole run. */
    readonly module: string | null
    readonly filename: string
    readonly sha256: string
    readonly sizeBytes: number
  }[]
}

/** Of what is stored and not deleted, also before the run is done. */
export const signable = async (db: Queryable, runId: string, version: number): Promise<Signable> => {
  const [run] = await db.query<{ target: string; now: Date }>(
    `select r.domain as target, clock_timestamp() as now from runs r where r.id = $1`,
    [runId],
  )
  if (!run) throw new Error(`There is no run ${runId}`)
  const files = await db.query<Signable['files'][number]>(
    `select id, kind, module, filename, sha256, size_bytes as "sizeBytes" from artifacts
      where run_id = $1 and (version = $2 or version is null) and kind <> 'signature'
        and stored_at is not null and deleted_at is null and (expires_at is null or expires_at > clock_timestamp())
      order by kind = 'evidence', kind, module nulls first, filename, id`,
    [runId, version],
  )
  return { ...run, files }
}

/** Locks the row when the token still holds. */
const owns = async (tx: Queryable, { runId, version, token }: SigningJob): Promise<boolean> =>
  (
    await tx.query('select 1 from reports where run_id = $1 and version = $2 and sign_token = $3 for update', [
      ...[runId, version, token],
    ])
  ).length > 0
