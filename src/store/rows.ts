/** All rows of a service, table by table, as text: what the move to another database and a backup are made of. */
import type { Queryable } from './database.ts'

/** Parents before children; with the rows of one batch, fewer where a row can hold megabytes. */
const TABLES: readonly (readonly [table: string, batch: number])[] = [
  ['organisations', 20],
  ['known_feeds', 500],
  ['knowledge_news', 1],
  ['signing_keys', 500],
  ['holds', 500],
  ['api_keys', 500],
  ['members', 500],
  ['sessions', 500],
  ['activity', 500],
  ['agents', 500],
  ['domains', 500],
  ['domain_identities', 500],
  ['identity_pictures', 4],
  ['refresh_tokens', 500],
  ['agent_checks', 500],
  // Until migration 0023.
  ['domain_logins', 500],
  ['domain_descriptions', 2],
  ['triage', 500],
  ['batches', 500],
  ['batch_items', 1_000],
  ['runs', 200],
  ['run_identities', 500],
  ['reports', 500],
  ['idempotency_keys', 500],
  ['events', 500],
  ['run_modules', 4],
  ['child_deaths', 500],
  ['components', 500],
  ['domain_components', 1_000],
  ['judgements', 500],
  ['findings', 100],
  ['problems', 200],
  ['problem_events', 500],
  ['saved_views', 500],
  ['artifacts', 500],
  ['schedules', 500],
  ['webhooks', 500],
  ['mail_subscriptions', 500],
  ['deliveries', 500],
  ['delivery_attempts', 500],
  ['scanner_faults', 500],
  ['erasures', 500],
  ['erased_files', 500],
  ['sent_requests', 500],
]
/** Not part of what is kept: which migrations ran is asked apart, and counters of a minute, paces of seconds and calls that somebody waits for may be lost. */
const LEFT_BEHIND: readonly string[] = [
  'schema_migrations',
  'rate_limits',
  'paces',
  'call_listeners',
  'call_watches',
  'call_hits',
]

/** Values as text, the one form in which every type is exact on both engines. */
export type TextRow = Readonly<Record<string, string | null>>

/**
 * The tables of this database that are kept, parents before children; an older schema has fewer.
 * @throws when it has one that this version does not know: it must not be left behind silently.
 */
export const keptTables = async (db: Queryable): Promise<string[]> => {
  const rows = await db.query<{ name: string }>(
    // The parts of a table are read and written as it.
    `select relname::text as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
    [],
  )
  const names = new Set(rows.map(({ name }) => name).filter((name) => !LEFT_BEHIND.includes(name)))
  const known = TABLES.map(([table]) => table).filter((table) => names.delete(table))
  if (names.size > 0) throw new Error(`This version does not know how to copy ${[...names].join(', ')}`)
  return known
}

/** The first of the tables that has a row; null: it is empty. */
export const firstWithRows = async (db: Queryable, tables: readonly string[]): Promise<string | null> => {
  for (const table of tables) {
    const [present] = await db.query(`select 1 from ${table} limit 1`)
    if (present) return table
  }
  return null
}

interface Column {
  readonly name: string
  readonly type: string
  /** Place in the primary key, from 1; null outside it. */
  readonly key: number | null
}

/** Those that hold something of their own: the database computes the others anew. The key of a table in parts is that of each part. */
const columnsOf = (db: Queryable, table: string): Promise<Column[]> =>
  db.query<Column>(
    `select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type,
            (select array_position(i.indkey::int2[], k.attnum) + 1
               from pg_index i join pg_attribute k on k.attrelid = i.indrelid and k.attname = a.attname
              where i.indisprimary
                and i.indrelid = coalesce((select min(inhrelid) from pg_inherits where inhparent = a.attrelid), a.attrelid)) as key
       from pg_attribute a
      where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum`,
    [table],
  )

/** All rows in the order of the primary key, in batches that fit into memory. */
export async function* readRows(db: Queryable, table: string): AsyncGenerator<TextRow[]> {
  const columns = await columnsOf(db, table)
  const batch = TABLES.find(([name]) => name === table)?.[1] ?? 1
  const keys = columns.filter((column) => column.key !== null).toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0))
  const keyNames = keys.map((key) => key.name).join(', ')
  const keyValues = keys.map((key, i) => `$${i + 1}::${key.type}`).join(', ')
  const selected = columns.map((column) => `${column.name}::text as ${column.name}`).join(', ')
  let after: (string | null)[] | null = null
  for (;;) {
    const rows: TextRow[] = await db.query<TextRow>(
      `select ${selected} from ${table} ${after ? `where (${keyNames}) > (${keyValues})` : ''}
        order by ${keys.map((key) => `${table}.${key.name}`).join(', ')} limit ${batch}`,
      after ?? [],
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = keys.map((key) => last[key.name] ?? null)
  }
}

/** Writes batches of one table. Columns and types are those of this database, whatever the rows say. */
export const rowWriter = async (
  db: Queryable,
  table: string,
): Promise<(rows: readonly TextRow[]) => Promise<unknown>> => {
  const columns = await columnsOf(db, table)
  const insert = `insert into ${table} (${columns.map((column) => column.name).join(', ')})
    select ${columns.map((column, i) => `c${i}::${column.type}`).join(', ')}
      from unnest(${columns.map((_, i) => `$${i + 1}::text[]`).join(', ')})
        as u (${columns.map((_, i) => `c${i}`).join(', ')})`
  return (rows) =>
    db.query(
      insert,
      columns.map((column) => rows.map((row) => row[column.name] ?? null)),
    )
}

export const countRows = async (db: Queryable, table: string): Promise<number> =>
  (await db.query<{ n: number }>(`select count(*) as n from ${table}`, []))[0]?.n ?? 0
