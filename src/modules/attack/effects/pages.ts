/** The pages that show what a request stores, read around it. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { kindOf, withoutHash } from '../../../page/shape.ts'
import { textOf } from '../../../page/text.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { areEqual, areEqualBesides, type Read } from './reads.ts'

/** Fetches a page with GET. Null where nothing answers. */
export type GetPage = (url: string) => Promise<HttpExchange | null>

/** What each page says that answers well, null for any other. */
export const readPages = (pages: readonly string[], get: GetPage): Promise<readonly Read[]> =>
  Promise.all(
    pages.map(async (url) => {
      const exchange = await get(url)
      return exchange?.status === 200 ? textOf(exchange) : null
    }),
  )

/** What pages said when they were last read around a request, whoever read them. */
export interface LastReads {
  readonly note: (pages: readonly string[], reads: readonly Read[]) => void
  /** Of all these pages; null where one of them was not read, or too long ago to be kept. */
  readonly of: (pages: readonly string[]) => readonly Read[] | null
}

/** Characters of all that are kept. */
const MOST_KEPT = 8_000_000

export const createLastReads = (most = MOST_KEPT): LastReads => {
  const kept = new Map<string, Read>()
  let size = 0
  const forget = (url: string): void => {
    size -= kept.get(url)?.length ?? 0
    kept.delete(url)
  }
  return {
    note: (pages, reads) => {
      for (const [at, url] of pages.entries()) {
        forget(url)
        kept.set(url, reads[at] ?? null)
        size += reads[at]?.length ?? 0
      }
      for (const oldest of kept.keys()) {
        if (size <= most) break
        forget(oldest)
      }
    },
    of: (pages) => (pages.every((url) => kept.has(url)) ? pages.map((url) => kept.get(url) ?? null) : null),
  }
}

/** Whether all pages say after something what they said before it, up to what changes by itself. */
export const areUnchanged = async (
  pages: readonly string[],
  before: readonly Read[],
  after: readonly Read[],
  get: GetPage,
): Promise<boolean> => {
  const changed = pages.flatMap((page, at) => {
    const [was = null, is = null] = [before[at], after[at]]
    return areEqual(was, is) ? [] : [{ page, was, is }]
  })
  if (changed.length === 0) return true
  const again = await readPages(
    changed.map(({ page }) => page),
    get,
  )
  return changed.every(({ was, is }, at) => areEqualBesides(was, is, again[at] ?? null))
}

/** Those of the pages that said something: without any, nothing is known of what was stored. */
export const tellingOf = (pages: readonly string[], reads: readonly Read[]): readonly string[] =>
  pages.filter((_page, at) => (reads[at] ?? '') !== '')

const WORD = /^[a-z][\w.-]{0,40}$/i

/** One page of each kind that a crawl met: a word in a query may choose the page, a number is a record. */
export const oneOfEach = ({ urls }: Pick<CrawlFacts, 'urls'>): readonly string[] => {
  const kinds = new Map<string, string>()
  for (const { url, status, contentType } of urls) {
    const asked = [...new URL(url).searchParams].map(([name, value]) => (WORD.test(value) ? `${name}=${value}` : name))
    const kind = `${kindOf(url)}?${asked.toSorted().join('&')}`
    if (status === 200 && /html|json|^$/.test(contentType) && !kinds.has(kind)) kinds.set(kind, withoutHash(url))
  }
  return [...kinds.values()]
}
