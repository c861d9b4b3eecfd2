/** Pages that come about while a run stores something: a list links to a page for each of its records, or names them in JSON. */
import { readHtml } from '../../../../page/html.ts'
import { harmOfAddress, harmOfLink } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { pageAt } from '../../insertion-points/elsewhere.ts'
import { recordAddresses, recordsIn } from './new-records.ts'
import type { Place } from './stored-pages.ts'

const MOST_NEW = 40
/** Of one list, behind one more record. */
const MOST_SINCE = 4

/** A page that nobody knew, or what its script asks for, and the list that names it. */
export type NewPage = Place & { readonly listedOn: string }

export interface NewPages {
  /** Notes what a page links to that the crawl did not know. */
  readonly heard: (page: { readonly url: string; readonly drawnOn: string | null; readonly text: string }) => void
  /** All that were noted so far. */
  readonly take: () => readonly NewPage[]
  /** What the list links to now and did not before. */
  readonly since: (list: string) => Promise<readonly NewPage[]>
}

export const createNewPages = (ctx: CollectContext, crawl: CrawlFacts): NewPages => {
  const known = new Set([...crawl.urls, ...crawl.requests].map(({ url }) => plain(url)))
  const records = recordAddresses(crawl)
  const noted: NewPage[] = []
  const fresh = (text: string, list: string): readonly NewPage[] => {
    const { host } = new URL(list)
    const all = readHtml(text, list).links.flatMap(({ url, label }) => {
      const next = url === null ? null : URL.parse(url)
      return next?.host === host && harmOfLink(label) === null ? [plain(next.href)] : []
    })
    const found = [...new Set(all)].filter(
      (url) => !known.has(url) && harmOfAddress(url) === null && !ctx.egress.excludes(url),
    )
    for (const url of found) known.add(url)
    return found.map((url) => ({ url, drawnOn: null, listedOn: list }))
  }
  /** Of its records. What was made of an address has to be none that does something. */
  const named = (text: string, list: string): readonly NewPage[] => {
    const all = recordsIn(text, list, records).filter(
      ({ url, drawnOn }) =>
        !known.has(plain(url)) &&
        [url, ...(drawnOn === null ? [] : [drawnOn])].every(
          (one) => harmOfAddress(one) === null && !ctx.egress.excludes(one),
        ),
    )
    const found = [...new Map(all.map((one) => [plain(one.url), one])).values()]
    for (const { url } of found) known.add(plain(url))
    return found.map((one) => ({ ...one, listedOn: list }))
  }
  return {
    heard: ({ url, drawnOn, text }) => {
      if (drawnOn === null && text !== '') noted.push(...fresh(text, url))
      if (drawnOn !== null) noted.push(...named(text, url))
    },
    take: () => noted.slice(0, MOST_NEW),
    since: async (list) => {
      const { text } = await pageAt(ctx, list)
      return [...fresh(text, list), ...named(text, list)].slice(0, MOST_SINCE)
    },
  }
}

const plain = (url: string): string => url.split('#')[0] ?? url
