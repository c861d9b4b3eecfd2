/** Descriptions of interfaces that a domain keeps for its active runs. */
import type { DescribedInterface, Operation } from '../contract/described.ts'
import { type Description, type DescriptionDetail, MOST_DESCRIPTIONS } from '../contract/description.ts'
import type { Database, Queryable } from './database.ts'
import { iso } from './time.ts'

export interface NewDescription extends Omit<Description, 'id' | 'created_at' | 'operations'> {
  readonly operations: readonly Operation[]
}

interface Row {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly title: string
  readonly described: number
  readonly operation_count: number
  readonly refused: Description['refused']
  readonly left_out: Description['left_out']
  readonly created_by: string
  readonly created_at: Date
}
const COLUMNS = `w.id, w.name, w.kind, w.title, w.described, w.operation_count, w.refused, w.left_out, w.created_by, w.created_at`
const OWN = 'from domain_descriptions w join domains d on d.id = w.domain_id where d.organisation_id = $1 and d.id = $2'

/** `domain_not_found` also for another organisation's. */
export const createDescription = (
  db: Database,
  organisationId: string,
  domainId: string,
  made: NewDescription,
): Promise<Description | 'domain_not_found' | 'too_many_descriptions'> =>
  db.transaction(async (tx) => {
    const [domain] = await tx.query('select 1 from domains where organisation_id = $1 and id = $2 for no key update', [
      organisationId,
      domainId,
    ])
    if (!domain) return 'domain_not_found'
    const existing = await tx.query('select 1 from domain_descriptions where domain_id = $1', [domainId])
    if (existing.length >= MOST_DESCRIPTIONS) return 'too_many_descriptions'
    const [row] = await tx.query<Row>(
      `insert into domain_descriptions as w
         (domain_id, name, kind, title, described, operation_count, operations, refused, left_out, created_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`,
      [
        ...[domainId, made.name, made.kind, made.title, made.described, made.operations.length],
        ...[
          JSON.stringify(made.operations),
          JSON.stringify(made.refused),
          JSON.stringify(made.left_out),
          made.created_by,
        ],
      ],
    )
    if (!row) throw new Error('an insert answers its row')
    return toDescription(row)
  })

/** Newest first. */
export const listDescriptions = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
): Promise<readonly Description[]> => {
  const rows = await db.query<Row>(`select ${COLUMNS} ${OWN} order by w.created_at desc, w.id`, [
    organisationId,
    domainId,
  ])
  return rows.map(toDescription)
}

/** With each of its operations; null for another organisation's. */
export const readDescription = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  id: string,
): Promise<DescriptionDetail | null> => {
  const [row] = await db.query<Row & { operations: readonly Operation[] }>(
    `select ${COLUMNS}, w.operations ${OWN} and w.id = $3`,
    [organisationId, domainId, id],
  )
  if (!row) return null
  return { ...toDescription(row), taken: row.operations.map(({ method, path, name }) => ({ method, path, name })) }
}

/** Its name; null: there was none. */
export const deleteDescription = async (
  db: Queryable,
  organisationId: string,
  domainId: string,
  id: string,
): Promise<string | null> => {
  const [row] = await db.query<{ name: string }>(
    `delete from domain_descriptions w using domains d
      where d.id = w.domain_id and d.organisation_id = $1 and d.id = $2 and w.id = $3 returning w.name`,
    [organisationId, domainId, id],
  )
  return row?.name ?? null
}

/** What a run of the domain asks, the oldest description first. */
export const interfacesOf = (db: Queryable, domainId: string): Promise<readonly DescribedInterface[]> =>
  db.query<DescribedInterface & Record<string, unknown>>(
    'select operations, refused from domain_descriptions where domain_id = $1 order by created_at, id',
    [domainId],
  )

const toDescription = (row: Row): Description => ({
  ...{ id: row.id, name: row.name, kind: row.kind, title: row.title },
  ...{ described: row.described, operations: row.operation_count, refused: [...row.refused] },
  ...{ left_out: [...row.left_out], created_at: iso(row.created_at), created_by: row.created_by },
})
