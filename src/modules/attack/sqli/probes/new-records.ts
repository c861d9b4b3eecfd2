/** Pages that come about with what is stored: a report or a search that is saved has one of its own, to which the answer links since. */
import { kindOf } from '../../../../page/shape.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { linksIn } from '../../insertion-points/elsewhere.ts'
import type { Reply } from '../../insertion-points/prober.ts'

export interface NewRecords {
  /** Kinds of pages, as `kindOf` names them, that this answer links to and none before it did. */
  readonly kindsOf: (stored: Reply) => readonly string[]
  /** The page of such a kind that came with this answer, null where none did; any other page is what it is. */
  readonly at: (page: string, stored: Reply) => string | null
}

/** Of one answer. */
const MOST_KINDS = 2

/**
 * `usual`: an answer of the request to `address` before. Answers have to be told in the order in which they came: each read of one does. Pages of a kind that
 * the crawl has read are read, whatever they are called.
 */
export const createNewRecords = (address: string, usual: Reply, { urls }: Pick<CrawlFacts, 'urls'>): NewRecords => {
  const read = new Set(urls.flatMap(({ url, status }) => (status === 200 ? [kindOf(url)] : [])))
  const mayRead = (link: string): boolean => harmOfAddress(link) === null || read.has(kindOf(link))
  const seen = new Set(linksOf(address, usual))
  const made = new WeakMap<Reply, ReadonlyMap<string, string>>()
  const kinds = new Set<string>()
  const of = (stored: Reply): ReadonlyMap<string, string> => {
    const known = made.get(stored)
    if (known) return known
    const fresh = linksOf(address, stored).filter((link) => !seen.has(link))
    for (const link of fresh) seen.add(link)
    const byKind = Map.groupBy(
      fresh.filter((link) => isRecord(link) && mayRead(link)),
      kindOf,
    )
    // Another value may have been stored since the last answer: the latest is its own.
    const latest = [...byKind].map(([kind, links]) => [kind, links.toSorted(byNumber).at(-1) ?? ''] as const)
    const own = new Map(latest.slice(0, MOST_KINDS))
    made.set(stored, own)
    return own
  }
  return {
    kindsOf: (stored) => {
      const own = [...of(stored).keys()]
      for (const kind of own) kinds.add(kind)
      return own
    },
    at: (page, stored) => (kinds.has(page) ? (of(stored).get(page) ?? null) : page),
  }
}

const isRecord = (link: string): boolean => /\{(?:n|id)\}/.test(kindOf(link))

const numberIn = (link: string): number => Number(new URL(link).pathname.match(/\d+/g)?.at(-1) ?? 0)
const byNumber = (a: string, b: string): number => numberIn(a) - numberIn(b)

const linksOf = (address: string, { location, text }: Reply): readonly string[] =>
  [location, ...linksIn(text)].flatMap((link) => {
    const next = link === '' ? null : URL.parse(link, address)
    if (next === null || next.host !== new URL(address).host) return []
    next.hash = ''
    return [next.href]
  })
