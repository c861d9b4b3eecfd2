/** Browsers that are signed in. The cookie's value is stored as a hash only. */
import { createHash, randomBytes } from 'node:crypto'
import type { Organisation, OrganisationState, Role, Scope } from '../contract/organisation.ts'
import type { Queryable } from './database.ts'
import { iso } from './time.ts'

export interface StoredSession {
  readonly id: string
  readonly expiresAt: Date
  readonly organisation: Organisation
  /** Who stands behind it: exactly one of the two. */
  readonly key: { readonly id: string; readonly name: string; readonly scopes: readonly Scope[] } | null
  readonly member: { readonly id: string; readonly name: string; readonly role: Role } | null
}

/** A session ends this long after it began, and earlier when it was not used for a day. */
const LIFETIME = '7 days'
const IDLE = '24 hours'
/** 256 bits: nobody guesses one, so a plain hash is enough. */
const TOKEN_BYTES = 32

/** The token is in the answer and nowhere else. */
export const createSession = async (
  db: Queryable,
  of: { readonly organisationId: string } & ({ readonly keyId: string } | { readonly memberId: string }),
): Promise<{ id: string; token: string; expiresAt: Date }> => {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const [row] = await db.query<{ id: string; expires_at: Date }>(
    `insert into sessions (token_hash, organisation_id, key_id, member_id, expires_at)
     select $1, $2, $3, $4,
            least(clock_timestamp() + interval '${LIFETIME}', (select expires_at from api_keys where id = $3))
     returning id, expires_at`,
    [hash(token), of.organisationId, 'keyId' in of ? of.keyId : null, 'memberId' in of ? of.memberId : null],
  )
  if (!row) throw new Error('The session was not stored')
  return { id: row.id, token, expiresAt: row.expires_at }
}

interface Row {
  readonly id: string
  readonly expires_at: Date
  readonly stale: boolean
  readonly organisation_id: string
  readonly org_name: string
  readonly plan: string
  readonly state: OrganisationState
  readonly per_day: number | null
  readonly org_at: Date
  readonly key_id: string | null
  readonly key_name: string | null
  readonly scopes: Scope[] | null
  readonly member_id: string | null
  readonly member_name: string | null
  readonly role: Role | null
}

/** Valid: neither over nor idle for long, and its key neither revoked nor expired. */
const VALID = `s.expires_at > clock_timestamp() and s.last_used_at > clock_timestamp() - interval '${IDLE}'
  and (s.key_id is null
       or (k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())))`

/** Null for a token that names no valid session. Notes the use, at most once a minute. */
export const findSession = async (db: Queryable, token: string): Promise<StoredSession | null> => {
  const [row] = await db.query<Row>(
    `select s.id, s.expires_at, s.last_used_at < clock_timestamp() - interval '1 minute' as stale,
            o.id as organisation_id, o.name as org_name, o.plan, o.state, o.requests_per_day as per_day, o.created_at as org_at,
            k.id as key_id, k.name as key_name, k.scopes, m.id as member_id, m.name as member_name, m.role
       from sessions s
       join organisations o on o.id = s.organisation_id
       left join api_keys k on k.id = s.key_id
       left join members m on m.id = s.member_id
      where s.token_hash = $1 and ${VALID}`,
    [hash(token)],
  )
  if (!row) return null
  if (row.stale) await db.query('update sessions set last_used_at = clock_timestamp() where id = $1', [row.id])
  return toSession(row)
}

/** For streams that outlive one request. */
export const isSessionValid = async (db: Queryable, id: string): Promise<boolean> =>
  (
    await db.query(
      `select 1 from sessions s left join api_keys k on k.id = s.key_id left join members m on m.id = s.member_id
        where s.id = $1 and ${VALID}`,
      [id],
    )
  ).length > 0

export const deleteSession = async (db: Queryable, id: string): Promise<void> => {
  await db.query('delete from sessions where id = $1', [id])
}

/** Sessions that are over mean nothing any more. */
export const forgetSessions = async (db: Queryable): Promise<void> => {
  await db.query(
    `delete from sessions
      where expires_at < clock_timestamp() or last_used_at < clock_timestamp() - interval '${IDLE}'`,
    [],
  )
}

const hash = (token: string): Buffer => createHash('sha256').update(token).digest()

const toSession = (row: Row): StoredSession => ({
  id: row.id,
  expiresAt: row.expires_at,
  organisation: {
    id: row.organisation_id,
    name: row.org_name,
    plan: row.plan,
    state: row.state,
    requests_per_day: row.per_day,
    created_at: iso(row.org_at),
  },
  key: row.key_id === null ? null : { id: row.key_id, name: row.key_name ?? '', scopes: row.scopes ?? [] },
  member:
    row.member_id === null || row.role === null
      ? null
      : { id: row.member_id, name: row.member_name ?? '', role: row.role },
})
