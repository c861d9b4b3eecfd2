/** What is there: the version of each feed, what stands in for it, and whether it is sound. */
import { DatabaseSync } from 'node:sqlite'
import { COOKIES_VERSION, cookieNames } from '../cookies.ts'
import { BUILT_IN_VERSION, readBuiltIn } from '../cve/built-in.ts'
import { CYCLES_VERSION, cycleProducts } from '../endoflife/cycles.ts'
import { type Active, dataFile, readActive } from './active.ts'
import { FEED_IDS, type FeedId, feedKind } from './feed.ts'
import { hashFolder } from './folders.ts'

/** What the product brings along, used until the feed is imported. */
export interface BuiltIn {
  readonly version: string
  readonly records: number
}

export interface FeedState {
  readonly feed: FeedId
  readonly title: string
  /** Null: never imported. */
  readonly active: Active | null
  readonly builtIn: BuiltIn | null
}

const BUILT_IN: Readonly<Partial<Record<FeedId, () => BuiltIn>>> = {
  nvd: () => ({ version: BUILT_IN_VERSION, records: readBuiltIn().length }),
  endoflife: () => ({ version: `built-in ${CYCLES_VERSION}`, records: cycleProducts().length }),
  cookies: () => ({ version: `built-in ${COOKIES_VERSION}`, records: cookieNames() }),
}

/** Without a folder nothing was ever imported. */
export const listFeeds = (folder: string | undefined): readonly FeedState[] =>
  FEED_IDS.map((feed) => ({
    feed,
    title: feedKind(feed).title,
    active: folder === undefined ? null : readActive(folder, feed),
    builtIn: BUILT_IN[feed]?.() ?? null,
  }))

/** Reads all of an imported feed again. Null is sound, or never imported. */
export const verifyFeed = (folder: string, feed: FeedId): string | null => {
  try {
    const active = readActive(folder, feed)
    if (active === null) return null
    return verifyData(feed, dataFile(folder, feed, active.version), active)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The same of data that lie elsewhere. @throws where they cannot be opened */
export const verifyData = (feed: FeedId, path: string, { records, sha256 }: Active): string | null => {
  const { shape } = feedKind(feed)
  if (shape !== 'folder') return verifyDatabase(path, records, shape)
  return hashFolder(path) === sha256 ? null : 'its files are not those that were imported'
}

const verifyDatabase = (path: string, records: number, shape: 'cve' | 'items' | 'folder'): string | null => {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    const check = String(Object.values(db.prepare('pragma quick_check(1)').get() ?? {})[0])
    if (check !== 'ok') return check
    const table = shape === 'cve' ? 'cve' : 'item'
    const there = Number(db.prepare(`select count(*) as n from ${table}`).get()?.n)
    return there === records ? null : `it has ${there} records, and ${records} were imported`
  } finally {
    db.close()
  }
}
