/** `sonde backup` and `sonde restore` on a data folder or PostgreSQL. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ObjectStorage } from '../artifacts/artifacts.ts'
import { type ArchiveReader, type End, type Manifest, PRIVATE_FILES, readArchive } from '../backup/archive.ts'
import { assertFree, makeBackup } from '../backup/backup.ts'
import { restoreBackup } from '../backup/restore.ts'
import type { BackupKey, BackupReport } from '../cli/deps.ts'
import { OperatorError } from '../contract/operator.ts'
import { oneKey, type SecretKeys } from '../contract/secret-keys.ts'
import type { Database } from '../store/database.ts'
import { lockFolder } from '../store/embedded.ts'
import { stopRuns } from '../store/holds.ts'
import { openDatabase } from '../store/open-database.ts'
import { lockOf, unlockOf } from './backup-key.ts'
import type { Config } from './config.ts'
import { connectControl } from './control-socket.ts'
import { createPrivate } from './private-file.ts'
import { assertRestored, RESTORING } from './restoring.ts'
import { openStorage } from './runtime.ts'
import { keyCheck, openKeyring, parseKeyFile, SECRET_KEY_FILE } from './secret-key.ts'
import { VERSION } from './version.ts'

/** The service goes on: of the embedded database it gives a copy of one moment, and PostgreSQL is read beside it. */
export const backupCommand = async (config: Config, file: string, key: BackupKey): Promise<BackupReport> => {
  assertRestored(config.dataDir)
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'db'))) {
    throw new OperatorError(`There is no service in ${config.dataDir}: nothing to back up`)
  }
  const lock = await lockOf(key)
  // Before a database is opened or copied for it.
  assertFree(file)
  const check = keyCheck(openKeyring(config).current)
  const storage = await storageOf(config, join(config.dataDir, 'files'))
  const source = await openSource(config)
  try {
    const end = await makeBackup(
      {
        ...{ db: source.db, storage: storage.storage, keyCheck: check, version: VERSION },
        privateFiles: () => privateFilesOf(config, check),
        rowsRead: source.rowsRead,
      },
      file,
      lock,
    )
    return reportOf(end)
  } finally {
    await source.close()
    storage.close()
  }
}

interface Source {
  readonly db: Database
  readonly rowsRead: () => Promise<void>
  readonly close: () => Promise<void>
}

const openSource = async (config: Config): Promise<Source> => {
  if (config.databaseUrl !== null) {
    const db = await openDatabase({ url: config.databaseUrl })
    return { db, rowsRead: async () => undefined, close: db.close }
  }
  const running = await connectControl(config.dataDir)
  if (running === null) {
    // Locked until the end: nobody deletes files meanwhile.
    const db = await openDatabase({ dataDir: config.dataDir })
    return { db, rowsRead: async () => undefined, close: db.close }
  }
  const folder = join(config.dataDir, (await running.call('snapshot', {})).folder)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const db = await openDatabase({ dataDir: folder })
    let closed: Promise<void> | null = null
    const close = (): Promise<void> => {
      closed ??= db.close().finally(remove)
      return closed
    }
    return { db, rowsRead: close, close }
  } catch (error) {
    remove()
    throw error
  }
}

/** A key of the environment is kept by whoever set it. */
const privateFilesOf = ({ dataDir, secretKey: ofEnvironment }: Config, check: string): Map<string, Buffer> => {
  const files = new Map<string, Buffer>()
  for (const name of PRIVATE_FILES) {
    if (name === SECRET_KEY_FILE && ofEnvironment !== null) continue
    const path = join(dataDir, name)
    if (existsSync(path)) files.set(name, readFileSync(path))
  }
  const kept = files.get(SECRET_KEY_FILE)
  // A key that was replaced is in the file as long as it is accepted.
  if (kept !== undefined && !checksOf(kept.toString()).includes(check)) {
    throw new OperatorError('The secret key was replaced meanwhile: make the backup again')
  }
  return files
}

const checksOf = (text: string): string[] => {
  const { current, old } = parseKeyFile(text, SECRET_KEY_FILE)
  return [current, ...old.map(({ key }) => key)].map(keyCheck)
}

/** Where the data folder has one of these, it is not empty. Everything else may be there: feeds, a mount's own folders. */
const RESTORED = ['db', 'files', ...PRIVATE_FILES]

/**
 * Into a data folder everything is made in `restoring` of it and moved at the end; while that is there no service opens the
 * folder, and the next restore begins anew. Into PostgreSQL the rows are one transaction.
 */
export const restoreCommand = async (
  config: Config,
  file: string,
  key: BackupKey,
  held: boolean,
): Promise<BackupReport> => {
  const unlock = await unlockOf(key)
  const archive = readArchive(file, unlock)
  try {
    return reportOf(
      await (config.databaseUrl === null
        ? restoreFolder(config, archive, held)
        : restorePostgres(config, config.databaseUrl, archive, held)),
    )
  } finally {
    archive.close()
  }
}

const restoreFolder = async (config: Config, archive: ArchiveReader, held: boolean): Promise<End> => {
  const { dataDir } = config
  const lock = lockFolder(dataDir)
  try {
    const staging = join(dataDir, RESTORING)
    if (existsSync(staging)) clear(dataDir)
    const taken = RESTORED.find((name) => existsSync(join(dataDir, name)))
    if (taken !== undefined) throw new OperatorError(`The data folder ${dataDir} is not empty: it has ${taken}`)
    // A cluster takes seconds to make.
    await archive.begin()
    mkdirSync(staging, { mode: 0o700 })
    try {
      const end = await restoreInto(config, staging, archive, held)
      for (const name of RESTORED) {
        if (existsSync(join(staging, name))) renameSync(join(staging, name), join(dataDir, name))
      }
      // From here on the folder is a service's.
      remove(staging)
      return end
    } catch (error) {
      clear(dataDir)
      throw error
    }
  } finally {
    lock.release()
  }
}

/** Takes away what a restore has made: `restoring` last, which says that nobody else has made it. */
const clear = (dataDir: string): void => {
  for (const name of [...RESTORED, RESTORING]) remove(join(dataDir, name))
}

const restoreInto = async (config: Config, staging: string, archive: ArchiveReader, held: boolean): Promise<End> => {
  const storage = await storageOf(config, join(staging, 'files'))
  const db = await openDatabase({ dataDir: staging })
  let wanted: Manifest | null = null
  try {
    const end = await restoreBackup(
      {
        ...{ db, storage: storage.storage },
        accept: (manifest) => {
          wanted = manifest
          if (config.secretKey !== null) assertSameKey(openKeyring(config), manifest)
        },
        keepPrivate: (name, body) => {
          if (name === SECRET_KEY_FILE && config.secretKey !== null) return
          createPrivate(join(staging, name), body.toString())
        },
      },
      archive,
    )
    if (config.secretKey === null && wanted !== null) {
      const path = join(staging, SECRET_KEY_FILE)
      if (!existsSync(path)) throw new OperatorError(`${KEY_APART} Set it.`)
      assertSameKey(openKeyring({ ...config, dataDir: staging }), wanted)
    }
    if (held) await holdAll(db)
    return end
  } finally {
    await db.close()
    storage.close()
  }
}

const KEY_APART = 'The key of this backup is not part of it: its service had it in SONDE_SECRET_KEY.'

const restorePostgres = async (config: Config, url: string, archive: ArchiveReader, held: boolean): Promise<End> => {
  const keys = openKeyring(config)
  const storage = await storageOf(config, join(config.dataDir, 'files'))
  const db = await openDatabase({ url })
  try {
    const end = await restoreBackup(
      {
        ...{ db, storage: storage.storage },
        accept: (manifest) => assertSameKey(keys, manifest),
        // The key is the one of the environment; the first key of organisations is made by the first start.
        keepPrivate: () => undefined,
      },
      archive,
    )
    if (held) await holdAll(db)
    return end
  } finally {
    await db.close()
    storage.close()
  }
}

const assertSameKey = (keys: SecretKeys, manifest: Manifest): void => {
  if (keys.accepted.some((key) => keyCheck(key) === manifest.key_check)) return
  throw new OperatorError('SONDE_SECRET_KEY is not the key of the service that the backup was made of')
}

const holdAll = (db: Database): Promise<void> =>
  stopRuns(db, { organisationId: null, heldBy: 'the operator', reason: 'restored from a backup' })

const remove = (path: string): void => rmSync(path, { recursive: true, force: true })

/** Reads and writes; gives out no addresses. */
const storageOf = (config: Config, folder: string): Promise<{ storage: ObjectStorage; close: () => void }> =>
  openStorage(config, folder, oneKey(Buffer.alloc(32)), () => '')

const reportOf = ({ rows, files, bytes, unlike }: End): BackupReport => {
  const keys = (of: (typeof unlike)[number]['why']) => unlike.filter(({ why }) => why === of).map(({ key }) => key)
  return { rows, files, bytes, expired: keys('expired'), missing: keys('missing'), altered: keys('altered') }
}
