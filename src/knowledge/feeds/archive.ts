/** Archives of feeds (.zip, .tar, .tar.gz, .tar.xz, a single .xz) unpacked below a folder of ours, within bounds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, createReadStream, createWriteStream, mkdirSync, openSync, readSync, writeFileSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, inflateRawSync } from 'node:zlib'
import { type ExtractEvents, extract, type Header } from 'tar-stream'
import yauzl from 'yauzl'
import { FeedError } from './feed.ts'
import { LARGEST_FILE } from './files.ts'

export interface Bounds {
  readonly entries: number
  /** Bytes of one file, and of all together. */
  readonly file: number
  readonly total: number
  /** Unpacked bytes for one byte packed; looked at beyond 64 MiB. */
  readonly ratio: number
}

const BOUNDS: Bounds = { entries: 1_000_000, file: LARGEST_FILE, total: 16 * 1024 ** 3, ratio: 300 }
const RATIO_FROM = 64 * 1024 ** 2

export type ArchiveKind = 'zip' | 'tar' | 'tar.gz' | 'xz'

/** By what it is, not by what it is called. Null: no archive, or a single file in gzip, which the reader unpacks. */
export const archiveKind = async (path: string): Promise<ArchiveKind | null> => {
  if ((await stat(path)).isDirectory()) return null
  const head = await headOf(path)
  if (head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return 'zip'
  if (head.subarray(0, 6).equals(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]))) return 'xz'
  if (isTar(head)) return 'tar'
  if (head[0] !== 0x1f || head[1] !== 0x8b) return null
  return isTar(await firstBytes(createReadStream(path), createGunzip())) ? 'tar.gz' : null
}

/**
 * Writes what the archive holds below `into`. A folder that holds everything else is left out of the names by the reader.
 * @throws FeedError naming the entry that leaves the folder, comes twice, or is too large; nothing outside was written
 */
export const unpack = async (path: string, kind: ArchiveKind, into: string, bounds: Bounds = BOUNDS): Promise<void> => {
  const name = basename(path)
  const allowance = createAllowance(name, (await stat(path)).size, bounds)
  try {
    if (kind === 'zip') return await unpackZip(path, into, allowance)
    const raw = createReadStream(path)
    if (kind === 'tar') return await unpackTar(raw, into, allowance)
    if (kind === 'tar.gz') return await unpackTar(through(raw, createGunzip()), into, allowance)
    return await unpackXz(path, into, allowance)
  } catch (cause) {
    if (cause instanceof FeedError) throw cause
    throw new FeedError(name, null, `it cannot be unpacked: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}

type Source = ExtractEvents['entry'][1]

interface Allowance {
  readonly archive: string
  /** Where an entry may be written. @throws FeedError */
  readonly place: (entry: string, into: string) => string
  /** Counts bytes and ends the stream where they are too many. */
  readonly counter: (entry: string) => Transform
  /** Counts an entry that is read at once. @throws FeedError */
  readonly count: (entry: string, bytes: number) => void
}

const createAllowance = (archive: string, packed: number, bounds: Bounds): Allowance => {
  let entries = 0
  let total = 0
  const tooMuch = (size: number): boolean =>
    size > bounds.file || total > bounds.total || (total > RATIO_FROM && total > packed * bounds.ratio)
  const refusal = (entry: string): FeedError =>
    new FeedError(archive, entry, `it unpacks to too much: ${total} bytes from ${packed}`)
  return {
    archive,
    count: (entry, bytes) => {
      total += bytes
      if (tooMuch(bytes)) throw refusal(entry)
    },
    place: (entry, into) => {
      entries += 1
      if (entries > bounds.entries) throw new FeedError(archive, entry, `more than ${bounds.entries} entries`)
      return join(into, safeName(archive, entry))
    },
    counter: (entry) => {
      let size = 0
      return new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          size += chunk.length
          total += chunk.length
          if (tooMuch(size)) done(refusal(entry))
          else done(null, chunk)
        },
      })
    },
  }
}

/** @throws FeedError where the name leaves the folder or is none that every system can hold */
const safeName = (archive: string, entry: string): string => {
  const name = posix.normalize(entry.replace(/^(?:\.\/)+/, ''))
  const bad =
    name.startsWith('/') || name.split('/').includes('..') || /^[a-z]:|\\|\0/i.test(entry) || entry.length > 1_000
  if (bad) throw new FeedError(archive, entry.slice(0, 200), 'its name leads out of the folder')
  return name
}

const write = async (source: Readable | Source, path: string, counter: Transform): Promise<void> => {
  mkdirSync(dirname(path), { recursive: true })
  // `wx`: an entry that comes twice is no accident.
  await pipeline(source, counter, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}

/**
 * Bytes of an entry that is read and written at once. The large feeds are hundreds of thousands of small files, of which each costs several
 * times as much through streams.
 */
const SMALL = 1024 * 1024

const writeSmall = (data: Buffer, path: string, made: Set<string>): void => {
  const folder = dirname(path)
  if (!made.has(folder)) mkdirSync(folder, { recursive: true })
  made.add(folder)
  writeFileSync(path, data, { flag: 'wx', mode: 0o600 })
}

const unpackTar = async (source: Readable, into: string, allowance: Allowance): Promise<void> => {
  const entries = extract()
  const made = new Set<string>()
  entries.on('entry', (header, stream, next) => {
    takeTarEntry(header, stream, { into, allowance, made }).then(
      () => next(),
      (error: unknown) => entries.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  })
  await pipeline(source, entries)
}

interface Unpacking {
  readonly into: string
  readonly allowance: Allowance
  /** Folders that are there. */
  readonly made: Set<string>
}

const takeTarEntry = async (header: Header, stream: Source, { into, allowance, made }: Unpacking): Promise<void> => {
  const { name, type, linkname, size } = header
  const path = allowance.place(name, into)
  if (type === 'file' || type === 'contiguous-file') {
    if (size === undefined || size > SMALL) return write(stream, path, allowance.counter(name))
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const data = Buffer.concat(chunks)
    allowance.count(name, data.length)
    return writeSmall(data, path, made)
  }
  if (type === 'directory') mkdirSync(path, { recursive: true })
  else if (type === 'symlink' || type === 'link') checkLink(allowance.archive, name, linkname ?? '', type)
  else throw new FeedError(allowance.archive, name, `a ${type} has no place in a feed`)
  const end = once(stream, 'end')
  stream.resume()
  await end
}

/** Links are never made. One that stays inside is passed over, one that leads out gives the archive away. */
const checkLink = (archive: string, name: string, target: string, type: 'symlink' | 'link'): void => {
  if (target.startsWith('/')) throw new FeedError(archive, name, `a link to ${target.slice(0, 100)}`)
  const from = type === 'symlink' ? posix.dirname(name) : '.'
  if (posix.normalize(posix.join(from, target)).split('/').includes('..')) {
    throw new FeedError(archive, name, `a link to ${target.slice(0, 100)}`)
  }
}

const unpackZip = async (path: string, into: string, allowance: Allowance): Promise<void> => {
  // Names are checked here, so that every kind of archive is refused in the same words.
  const zip = await yauzl.openPromise(path, { lazyEntries: true, decodeStrings: true, validateEntrySizes: true })
  const file = openSync(path, 'r')
  const made = new Set<string>()
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName
      const target = allowance.place(name, into)
      const mode = entry.externalFileAttributes >>> 16
      if ((mode & 0o170000) === 0o120000) continue
      if (name.endsWith('/')) {
        mkdirSync(target, { recursive: true })
        continue
      }
      const data = smallOf(file, entry)
      if (data === null) await write(await zip.openReadStreamPromise(entry), target, allowance.counter(name))
      else {
        allowance.count(name, data.length)
        writeSmall(data, target, made)
      }
    }
  } finally {
    closeSync(file)
    zip.close()
  }
}

/** APPNOTE.TXT 4.3.7. */
const LOCAL_HEADER = 30
const LOCAL_SIGNATURE = 0x04034b50
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8

/** What a small entry holds. Null for a large one, and for whatever is not as it should be: the streams say what. */
const smallOf = (file: number, entry: yauzl.Entry): Buffer | null => {
  const { compressedSize, uncompressedSize, compressionMethod, relativeOffsetOfLocalHeader: at } = entry
  if (uncompressedSize > SMALL || compressedSize > SMALL || (entry.generalPurposeBitFlag & ENCRYPTED) !== 0) return null
  const head = piece(file, at, LOCAL_HEADER)
  if (head === null || head.readUInt32LE(0) !== LOCAL_SIGNATURE) return null
  const raw = piece(file, at + LOCAL_HEADER + head.readUInt16LE(26) + head.readUInt16LE(28), compressedSize)
  if (raw === null || (compressionMethod !== STORED && compressionMethod !== DEFLATED)) return null
  const data = compressionMethod === STORED ? raw : inflated(raw, uncompressedSize)
  return data?.length === uncompressedSize ? data : null
}

const piece = (file: number, from: number, length: number): Buffer | null => {
  const into = Buffer.allocUnsafe(length)
  return readSync(file, into, 0, length, from) === length ? into : null
}

const inflated = (raw: Buffer, length: number): Buffer | null => {
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(length, 1) })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null // More than is said, or none: the stream says so.
    throw error
  }
}

/** Node has no decoder for xz; the program of that name has one, with a bound on its memory. */
const unpackXz = async (path: string, into: string, allowance: Allowance): Promise<void> => {
  if (isTar(await firstOfXz(path))) {
    const child = startXz(path)
    await Promise.all([unpackTar(child.stdout, into, allowance), ended(child)])
    return
  }
  const child = startXz(path)
  const name = basename(path).replace(/\.xz$/, '')
  await Promise.all([write(child.stdout, allowance.place(name, into), allowance.counter(name)), ended(child)])
}

const startXz = (path: string) =>
  spawn('xz', ['--decompress', '--stdout', '--memlimit-decompress=512MiB', '--', path], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 10 * 60_000,
  })

const ended = async (child: ReturnType<typeof startXz>): Promise<void> => {
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(0, 500)
  })
  const [code] = (await Promise.race([
    once(child, 'close'),
    once(child, 'error').then(([cause]) => {
      throw new Error('the program xz is missing; install xz-utils', { cause })
    }),
  ])) as [number | null]
  if (code !== 0) throw new Error(said.trim() || `xz ended with ${code}`)
}

const firstOfXz = async (path: string): Promise<Buffer> => {
  const child = startXz(path)
  const failed = once(child, 'error').then(([cause]) => {
    throw new Error('the program xz is missing; install xz-utils', { cause })
  })
  try {
    return await Promise.race([firstBytes(child.stdout, new PassThrough()), failed])
  } finally {
    child.kill()
  }
}

/** The first block of a stream, or all of it where it is shorter. */
const firstBytes = async (source: Readable, decoder: Transform): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of through(source, decoder) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= 512) break
    }
  } finally {
    source.destroy()
  }
  return Buffer.concat(chunks)
}

/** `pipe` forgets errors of its source. */
const through = (source: Readable, decoder: Transform): Transform => {
  source.on('error', (error) => decoder.destroy(error))
  decoder.on('close', () => source.destroy())
  return source.pipe(decoder)
}

const headOf = async (path: string): Promise<Buffer> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const isTar = (head: Buffer): boolean => head.length >= 263 && head.subarray(257, 262).toString('latin1') === 'ustar'
