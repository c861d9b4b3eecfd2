/** Moves a whole service from one database to another, e.g. from the embedded one to PostgreSQL. */
import type { Database, Queryable } from './database.ts'
import { appliedMigrations } from './migrate.ts'
import { countRows, firstWithRows, keptTables, readRows, rowWriter } from './rows.ts'

export interface CopiedTable {
  readonly table: string
  readonly rows: number
}

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
      const tables = await keptTables(reader)
      const taken = await firstWithRows(writer, tables)
      if (taken !== null) throw new Error(`The target is not empty: it has rows in ${taken}`)
      const copied: CopiedTable[] = []
      for (const table of tables) {
        const result = { table, rows: await copyTable(reader, writer, table) }
        copied.push(result)
        onTable(result)
      }
      return copied
    }),
  )
}

const copyTable = async (reader: Queryable, writer: Queryable, table: string): Promise<number> => {
  const write = await rowWriter(writer, table)
  for await (const rows of readRows(reader, table)) await write(rows)
  const [there, arrived] = [await countRows(reader, table), await countRows(writer, table)]
  if (there !== arrived) throw new Error(`Of ${there} rows of ${table}, ${arrived} arrived`)
  return there
}
