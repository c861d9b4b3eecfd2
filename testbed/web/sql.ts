/** Three real databases with the same little shop in them, asked in plain text or with bound values. */
import { DatabaseSync } from 'node:sqlite'
import { startMariadb } from './mariadb.ts'
import { startPostgres } from './postgres.ts'

export type Row = Record<string, unknown>

export interface Sql {
  readonly kind: 'sqlite' | 'postgres' | 'mariadb'
  /** The text as it is: what a careless page does. @throws SqlError */
  readonly run: (text: string) => Promise<Row[]>
  /** `?` for each value: what a careful page does. @throws SqlError */
  readonly bind: (text: string, values: unknown[]) => Promise<Row[]>
  readonly close: () => Promise<void>
}

/** What the database says, as a careless page would show it. */
export class SqlError extends Error {
  readonly code: string
  constructor(message: string, code: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

const SCHEMA = [
  'create table products (id integer primary key, name varchar(80), price integer, note varchar(200))',
  "insert into products values (1,'Ridge tent',420,'Two people'),(2,'Alder stove',85,'Gas'),(3,'Moss mat',60,'Light'),(4,'Bracken pack',150,'40 litres'),(5,'Zephyr lamp',35,'Bright')",
  'create table visits (id integer, agent varchar(2000))',
  "insert into visits values (1,'none')",
]

export const fillShop = async (sql: Sql): Promise<Sql> => {
  for (const statement of SCHEMA) await sql.run(statement)
  return sql
}

export const startSqlite = async (): Promise<Sql> => {
  const database = new DatabaseSync(':memory:')
  const attempt = (work: () => unknown[]): Row[] => {
    try {
      return work() as Row[]
    } catch (error) {
      throw new SqlError(`SQLITE_ERROR: ${error instanceof Error ? error.message : error}`, 'SQLITE_ERROR', {
        cause: error,
      })
    }
  }
  return {
    kind: 'sqlite',
    run: async (text) => attempt(() => database.prepare(text).all()),
    bind: async (text, values) => attempt(() => database.prepare(text).all(...(values as string[]))),
    close: async () => database.close(),
  }
}

export const DATABASES = {
  sqlite: async () => fillShop(await startSqlite()),
  postgres: async () => fillShop(await startPostgres()),
  mariadb: async () => fillShop(await startMariadb()),
} as const

export type DatabaseKind = keyof typeof DATABASES
