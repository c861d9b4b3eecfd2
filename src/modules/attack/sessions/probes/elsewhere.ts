/** Pages that show what a form was sent, wherever the site has them. */
import { pageRequest } from '../../../../page/exchange.ts'
import { textOf } from '../../../../page/text.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { oneOfEach } from '../../effects/pages.ts'
import { ask, Left } from '../asking.ts'

const MOST_PAGES = 60

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

/** Nothing where it does not answer. */
const textAt = async (ctx: CollectContext, page: string): Promise<string> => {
  try {
    return textOf(await ask(ctx, pageRequest(page)))
  } catch (error) {
    if (error instanceof Left) return ''
    throw error
  }
}
