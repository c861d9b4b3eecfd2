import type { Organisation, OrganisationState } from '../contract/organisation.ts'
import type { Queryable } from './database.ts'
import { lookAgain } from './silences.ts'
import { iso } from './time.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly state: OrganisationState
  readonly requests_per_day: number | null
  readonly created_at: Date
}
const COLUMNS = 'id, name, plan, state, requests_per_day, created_at'

/** Whether the plan exists is the caller's to check: plans are configuration. */
export const createOrganisation = async (
  db: Queryable,
  { name, plan }: { readonly name: string; readonly plan: string },
): Promise<Organisation> => {
  const [row] = await db.query<Row>(`insert into organisations (name, plan) values ($1, $2) returning ${COLUMNS}`, [
    name,
    plan,
  ])
  if (!row) throw new Error('The organisation was not stored')
  return toOrganisation(row)
}

export const getOrganisation = async (db: Queryable, id: string): Promise<Organisation | null> => {
  const [row] = await db.query<Row>(`select ${COLUMNS} from organisations where id = $1`, [id])
  return row ? toOrganisation(row) : null
}

/** Oldest first. */
export const listOrganisations = async (db: Queryable): Promise<Organisation[]> =>
  (await db.query<Row>(`select ${COLUMNS} from organisations order by created_at, id`)).map(toOrganisation)

/** Changes what is given; null when there is no such organisation. */
export const setOrganisation = async (
  db: Queryable,
  id: string,
  change: {
    readonly state?: OrganisationState
    readonly plan?: string
    readonly name?: string
    readonly requests_per_day?: number | null
  },
): Promise<Organisation | null> => {
  const [row] = await db.query<Row>(
    `update organisations
        set state = coalesce($2, state), plan = coalesce($3, plan), name = coalesce($4, name),
            requests_per_day = case when $5 then $6::bigint else requests_per_day end
      where id = $1
      returning ${COLUMNS}`,
    [
      ...[id, change.state ?? null, change.plan ?? null, change.name ?? null],
      ...[change.requests_per_day !== undefined, change.requests_per_day ?? null],
    ],
  )
  // An organisation that is blocked no more, or has a larger plan, may have runs waiting.
  if (row) await lookAgain(db, { organisationId: id })
  return row ? toOrganisation(row) : null
}

/** PNG or PDF bytes as used on reports; checked by the caller. False when there is no such organisation. */
export const setLogo = async (db: Queryable, id: string, logo: Buffer | null): Promise<boolean> =>
  (await db.query('update organisations set logo = $2 where id = $1 returning id', [id, logo])).length > 0

export const getLogo = async (db: Queryable, id: string): Promise<Buffer | null> => {
  const [row] = await db.query<{ logo: Buffer | null }>('select logo from organisations where id = $1', [id])
  return row?.logo ?? null
}

const toOrganisation = (row: Row): Organisation => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  state: row.state,
  requests_per_day: row.requests_per_day,
  created_at: iso(row.created_at),
})
