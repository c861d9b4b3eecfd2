/** Feeds that are kept as they are: rules of Recog, filter lists, template catalogues. */
import { createHash, type Hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFile, readActive } from './active.ts'
import type { FeedId } from './feed.ts'
import { type FeedFile, namesUnder } from './files.ts'
import { checkFilterList } from './parse/filters.ts'
import { checkKnownKeys, checkTogether } from './parse/known-keys.ts'
import { checkRecog } from './parse/recog.ts'
import { checkTemplate } from './parse/templates.ts'

/** How many records a file holds. @throws FeedError */
type CheckFile = (text: () => string, file: string, raw: Buffer) => number

const CHECKS: Readonly<Partial<Record<FeedId, CheckFile>>> = {
  recog: (text, file) => checkRecog(text(), file),
  filters: (text, file) => checkFilterList(text(), file),
  templates: (text, file) => checkTemplate(text(), file),
  'known-keys': checkKnownKeys,
}

/** Copies what was checked; names go into the hash, so a renamed file is another version. @returns the records */
export const writeFolder = (into: string, feed: FeedId, files: readonly FeedFile[], hash: Hash): number => {
  const check = CHECKS[feed]
  if (check === undefined) throw new Error(`${feed} is no feed that is kept as it is`)
  mkdirSync(into, { mode: 0o700 })
  let records = 0
  const together: { readonly name: string; readonly raw: Buffer }[] = []
  for (const { name, bytes } of files) {
    const raw = bytes()
    if (feed === 'known-keys') together.push({ name, raw })
    hash.update(`\0${name}\0`)
    records += check(() => raw.toString('utf8'), name, raw)
    const path = join(into, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, raw, { mode: 0o600 })
  }
  checkTogether(together)
  return records
}

export interface FolderFeed {
  readonly version: string
  /** Of names and content: the same files give the same one, however they came. */
  readonly sha256: string
  readonly records: number
  /** Absolute when the knowledge folder is. It stays while a run lasts; read it, never write. */
  readonly path: string
}

/** Null when the feed was never imported, or without a folder of knowledge. */
export const openFolderFeed = (
  folder: string | undefined,
  feed: 'recog' | 'filters' | 'templates' | 'known-keys',
): FolderFeed | null => {
  const active = folder === undefined ? null : readActive(folder, feed)
  if (folder === undefined || active === null) return null
  const { version, sha256, records } = active
  return { version, sha256, records, path: dataFile(folder, feed, version) }
}

/** The hash of what lies there now, made as at the import. */
export const hashFolder = (path: string): string => {
  const hash = createHash('sha256')
  for (const name of namesUnder(path)) {
    hash.update(readFileSync(join(path, name)))
    hash.update(`\0${name}\0`)
  }
  return hash.digest('hex')
}
