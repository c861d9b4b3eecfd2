/** Pages that show what a form was sent, wherever the site has them. */
import { pageRequest } from '../../../../page/exchange.ts'
import { kindOf, withoutHash } from '../../../../page/shape.ts'
import { textOf } from '../../../../page/text.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { ask, Left } from '../asking.ts'

const MOST_PAGES = 60
const WORD = /^[a-z][\w.-]{0,40}$/i

/** The first page that shows each of the markers; one of each kind of page is read. `until`: by performance.now(). */
export const pagesShowing = async (
  ctx: CollectContext,
  crawl: Pick<CrawlFacts, 'urls'>,
  markers: readonly string[],
  until: number,
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const pages = oneOfEach(crawl).filter((url) => harmOfAddress(url) === null && !ctx.egress.excludes(url))
  for (const page of pages.slice(0, MOST_PAGES)) {
    if (performance.now() > until || found.size === markers.length) break
    const text = await textAt(ctx, page)
    for (const marker of markers) if (!found.has(marker) && holds(text, marker)) found.set(marker, page)
  }
  return found
}

export const holds = (text: string, marker: string): boolean =>
  text.includes(marker) || text.includes(marker.replace('@', '&#64;'))

/** A word in a query may choose the page, a number is a record. Exported for its test. */
export const oneOfEach = ({ urls }: Pick<CrawlFacts, 'urls'>): readonly string[] => {
  const kinds = new Map<string, string>()
  for (const { url, status, contentType } of urls) {
    const asked = [...new URL(url).searchParams].map(([name, value]) => (WORD.test(value) ? `${name}=${value}` : name))
    const kind = `${kindOf(url)}?${asked.toSorted().join('&')}`
    if (status === 200 && /html|json|^$/.test(contentType) && !kinds.has(kind)) kinds.set(kind, withoutHash(url))
  }
  return [...kinds.values()]
}

/** Nothing where it does not answer. */
const textAt = async (ctx: CollectContext, page: string): Promise<string> => {
  try {
    return textOf(await ask(ctx, pageRequest(page)))
  } catch (error) {
    if (error instanceof Left) return ''
    throw error
  }
}
