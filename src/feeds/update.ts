/** Brings feeds up to date by themselves: which are due, what is fetched of them, and what became of it. */
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { feedFolder, prepareFolder, readActive } from '../knowledge/feeds/active.ts'
import { archiveKind, unpack } from '../knowledge/feeds/archive.ts'
import type { FeedId } from '../knowledge/feeds/feed.ts'
import { type Imported, importPackedFeed } from '../knowledge/feeds/import.ts'
import { DownloadError, download, type Patience, Validators } from './download.ts'
import { FETCHED, type Origin, type Source, sourcesOf } from './sources.ts'

export interface FeedUpdate {
  readonly feed: FeedId
  /** Null: unchanged, or `problem` says why not. */
  readonly imported: Imported | null
  readonly problem: string | null
}

export interface UpdateOptions {
  /** The folder of all feeds. */
  readonly folder: string
  readonly origin: Origin
  readonly signal: AbortSignal
  readonly now?: () => Date
  /** Of 0 to 1, so that installations do not all ask at the same hour. */
  readonly random?: () => number
  readonly patience?: Patience
}

const HOUR = 3_600_000

/** What is known of the asking, beside each feed. */
export const FetchedState = z.strictObject({
  /** When it is asked for again. */
  due_at: z.iso.datetime(),
  checked_at: z.iso.datetime().nullable(),
  problem: z.string().nullable(),
  /** Attempts in a row that failed. */
  failures: z.int().min(0),
  /** By name of file: what the publisher recognises the version by that was imported last. */
  files: z.record(z.string(), Validators),
})
type State = z.infer<typeof FetchedState>

const NEVER: State = {
  due_at: new Date(0).toISOString(),
  ...{ checked_at: null, problem: null, failures: 0, files: {} },
}

const statePath = (folder: string, feed: FeedId): string => join(feedFolder(folder, feed), 'fetched.json')

/** What is unreadable counts as never fetched: it is asked for again, and written anew. */
export const readState = (folder: string, feed: FeedId): State => {
  try {
    return FetchedState.parse(JSON.parse(readFileSync(statePath(folder, feed), 'utf8')))
  } catch {
    return NEVER
  }
}

/** Of another machine that has asked in our place. */
export const adoptState = (folder: string, feed: FeedId, state: State): void => writeState(folder, feed, state)

const writeState = (folder: string, feed: FeedId, state: State): void => {
  mkdirSync(feedFolder(folder, feed), { recursive: true, mode: 0o700 })
  writeFileSync(`${statePath(folder, feed)}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${statePath(folder, feed)}.new`, statePath(folder, feed))
}

/** Those that come by themselves and are to be asked for, in the order in which they are fetched. */
export const dueFeeds = (folder: string, now: Date): readonly FeedId[] =>
  FETCHED.filter((feed) => Date.parse(readState(folder, feed).due_at) <= now.getTime())

/**
 * One feed after the other; one that fails keeps its version and does not keep the others from theirs. Where the first
 * two cannot be reached at all there is no network, and the others are not tried.
 */
export const updateFeeds = async function* (
  feeds: readonly FeedId[],
  options: UpdateOptions,
): AsyncGenerator<FeedUpdate> {
  const { folder } = options
  const release = hold(folder)
  if (release === null) {
    const problem = 'another update is under way'
    for (const feed of feeds) yield { feed, imported: null, problem }
    return
  }
  try {
    yield* eachOf(feeds, options)
  } finally {
    release()
  }
}

/**
 * What a process that ended in the middle of a feed has left: the feed counts as failed, so that it does not stand before the others the
 * next time. Null where nothing was left, or the process lives.
 */
export const settleEnded = (folder: string, problem: string): FeedId | null => {
  const path = holdPath(folder)
  const feed = FETCHED.find((one) => one === (existsSync(path) ? readFileSync(path, 'utf8').split('\n')[1] : undefined))
  if (feed === undefined || isAlive(path)) return null
  rmSync(path, { force: true })
  settle(feed, { folder }, { problem })
  return feed
}

const holdPath = (folder: string): string => join(folder, 'fetched', 'process')

/** One process at a time fetches into a folder. Null where another one does; what a dead process left counts for nothing. */
const hold = (folder: string): (() => void) | null => {
  mkdirSync(join(folder, 'fetched'), { recursive: true, mode: 0o700 })
  const path = holdPath(folder)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      if (isAlive(path)) return null
      rmSync(path, { force: true })
    }
  }
  return null
}

const isAlive = (path: string): boolean => {
  try {
    const pid = Number(readFileSync(path, 'utf8').split('\n')[0])
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    // It is there, and of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const eachOf = async function* (feeds: readonly FeedId[], options: UpdateOptions): AsyncGenerator<FeedUpdate> {
  const { signal } = options
  let unreached = 0
  let reached = false
  for (const feed of feeds) {
    signal.throwIfAborted()
    if (!reached && unreached >= 2) {
      const problem = 'not tried: there seems to be no network'
      settle(feed, options, { problem })
      yield { feed, imported: null, problem }
      continue
    }
    writeFileSync(holdPath(options.folder), `${process.pid}\n${feed}`, { mode: 0o600 })
    try {
      const imported = await updateFeed(feed, options)
      reached = true
      yield { feed, imported, problem: null }
    } catch (error) {
      signal.throwIfAborted()
      if (isUnreached(error)) unreached += 1
      else reached = true
      const problem = reasonOf(error)
      settle(feed, options, { problem })
      yield { feed, imported: null, problem }
    }
  }
}

/** Null where nothing changed. @throws DownloadError, FeedError, or what the connection fails with */
const updateFeed = async (feed: FeedId, options: UpdateOptions): Promise<Imported | null> => {
  const { folder, origin, signal, patience, now = () => new Date() } = options
  const sources = sourcesOf(feed, origin, now())
  if (sources.length === 0) throw new DownloadError('it does not come by itself; import it by hand')
  const home = join(folder, 'fetched', feed)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  // Of several files those that did not change are needed as well when one did: they are kept. One alone is not.
  const keeps = sources.length > 1
  const { files: before } = readState(folder, feed)
  const isImported = readActive(folder, feed) !== null
  const files: Record<string, Validators> = {}
  let news = !isImported
  for (const source of sources) {
    const path = join(home, source.file)
    checkDisk(home, source)
    const known = (keeps ? existsSync(path) : isImported) ? (before[source.file] ?? null) : null
    const fresh = await download(source, path, known, signal, patience)
    files[source.file] = fresh ?? known ?? { etag: null, modified: null }
    if (fresh !== null) news = true
  }
  const imported = news ? await importFetched(folder, feed, home, sources, now()) : null
  if (!keeps) rmSync(home, { recursive: true, force: true })
  settle(feed, options, { files })
  return imported
}

/** Several archives are unpacked side by side, as one import. */
const importFetched = async (
  folder: string,
  feed: FeedId,
  home: string,
  sources: readonly Source[],
  now: Date,
): Promise<Imported> => {
  const paths = sources.map(({ file }) => join(home, file))
  const [only, second] = paths
  if (only !== undefined && second === undefined) return importPackedFeed(folder, feed, only, now)
  const kinds = await Promise.all(paths.map((path) => archiveKind(path)))
  if (kinds.every((kind) => kind === null)) return importPackedFeed(folder, feed, home, now)
  const unpacked = join(prepareFolder(join(folder, 'incoming')), `new-${randomUUID()}`)
  try {
    for (const [at, path] of paths.entries()) {
      const into = join(unpacked, basename(path, '.zip'))
      mkdirSync(into, { recursive: true, mode: 0o700 })
      const kind = kinds[at]
      if (kind) await unpack(path, kind, into)
      else cpSync(path, join(into, basename(path)))
    }
    return await importPackedFeed(folder, feed, unpacked, now)
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

const settle = (
  feed: FeedId,
  { folder, now = () => new Date(), random = Math.random }: Pick<UpdateOptions, 'folder' | 'now' | 'random'>,
  { files, problem = null }: { readonly files?: State['files']; readonly problem?: string | null },
): void => {
  const before = readState(folder, feed)
  const failures = problem === null ? 0 : before.failures + 1
  // Daily, give or take; after a failure sooner, and later each time.
  const wait = problem === null ? (23 + 2 * random()) * HOUR : Math.min(24, 2 ** (failures - 1) * (1 + random())) * HOUR
  const at = now()
  writeState(folder, feed, {
    due_at: new Date(at.getTime() + wait).toISOString(),
    checked_at: problem === null ? at.toISOString() : before.checked_at,
    problem,
    failures,
    files: files ?? before.files,
  })
}

/** Room for the file, what it unpacks to, and what is made of it. */
const ROOM = 8

const checkDisk = (folder: string, { file, largest }: Source): void => {
  const { bavail, bsize } = statfsSync(folder)
  const needed = Math.min(largest, 1024 ** 3) * ROOM
  if (bavail * bsize < needed)
    throw new DownloadError(`${file} needs ${gib(needed)} GiB of disk to be unpacked; ${gib(bavail * bsize)} are free`)
}
const gib = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1)

const NO_ANSWER =
  /^(?:ENOTFOUND|EAI_\w+|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENETDOWN|EPERM|EACCES|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/

const codesOf = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const all = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...own, ...all, ...codesOf(error.cause)]
}

/** How the problem begins where there was nobody to talk to. */
export const UNREACHED = 'nobody answers'

/** Nobody answered at all: no name, no route, no connection. */
const isUnreached = (error: unknown): boolean => codesOf(error).some((code) => NO_ANSWER.test(code))

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const [code] = codesOf(error)
  if (code !== undefined && isUnreached(error)) return `${UNREACHED} (${code})`
  return error.message
}
