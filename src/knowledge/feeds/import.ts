/** Brings a feed in: read, checked, compiled beside the old one, and only then made the one that counts. */
import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openIndex, writeIndex } from '../cve/index-file.ts'
import { type Active, activate, dataFile, prepareFolder, readActive } from './active.ts'
import { FEEDS, FeedError, type FeedId } from './feed.ts'
import { feedFiles } from './files.ts'
import { openFeed, writeItems } from './items.ts'
import { readRecords } from './parse/cve-feeds.ts'
import { readItems } from './parse/item-feeds.ts'

export interface Imported extends Active {
  readonly feed: FeedId
}

/** `path` is a file or a folder. @throws FeedError with file, record and reason; the version before stays then */
export const importFeed = (folder: string, feed: FeedId, path: string, now: Date): Imported => {
  const { files, shape } = FEEDS[feed]
  const home = prepareFolder(folder, feed)
  const built = join(home, `new-${randomUUID()}.db`)
  const hash = createHash('sha256')
  const found = feedFiles(path, files, hash)
  if (found.length === 0) throw new FeedError(basename(path), null, `it holds no ${files.join(' or ')} file`)
  try {
    const records =
      shape === 'cve' ? writeIndex(built, readRecords(feed, found)).records : writeItems(built, readItems(feed, found))
    if (records === 0) throw new FeedError(basename(path), null, 'it holds no record')
    const sha256 = hash.digest('hex')
    const day = now.toISOString().slice(0, 10)
    const active: Active = {
      version: `${day}-${sha256.slice(0, 8)}`,
      records,
      imported_at: now.toISOString(),
      source: basename(path),
      sha256,
    }
    activate(folder, feed, built, active)
    return { feed, ...active }
  } finally {
    rmSync(built, { force: true })
  }
}

export interface FeedState {
  readonly feed: FeedId
  readonly title: string
  /** Null: never imported. */
  readonly active: Active | null
}

export const listFeeds = (folder: string): readonly FeedState[] =>
  (Object.keys(FEEDS) as FeedId[]).map((feed) => ({ feed, title: FEEDS[feed].title, active: readActive(folder, feed) }))

/** Opens each imported feed and asks it something. Null is sound. */
export const verifyFeed = (folder: string, feed: FeedId): string | null => {
  try {
    const active = readActive(folder, feed)
    if (active === null) return null
    if (FEEDS[feed].shape === 'items') {
      const open = openFeed(folder, feed)
      const [first] = open?.startingWith('') ?? []
      open?.close()
      return first === undefined ? 'it is empty' : null
    }
    const index = openIndex(dataFile(folder, feed, active.version), feed, active.version)
    index.find('cpe:none:none', '1.0')
    index.close()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
