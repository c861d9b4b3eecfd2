import { createHash } from 'node:crypto'
import { constants, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { inject } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { appliedMigrations, migrate, migrationFiles } from '../../src/store/migrate.ts'
import { type DatabaseLocation, openDatabase } from '../../src/store/open-database.ts'
import { createPostgresDatabase } from './postgres.ts'

export interface TestDatabase {
  readonly db: Database
  /** For a second connection; on the embedded engine only after `db` was closed. */
  readonly where: DatabaseLocation
  /** Deletes every row: quicker between cases than a fresh database. */
  readonly empty: () => Promise<void>
  readonly drop: () => Promise<void>
}

export interface Engine {
  readonly kind: Database['kind']
  /** Migrated and empty. */
  readonly open: () => Promise<TestDatabase>
}

interface OwnDatabase extends TestDatabase {
  /** As the migrations made it. */
  readonly shape: Shape
}
interface Shape {
  readonly tables: readonly string[]
  /** Of tables, e.g. for months: emptied with these. */
  readonly parts: readonly string[]
  readonly migrations: readonly string[]
}

/** Databases of this process that no test holds: opening one costs seconds of the processor, emptying it a moment. */
const idle: Record<Database['kind'], OwnDatabase[]> = { embedded: [], postgres: [] }

/** Lends one that has every table and no row. Who drops it gives it back. */
const lend = async (kind: Database['kind'], make: () => Promise<OwnDatabase>): Promise<TestDatabase> => {
  const own = idle[kind].pop() ?? (await make())
  const giveBack = async (): Promise<void> => {
    if (await isAsMade(own)) idle[kind].push(own)
    else await own.drop()
  }
  return { ...own, drop: giveBack }
}

/** Empties it. False where a test closed it, made tables of its own, or took a migration back. */
const isAsMade = async ({ db, shape }: OwnDatabase): Promise<boolean> => {
  try {
    if (!isDeepStrictEqual(await shapeOf(db), shape)) return false
    await empty(db, shape)
    return true
  } catch {
    return false
  }
}

const shapeOf = async (db: Database): Promise<Shape> => {
  const rows = await db.query<{ name: string; part: boolean }>(
    `select relname::text as name, relispartition as part from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'schema_migrations' order by 1`,
    [],
  )
  const { tables = [], parts = [] } = Object.groupBy(rows, ({ part }) => (part ? 'parts' : 'tables'))
  const names = (of: typeof rows) => of.map(({ name }) => name)
  return { tables: names(tables), parts: names(parts), migrations: await appliedMigrations(db) }
}

export const openEmbeddedDatabase = (): Promise<TestDatabase> => lend('embedded', makeEmbedded)
export const openPostgresDatabase = (): Promise<TestDatabase> => lend('postgres', makePostgres)

const makeEmbedded = async (): Promise<OwnDatabase> => {
  // Goes with the run of tests where a process ends without having dropped it.
  const folder = mkdtempSync(join(dirname(inject('postgresSocket')), 'db-'))
  await copyTemplate(join(folder, 'data'))
  const where = { dataDir: join(folder, 'data') }
  const db = await openDatabase(where)
  await migrate(db)
  const shape = await shapeOf(db)
  return {
    db,
    where,
    empty: () => empty(db, shape),
    shape,
    drop: async () => {
      await db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const makePostgres = async (): Promise<OwnDatabase> => {
  const { url, drop } = await createPostgresDatabase()
  const db = await openDatabase({ url })
  await migrate(db)
  const shape = await shapeOf(db)
  return {
    db,
    where: { url },
    empty: () => empty(db, shape),
    shape,
    drop: async () => {
      await db.close()
      await drop()
    },
  }
}

/** Row by row, as there are few: `truncate` makes new files for every table and index, which costs eight times as much. */
const empty = async (db: Database, { tables }: Shape): Promise<void> => {
  const deletions = tables.map((table) => `delete from ${table};`).join(' ')
  // As a replica: neither keys nor triggers ask after the order.
  await db.query(`do $$ begin set local session_replication_role = replica; ${deletions} end $$`, [])
}

/**
 * For tests of what stands on a database, whichever: PostgreSQL, whose queries cost a fraction, or with
 * SONDE_TEST_DATABASE=embedded the engine in a thread of this process. The database itself is asked on both, by ENGINES.
 */
export const openTestDatabase = (): Promise<TestDatabase> =>
  process.env.SONDE_TEST_DATABASE === 'embedded' ? openEmbeddedDatabase() : openPostgresDatabase()

/** `describe.each(ENGINES)('… on $kind', ({ open }) => …)`: the same cases on both. */
export const ENGINES: readonly Engine[] = [
  { kind: 'embedded', open: openEmbeddedDatabase },
  { kind: 'postgres', open: openPostgresDatabase },
]

/**
 * For verbs that are plain SQL, which both engines share: PostgreSQL, and with SONDE_LONG=1 the embedded one too. What rests on
 * transactions, notifications and the order of writers is asked on both always.
 */
export const SQL_ENGINES: readonly Engine[] = process.env.SONDE_LONG
  ? ENGINES
  : ENGINES.filter(({ kind }) => kind === 'postgres')

/** A migrated, empty data folder. Making a cluster takes seconds, copying one does not; it is kept until a migration or the engine changes. */
export const copyTemplate = async (target: string): Promise<void> => {
  const template = join(TEMPLATES, templateKey())
  if (!existsSync(template)) {
    mkdirSync(TEMPLATES, { recursive: true })
    const making = mkdtempSync(`${template}-`)
    const db = await openDatabase({ dataDir: making })
    await migrate(db)
    await db.close()
    try {
      renameSync(making, template)
    } catch (error) {
      // Another test file was quicker: its template serves.
      if (!existsSync(template)) throw error
      rmSync(making, { recursive: true, force: true })
    }
  }
  cpSync(template, target, { recursive: true, mode: constants.COPYFILE_FICLONE })
}

const HOME = fileURLToPath(new URL('../../', import.meta.url))
const TEMPLATES = join(HOME, 'node_modules/.cache/embedded')
const templateKey = (): string => {
  const hash = createHash('sha256').update(readFileSync(join(HOME, 'node_modules/@electric-sql/pglite/package.json')))
  for (const name of migrationFiles()) hash.update(name).update(readFileSync(join(HOME, 'migrations', name)))
  return hash.digest('hex').slice(0, 16)
}
