/** `sonde feeds`: the verbs of the knowledge feeds on the data folder. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedLine, Feeds } from '../cli/deps.ts'
import { isBundle, readBundle, writeBundle } from '../feeds/bundle.ts'
import { newSigningKey, publicKeyOf } from '../feeds/minisign.ts'
import { FETCHED } from '../feeds/sources.ts'
import { dueFeeds, readState, updateFeeds } from '../feeds/update.ts'
import { FEED_IDS, FEEDS, type FeedId } from '../knowledge/feeds/feed.ts'
import { type Imported, importPackedFeed } from '../knowledge/feeds/import.ts'
import { type FeedState, listFeeds, verifyFeed } from '../knowledge/feeds/state.ts'
import { type Config, ConfigError } from './config.ts'
import { knowledgeFolder } from './knowledge-folder.ts'
import { createPrivate } from './private-file.ts'

export const feedsOf = (config: Pick<Config, 'dataDir' | 'feeds' | 'feedsKey'>): Feeds => {
  const folder = knowledgeFolder(config)
  return {
    list: () => listFeeds(folder).map((state) => stateLine(state, folder)),
    import: async (path, feed) =>
      importedLine(await importPackedFeed(folder, feed === null ? null : feedNamed(feed), path, new Date()), folder),
    bundle: async (path, names) => {
      const key = signingKey(config.dataDir)
      const wanted = names.length === 0 ? FEED_IDS : names.map(feedNamed)
      const feeds = await writeBundle(folder, path, wanted, { key, now: new Date() })
      return { path, bytes: statSync(path).size, feeds, public_key: publicKeyOf(key) }
    },
    isBundle,
    importBundle: async (path, key) =>
      (await readBundle(folder, path, key ?? config.feedsKey)).map(({ feed, active }) => ({
        feed,
        line: active === null ? null : importedLine({ feed, ...active }, folder),
        error: null,
      })),
    update: async function* (names, { due, signal }) {
      if (config.feeds === 'off') throw new ConfigError('SONDE_FEEDS is off: nothing is fetched.')
      const named = names.length === 0 ? FETCHED : names.map(feedNamed)
      const wanted = due ? dueFeeds(folder, new Date()).filter((feed) => named.includes(feed)) : named
      const origin = config.feeds === 'auto' ? 'official' : config.feeds
      for await (const { feed, imported, problem } of updateFeeds(wanted, { folder, origin, signal }))
        yield { feed, line: imported === null ? null : importedLine(imported, folder), error: problem }
    },
    verify: () =>
      listFeeds(folder)
        .filter(({ active }) => active !== null)
        .map(({ feed }) => ({ feed, problem: verifyFeed(folder, feed) })),
  }
}

/** Made when it is first needed, and kept beside the data: whoever has it vouches for bundles of this installation. */
const signingKey = (dataDir: string): string => {
  const path = join(dataDir, 'feeds-signing.pem')
  createPrivate(path, newSigningKey())
  return readFileSync(path, 'utf8')
}

const feedNamed = (name: string): FeedId => {
  const feed = FEED_IDS.find((one) => one === name)
  if (feed === undefined) throw new ConfigError(`“${name}” is no feed. There are: ${FEED_IDS.join(', ')}.`)
  return feed
}

const stateLine = ({ feed, title, active, builtIn }: FeedState, folder: string): FeedLine => ({
  feed,
  title,
  version: active?.version ?? null,
  records: active?.records ?? null,
  imported_at: active?.imported_at ?? null,
  checked_at: readState(folder, feed).checked_at,
  problem: readState(folder, feed).problem,
  source: active?.source ?? null,
  revision: active?.revision ?? null,
  built_in: builtIn,
})

const importedLine = ({ feed, ...active }: Imported, folder: string): FeedLine =>
  stateLine({ feed, title: FEEDS[feed].title, active, builtIn: null }, folder)
