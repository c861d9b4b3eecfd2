/** Pages that come about while a run stores something: a list links to a page for each of its records. */
import { readHtml } from '../../../../page/html.ts'
import { harmOfAddress, harmOfLink } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { pageAt } from '../../insertion-points/elsewhere.ts'

const MOST_NEW = 40
/** Of one list, behind one more record. */
const MOST_SINCE = 4

/** A page that nobody knew, and the one that links to it. */
export interface NewPage {
  readonly url: string
  readonly drawnOn: null
  readonly listedOn: string
}

export interface NewPages {
  /** Notes what a page links to that the crawl did not know. */
  readonly heard: (page: { readonly url: string; readonly drawnOn: string | null; readonly text: string }) => void
  /** All that were noted so far. */
  readonly take: () => readonly NewPage[]
  /** What the list links to now and did not before. */
  readonly since: (list: string) => Promise<readonly NewPage[]>
}

export const createNewPages = (ctx: CollectContext, { urls, requests }: CrawlFacts): NewPages => {
  const known = new Set([...urls, ...requests].map(({ url }) => plain(url)))
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
  return {
    heard: ({ url, drawnOn, text }) => {
      if (drawnOn === null && text !== '') noted.push(...fresh(text, url))
    },
    take: () => noted.slice(0, MOST_NEW),
    since: async (list) => fresh((await pageAt(ctx, list)).text, list).slice(0, MOST_SINCE),
  }
}

const plain = (url: string): string => url.split('#')[0] ?? url
