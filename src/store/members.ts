/** People who sign in by OpenID Connect. */
import type { Member } from '../contract/account.ts'
import type { Role } from '../contract/organisation.ts'
import type { Database, Queryable } from './database.ts'
import { iso } from './time.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly role: Role
  readonly created_at: Date
  readonly last_seen_at: Date
}
const COLUMNS = 'id, name, email, role, created_at, last_seen_at'

export interface Person {
  readonly organisationId: string
  /** Together they name the person for good: OpenID Connect Core 1.0, 5.7. */
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly email: string | null
}

/** Adds the person at the first sign-in with `role`; later ones keep the role they have. Null: unknown, and no role to give. */
export const signInMember = async (db: Queryable, person: Person, role: Role | null): Promise<Member | null> => {
  const [known] = await db.query<Row>(
    `update members set name = $4, email = $5, last_seen_at = clock_timestamp()
      where organisation_id = $1 and issuer = $2 and subject = $3
      returning ${COLUMNS}`,
    [person.organisationId, person.issuer, person.subject, person.name, person.email],
  )
  if (known) return toMember(known)
  if (role === null) return null
  const [row] = await db.query<Row>(
    `insert into members (organisation_id, issuer, subject, name, email, role) values ($1, $2, $3, $4, $5, $6)
     on conflict (organisation_id, issuer, subject) do update set last_seen_at = clock_timestamp()
     returning ${COLUMNS}`,
    [person.organisationId, person.issuer, person.subject, person.name, person.email, role],
  )
  if (!row) throw new Error('The member was not stored')
  return toMember(row)
}

/** Oldest first. */
export const listMembers = async (db: Queryable, organisationId: string): Promise<Member[]> =>
  (
    await db.query<Row>(`select ${COLUMNS} from members where organisation_id = $1 order by created_at, id`, [
      organisationId,
    ])
  ).map(toMember)

export const setRole = (
  db: Database,
  organisationId: string,
  id: string,
  role: Role,
): Promise<Member | 'member_not_found' | 'last_owner'> =>
  db.transaction(async (tx) => {
    const problem = await refusal(tx, organisationId, id, role)
    if (problem !== null) return problem
    const [row] = await tx.query<Row>(
      `update members set role = $3 where id = $2 and organisation_id = $1 returning ${COLUMNS}`,
      [organisationId, id, role],
    )
    return row ? toMember(row) : 'member_not_found'
  })

export const removeMember = (
  db: Database,
  organisationId: string,
  id: string,
): Promise<'removed' | 'member_not_found' | 'last_owner'> =>
  db.transaction(async (tx) => {
    const problem = await refusal(tx, organisationId, id, null)
    if (problem !== null) return problem
    await tx.query('delete from members where id = $1', [id])
    return 'removed'
  })

/** With all owners locked: of two who step down at once, the second sees the first. */
const refusal = async (
  tx: Queryable,
  organisationId: string,
  id: string,
  role: Role | null,
): Promise<'member_not_found' | 'last_owner' | null> => {
  const owners = await tx.query<{ id: string }>(
    `select id from members where organisation_id = $1 and role = 'owner' order by id for update`,
    [organisationId],
  )
  const [known] = await tx.query('select 1 from members where id = $2 and organisation_id = $1', [organisationId, id])
  if (!known) return 'member_not_found'
  const last = owners.length === 1 && owners[0]?.id === id
  return last && role !== 'owner' ? 'last_owner' : null
}

const toMember = (row: Row): Member => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  created_at: iso(row.created_at),
  last_seen_at: iso(row.last_seen_at),
})
