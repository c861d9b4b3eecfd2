/** Other pages than the one that a request answers with: what is stored at a place shows there. */
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../page/exchange.ts'
import { mayShow } from '../../../page/shape.ts'
import { textOf } from '../../../page/text.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { isAround } from './groups.ts'
import type { ProbePoint } from './inventory.ts'
import type { Reply } from './prober.ts'
import { isToken } from './tokens.ts'

const MOST_PLACES = 40
const MOST_PAGES = 6
/** Under the page of its form, and under its own address. */
const MOST_UNDER = 2
const MOST_UNDER_ITSELF = 4

/** In words that follow the number of places. */
export const BEYOND = `beyond the first ${MOST_PLACES} whose values are looked for on other pages`

/**
 * Places that may store: those that nobody has seen to read come first, of these what people fill, what is sent with GET and reads not at all, and
 * tokens neither. Otherwise the order stays. `beyond`: of those that nobody has seen to read, what is too many to be asked.
 */
export const storingOf = (
  points: readonly ProbePoint[],
): { readonly asked: readonly ProbePoint[]; readonly beyond: readonly ProbePoint[] } => {
  const values = points.filter((point) => !isAround(point) && !isToken(point.name, point.value)).toSorted(byFilling)
  const reads = ({ request }: ProbePoint): boolean => request.effect === 'reads'
  const posted = values.filter((point) => reads(point) && point.request.method !== 'GET')
  const writing = values.filter((point) => !reads(point))
  return { asked: [...writing, ...posted].slice(0, MOST_PLACES), beyond: writing.slice(MOST_PLACES) }
}

/** What people fill is stored more often than what names the record, or what is to be done. */
const byFilling = (a: ProbePoint, b: ProbePoint): number => Number(isHanded(a)) - Number(isHanded(b))
const isHanded = ({ role, place }: ProbePoint): boolean => role !== undefined || place === 'path'

/**
 * Where it was seen, where the answer leads to and links to, what lies under its own address (`/profile` → `/profile/mentions`), where the
 * form stands, what lies under that, and the start: what is stored shows there.
 */
export const pagesAfter = (crawl: CrawlFacts, { request }: ProbePoint, reply: Reply): readonly string[] => {
  const links = [reply.location, ...linksIn(reply.text)].filter((link) => link !== '')
  const own = links.flatMap((link) => {
    const next = URL.parse(link, request.url)
    if (next?.host !== new URL(request.url).host) return []
    next.hash = ''
    return harmOfAddress(next.href) === null ? [next.href] : []
  })
  const start = crawl.urls.slice(0, 1).map(({ url }) => url)
  const { shownOn = [], seenOn } = request
  const answered = crawl.urls.filter(({ status }) => status === 200).map(({ url }) => url)
  const under = (page: string | undefined, most: number): readonly string[] => {
    const folder = page?.replace(/[?#].*$/, '').replace(/\/?$/, '/')
    if (folder === undefined || !isPathBelow(folder)) return []
    return answered.filter((url) => url.startsWith(folder)).slice(0, most)
  }
  const first = [...shownOn.slice(0, 2), ...own.slice(0, MOST_PAGES - 2)]
  const below = [...under(request.url, MOST_UNDER_ITSELF), ...under(seenOn[0], MOST_UNDER)]
  return [...new Set([...first, ...below, ...seenOn.filter(mayShow), ...start, ...own])].slice(0, MOST_PAGES)
}

/** Below the start of a site lies all of it. */
const isPathBelow = (folder: string): boolean => new URL(folder).pathname !== '/'

/** As they are written. */
export const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/<a\b[^>]*?\shref\s*=\s*["']?([^"'\s>]+)/gi)].map(([, href = '']) => href.replaceAll('&amp;', '&'))

/** What the page says now; status 0 and no text where it does not answer. */
export const pageAt = async (
  ctx: Pick<CollectContext, 'egress'>,
  url: string,
): Promise<{ readonly status: number; readonly text: string }> => {
  try {
    const exchange = await ctx.egress.http(pageRequest(url))
    return { status: exchange.status, text: textOf(exchange) }
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return { status: 0, text: '' }
  }
}
