/** Brings a backup back into a database without rows and a storage, in one transaction: all of it, or nothing. */
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { ObjectStorage } from '../artifacts/artifacts.ts'
import { OperatorError } from '../contract/operator.ts'
import type { Database, Queryable } from '../store/database.ts'
import { appliedMigrations, migrate, migrateTo, unknownMigrations } from '../store/migrate.ts'
import { countRows, firstWithRows, keptTables, rowWriter, type TextRow } from '../store/rows.ts'
import { type ArchiveReader, End, type Entry, FORMAT, Manifest, PRIVATE_FILES } from './archive.ts'

export interface RestoreTarget {
  readonly db: Database
  readonly storage: ObjectStorage
  /** Before anything is written; throws when the backup cannot be used here. */
  readonly accept: (manifest: Manifest) => void
  /** A private file of the data folder, before the rows are committed. */
  readonly keepPrivate: (name: string, body: Buffer) => void
}

/** What the rows say of a file. */
interface Expected {
  readonly contentType: string
  readonly size: number
  readonly sha256: string
}

/**
 * The database is brought to the schema that the backup has, filled, and after the commit to the present one. Files are put
 * before the commit: one without a row is harmless. @throws OperatorError when the backup is newer than this version, or
 * the database is not empty.
 */
export const restoreBackup = async (target: RestoreTarget, { entries, damage }: ArchiveReader): Promise<End> => {
  try {
    return await restoreAll(target, entries)
  } catch (error) {
    throw damage() ?? error
  } finally {
    await entries.return(undefined)
  }
}

const restoreAll = async (target: RestoreTarget, entries: AsyncGenerator<Entry>): Promise<End> => {
  const first = await entries.next()
  if (first.done || first.value.name !== 'manifest.json') throw new OperatorError('This is no backup of Sonde')
  const manifest = readJson(Manifest, await first.value.whole(), 'manifest.json')
  await prepare(target, manifest)
  const end = await target.db.transaction(async (tx) => {
    // Large files come between two statements.
    await tx.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    return fill(target, tx, manifest, entries)
  })
  await migrate(target.db)
  return end
}

const prepare = async ({ db, accept }: RestoreTarget, manifest: Manifest): Promise<void> => {
  const unknown = unknownMigrations(manifest.migrations)
  if (manifest.format > FORMAT || unknown.length > 0) {
    throw new OperatorError(`The backup was made by a newer version, ${manifest.sonde}: restore it with that one`)
  }
  if (manifest.format !== FORMAT) throw new OperatorError('This is no backup of Sonde')
  accept(manifest)
  const there = await keptTables(db)
  const taken = await firstWithRows(db, there)
  if (taken !== null) throw new OperatorError(`The database is not empty: it has rows in ${taken}`)
  await migrateTo(db, manifest.migrations)
  if ((await appliedMigrations(db)).join() !== manifest.migrations.join()) {
    throw new OperatorError('The database has the tables of a newer version: restore into one without tables')
  }
}

const fill = async (
  target: RestoreTarget,
  tx: Queryable,
  manifest: Manifest,
  entries: AsyncGenerator<Entry>,
): Promise<End> => {
  const tables = await keptTables(tx)
  if (tables.join() !== manifest.tables.join()) throw new Error('The backup has other tables than its schema')
  const put = filesOf(target.storage, tx)
  let end: End | null = null
  for await (const entry of entries) {
    const { name } = entry
    if (end !== null) throw new Error(`${name} stands behind the end of the backup`)
    if (name.startsWith('rows/')) await addRows(tx, tables, entry)
    else if (name.startsWith('files/')) await put.add(name.slice('files/'.length), entry.body)
    else if (PRIVATE_FILES.some((known) => known === name)) target.keepPrivate(name, await entry.whole())
    else if (name === 'end.json') end = readJson(End, await entry.whole(), name)
    else throw new Error(`${name} is no part of a backup`)
  }
  if (end === null) throw new Error('The backup has no end')
  for (const table of tables) {
    const [told, arrived] = [end.rows[table] ?? 0, await countRows(tx, table)]
    if (told !== arrived) throw new Error(`Of ${told} rows of ${table}, ${arrived} arrived`)
  }
  await put.check(end)
  return end
}

/** `rows/00000012-findings.ndjson` */
const ROWS = /^rows\/\d+-([a-z_]+)\.ndjson$/

const addRows = async (tx: Queryable, tables: readonly string[], entry: Entry): Promise<void> => {
  const table = tables.find((known) => known === ROWS.exec(entry.name)?.[1])
  if (table === undefined) throw new Error(`${entry.name} belongs to no table`)
  const write = await rowWriter(tx, table)
  const lines = (await entry.whole()).toString().split('\n')
  const rows: TextRow[] = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TextRow)
  await write(rows)
}

/** Files are those that a row names, and have the checksum that stands there; every row has its file in the end. */
const filesOf = (storage: ObjectStorage, tx: Queryable) => {
  let open: Map<string, Expected> | null = null
  const altered = new Set<string>()
  const expected = async (): Promise<Map<string, Expected>> => {
    open ??= await expectedFiles(tx)
    return open
  }
  return {
    add: async (key: string, body: Readable): Promise<void> => {
      const file = (await expected()).get(key)
      if (file === undefined) throw new Error(`No row names the file ${key}`)
      const stored = await storage.put(key, body, { contentType: file.contentType })
      if (stored.size !== file.size || stored.sha256 !== file.sha256) altered.add(key)
      open?.delete(key)
    },
    check: async (end: End): Promise<void> => {
      const missing = await expected()
      for (const { key, why } of end.unlike) (why === 'altered' ? altered : missing).delete(key)
      const [lost] = missing.keys()
      if (lost !== undefined) throw new Error(`The backup lacks the file ${lost}`)
      const [other] = altered
      if (other !== undefined) throw new Error(`The file ${other} of the backup is not the one that its row names`)
      const expired = end.unlike.filter(({ why }) => why === 'expired').map(({ key }) => key)
      await tx.query('update artifacts set deleted_at = clock_timestamp() where object_key = any ($1::text[])', [
        expired,
      ])
    },
  }
}

const expectedFiles = async (tx: Queryable): Promise<Map<string, Expected>> => {
  const rows = await tx.query<{ key: string } & Expected>(
    `select object_key as key, content_type as "contentType", size_bytes as size, sha256 from artifacts
      where stored_at is not null and deleted_at is null`,
    [],
  )
  return new Map(rows.map(({ key, ...rest }) => [key, rest]))
}

const readJson = <T extends z.ZodType>(schema: T, body: Buffer, name: string): z.output<T> => {
  const read = schema.safeParse(JSON.parse(body.toString()))
  if (!read.success) throw new Error(`${name} of the backup is not as it should be`)
  return read.data
}
