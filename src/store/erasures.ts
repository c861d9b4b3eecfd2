/**
 * Erasure of a domain or an organisation: every row goes in one transaction, which leaves the keys of the files; a worker deletes
 * these and ends the erasure with its receipt. Nothing that is left refers to what is gone.
 */
import type { ErasedCounts, Erasure } from '../contract/erasure.ts'
import type { Database, Queryable } from './database.ts'

interface Row {
  readonly id: string
  readonly organisation_id: string
  readonly organisation: string
  readonly domain: string | null
  readonly asked_by: string
  readonly asked_at: Date
  readonly counts: ErasedCounts
  readonly ended_at: Date | null
  readonly receipt: string | null
}
const COLUMNS = 'id, organisation_id, organisation, domain, asked_by, asked_at, counts, ended_at, receipt'

const toErasure = (row: Row): Erasure => ({
  ...row,
  asked_at: row.asked_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
})

/** What is said of it where its name stood. */
export const ERASED = 'an erased domain'

interface Asked {
  readonly organisationId: string
  readonly askedBy: string
}

/** Of the organisation, by its name as registered; one that was removed has its runs yet. */
export const eraseDomain = (
  db: Database,
  { organisationId, askedBy, domain }: Asked & { readonly domain: string },
): Promise<Erasure | 'domain_not_found' | 'domain_in_use'> =>
  db.transaction(async (tx) => {
    // The lock first: a run being created holds the row, and only a later statement sees that run.
    const domains = await tx.query('select id from domains where organisation_id = $1 and domain = $2 for update', [
      organisationId,
      domain,
    ])
    const runs = await tx.query('select 1 from runs where organisation_id = $1 and domain = $2 limit 1', [
      organisationId,
      domain,
    ])
    if (domains.length === 0 && runs.length === 0) return 'domain_not_found'
    if (await isInUse(tx, organisationId, domain)) return 'domain_in_use'
    const made = await begin(tx, { organisationId, askedBy, domain })
    const whose = [organisationId, domain]
    await tx.query('delete from runs where organisation_id = $1 and domain = $2', whose)
    await tx.query('delete from domains where organisation_id = $1 and domain = $2', whose)
    await tx.query(
      `delete from deliveries
        where (webhook_id in (select id from webhooks where organisation_id = $1)
               or mail_subscription_id in (select id from mail_subscriptions where organisation_id = $1))
          and jsonb_path_exists(payload::jsonb, '$.**.domain ? (@ == $name)', jsonb_build_object('name', $2::text))`,
      whose,
    )
    await tx.query(
      `update batch_items set domain = $3
        where domain = $2 and batch_id in (select id from batches where organisation_id = $1)`,
      [...whose, ERASED],
    )
    await tx.query('update activity set subject = $3 where organisation_id = $1 and subject = $2', [...whose, ERASED])
    return made
  })

/** With everything that is its own; `organisation_in_use` while a run of it has not ended, or a report is being made. */
export const eraseOrganisation = (
  db: Database,
  { organisationId, askedBy }: Asked,
): Promise<Erasure | 'organisation_not_found' | 'organisation_in_use'> =>
  db.transaction(async (tx) => {
    const found = await tx.query('select id from organisations where id = $1 for update', [organisationId])
    if (found.length === 0) return 'organisation_not_found'
    await tx.query('select id from domains where organisation_id = $1 for update', [organisationId])
    if (await isInUse(tx, organisationId, null)) return 'organisation_in_use'
    const made = await begin(tx, { organisationId, askedBy, domain: null })
    await tx.query('delete from organisations where id = $1', [organisationId])
    return made
  })

/** Whoever still works on a run, or makes a report of one, may write a file after the last was deleted. */
const isInUse = async (tx: Queryable, organisationId: string, domain: string | null): Promise<boolean> => {
  const rows = await tx.query(
    `select 1 from runs r
      where r.organisation_id = $1 and ($2::text is null or r.domain = $2)
        and (r.status in ('queued', 'leased', 'running')
             or exists (select 1 from reports p where p.run_id = r.id and p.state = 'pending'))
      limit 1`,
    [organisationId, domain],
  )
  return rows.length > 0
}

/** Counts what will go, and keeps the keys of the files. */
const begin = async (
  tx: Queryable,
  { organisationId, askedBy, domain }: Asked & { readonly domain: string | null },
): Promise<Erasure> => {
  const [row] = await tx.query<Row>(
    `with gone as (
       select id, status, created_at, first_leased_at, dry_run, batch_id from runs
        where organisation_id = $1 and ($2::text is null or domain = $2)
     ), stored as (
       select a.size_bytes from artifacts a join gone on gone.id = a.run_id where a.deleted_at is null
     )
     insert into erasures (organisation_id, organisation, domain, asked_by, counts, units)
     select o.id, o.name, $2, $3,
            json_build_object(
              'domains', (select count(*) from domains where organisation_id = $1 and ($2::text is null or domain = $2)),
              'runs', (select count(*) from gone),
              'findings', (select count(*) from findings f join gone on gone.id = f.run_id),
              'problems', (select count(*) from problems where organisation_id = $1 and ($2::text is null or domain = $2)),
              'files', (select count(*) from stored),
              'bytes', (select coalesce(sum(size_bytes), 0) from stored)),
            (select count(*) from gone
              where batch_id is null and not dry_run
                and not (status = 'failed' or (status = 'canceled' and first_leased_at is null))
                and created_at >= date_trunc('month', clock_timestamp() at time zone 'utc') at time zone 'utc')
       from organisations o where o.id = $1
     returning ${COLUMNS}`,
    [organisationId, domain, askedBy],
  )
  if (!row) throw new Error('unreachable: the organisation is locked, and not there')
  await tx.query(
    `insert into erased_files (erasure_id, object_key)
     select $3, a.object_key from artifacts a join runs r on r.id = a.run_id
      where r.organisation_id = $1 and ($2::text is null or r.domain = $2) and a.deleted_at is null`,
    [organisationId, domain, row.id],
  )
  return toErasure(row)
}

/** Newest first; null of `organisationId`: of all, for the operator. `after` is the last one of the page before. */
export const listErasures = async (
  db: Queryable,
  organisationId: string | null,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<Erasure[]> => {
  const rows = await db.query<Row>(
    `select ${COLUMNS} from erasures
      where ($1::uuid is null or organisation_id = $1) and ($2::timestamptz is null or (asked_at, id) < ($2, $3::uuid))
      order by asked_at desc, id desc limit $4`,
    [organisationId, after?.createdAt ?? null, after?.id ?? null, limit],
  )
  return rows.map(toErasure)
}

/** Null of `organisationId`: whosoever it was, for the operator. */
export const readErasure = async (
  db: Queryable,
  organisationId: string | null,
  id: string,
): Promise<Erasure | null> => {
  const [row] = await db.query<Row>(
    `select ${COLUMNS} from erasures where id = $2 and ($1::uuid is null or organisation_id = $1)`,
    [organisationId, id],
  )
  return row ? toErasure(row) : null
}

/** Those whose files are not all gone, or whose receipt is not made, the oldest first. */
export const openErasures = async (db: Queryable, limit: number): Promise<Erasure[]> =>
  (
    await db.query<Row>(`select ${COLUMNS} from erasures where ended_at is null order by asked_at limit $1`, [limit])
  ).map(toErasure)

export const filesLeft = async (db: Queryable, id: string, limit: number): Promise<readonly string[]> =>
  (
    await db.query<{ readonly object_key: string }>(
      'select object_key from erased_files where erasure_id = $1 limit $2',
      [id, limit],
    )
  ).map(({ object_key }) => object_key)

export const fileGone = async (db: Queryable, id: string, objectKey: string): Promise<void> => {
  await db.query('delete from erased_files where erasure_id = $1 and object_key = $2', [id, objectKey])
}

/** Once all files are gone; another worker may have ended it in between, and the first receipt stays. */
export const endErasure = async (db: Queryable, id: string, endedAt: Date, receipt: string): Promise<void> => {
  await db.query('update erasures set ended_at = $2, receipt = $3 where id = $1 and ended_at is null', [
    id,
    endedAt,
    receipt,
  ])
}
