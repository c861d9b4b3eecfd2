/** What API, worker and operator have in common: database, storage, keys. */
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { ObjectStorage } from '../artifacts/artifacts.ts'
import { fsStorage } from '../artifacts/fs.ts'
import { parseS3Url } from '../artifacts/s3-url.ts'
import { watchStorage } from '../artifacts/watched.ts'
import type { SecretKeys } from '../contract/secret-keys.ts'
import type { EgressSettings } from '../egress/door/settings.ts'
import type { Database } from '../store/database.ts'
import { openDatabase } from '../store/open-database.ts'
import type { Config } from './config.ts'
import { makePrivateFolder } from './private-file.ts'
import { assertRestored } from './restoring.ts'
import { type Keyring, keysFor, openKeyring } from './secret-key.ts'

export interface Runtime {
  readonly config: Config
  readonly db: Database
  readonly storage: ObjectStorage
  readonly keys: Keyring
  /** Sign addresses of the filesystem storage. */
  readonly fileKeys: SecretKeys
  readonly egress: EgressSettings
  readonly logger: Logger
  /** Where clients reach the service; set once it listens. */
  readonly address: { baseUrl: string | null }
  readonly close: () => Promise<void>
}

/** Opens everything; migrates nothing. The data folder is locked with the embedded database. */
export const openRuntime = async (config: Config, logger: Logger = stderrLogger(config)): Promise<Runtime> => {
  makePrivateFolder(config.dataDir)
  assertRestored(config.dataDir)
  const keys = openKeyring(config)
  const fileKeys = keysFor(keys, 'files')
  const address: Runtime['address'] = { baseUrl: config.publicUrl }
  const baseUrl = (): string => {
    if (address.baseUrl === null) throw new Error('The service does not listen, so its files have no address')
    return address.baseUrl
  }
  const opened = await openStorage(config, join(config.dataDir, 'files'), fileKeys, baseUrl)
  const storage = watchStorage(opened.storage)
  const db = await openDatabase(
    config.databaseUrl === null ? { dataDir: config.dataDir } : { url: config.databaseUrl },
  ).catch((error: unknown) => {
    opened.close()
    throw error
  })
  const close = async (): Promise<void> => {
    opened.close()
    await db.close()
  }
  return {
    config,
    db,
    storage,
    keys,
    fileKeys,
    egress: egressOf(config, keys),
    logger,
    address,
    close,
  }
}

/** Logs go to standard error, one JSON object a line: standard output belongs to the results. */
export const stderrLogger = (config: Pick<Config, 'logLevel'>): Logger =>
  pino(
    { level: config.logLevel, base: null, redact: ['req.headers.authorization', 'req.headers.cookie'] },
    pino.destination(2),
  )

export const egressOf = (config: Config, keys: SecretKeys): EgressSettings => ({
  ...egressWith(config, ''),
  // As it is when a run begins.
  get trafficKey() {
    return keysFor(keys, 'traffic').current.toString('base64url')
  },
})

/** The rules of this machine. `trafficKey` signs the Sonde-Run header. */
export const egressWith = (config: Config, trafficKey: string): EgressSettings => ({
  hosts: config.hosts,
  allowNetworks: config.allowNetworks,
  resolvers: config.resolvers,
  ...(config.trustAnchors === null ? {} : { trustAnchors: config.trustAnchors }),
  ...(config.outOfBand?.domain ? { outOfBandDomain: config.outOfBand.domain } : {}),
  requestsPerSecond: config.targetRequestsPerSecond,
  concurrency: config.targetConnections,
  contact: config.contact,
  trafficKey,
})

/** The storage alone. `folder`: where the files lie, if not in a bucket. */
export const openStorage = async (
  config: Pick<Config, 'storageUrl'>,
  folder: string,
  keys: SecretKeys,
  baseUrl: () => string,
): Promise<{ storage: ObjectStorage; close: () => void }> => {
  if (config.storageUrl === null) {
    const storage = fsStorage({ folder, keys, baseUrl })
    return { storage, close: () => undefined }
  }
  // The S3 client takes a while to load, and most installations have no use for it.
  const { s3Storage } = await import('../artifacts/s3.ts')
  const storage = s3Storage(parseS3Url(config.storageUrl))
  return { storage, close: storage.close }
}
