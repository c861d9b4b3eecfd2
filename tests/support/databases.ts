import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { type Database, type DatabaseLocation, openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
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

export const openEmbeddedDatabase = async (): Promise<TestDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-db-'))
  await copyTemplate(join(folder, 'data'))
  const where = { dataDir: join(folder, 'data') }
  const db = await openDatabase(where)
  await migrate(db)
  return {
    db,
    where,
    empty: () => empty(db),
    drop: async () => {
      await db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const openPostgresDatabase = async (): Promise<TestDatabase> => {
  const { url, drop } = await createPostgresDatabase()
  const db = await openDatabase({ url })
  await migrate(db)
  return {
    db,
    where: { url },
    empty: () => empty(db),
    drop: async () => {
      await db.close()
      await drop()
    },
  }
}

const empty = async (db: Database): Promise<void> => {
  await db.query('truncate organisations cascade', [])
}

/** `describe.each(ENGINES)('… on $kind', ({ open }) => …)`: the same cases on both. */
export const ENGINES: readonly Engine[] = [
  { kind: 'embedded', open: openEmbeddedDatabase },
  { kind: 'postgres', open: openPostgresDatabase },
]

/** A migrated, empty data folder. Making a cluster takes seconds, copying one does not. The template lives as long as the test run. */
export const copyTemplate = async (target: string): Promise<void> => {
  const template = join(dirname(inject('postgresSocket')), 'embedded')
  if (!existsSync(template)) {
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
  cpSync(template, target, { recursive: true })
}
