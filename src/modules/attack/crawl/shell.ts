/** Sites that one document draws. */
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { isScriptFile, withoutHash } from '../../../page/shape.ts'
import { likeness } from '../../../page/similarity.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import type { Source } from './facts.ts'
import { targetOf } from './fetching.ts'
import { readPage } from './pages.ts'

/** A guess whose answer is this much like that to a random path has found nothing. */
const MISSING = 0.95

/**
 * Whether what is not there is answered with the start page, whose scripts draw what its address says. Many servers refuse names with an ending all the
 * same: a file that is not there is no view.
 */
export const isShell = ({ pages, missing }: SiteFacts): boolean => {
  const [start] = pages
  if (start === undefined || !readPage(start.body, start.url).interactive) return false
  const drawn = missing.filter(({ status, body }) => status === start.status && likeness(body, start.body) >= MISSING)
  const others = missing.filter((page) => !drawn.includes(page))
  return drawn.length > 0 && others.every(({ url, status }) => status >= 400 && hasEnding(url))
}

const hasEnding = (url: string): boolean => /\.\w+$/.test(new URL(url).pathname)

/** Whether what was asked for is not there. */
export const isMissing = (status: number, text: string, source: Source, site: SiteFacts): boolean => {
  if (status === 404 || status === 410) return true
  // A site that answers everything with success: only what was guessed is in doubt.
  const guessed = source === 'script' || source === 'robots' || source === 'sitemap'
  return guessed && site.missing.some((page) => page.status === status && likeness(page.body, text) >= MISSING)
}

/**
 * Whether an address is the name of nothing by itself: it is answered with its other form, with a slash at the end or without one, which is asked in
 * its place with all its values; or it was guessed, and nobody may GET it (RFC 9110, 15.5.6).
 */
export const isNoPage = (exchange: HttpExchange, url: string, source: Source): boolean => {
  // Part of what a page is built of.
  if (source === 'browser' && isScriptFile(url) && !url.includes('?')) return true
  const target = targetOf(exchange, url)
  if (target !== null && withoutHash(target) !== withoutHash(url) && bare(target) === bare(url)) return true
  return exchange.status === 405 && GUESSED.has(source) && !url.includes('?')
}
const GUESSED: ReadonlySet<Source> = new Set(['script', 'robots', 'sitemap', 'well-known'])
const bare = (url: string): string => withoutHash(url).replace(/\/(?=\?|$)/, '')
