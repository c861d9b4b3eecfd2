import { timingSafeEqual } from 'node:crypto'
import { hashSecret, isWellFormed, newSecret } from '../contract/key-format.ts'
import type { ApiKey, Organisation, OrganisationState, Scope } from '../contract/organisation.ts'
import type { Queryable } from './database.ts'
import { iso, isoOrNull } from './time.ts'

export interface KeyRow {
  readonly id: string
  readonly organisation_id: string
  readonly name: string
  readonly scopes: Scope[]
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
  readonly created_at: Date
}
const KEY_COLUMNS = `k.id, k.organisation_id, k.name, k.scopes, k.expires_at, k.last_used_at, k.revoked_at, k.created_at`

/** The secret is in the answer and nowhere else: only its hash is stored. */
export const createKey = async (
  db: Queryable,
  key: {
    readonly organisationId: string
    readonly name: string
    readonly scopes: readonly Scope[]
    readonly expiresAt: Date | null
  },
): Promise<{ key: ApiKey; secret: string }> => {
  const secret = newSecret()
  const [row] = await db.query<KeyRow>(
    `insert into api_keys as k (organisation_id, name, scopes, secret_hash, expires_at)
     values ($1, $2, $3, $4, $5)
     returning ${KEY_COLUMNS}`,
    [key.organisationId, key.name, [...key.scopes], hashSecret(secret), key.expiresAt],
  )
  if (!row) throw new Error('The key was not stored')
  return { key: toKey(row), secret }
}

/** Null for a key that is malformed, unknown, revoked or expired. Notes the use, at most once a minute. */
export const authenticate = async (db: Queryable, secret: string): Promise<KeyOwner | null> => {
  if (!isWellFormed(secret)) return null
  const hash = hashSecret(secret)
  const [row] = await db.query<OwnerRow>(OWNER('$1'), [hash])
  return row ? ownerOf(db, row, hash) : null
}

/** A key that may be used, with whose it is. */
export interface KeyOwner {
  readonly key: ApiKey
  readonly organisation: Organisation
}

export interface OwnerRow extends KeyRow {
  readonly secret_hash: Buffer
  readonly stale: boolean
  readonly org_name: string
  readonly plan: string
  readonly state: OrganisationState
  readonly per_day: number | null
  readonly org_at: Date
}

/** SQL: the row of the key with that hash; none where it may not be used. */
export const OWNER = (hash: string): string => `
  select ${KEY_COLUMNS}, k.secret_hash, o.name as org_name, o.plan, o.state, o.requests_per_day as per_day, o.created_at as org_at,
         k.last_used_at is null or k.last_used_at < clock_timestamp() - interval '1 minute' as stale
    from api_keys k join organisations o on o.id = k.organisation_id
   where k.secret_hash = ${hash}
     and k.revoked_at is null
     and (k.expires_at is null or k.expires_at > clock_timestamp())`

export const ownerOf = async (db: Queryable, row: OwnerRow, hash: Buffer): Promise<KeyOwner | null> => {
  // The index found it by the hash of 202 random bits; the comparison in constant time costs nothing on top.
  if (!timingSafeEqual(row.secret_hash, hash)) return null
  if (row.stale) await db.query('update api_keys set last_used_at = clock_timestamp() where id = $1', [row.id])
  return {
    key: toKey(row),
    organisation: {
      id: row.organisation_id,
      name: row.org_name,
      plan: row.plan,
      state: row.state,
      requests_per_day: row.per_day,
      created_at: iso(row.org_at),
    },
  }
}

/** Whether the key may still be used; for streams that outlive one request. */
export const isKeyValid = async (db: Queryable, id: string): Promise<boolean> =>
  (
    await db.query(
      `select 1 from api_keys
        where id = $1 and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`,
      [id],
    )
  ).length > 0

/** Oldest first, revoked ones included. */
export const listKeys = async (db: Queryable, organisationId: string): Promise<ApiKey[]> =>
  (
    await db.query<KeyRow>(
      `select ${KEY_COLUMNS} from api_keys k where k.organisation_id = $1 order by k.created_at, k.id`,
      [organisationId],
    )
  ).map(toKey)

/** Null when there is no such key. Revoking twice keeps the first time. */
export const revokeKey = async (db: Queryable, id: string): Promise<ApiKey | null> => {
  const [row] = await db.query<KeyRow>(
    `update api_keys k set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1 returning ${KEY_COLUMNS}`,
    [id],
  )
  return row ? toKey(row) : null
}

/** As `revokeKey`, for a key of this organisation only. */
export const revokeOwnKey = async (db: Queryable, organisationId: string, id: string): Promise<ApiKey | null> => {
  const [row] = await db.query<KeyRow>(
    `update api_keys k set revoked_at = coalesce(revoked_at, clock_timestamp())
      where id = $2 and organisation_id = $1 returning ${KEY_COLUMNS}`,
    [organisationId, id],
  )
  return row ? toKey(row) : null
}

const toKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  organisation_id: row.organisation_id,
  name: row.name,
  scopes: row.scopes,
  expires_at: isoOrNull(row.expires_at),
  last_used_at: isoOrNull(row.last_used_at),
  revoked_at: isoOrNull(row.revoked_at),
  created_at: iso(row.created_at),
})
