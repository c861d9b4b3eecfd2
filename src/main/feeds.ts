/** `sonde feeds`: the verbs of the knowledge feeds on the data folder. */
import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { FeedLine, Feeds } from '../cli/deps.ts'
import { FEED_IDS, FEEDS, type FeedId } from '../knowledge/feeds/feed.ts'
import { type Imported, importPackedFeed } from '../knowledge/feeds/import.ts'
import { type FeedState, listFeeds, verifyFeed } from '../knowledge/feeds/state.ts'
import { temporaryFolder } from '../temporary/temporary.ts'
import { type Config, ConfigError } from './config.ts'
import { knowledgeFolder } from './knowledge-folder.ts'

/** Milliseconds for one download, and its bytes. */
const DEADLINE = 10 * 60_000
const LARGEST = 1024 * 1024 * 1024

export const feedsOf = (config: Pick<Config, 'dataDir'>): Feeds => {
  const folder = knowledgeFolder(config)
  const bring = async (path: string, feed: FeedId | null): Promise<FeedLine> =>
    importedLine(await importPackedFeed(folder, feed, path, new Date()))
  return {
    list: () => listFeeds(folder).map(stateLine),
    import: (path, feed) => bring(path, feed === null ? null : feedNamed(feed)),
    update: async (names, signal) => {
      const addresses = await readAddresses(join(folder, 'addresses.json'))
      const wanted = names.length === 0 ? FEED_IDS.filter((feed) => feed in addresses) : names.map(feedNamed)
      if (wanted.length === 0) throw new ConfigError('No feed has an address in knowledge/addresses.json.')
      const results = []
      for (const feed of wanted) results.push(await updateOne(feed, addresses[feed], bring, signal))
      return results
    },
    verify: () =>
      listFeeds(folder)
        .filter(({ active }) => active !== null)
        .map(({ feed }) => ({ feed, problem: verifyFeed(folder, feed) })),
  }
}

const feedNamed = (name: string): FeedId => {
  const feed = FEED_IDS.find((one) => one === name)
  if (feed === undefined) throw new ConfigError(`“${name}” is no feed. There are: ${FEED_IDS.join(', ')}.`)
  return feed
}

const stateLine = ({ feed, title, active, builtIn }: FeedState): FeedLine => ({
  feed,
  title,
  version: active?.version ?? null,
  records: active?.records ?? null,
  imported_at: active?.imported_at ?? null,
  source: active?.source ?? null,
  revision: active?.revision ?? null,
  built_in: builtIn,
})

const importedLine = ({ feed, ...active }: Imported): FeedLine =>
  stateLine({ feed, title: FEEDS[feed].title, active, builtIn: null })

const Addresses = z.partialRecord(z.enum(FEED_IDS), z.url({ protocol: /^https?$/ }))

const readAddresses = async (path: string): Promise<z.infer<typeof Addresses>> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(`Write the addresses of the feeds to ${path}, as {"kev": "https://…"}.`, { cause })
  }
  try {
    return Addresses.parse(JSON.parse(text))
  } catch (cause) {
    throw new ConfigError(`${path} has to hold one JSON object of feeds and http addresses.`, { cause })
  }
}

type UpdateResult = Awaited<ReturnType<Feeds['update']>>[number]

/** One that fails does not keep the others from their update. */
const updateOne = async (
  feed: FeedId,
  address: string | undefined,
  bring: (path: string, feed: FeedId) => Promise<FeedLine>,
  signal: AbortSignal,
): Promise<UpdateResult> => {
  if (address === undefined) return { feed, line: null, error: 'it has no address in knowledge/addresses.json' }
  const folder = await temporaryFolder('feed')
  try {
    const path = join(folder, basename(new URL(address).pathname).replace(/[^\w.-]/g, '_') || 'feed')
    await download(address, path, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)]))
    return { feed, line: await bring(path, feed), error: null }
  } catch (error) {
    signal.throwIfAborted()
    return { feed, line: null, error: error instanceof Error ? error.message : String(error) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const download = async (address: string, path: string, signal: AbortSignal): Promise<void> => {
  const response = await fetch(address, { signal })
  if (!response.ok || response.body === null) throw new Error(`${address} answered ${response.status}`)
  let size = 0
  const bounded = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length
      if (size > LARGEST) done(new Error(`${address} sends more than ${LARGEST} bytes`))
      else done(null, chunk)
    },
  })
  await pipeline(Readable.fromWeb(response.body), bounded, createWriteStream(path), { signal })
}
