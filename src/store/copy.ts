/** Moves a whole service from one database to another, e.g. from the embedded one to PostgreSQL. */
import type { Database, Queryable } from './database.ts'
import { appliedMigrations } from './migrate.ts'

export interface CopiedTable {
  readonly table: string
  readonly rows: number
}

/** Parents before children; with the rows of one batch, fewer where a row can hold megabytes. */
const TABLES: readonly (readonly [table: string, batch: number])[] = [
  ['organisations', 20],
  ['holds', 500],
  ['api_keys', 500],
  ['members', 500],
  ['sessions', 500],
  ['activity', 500],
  ['domains', 500],
  ['domain_identities', 500],
  ['domain_descriptions', 2],
  ['triage', 500],
  ['runs', 200],
  ['reports', 500],
  ['idempotency_keys', 500],
  ['events', 500],
  ['run_modules', 4],
  ['child_deaths', 500],
  ['findings', 100],
  ['artifacts', 500],
  ['schedules', 500],
  ['webhooks', 500],
  ['mail_subscriptions', 500],
  ['deliveries', 500],
  ['delivery_attempts', 500],
  ['scanner_faults', 500],
]

/**
 * Copies every row in one transaction on each side, and compares the counts before it commits. Both databases have to
 * be migrated to the same point, the target empty, and no service may write to the source meanwhile.
 * Files stay where they are: the object storage is not part of the database.
 */
export const copyDatabase = async (
  from: Database,
  to: Database,
  onTable: (copied: CopiedTable) => void = () => undefined,
): Promise<CopiedTable[]> => {
  const [source, target] = [await appliedMigrations(from), await appliedMigrations(to)]
  if (source.join() !== target.join()) throw new Error('The two databases are not migrated to the same point')
  return from.transaction((reader) =>
    to.transaction(async (writer) => {
      await reader.query('set transaction isolation level repeatable read')
      await assertComplete(reader)
      const copied: CopiedTable[] = []
      for (const [table, batch] of TABLES) {
        const [present] = await writer.query(`select 1 from ${table} limit 1`)
        if (present) throw new Error(`The target is not empty: it has rows in ${table}`)
        await copyTable(reader, writer, await describeTable(reader, table), batch)
        const counts = [await count(reader, table), await count(writer, table)]
        if (counts[0] !== counts[1]) throw new Error(`Of ${counts[0]} rows of ${table}, ${counts[1]} arrived`)
        const result = { table, rows: counts[0] ?? 0 }
        copied.push(result)
        onTable(result)
      }
      return copied
    }),
  )
}

/** A table that a migration added must not be left behind silently; counters of a minute may. */
const assertComplete = async (db: Queryable): Promise<void> => {
  const rows = await db.query<{ name: string }>(
    `select table_name::text as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'
        and table_name not in ('schema_migrations', 'rate_limits')`,
    [],
  )
  const unknown = rows.map(({ name }) => name).filter((name) => !TABLES.some(([table]) => table === name))
  if (unknown.length > 0) throw new Error(`This version does not know how to copy ${unknown.join(', ')}`)
}

interface Column {
  readonly name: string
  readonly type: string
  /** Place in the primary key, from 1; null outside it. */
  readonly key: number | null
}
interface Table {
  readonly name: string
  readonly columns: readonly Column[]
}

const describeTable = async (db: Queryable, name: string): Promise<Table> => ({
  name,
  columns: await db.query<Column>(
    `select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type,
            array_position(i.indkey::int2[], a.attnum) + 1 as key
       from pg_attribute a join pg_index i on i.indrelid = a.attrelid and i.indisprimary
      where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped
      order by a.attnum`,
    [name],
  ),
})

/** Values travel as text, the one form in which every type is exact on both engines. */
const copyTable = async (reader: Queryable, writer: Queryable, table: Table, batch: number): Promise<void> => {
  const { name, columns } = table
  const keys = columns.filter((column) => column.key !== null).toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0))
  const keyNames = keys.map((key) => key.name).join(', ')
  const keyValues = keys.map((key, i) => `$${i + 1}::${key.type}`).join(', ')
  const selected = columns.map((column) => `${column.name}::text as ${column.name}`).join(', ')
  const insert = `insert into ${name} (${columns.map((column) => column.name).join(', ')})
    select ${columns.map((column, i) => `c${i}::${column.type}`).join(', ')}
      from unnest(${columns.map((_, i) => `$${i + 1}::text[]`).join(', ')})
        as u (${columns.map((_, i) => `c${i}`).join(', ')})`

  let after: (string | null)[] | null = null
  for (;;) {
    const rows: Record<string, string | null>[] = await reader.query(
      `select ${selected} from ${name} ${after ? `where (${keyNames}) > (${keyValues})` : ''}
        order by ${keys.map((key) => `${name}.${key.name}`).join(', ')} limit ${batch}`,
      after ?? [],
    )
    const last = rows.at(-1)
    if (!last) return
    await writer.query(
      insert,
      columns.map((column) => rows.map((row) => row[column.name] ?? null)),
    )
    after = keys.map((key) => last[key.name] ?? null)
  }
}

const count = async (db: Queryable, table: string): Promise<number> =>
  (await db.query<{ n: number }>(`select count(*) as n from ${table}`, []))[0]?.n ?? 0
