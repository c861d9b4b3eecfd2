/**
 * Imported feeds as one signed file, for installations without a network: a tar of two files, the data and their signature,
 * which a person can take apart with `tar` and check with `minisign`.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { z } from 'zod'
import { Active, activate, dataFile, prepareFolder, readActive } from '../knowledge/feeds/active.ts'
import { unpack } from '../knowledge/feeds/archive.ts'
import { FEED_IDS, FeedError, type FeedId, feedKind } from '../knowledge/feeds/feed.ts'
import { jsonOrNull, namesUnder } from '../knowledge/feeds/files.ts'
import { verifyData } from '../knowledge/feeds/state.ts'
import { checkFile, signerOf, signFile } from './minisign.ts'

const DATA = 'feeds.tar.gz'
const SIGNATURE = `${DATA}.minisig`
/** Of the compiled data: raised with every change of what stands in them, so that nobody reads what another version wrote. */
export const FORMAT = 1

const Manifest = z.strictObject({
  format: z.int(),
  made_at: z.iso.datetime(),
  feeds: z.record(z.string(), Active),
})

/** @param feeds those that were never imported are left out. @returns which are in it. @throws FeedError where none is */
export const writeBundle = async (
  folder: string,
  path: string,
  feeds: readonly FeedId[],
  signing: { readonly key: string; readonly now: Date },
): Promise<readonly FeedId[]> => {
  const active = feeds.flatMap((feed) => {
    const one = readActive(folder, feed)
    return one === null ? [] : [[feed, one] as const]
  })
  if (active.length === 0) throw new FeedError(path, null, 'no feed was imported, so there is nothing to put in')
  const home = prepareFolder(join(folder, 'incoming'))
  const data = join(home, `new-${randomUUID()}`)
  try {
    const made_at = signing.now.toISOString()
    await writeTar(data, async (tar) => {
      const manifest: z.infer<typeof Manifest> = { format: FORMAT, made_at, feeds: Object.fromEntries(active) }
      await addText(tar, 'manifest.json', JSON.stringify(manifest, null, 2))
      for (const [feed, { version }] of active) await addData(tar, feed, dataFile(folder, feed, version))
    })
    const signature = await signFile(
      data,
      signing.key,
      `sonde feeds of ${made_at}: ${active.map(([feed]) => feed).join(' ')}`,
    )
    const outer = pack()
    const written = pipeline(outer, createWriteStream(path, { mode: 0o644 }))
    await addText(outer, SIGNATURE, signature)
    await addFile(outer, DATA, data)
    outer.finalize()
    await written
    return active.map(([feed]) => feed)
  } finally {
    rmSync(data, { force: true })
  }
}

export interface FromBundle {
  readonly feed: FeedId
  /** Null: what is here is as new. */
  readonly active: Active | null
}

/** By how it begins. */
export const isBundle = async (path: string): Promise<boolean> => {
  if (!statSync(path).isFile()) return false
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(SIGNATURE.length + 1), 0, SIGNATURE.length + 1, 0)
    return buffer.toString('latin1') === `${SIGNATURE}\0`
  } finally {
    await file.close()
  }
}

/**
 * Brings in what is newer than what is here, each feed by itself.
 * @param publicKey of minisign, one line; null: nobody is trusted, and the error names who signed
 * @throws SignatureError, and FeedError where the data are not what their signer says; nothing was brought in then
 */
export const readBundle = async (
  folder: string,
  path: string,
  publicKey: string | null,
): Promise<readonly FromBundle[]> => {
  const home = join(prepareFolder(join(folder, 'incoming')), `new-${randomUUID()}`)
  try {
    await unpack(path, 'tar', join(home, 'outer'))
    const data = join(home, 'outer', DATA)
    const signature = readFileSync(join(home, 'outer', SIGNATURE), 'utf8')
    if (publicKey === null)
      throw new FeedError(
        path,
        null,
        `it is signed by the key ${signerOf(signature)}: give its public key with --key or SONDE_FEEDS_KEY`,
      )
    await checkFile(data, signature, publicKey)
    const inner = join(home, 'inner')
    await unpack(data, 'tar.gz', inner)
    return bringIn(folder, inner, path)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const bringIn = (folder: string, inner: string, path: string): readonly FromBundle[] => {
  const manifest = Manifest.safeParse(jsonOrNull(readFileSync(join(inner, 'manifest.json'), 'utf8')))
  if (!manifest.success || manifest.data.format !== FORMAT)
    throw new FeedError(path, 'manifest.json', 'it was made by another version of the product; make it anew')
  const feeds = FEED_IDS.flatMap((feed) => {
    const active = manifest.data.feeds[feed]
    return active === undefined ? [] : [{ feed, active, data: join(inner, feed) }]
  })
  for (const { feed, active, data } of feeds) {
    const problem = verifyData(feed, data, active)
    if (problem !== null) throw new FeedError(path, feed, problem)
  }
  return feeds.map(({ feed, active, data }) => {
    const here = readActive(folder, feed)
    if (here !== null && here.imported_at >= active.imported_at) return { feed, active: null }
    prepareFolder(dirname(dataFile(folder, feed, active.version)))
    activate(folder, feed, data, active)
    return { feed, active }
  })
}

const writeTar = async (path: string, fill: (tar: Pack) => Promise<void>): Promise<void> => {
  const tar = pack()
  const written = pipeline(tar, createGzip({ level: 6 }), createWriteStream(path, { mode: 0o600 }))
  // What goes wrong while it is filled ends the writing, too.
  const filled = fill(tar).then(
    () => tar.finalize(),
    (error: unknown) => {
      tar.destroy(error instanceof Error ? error : new Error(String(error)))
      throw error
    },
  )
  await Promise.all([written, filled])
}

const addData = async (tar: Pack, feed: FeedId, path: string): Promise<void> => {
  if (feedKind(feed).shape !== 'folder') return addFile(tar, feed, path)
  for (const name of namesUnder(path)) await addFile(tar, `${feed}/${name}`, join(path, name))
}

const addFile = (tar: Pack, name: string, path: string): Promise<void> =>
  pipeline(createReadStream(path), tar.entry({ name, size: statSync(path).size, mode: 0o600 }))

const addText = (tar: Pack, name: string, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    tar.entry({ name, mode: 0o600 }, text, (error) => (error ? reject(error) : resolve()))
  })
