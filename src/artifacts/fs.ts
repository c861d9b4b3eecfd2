/** Files of runs in a directory of this machine. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { SecretKeys } from '../contract/secret-keys.ts'
import { assertKey, type ByteRange, type ObjectStorage, StorageError, type StoredObject } from './artifacts.ts'
import { checkByDoing } from './check.ts'
import { signFilePath } from './signed-url.ts'

export interface FsStorageOptions {
  /** Created when missing, mode 0700. */
  readonly folder: string
  /** Signs the addresses. */
  readonly keys: SecretKeys
  /** Where the API answers, without a trailing slash. A function, as a free port is known late. */
  readonly baseUrl: () => string
  /** Bytes that have to be free before `check` calls the disk usable. Default 64 MiB. */
  readonly leastFree?: number
}

const LEAST_FREE = 64 * 1024 ** 2

export const fsStorage = (options: FsStorageOptions): ObjectStorage => {
  const pathOf = (key: string): string => {
    assertKey(key)
    return join(options.folder, key)
  }

  const put = async (key: string, body: Buffer | Readable): Promise<StoredObject> => {
    const path = pathOf(key)
    // A dot first: no key can name a file that is still being written.
    const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`)
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const stored = await writeAndSync(temporary, body)
      await rename(temporary, path)
      await syncFolder(dirname(path))
      return stored
    } catch (cause) {
      // Where the folder itself is broken, so is this; the first mistake is the one to tell.
      const left = await rm(temporary, { force: true }).catch((error: unknown) => error)
      throw unavailable('write', key, left === undefined ? cause : new AggregateError([cause, left], wordsOf(cause)))
    }
  }

  const get = async (key: string, range?: ByteRange): Promise<{ stream: Readable; size: number }> => {
    const path = pathOf(key)
    const handle = await open(path, 'r').catch((cause) => {
      if (isMissing(cause)) throw new StorageError('missing', `No object ${key}`, { cause })
      throw unavailable('read', key, cause)
    })
    const { size } = await handle.stat()
    if (range !== undefined && range.start >= size) {
      await handle.close()
      throw new StorageError('range', `Object ${key} has ${size} bytes`)
    }
    return { stream: createReadStream('', { fd: handle, ...(range ?? {}) }), size }
  }

  const remove = async (key: string): Promise<void> => {
    await rm(pathOf(key), { force: true }).catch((cause) => {
      throw unavailable('delete', key, cause)
    })
  }

  const storage: ObjectStorage = {
    kind: 'fs',
    put,
    get,
    delete: remove,
    signedUrl: async (key, { filename, contentType, expiresIn, now }) => {
      assertKey(key)
      const expires = Math.floor(now.getTime() / 1000) + expiresIn
      const path = signFilePath(options.keys, { key, filename, contentType, expires })
      return { url: `${options.baseUrl()}${path}`, expiresAt: new Date(expires * 1000) }
    },
    check: async () => {
      await mkdir(options.folder, { recursive: true, mode: 0o700 }).catch((cause) => {
        throw unavailable('create', options.folder, cause)
      })
      const { bavail, bsize } = await statfs(options.folder).catch((cause) => {
        throw unavailable('look at', options.folder, cause)
      })
      // The few bytes below fit long after a report does not.
      if (bavail * bsize < (options.leastFree ?? LEAST_FREE)) {
        throw new StorageError(
          'full',
          `Only ${Math.floor((bavail * bsize) / 1024 ** 2)} MiB are free for ${options.folder}`,
        )
      }
      await checkByDoing(storage)
    },
  }
  return storage
}

const writeAndSync = async (path: string, body: Buffer | Readable): Promise<StoredObject> => {
  const handle = await open(path, 'wx', 0o600)
  try {
    const stored = await writeAll(handle, body)
    await handle.sync()
    return stored
  } finally {
    await handle.close()
  }
}

const writeAll = async (handle: FileHandle, body: Buffer | Readable): Promise<StoredObject> => {
  const hash = createHash('sha256')
  let size = 0
  // Wrapped in an array: Readable.from(Buffer) is one chunk, but says so nowhere.
  for await (const chunk of Buffer.isBuffer(body) ? Readable.from([body]) : body) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    hash.update(bytes)
    await handle.writeFile(bytes)
    size += bytes.length
  }
  return { size, sha256: hash.digest('hex') }
}

/** The rename itself has to survive a power loss too. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const unavailable = (verb: string, key: string, cause: unknown): StorageError =>
  new StorageError(isFull(cause) ? 'full' : 'unavailable', `Could not ${verb} ${key}: ${wordsOf(cause)}`, {
    cause,
  })
