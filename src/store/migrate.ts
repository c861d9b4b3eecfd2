import { readdirSync, readFileSync } from 'node:fs'
import type { Database, Queryable } from './database.ts'
import { makeEventMonths } from './event-months.ts'
import { followEarlierRuns } from './problem-runs.ts'
import { adoptDecisions } from './triage.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/** Any number of our own: starters wait for each other on it. */
const LOCK = 7_303_014

/**
 * Applies the numbered files of `migrations/` that are missing, each in a transaction of its own whose first statement
 * claims the number; decisions then follow to the present rules, and problems the runs of before, and the months of events to come are made. Returns the names applied. Throws when the database is newer than this version of Sonde.
 */
export const migrate = async (db: Database): Promise<string[]> => {
  const applied = await migrateTo(db, migrationFiles())
  await adoptDecisions(db)
  await followEarlierRuns(db)
  await makeEventMonths(db)
  return applied
}

/** As `migrate`, to the schema of an earlier version: no further than `names`. */
export const migrateTo = async (db: Database, names: readonly string[]): Promise<string[]> => {
  await db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(${LOCK})`)
    await tx.query(`create table if not exists schema_migrations (
      name text primary key,
      applied_at timestamptz(3) not null default clock_timestamp()
    )`)
  })
  const unknown = unknownMigrations(await appliedMigrations(db))
  if (unknown.length > 0) {
    throw new Error(`The database is newer than this version of Sonde: it has ${unknown.join(', ')}`)
  }
  const applied: string[] = []
  for (const name of names) {
    const done = await db.transaction(async (tx) => {
      const claimed = await tx.query(
        'insert into schema_migrations (name) values ($1) on conflict do nothing returning name',
        [name],
      )
      if (claimed.length === 0) return false
      await tx.query(readFileSync(new URL(name, FOLDER), 'utf8'))
      return true
    })
    if (done) applied.push(name)
  }
  return applied
}

/** Those that only a later version has. */
export const unknownMigrations = (names: readonly string[]): string[] => {
  const files = migrationFiles()
  return names.filter((name) => !files.includes(name))
}

export const migrationFiles = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()

export const appliedMigrations = async (db: Queryable): Promise<string[]> =>
  (await db.query<{ name: string }>('select name from schema_migrations order by name')).map((row) => row.name)
