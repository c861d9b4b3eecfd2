/**
 * Knowledge feeds of a fleet: what one worker has fetched and compiled lies in the storage for the others, signed by a key that
 * follows from the fleet's secret. So a publisher is asked once a day, and its data are read once.
 */
import { createPrivateKey, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { type ObjectStorage, StorageError } from '../artifacts/artifacts.ts'
import type { SecretKeys } from '../contract/secret-keys.ts'
import { sleep } from '../contract/sleep.ts'
import { FORMAT, writeBundle } from '../feeds/bundle.ts'
import { publicKeyOf } from '../feeds/minisign.ts'
import { adoptState, FetchedState, readState } from '../feeds/update.ts'
import { readActive } from '../knowledge/feeds/active.ts'
import { FEED_IDS, type FeedId } from '../knowledge/feeds/feed.ts'
import { jsonOrNull } from '../knowledge/feeds/files.ts'

const ABOUT = { contentType: 'application/octet-stream' }
const bundleKey = (feed: FeedId): string => `feeds/${feed}.bundle`
const noteKey = (feed: FeedId): string => `feeds/${feed}.json`
const TURN = 'feeds/turn.json'
/** Milliseconds in which two who begin at once see each other, and after which a turn of somebody who died is over. */
const SETTLES = 2_000
const LONGEST_TURN = 3 * 3_600_000

/** Beside each bundle: whether it is news, and what its publisher will recognise it by. */
const Note = z.strictObject({
  format: z.int(),
  version: z.string(),
  imported_at: z.iso.datetime(),
  fetched: FetchedState,
})
const Turn = z.strictObject({ of: z.string(), until: z.iso.datetime() })

export interface Sharing {
  /** The folder of all feeds. */
  readonly folder: string
  readonly storage: Pick<ObjectStorage, 'put' | 'get' | 'delete'>
  /** Of the fleet, for this purpose alone. */
  readonly keys: SecretKeys
  /** Brings a bundle in: false where its signature is not by that public key. */
  readonly takeBundle: (path: string, publicKey: string) => Promise<boolean>
  /** Milliseconds; for tests. */
  readonly settles?: number
}

/** Puts a feed into the storage as it is here. */
export const publishFeed = async ({ folder, storage, keys }: Sharing, feed: FeedId): Promise<void> => {
  const active = readActive(folder, feed)
  if (active === null) return
  const path = temporary(folder)
  try {
    await writeBundle(folder, path, [feed], { key: signingKey(keys.current), now: new Date(active.imported_at) })
    await storage.put(bundleKey(feed), createReadStream(path), ABOUT)
    // The note comes last: who reads it finds the bundle.
    const note: z.infer<typeof Note> = {
      ...{ format: FORMAT, version: active.version, imported_at: active.imported_at },
      fetched: readState(folder, feed),
    }
    await storage.put(noteKey(feed), Buffer.from(JSON.stringify(note)), { contentType: 'application/json' })
  } finally {
    rmSync(path, { force: true })
  }
}

/** Brings in what others have newer, and their dates with it. @returns the feeds that came */
export const takeShared = async (sharing: Sharing): Promise<readonly FeedId[]> => {
  const taken: FeedId[] = []
  for (const feed of FEED_IDS) {
    const note = Note.safeParse(jsonOrNull((await stored(sharing, noteKey(feed))) ?? ''))
    // Of another version of the product: it is made here, or by who comes after.
    if (!note.success || note.data.format !== FORMAT) continue
    const here = readActive(sharing.folder, feed)
    if (here === null || here.imported_at < note.data.imported_at) {
      if (!(await takeOne(sharing, feed))) continue
      taken.push(feed)
    }
    const { fetched } = note.data
    if (readActive(sharing.folder, feed)?.version !== note.data.version) continue
    if (Date.parse(fetched.due_at) > Date.parse(readState(sharing.folder, feed).due_at))
      adoptState(sharing.folder, feed, fetched)
  }
  return taken
}

const takeOne = async ({ folder, storage, keys, takeBundle }: Sharing, feed: FeedId): Promise<boolean> => {
  const path = temporary(folder)
  try {
    const { stream } = await storage.get(bundleKey(feed))
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }))
    // While the secret is replaced, some sign by the one before.
    for (const key of keys.accepted) if (await takeBundle(path, publicKeyOf(signingKey(key)))) return true
    return false
  } finally {
    rmSync(path, { force: true })
  }
}

/**
 * Runs the work where nobody else of the fleet does. Of two who begin at once the one whose word stays in the storage goes on.
 * @returns whether it was run
 */
export const inTurn = async (sharing: Sharing, work: () => Promise<void>): Promise<boolean> => {
  const { storage, settles = SETTLES } = sharing
  const now = Turn.safeParse(jsonOrNull((await stored(sharing, TURN)) ?? ''))
  if (now.success && Date.parse(now.data.until) > Date.now()) return false
  const mine: z.infer<typeof Turn> = { of: randomUUID(), until: new Date(Date.now() + LONGEST_TURN).toISOString() }
  await storage.put(TURN, Buffer.from(JSON.stringify(mine)), { contentType: 'application/json' })
  await sleep(settles)
  const after = Turn.safeParse(jsonOrNull((await stored(sharing, TURN)) ?? ''))
  if (after.data?.of !== mine.of) return false
  try {
    await work()
    return true
  } finally {
    await storage.delete(TURN)
  }
}

/** Null where there is no such object. */
const stored = async ({ storage }: Sharing, key: string): Promise<string | null> => {
  try {
    return await text((await storage.get(key)).stream)
  } catch (error) {
    if (error instanceof StorageError && error.code === 'missing') return null
    throw error
  }
}

const temporary = (folder: string): string => {
  const home = join(folder, 'incoming')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  return join(home, `new-${randomUUID()}`)
}

/** Ed25519 takes any 32 octets (RFC 8032, 5.1.5); before them stands what says so (RFC 8410, 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

const signingKey = (seed: Buffer): string =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString()
