/** Archives of feeds (.zip, .tar, .tar.gz, .tar.xz, a single .xz) unpacked below a folder of ours, within bounds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
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
}

const createAllowance = (archive: string, packed: number, bounds: Bounds): Allowance => {
  let entries = 0
  let total = 0
  return {
    archive,
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
          const tooMuch =
            size > bounds.file || total > bounds.total || (total > RATIO_FROM && total > packed * bounds.ratio)
          if (tooMuch) done(new FeedError(archive, entry, `it unpacks to too much: ${total} bytes from ${packed}`))
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

const unpackTar = async (source: Readable, into: string, allowance: Allowance): Promise<void> => {
  const entries = extract()
  entries.on('entry', (header, stream, next) => {
    takeTarEntry(header, stream, into, allowance).then(
      () => next(),
      (error: unknown) => entries.destroy(error instanceof Error ? error : new Error(String(error))),
    )
  })
  await pipeline(source, entries)
}

const takeTarEntry = async (header: Header, stream: Source, into: string, allowance: Allowance): Promise<void> => {
  const { name, type, linkname } = header
  const path = allowance.place(name, into)
  if (type === 'file' || type === 'contiguous-file') return write(stream, path, allowance.counter(name))
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
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName
      const target = allowance.place(name, into)
      const mode = entry.externalFileAttributes >>> 16
      if ((mode & 0o170000) === 0o120000) continue
      if (name.endsWith('/')) mkdirSync(target, { recursive: true })
      else await write(await zip.openReadStreamPromise(entry), target, allowance.counter(name))
    }
  } finally {
    zip.close()
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
