/** The files of an import: one file, or a folder with all that it holds. `.gz` is unpacked. */
import { createHash, type Hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { FeedError, type FeedId, feedKind } from './feed.ts'

/** Bytes of one file, unpacked. */
export const LARGEST_FILE = 1024 * 1024 * 1024
const MOST_FILES = 1_000_000

export interface FeedFile {
  /** From the folder that is imported, with `/`; of a single file its own name. */
  readonly name: string
  /** As it lies there, still packed. */
  readonly bytes: () => Buffer
  readonly text: () => string
}

/** In order of their names. Each file read goes into the hash. @throws FeedError */
export const feedFiles = (path: string, feed: FeedId, hash: Hash = createHash('sha256')): readonly FeedFile[] => {
  const { files: endings, only } = feedKind(feed)
  if (!statSync(path).isDirectory()) return [fileOf(path, basename(path), hash)]
  const all = namesUnder(path)
  const ending = all.filter(
    (name) => all.length === 1 || endings.some((end) => end !== '' && unpackedName(name).endsWith(end)),
  )
  const wanted = endings.length === 1 && endings[0] === '' ? all : ending
  const best = only === undefined ? [] : wanted.filter((name) => only.test(name))
  return (best.length > 0 ? best : wanted).map((name) => fileOf(join(path, name), name, hash))
}

/** Names of all files below, sorted. Hidden folders and files (`.git`) and links are passed over. @throws FeedError */
export const namesUnder = (folder: string): readonly string[] => {
  const names: string[] = []
  const visit = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) visit(join(path, entry.name))
      else if (entry.isFile()) names.push(relative(folder, join(path, entry.name)).split(sep).join('/'))
      if (names.length > MOST_FILES)
        throw new FeedError(basename(folder), null, `it holds more than ${MOST_FILES} files`)
    }
  }
  visit(folder)
  return names.toSorted()
}

const fileOf = (path: string, name: string, hash: Hash): FeedFile => {
  const bytes = (): Buffer => {
    const { size } = statSync(path)
    if (size > LARGEST_FILE) throw new FeedError(name, null, `it has ${size} bytes, more than ${LARGEST_FILE}`)
    const raw = readFileSync(path)
    hash.update(raw)
    return raw
  }
  return { name, bytes, text: () => readText(bytes(), name) }
}

const unpackedName = (file: string): string => file.replace(/\.gz$/, '')

const readText = (raw: Buffer, name: string): string => {
  if (!name.endsWith('.gz')) return raw.toString('utf8')
  try {
    return gunzipSync(raw, { maxOutputLength: LARGEST_FILE }).toString('utf8')
  } catch (cause) {
    throw new FeedError(name, null, 'it cannot be unpacked', { cause })
  }
}

/** Null for what is no JSON. */
export const jsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** @throws FeedError */
export const parseJson = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new FeedError(file, null, 'it is no JSON', { cause })
  }
}
