/**
 * Parameters of a whole site: how it is shown, in which language, which links of every page hand on. One piece of code reads such a one for
 * all pages, so what is proven of it on many of them is one flaw.
 */
import { ROUTING } from '../../../safety/words.ts'
import type { CrawlFacts } from '../crawl/facts.ts'

/** Fewer pages may each have a parameter of the name by chance. */
const FEWEST_PAGES = 6
/** Share of the pages that take it. A list takes its order; the page of a sign-in takes none. */
const MOST_PAGES = 2 / 3
/** A preference has few values, whatever the page. */
const MOST_VALUES = 4
const WORD = /^(?:[a-z]{1,16}(?:[-_][a-z]{1,8})?|[01])$/i

/** Names of parameters of the query, by what the crawl met. */
export const preferencesOf = (crawl: Pick<CrawlFacts, 'requests'>): ReadonlySet<string> => {
  const known = learned.get(crawl)
  if (known) return known
  const pages = new Set<string>()
  const takes = new Map<string, { readonly pages: Set<string>; readonly values: Set<string> }>()
  for (const { method, url, sent, harm } of crawl.requests) {
    if (method !== 'GET' || !sent || harm !== null) continue
    const { pathname, searchParams } = new URL(url)
    pages.add(pathname)
    for (const [name, value] of searchParams) {
      const one = takes.get(name) ?? { pages: new Set(), values: new Set() }
      takes.set(name, one)
      one.pages.add(pathname)
      one.values.add(value)
    }
  }
  const found = [...takes].filter(
    ([name, one]) =>
      !ROUTING.test(name) &&
      one.pages.size >= Math.max(FEWEST_PAGES, pages.size * MOST_PAGES) &&
      one.values.size <= MOST_VALUES &&
      [...one.values].every((value) => WORD.test(value)),
  )
  const names = new Set(found.map(([name]) => name))
  learned.set(crawl, names)
  return names
}

/** A crawl's facts do not change. */
const learned = new WeakMap<object, ReadonlySet<string>>()
