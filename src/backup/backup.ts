/** Makes a backup: the rows as of one moment, then the files that they name, which never change once they are there. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { type ObjectStorage, StorageError } from '../artifacts/artifacts.ts'
import { OperatorError } from '../contract/operator.ts'
import type { Database, Queryable } from '../store/database.ts'
import { appliedMigrations } from '../store/migrate.ts'
import { keptTables, readRows, type TextRow } from '../store/rows.ts'
import { parseTimestamp } from '../store/values.ts'
import { type ArchiveWriter, type End, FORMAT, type Lock, type Unlike, writeArchive } from './archive.ts'

export interface BackupSource {
  readonly db: Database
  readonly storage: ObjectStorage
  /** By which the secret key is known again. */
  readonly keyCheck: string
  /** Private files of the data folder by name, as they are once the rows were read. */
  readonly privateFiles: () => ReadonlyMap<string, Buffer>
  /** Called once the rows were read: the database is not needed any more. */
  readonly rowsRead: () => Promise<void>
  readonly version: string
}

interface StoredFile {
  readonly key: string
  readonly size: number
  readonly sha256: string
  /** Milliseconds since the epoch; null: kept for good. */
  readonly expires: number | null
}

/** @throws OperatorError where no backup can be made under that name. */
export const assertFree = (path: string): void => {
  if (existsSync(path)) throw new OperatorError(`${path} exists already: a backup replaces no other`)
  if (!existsSync(dirname(path))) throw new OperatorError(`There is no folder ${dirname(path)}`)
}

/**
 * Appears under its name when it is whole; one that is broken off leaves a file whose name begins with a dot.
 * @throws OperatorError when `path` is there already.
 */
export const makeBackup = async (source: BackupSource, path: string, lock: Lock): Promise<End> => {
  assertFree(path)
  const partial = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`)
  let end: End | null = null
  try {
    await writeArchive(partial, lock, async (archive) => {
      end = await fill(source, archive)
    })
    if (end === null) throw new Error('unreachable: the archive was written without an end')
    if (existsSync(path)) throw new OperatorError(`${path} was made by somebody else meanwhile`)
    await rename(partial, path)
    return end
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

const fill = async (source: BackupSource, archive: ArchiveWriter): Promise<End> => {
  const { rows, files } = await source.db.transaction((tx) => addRows(source, tx, archive))
  await source.rowsRead()
  for (const [name, body] of source.privateFiles()) await archive.add(name, body)
  const unlike: Unlike[] = []
  let bytes = 0
  for (const file of files) {
    const added = await addFile(source.storage, archive, file)
    if (added.why !== null) unlike.push({ key: file.key, why: added.why })
    bytes += added.size
  }
  const absent = unlike.filter(({ why }) => why !== 'altered').length
  const end: End = { rows, files: files.length - absent, bytes, unlike }
  await archive.add('end.json', Buffer.from(JSON.stringify(end)))
  return end
}

const addRows = async (
  source: BackupSource,
  tx: Queryable,
  archive: ArchiveWriter,
): Promise<{ rows: Record<string, number>; files: StoredFile[] }> => {
  await tx.query('set transaction isolation level repeatable read')
  const tables = await keptTables(tx)
  const manifest = {
    ...{ format: FORMAT, sonde: source.version, created_at: new Date().toISOString() },
    ...{ migrations: await appliedMigrations(tx), tables, key_check: source.keyCheck },
  }
  await archive.add('manifest.json', Buffer.from(JSON.stringify(manifest)))
  const rows: Record<string, number> = {}
  const files: StoredFile[] = []
  let number = 0
  for (const table of tables) {
    rows[table] = 0
    for await (const batch of readRows(tx, table)) {
      number += 1
      const name = `rows/${String(number).padStart(8, '0')}-${table}.ndjson`
      await archive.add(name, Buffer.from(batch.map((row) => `${JSON.stringify(row)}\n`).join('')))
      rows[table] += batch.length
      if (table === 'artifacts') files.push(...batch.flatMap(fileOf))
    }
  }
  return { rows, files }
}

const fileOf = (row: TextRow): StoredFile[] => {
  const { object_key: key, stored_at, deleted_at, expires_at, size_bytes, sha256 } = row
  if (!key || stored_at === null || deleted_at !== null) return []
  const expires = expires_at ? parseTimestamp(expires_at).getTime() : null
  return [{ key, size: Number(size_bytes), sha256: sha256 ?? '', expires }]
}

/** Bytes that were added; `why` null: as its row says. Retention deletes on while a backup is made. */
const addFile = async (
  storage: ObjectStorage,
  archive: ArchiveWriter,
  file: StoredFile,
): Promise<{ readonly size: number; readonly why: Unlike['why'] | null }> => {
  const found = await storage.get(file.key).catch((error: unknown) => {
    if (error instanceof StorageError && error.code === 'missing') return null
    throw error
  })
  if (found === null) {
    return { size: 0, why: file.expires !== null && file.expires < Date.now() ? 'expired' : 'missing' }
  }
  const { stream, size } = found
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const chunk of stream) {
      hash.update(chunk)
      yield chunk
    }
  }
  await archive.stream(`files/${file.key}`, size, Readable.from(hashed()))
  return { size, why: size === file.size && hash.digest('hex') === file.sha256 ? null : 'altered' }
}
