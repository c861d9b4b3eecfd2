/** The files of an import: one file, or a folder with all that it holds. `.gz` is unpacked. */
import { createHash, type Hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { FeedError } from './feed.ts'

/** Bytes of one file, unpacked. */
const LARGEST = 1024 * 1024 * 1024

export interface FeedFile {
  readonly name: string
  readonly text: () => string
}

/** In order of their names. Each text read goes into the hash. */
export const feedFiles = (
  path: string,
  endings: readonly string[],
  hash: Hash = createHash('sha256'),
): readonly FeedFile[] => {
  const all = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted()
    : [path]
  const wanted =
    all.length === 1 ? all : all.filter((file) => endings.some((end) => end !== '' && unpackedName(file).endsWith(end)))
  return wanted.map((file) => ({ name: basename(file), text: () => readText(file, hash) }))
}

const unpackedName = (file: string): string => file.replace(/\.gz$/, '')

const readText = (file: string, hash: Hash): string => {
  const size = statSync(file).size
  if (size > LARGEST) throw new FeedError(basename(file), null, `it has ${size} bytes, more than ${LARGEST}`)
  const raw = readFileSync(file)
  hash.update(raw)
  if (!file.endsWith('.gz')) return raw.toString('utf8')
  try {
    return gunzipSync(raw, { maxOutputLength: LARGEST }).toString('utf8')
  } catch (cause) {
    throw new FeedError(basename(file), null, 'it cannot be unpacked', { cause })
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
