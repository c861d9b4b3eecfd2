/** Asks a page by all names that its scripts may read out of an address: code that cuts it by itself tells none of them. */
import { hashRouteOf } from '../../../../page/shape.ts'
import { withDocumentQuery, withParts } from './addresses.ts'
import type { Asked } from './asking.ts'
import { type Lead, leadsOf } from './prove.ts'
import { anchoredSource, movedPartSource, partSource, plain, querySource, type Source, wordsOf } from './sources.ts'

/** Names that are asked by themselves, as one of many others may choose what the page shows. */
const NEAREST = 48
/** A page may send its query on to a server, and servers take so much. */
const MOST_IN_QUERY = 200

/**
 * Nothing but the page's own address is asked for: what stands behind the # no server sees, and the query is put there before the page's own
 * code runs. `asked`: names that were asked already.
 */
export const askCodeNames = async (page: Asked, asked: readonly string[]): Promise<readonly Lead[]> => {
  const { url, watched, watcher } = page
  const names = watched.coded.names.filter((name) => !asked.includes(name))
  const leads: Lead[] = []
  for (const some of [names.slice(0, NEAREST), names.slice(NEAREST)].filter(({ length }) => length > 0))
    leads.push(...(await askTogether(page, some)))
  for (const start of hashRouteOf(url) === null ? watched.coded.starts : []) {
    const source = anchoredSource(url, start, watcher.word())
    leads.push(...leadsOf([source], await watcher.watch(source.with(source.word), [source.word])))
  }
  return leads
}

const askTogether = async ({ url, watcher, excludes }: Asked, names: readonly string[]): Promise<readonly Lead[]> => {
  const parts = names.map((name) => partSource(url, name, watcher.word()))
  const queries = names
    .slice(0, MOST_IN_QUERY)
    .filter((name) => !excludes(withDocumentQuery(url, name, 'x')))
    .map((name) => querySource(url, name, watcher.word()))
  const sources = [...queries, ...parts]
  const address = withParts(url, pairsOf(parts))
  const queried = queries.reduce((so, { name, word }) => withDocumentQuery(so, name ?? '', word), url)
  const before = `if (window === top && location.protocol.startsWith('http')) history.replaceState(null, '', ${JSON.stringify(new URL(queried).search)} + location.hash)`
  return leadsOf(sources, await watcher.watch(plain(address), wordsOf(sources), { before }))
}

/** Behind the # of a page that is open already and hears of the change. */
export const askMovedNames = async (
  { url, watched, watcher }: Asked,
  own: readonly string[],
): Promise<readonly Lead[]> => {
  const names = [...new Set([...own, ...watched.coded.names])]
  const sources = names.map((name) => movedPartSource(url, name, watcher.word()))
  if (sources.length === 0) return []
  const moved = withParts(url, pairsOf(sources))
  return leadsOf(sources, await watcher.watch({ ...plain(url), moved }, wordsOf(sources)))
}

const pairsOf = (sources: readonly Source[]): readonly (readonly [name: string, value: string])[] =>
  sources.map(({ name, word }) => [name ?? '', word] as const)
