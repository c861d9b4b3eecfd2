/**
 * The file of a backup: age (age-encryption.org/v1) around gzip around tar, so that `age -d FILE | tar tz` reads it too.
 * Its entries, in this order: `manifest.json`, `rows/<number>-<table>.ndjson`, private files of the data folder,
 * `files/<key>`, `end.json`.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { extract, pack } from 'tar-stream'
import { z } from 'zod'
import { OperatorError } from '../contract/operator.ts'

/** Of the archive itself; another one is refused. */
export const FORMAT = 1
/** Bytes of an entry that is read whole: one batch of rows is a few, what modules have seen tens of megabytes. */
const MOST_WHOLE = 400 * 1024 ** 2
/** Files of the data folder that belong to nobody else. */
export const PRIVATE_FILES = ['secret.key', 'first-key.json'] as const

export const Manifest = z.object({
  format: z.int(),
  /** Of the program that made it. */
  sonde: z.string(),
  /** When the rows were read, RFC 3339. */
  created_at: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.string()),
  /** By which a secret key is known again without being told; see `keyCheck` in main/secret-key.ts. */
  key_check: z.string(),
})
export type Manifest = z.infer<typeof Manifest>

/**
 * A file that is not as its row says. `expired`: retention deleted it while the backup was made; `missing`: the storage did
 * not have it any more; `altered`: it had other bytes, which are in the backup.
 */
export const Unlike = z.object({ key: z.string(), why: z.enum(['expired', 'missing', 'altered']) })
export type Unlike = z.infer<typeof Unlike>

/** What stands at the end, and proves that everything before it is there. */
export const End = z.object({
  rows: z.record(z.string(), z.int()),
  files: z.int(),
  bytes: z.int(),
  unlike: z.array(Unlike),
})
export type End = z.infer<typeof End>

/**
 * A passphrase, or age's public keys (`age1…`), whose owners alone can read it. `workFactor`: binary logarithm of the rounds of
 * scrypt, where age's own 18, a second of a processor, is not wanted.
 */
export type Lock =
  | { readonly passphrase: string; readonly workFactor?: number }
  | { readonly recipients: readonly string[] }
/** A passphrase, or age's private keys (`AGE-SECRET-KEY-1…`). */
export type Unlock = { readonly passphrase: string } | { readonly identities: readonly string[] }

export interface ArchiveWriter {
  readonly add: (name: string, body: Buffer) => Promise<void>
  /** @throws when the stream has another size: the archive is then of no use. */
  readonly stream: (name: string, size: number, body: Readable) => Promise<void>
}

/** Writes the file at `path`, mode 0600, which must not exist. Resolves once it is on the disk; what failed is left there. */
export const writeArchive = async (
  path: string,
  lock: Lock,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> => {
  const encrypter = encrypterOf(lock)
  const tar = pack()
  const zipped = createGzip()
  const stream: ArchiveWriter['stream'] = async (name, size, body) => {
    await pipeline(body, tar.entry({ name, size, mode: 0o600 }))
  }
  const written = (async () => {
    const plain = Readable.toWeb(zipped) as ReadableStream<Uint8Array<ArrayBuffer>>
    const sealed = await encrypter.encrypt(plain as never)
    await pipeline(Readable.fromWeb(sealed as never), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  })()
  const zipping = pipeline(tar, zipped)
  const filled = fill({ add: (name, body) => stream(name, body.length, Readable.from([body])), stream }).then(
    () => tar.finalize(),
    (error: unknown) => {
      tar.destroy(error instanceof Error ? error : new Error(String(error)))
      throw error
    },
  )
  // The first that fails ends the others; what it says is what is told.
  const ends = await Promise.allSettled([filled, zipping, written.catch((error: unknown) => stopBy(tar, error))])
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  await synced(path)
}

const stopBy = (stream: { destroy: (error: Error) => unknown }, error: unknown): never => {
  stream.destroy(error instanceof Error ? error : new Error(String(error)))
  throw error
}

const synced = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const encrypterOf = (lock: Lock): Encrypter => {
  const encrypter = new Encrypter()
  if ('passphrase' in lock) {
    encrypter.setPassphrase(lock.passphrase)
    if (lock.workFactor !== undefined) encrypter.setScryptWorkFactor(lock.workFactor)
  } else for (const recipient of lock.recipients) addTo(() => encrypter.addRecipient(recipient), recipient)
  return encrypter
}

const addTo = (add: () => void, text: string): void => {
  try {
    add()
  } catch (cause) {
    throw new OperatorError(`"${text.slice(0, 12)}…" is no key of age`, { cause })
  }
}

export interface Entry {
  readonly name: string
  readonly size: number
  readonly body: Readable
  /** @throws when it is larger than what is held in memory. */
  readonly whole: () => Promise<Buffer>
}

export interface ArchiveReader {
  /**
   * Each in turn, to be read before the next. Nothing of it may be believed before the last one was read: until then the file
   * may turn out to be cut off. Throws an OperatorError when it is no backup or the passphrase is another one.
   */
  readonly entries: AsyncGenerator<Entry>
  /** Opens the lock and reads no entry: as `entries` throws, before anything is made of the file. */
  readonly begin: () => Promise<void>
  /** For a file whose entries nobody came to ask for. */
  readonly close: () => void
  /** Set where the file itself is damaged, whoever stumbled over that. */
  readonly damage: () => Error | null
}

export const readArchive = (path: string, unlock: Unlock): ArchiveReader => {
  let damage: Error | null = null
  const damaged = (cause: unknown): Error => {
    damage ??= new Error(`${path} is damaged or was cut off`, { cause })
    return damage
  }
  let opened: Promise<Readable> | null = null
  const open = (): Promise<Readable> => {
    opened ??= decrypted(path, unlock, damaged)
    return opened
  }
  return {
    entries: entriesOf(open, damaged),
    begin: async () => void (await open()),
    close: () =>
      void opened?.then(
        (plain) => plain.destroy(),
        () => undefined, // Whoever opened it was told.
      ),
    damage: () => damage,
  }
}

async function* entriesOf(open: () => Promise<Readable>, damaged: (cause: unknown) => Error): AsyncGenerator<Entry> {
  const plain = await open()
  const tar = extract()
  let broken: Error | null = null
  let left = false
  const fed = pipeline(plain, createGunzip(), tar).catch((cause: unknown) => {
    if (!left) broken = damaged(cause)
  })
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header
      if (type !== 'file') throw new Error(`${name} is no file`)
      const body = Readable.from(entry)
      yield { name, size, body, whole: () => wholeOf(name, size, body) }
      // What was not read is passed over.
      entry.resume()
    }
  } catch (error) {
    await fed
    throw broken ?? error
  } finally {
    left = true
    tar.destroy()
    await fed
  }
  if (broken !== null) throw broken
}

const wholeOf = (name: string, size: number, body: Readable): Promise<Buffer> => {
  if (size > MOST_WHOLE) throw new Error(`${name} has ${size} bytes: more than a backup of ours`)
  return buffer(body)
}

const AGE = 'age-encryption.org/v1\n'

const decrypted = async (path: string, unlock: Unlock, damaged: (cause: unknown) => Error): Promise<Readable> => {
  const decrypter = new Decrypter()
  if ('passphrase' in unlock) decrypter.addPassphrase(unlock.passphrase)
  else for (const identity of unlock.identities) addTo(() => decrypter.addIdentity(identity), identity)
  const begin = await beginOf(path)
  if (begin !== AGE) throw new OperatorError(`${path} is no backup of Sonde`)
  const source = createReadStream(path)
  try {
    const plain = await decrypter.decrypt(Readable.toWeb(source) as never)
    return Readable.fromWeb(plain as never)
  } catch (cause) {
    source.destroy()
    if (!(cause instanceof Error && /no identity matched/.test(cause.message))) throw damaged(cause)
    const what = 'passphrase' in unlock ? 'The passphrase' : 'The identity'
    throw new OperatorError(`${what} does not open ${path}: it is another one, or the file is locked otherwise`, {
      cause,
    })
  }
}

const beginOf = async (path: string): Promise<string> => {
  const handle = await open(path, 'r').catch((cause: unknown) => {
    throw new OperatorError(`${path} cannot be read`, { cause })
  })
  try {
    const { buffer: bytes, bytesRead } = await handle.read(Buffer.alloc(AGE.length), 0, AGE.length, 0)
    return bytes.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
