/** Which version of a feed counts: a small file beside the data, replaced in one step. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { FeedId } from './feed.ts'

const Active = z.object({
  version: z.string().regex(/^[\w.-]{1,80}$/),
  records: z.int().min(0),
  imported_at: z.iso.datetime(),
  source: z.string(),
  sha256: z.string().regex(/^[\da-f]{64}$/),
})
/** `sha256` is that of the imported files; `source` names them for a person. */
export type Active = z.infer<typeof Active>

export const feedFolder = (folder: string, feed: FeedId): string => join(folder, feed)
export const dataFile = (folder: string, feed: FeedId, version: string): string =>
  join(feedFolder(folder, feed), `${version}.db`)

/** Null when the feed was never imported. @throws when the file cannot be read or says nothing true */
export const readActive = (folder: string, feed: FeedId): Active | null => {
  const path = join(feedFolder(folder, feed), 'active.json')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  return Active.parse(JSON.parse(text))
}

/** Puts a finished data file in place and makes it the one that counts; the version before it is kept. */
export const activate = (folder: string, feed: FeedId, built: string, active: Active): void => {
  const before = readActive(folder, feed)
  const home = feedFolder(folder, feed)
  sync(built)
  renameSync(built, dataFile(folder, feed, active.version))
  const next = join(home, 'active.json.new')
  writeFileSync(next, `${JSON.stringify(active, null, 2)}\n`, { mode: 0o600 })
  sync(next)
  renameSync(next, join(home, 'active.json'))
  // A run that began a moment ago may still open the version before; older ones nobody reads.
  const kept = [active.version, before?.version].map((version) => `${version}.db`)
  for (const file of readdirSync(home)) {
    if (file.endsWith('.db') && !kept.includes(file) && !file.startsWith('new-')) rmSync(join(home, file))
  }
}

export const prepareFolder = (folder: string, feed: FeedId): string => {
  const home = feedFolder(folder, feed)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  return home
}

const sync = (path: string): void => {
  const handle = openSync(path, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}
