/** Brings a feed in: read, checked, compiled beside the old one, and only then made the one that counts. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeIndex } from '../cve/index-file.ts'
import { type Active, activate, feedFolder, prepareFolder } from './active.ts'
import { archiveKind, unpack } from './archive.ts'
import { checkoutRevision } from './checkout.ts'
import { FeedError, type FeedId, feedKind } from './feed.ts'
import { feedFiles } from './files.ts'
import { writeFolder } from './folders.ts'
import { writeItems } from './items.ts'
import { readRecords } from './parse/cve-feeds.ts'
import { readItems } from './parse/item-feeds.ts'
import { recogniseFeed } from './recognise.ts'

export interface Imported extends Active {
  readonly feed: FeedId
}

/**
 * `path` is a file, an archive, a folder or a checkout; `feed` null: recognised by what is in it.
 * @throws FeedError with file, record and reason; the version before stays then
 */
export const importPackedFeed = async (
  folder: string,
  feed: FeedId | null,
  path: string,
  now: Date,
): Promise<Imported> => {
  const kind = await archiveKind(path)
  if (kind === null) return importFeed(folder, feed ?? recogniseFeed(path), path, now)
  // Beside the feeds, not in the temporary folder: it may be large, and it is renamed into place.
  const home = prepareFolder(join(folder, 'incoming'))
  const into = join(home, `new-${randomUUID()}`)
  mkdirSync(into, { mode: 0o700 })
  try {
    await unpack(path, kind, into)
    const root = rootOf(into)
    return importFeed(folder, feed ?? recogniseFeed(root), root, now, basename(path))
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}

/** Most archives hold one folder with everything else in it. */
const rootOf = (folder: string): string => {
  const [only, ...others] = readdirSync(folder)
  if (only === undefined || others.length > 0) return folder
  return statSync(join(folder, only)).isDirectory() ? rootOf(join(folder, only)) : join(folder, only)
}

/** `path` is a file or a folder; `source` names it for a person. @throws FeedError as `importPackedFeed` */
export const importFeed = (
  folder: string,
  feed: FeedId,
  path: string,
  now: Date,
  source: string = basename(path),
): Imported => {
  const { files, shape, joins } = feedKind(feed)
  const home = prepareFolder(feedFolder(folder, feed))
  const built = join(home, `new-${randomUUID()}`)
  const hash = createHash('sha256')
  const found = feedFiles(path, feed, hash)
  if (found.length === 0) throw new FeedError(source, null, `it holds no ${files.join(' or ')} file`)
  try {
    const write = {
      cve: () => writeIndex(built, readRecords(feed, found)).records,
      items: () => writeItems(built, readItems(feed, found), joins),
      folder: () => writeFolder(built, feed, found, hash),
    }[shape]
    const records = write()
    if (records === 0) throw new FeedError(source, null, 'it holds no record')
    const sha256 = hash.digest('hex')
    const active: Active = {
      version: `${now.toISOString().slice(0, 10)}-${sha256.slice(0, 8)}`,
      records,
      imported_at: now.toISOString(),
      source,
      sha256,
      revision: checkoutRevision(path),
    }
    activate(folder, feed, built, active)
    return { feed, ...active }
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}
