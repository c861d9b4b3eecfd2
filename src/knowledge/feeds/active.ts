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
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type FeedId, feedKind } from './feed.ts'

export const Active = z.object({
  version: z.string().regex(/^[\w.-]{1,80}$/),
  records: z.int().min(0),
  imported_at: z.iso.datetime(),
  source: z.string(),
  sha256: z.string().regex(/^[\da-f]{64}$/),
  revision: z.string().nullable().default(null),
})
/** `sha256` is that of the imported files; `source` names them for a person; `revision` is a checkout's commit. */
export type Active = z.infer<typeof Active>

export const feedFolder = (folder: string, feed: FeedId): string => join(folder, feed)
/** A file, or the folder of a feed that is kept as it is. */
export const dataFile = (folder: string, feed: FeedId, version: string): string =>
  join(feedFolder(folder, feed), feedKind(feed).shape === 'folder' ? `${version}.d` : `${version}.db`)

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

/** Puts finished data in place and makes it the version that counts; the version before it is kept. */
export const activate = (folder: string, feed: FeedId, built: string, active: Active): void => {
  const home = feedFolder(folder, feed)
  sync(built)
  // Of two imports at once the later one counts; neither removes what the other has just put in place.
  const release = lock(join(home, 'lock'))
  try {
    const before = readActive(folder, feed)
    const place = dataFile(folder, feed, active.version)
    // The same data, imported again: what a run may be reading stays where it is.
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) rmSync(built, { recursive: true })
    else renameSync(built, place)
    const next = join(home, 'active.json.new')
    writeFileSync(next, `${JSON.stringify(active, null, 2)}\n`, { mode: 0o600 })
    sync(next)
    renameSync(next, join(home, 'active.json'))
    // A run that began a moment ago may still open the version before; older ones nobody reads.
    const kept = [active.version, before?.version].flatMap((version) => [`${version}.db`, `${version}.d`])
    for (const file of readdirSync(home)) {
      if (/\.d(?:b)?$/.test(file) && !kept.includes(file) && !file.startsWith('new-')) {
        rmSync(join(home, file), { recursive: true })
      }
    }
  } finally {
    release()
  }
}

/** Milliseconds after which what an import left behind is nobody's. */
const ABANDONED = 24 * 3_600_000

/** Makes a folder for what is being built, and clears it of what died there. */
export const prepareFolder = (home: string): string => {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(home)) {
    if (!name.startsWith('new-')) continue
    const path = join(home, name)
    if (Date.now() - statSync(path).mtimeMs > ABANDONED) rmSync(path, { recursive: true, force: true })
  }
  return home
}

/** It is held for milliseconds; one that is older was left by a process that died. */
const LOCK_STALE = 60_000
const LOCK_WAIT = 5_000

const lock = (path: string): (() => void) => {
  const until = Date.now() + LOCK_WAIT
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs
      if (since !== undefined && Date.now() - since > LOCK_STALE) rmSync(path, { force: true })
      else if (Date.now() > until) throw new Error(`another import holds ${path}`, { cause: error })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

const sync = (path: string): void => {
  const handle = openSync(path, statSync(path).isDirectory() ? 'r' : 'r+')
  fsyncSync(handle)
  closeSync(handle)
}
