/**
 * Files of a run. A row is reserved before the object is written and confirmed after, so every stored object has a row:
 * what a lost worker left behind is found and deleted, and is never shown.
 */
import type { Artifact, ArtifactKind } from '../contract/artifact.ts'
import type { Queryable } from './database.ts'
import { inOrder } from './in-order.ts'
import type { Lease } from './lease.ts'
import { holds } from './lease-guard.ts'
import { iso, isoOrNull } from './time.ts'

export interface ArtifactRecord extends Artifact {
  readonly runId: string
  readonly module: string | null
  readonly objectKey: string
  readonly watermarked: boolean
}

export interface NewArtifact {
  /** Given by the maker: findings name evidence by it. */
  readonly id: string
  readonly kind: ArtifactKind
  /** The module that left it; null for files of the whole run. */
  readonly module: string | null
  readonly filename: string
  readonly contentType: string
  readonly objectKey: string
  /** Null keeps it as long as the row. */
  readonly retentionDays: number | null
  readonly watermarked: boolean
  /** Rendering of the report that it belongs to; absent for what has none. Such a file is shown once the run is done. */
  readonly version?: number
}

/** What is known once the object was written. */
export interface StoredArtifact {
  readonly id: string
  readonly sizeBytes: number
  /** Lower case hex. */
  readonly sha256: string
  readonly pageCount: number | null
}

/** Name of the archive that stands for all evidence of a run. */
export const EVIDENCE_ARCHIVE = 'evidence.zip'

/** Before the objects are written. */
export const reserveArtifacts = async (
  db: Queryable,
  held: Lease,
  artifacts: readonly NewArtifact[],
): Promise<'ok' | 'lost'> => {
  const made = await db.query(`${HELD} ${inserted('held.id', 'held, ')} returning 1`, [
    ...[held.runId, held.token],
    ...columnsOf(artifacts),
  ])
  return made.length === 0 ? 'lost' : 'ok'
}

export const reserveArtifact = (db: Queryable, held: Lease, artifact: NewArtifact): Promise<'ok' | 'lost'> =>
  reserveArtifacts(db, held, [artifact])

/** After the objects were written: from here on the evidence is visible. Files of the end are confirmed by the end itself. */
export const confirmEvidence = async (
  db: Queryable,
  held: Lease,
  ...stored: readonly StoredArtifact[]
): Promise<'ok' | 'lost'> => {
  const confirmed = await db.query(`${HELD} ${CONFIRMED} returning 1`, confirming(held, stored))
  if (confirmed.length === stored.length) return 'ok'
  if (await holds(db, held)) throw notReserved(stored)
  return 'lost'
}

/** Inside a transaction that has made sure of the lease; with a signature its version is signed. Throws when one was not reserved under it. */
export const confirmArtifacts = async (
  tx: Queryable,
  held: Lease,
  stored: readonly StoredArtifact[],
): Promise<void> => {
  if (stored.length === 0) return
  const rows = await tx.query<{ kind: ArtifactKind; version: number | null }>(
    `with held as (select $1::uuid as id) ${CONFIRMED} returning a.kind, a.version`,
    confirming(held, stored),
  )
  if (rows.length < stored.length) throw notReserved(stored)
  const signed = rows.find(({ kind }) => kind === 'signature')
  if (signed === undefined) return
  await tx.query('update reports set sign_due_at = null, sign_token = null where run_id = $1 and version = $2', [
    ...[held.runId, signed.version],
  ])
}

const notReserved = (stored: readonly StoredArtifact[]): Error =>
  new Error(`One of these was not reserved under this lease: ${stored.map(({ id }) => id).join(', ')}`)

/** `$1` and `$2` are run and token. One statement in place of a transaction around a question and a write: most of what a run stores is files. */
const HELD = 'with held as (select id from runs where id = $1 and lease_token = $2 for update)'

const CONFIRMED = `update artifacts a
    set stored_at = clock_timestamp(), size_bytes = s.size_bytes, sha256 = s.sha256, page_count = s.page_count
   from held, unnest($3::uuid[], $4::bigint[], $5::text[], $6::int[]) as s (id, size_bytes, sha256, page_count)
  where a.id = s.id and a.run_id = held.id and a.lease_token = $2`

const confirming = (held: Lease, stored: readonly StoredArtifact[]): unknown[] => [
  ...[held.runId, held.token],
  stored.map(({ id }) => id),
  stored.map(({ sizeBytes }) => sizeBytes),
  stored.map(({ sha256 }) => sha256),
  stored.map(({ pageCount }) => pageCount),
]

/** Whoever's lease it is, the caller has made sure; `token` null: of none. */
export const insertArtifact = async (
  tx: Queryable,
  runId: string,
  token: string | null,
  artifact: NewArtifact,
): Promise<void> => {
  await tx.query(inserted('$1::uuid', ''), [runId, token, ...columnsOf([artifact])])
}

/** `$1` and `$2` are run and token, the others `columnsOf`. */
const inserted = (runId: string, from: string): string =>
  `insert into artifacts
     (run_id, lease_token, id, kind, module, filename, content_type, object_key, watermarked, version, expires_at)
   select ${runId}, $2, f.id, f.kind, f.module, f.filename, f.content_type, f.object_key, f.watermarked, f.version, coalesce(
     -- A later rendering goes when the first one goes: rendering again does not lengthen the retention.
     (select a.expires_at from artifacts a
       where f.version is not null and a.run_id = $1 and a.kind = 'findings_json' and a.version = 1
         and a.stored_at is not null),
     clock_timestamp() + make_interval(days => f.days))
     from ${from}unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[], $10::int[], $11::int[])
            as f (id, kind, module, filename, content_type, object_key, watermarked, version, days)`

const columnsOf = (artifacts: readonly NewArtifact[]): unknown[] => [
  artifacts.map(({ id }) => id),
  artifacts.map(({ kind }) => kind),
  artifacts.map(({ module }) => module),
  artifacts.map(({ filename }) => filename),
  artifacts.map(({ contentType }) => contentType),
  artifacts.map(({ objectKey }) => objectKey),
  artifacts.map(({ watermarked }) => watermarked),
  artifacts.map(({ version }) => version ?? null),
  artifacts.map(({ retentionDays }) => retentionDays),
]

interface Row {
  readonly id: string
  readonly run_id: string
  readonly kind: ArtifactKind
  readonly module: string | null
  readonly filename: string
  readonly content_type: string
  readonly object_key: string
  readonly size_bytes: number
  readonly sha256: string
  readonly page_count: number | null
  readonly watermarked: boolean
  readonly version: number | null
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly deleted_at: Date | null
}
const COLUMNS = `a.id, a.run_id, a.kind, a.module, a.filename, a.content_type, a.object_key, a.size_bytes, a.sha256,
  a.page_count, a.watermarked, a.version, a.created_at, a.expires_at, a.deleted_at`
/** Stored, and if it is of the report, of a run that has a result. */
const VISIBLE = `a.stored_at is not null
  and (a.version is null or exists (select 1 from runs r where r.id = a.run_id and r.status = 'done'))`

/** Reports first, the newest rendering before older ones, then evidence by module and name. Deleted ones included. Whose run it is, the caller has checked. */
export const listArtifacts = async (db: Queryable, runId: string): Promise<ArtifactRecord[]> =>
  (
    await db.query<Row>(
      `select ${COLUMNS} from artifacts a
        where a.run_id = $1 and ${VISIBLE}
        order by a.kind = 'evidence', a.kind, a.version desc nulls last, a.module nulls first, a.filename, a.id`,
      [runId],
    )
  ).map(toArtifact)

export const getArtifact = async (db: Queryable, runId: string, id: string): Promise<ArtifactRecord | null> => {
  const [row] = await db.query<Row>(
    `select ${COLUMNS} from artifacts a where a.id = $2 and a.run_id = $1 and ${VISIBLE}`,
    [runId, id],
  )
  return row ? toArtifact(row) : null
}

/** What an address of a file is made of. */
export interface SignableArtifact
  extends Pick<ArtifactRecord, 'objectKey' | 'filename' | 'content_type' | 'watermarked' | 'version' | 'deleted'> {
  readonly expiresAt: Date | null
}

export interface ArtifactAsked {
  readonly organisationId: string
  readonly runId: string
  readonly kind: ArtifactKind
  readonly id?: string | undefined
  readonly version?: number | undefined
}

/**
 * As `artifactOfKind` or, where an id is named, `getArtifact`, of runs of these organisations: one look for what is asked most. In the order in
 * which they are asked for.
 */
export const ownArtifacts = async (
  db: Queryable,
  asked: readonly ArtifactAsked[],
): Promise<readonly (SignableArtifact | null)[]> => {
  const rows = await db.query<SignableArtifact & { n: number }>(OWN, [
    JSON.stringify(
      asked.map(({ organisationId: organisation, runId: run, kind, id, version }, n) => ({
        ...{ n, organisation, run, kind, id, version },
      })),
    ),
  ])
  return inOrder(asked.length, rows)
}

/** One plan for however many: see `STATES_OF` in runs.ts. */
const OWN = `
  select asked.n, found.*
    from jsonb_to_recordset($1::jsonb) as asked (n integer, organisation uuid, run uuid, kind text, id uuid, version integer)
   cross join lateral (
     select a.object_key as "objectKey", a.filename, a.content_type, a.watermarked, a.version,
            a.deleted_at is not null as deleted, a.expires_at as "expiresAt"
       from artifacts a join runs o on o.id = a.run_id and o.organisation_id = asked.organisation
      where a.run_id = asked.run and a.kind = asked.kind
        and case when asked.id is null then a.module is null else a.id = asked.id end
        and (asked.version is null or a.version = asked.version)
        and a.stored_at is not null and (a.version is null or o.status = 'done')
      order by a.version desc nulls last, a.created_at desc limit 1) as found`

/** The run's one artifact of the kind, of several renderings the newest or the one named; for evidence the archive of all. */
export const artifactOfKind = async (
  db: Queryable,
  runId: string,
  kind: ArtifactKind,
  version: number | null = null,
): Promise<ArtifactRecord | null> => {
  const [row] = await db.query<Row>(
    `select ${COLUMNS} from artifacts a
      where a.run_id = $1 and a.kind = $2 and a.module is null and ($3::int is null or a.version = $3) and ${VISIBLE}
      order by a.version desc nulls last, a.created_at desc limit 1`,
    [runId, kind, version],
  )
  return row ? toArtifact(row) : null
}

/** What the object storage still holds although its time is over. */
export const expired = (db: Queryable, limit: number): Promise<{ id: string; objectKey: string }[]> =>
  db.query(
    `select id, object_key as "objectKey" from artifacts
      where expires_at < clock_timestamp() and deleted_at is null and stored_at is not null
      order by expires_at limit $1`,
    [limit],
  )

/** The object is gone; the row stays. */
export const markDeleted = async (db: Queryable, id: string): Promise<void> => {
  await db.query('update artifacts set deleted_at = coalesce(deleted_at, clock_timestamp()) where id = $1', [id])
}

/**
 * Reservations that can never be confirmed any more: the run ended or went to another lease. An hour's grace lets a
 * worker that does not know yet finish its write, so that the object is there to be deleted.
 */
export const abandoned = (db: Queryable, limit: number): Promise<{ id: string; objectKey: string }[]> =>
  db.query(
    `select a.id, a.object_key as "objectKey" from artifacts a join runs r on r.id = a.run_id
      where a.stored_at is null
        and a.created_at < clock_timestamp() - interval '1 hour'
        and a.lease_token is distinct from r.lease_token
      order by a.created_at limit $1`,
    [limit],
  )

export const removeAbandoned = async (db: Queryable, id: string): Promise<void> => {
  await db.query('delete from artifacts where id = $1 and stored_at is null', [id])
}

const toArtifact = (row: Row): ArtifactRecord => ({
  id: row.id,
  runId: row.run_id,
  kind: row.kind,
  module: row.module,
  filename: row.filename,
  content_type: row.content_type,
  objectKey: row.object_key,
  size_bytes: row.size_bytes,
  sha256: row.sha256,
  page_count: row.page_count,
  watermarked: row.watermarked,
  version: row.version,
  created_at: iso(row.created_at),
  expires_at: isoOrNull(row.expires_at),
  deleted: row.deleted_at !== null,
})
