/** The inventory of a run that asks one place: nothing is followed, and what is not that place is no part of it. */
import type { PlaceOfRequest, Supposed } from '../../../contract/place.ts'
import { operationOfWritten } from '../../../descriptions/written.ts'
import { headerOf } from '../../../page/exchange.ts'
import { pageKindOf } from '../../../page/page-kind.ts'
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import { requestOf } from '../insertion-points/inventory.ts'
import { pointsOf } from '../insertion-points/points.ts'
import { type Crawling, prepare } from './crawling.ts'
import {
  type BrowserFacts,
  type CrawlFacts,
  type InsertionPoint,
  NOT_FOLLOWED,
  type Place,
  type ReachFacts,
  type RequestTemplate,
  type ScriptedPage,
} from './facts.ts'
import { cookiesToAsk, factsOf } from './facts-of.ts'
import { inItsTime } from './in-its-time.ts'

/**
 * The request is asked as those of brought descriptions are: under the same policy, and what it does is learned as of every other. `leaveAt`:
 * milliseconds from the start.
 */
export const collectPlace = async (
  ctx: CollectContext,
  site: SiteFacts,
  supposed: Supposed,
  leaveAt?: number,
): Promise<CrawlFacts> => {
  const { descriptions: _others, ...alone } = ctx
  const crawling = await prepare(alone, site, leaveAt)
  const { frontier, described } = crawling
  let nobody: string | null = null
  const work = async (): Promise<void> => {
    await ask(crawling, page)
    nobody = await whyNobody(crawling)
  }
  const page = supposed.seen_on === null ? null : new URL(supposed.seen_on, site.baseUrl).href
  described.take([operationOfWritten(supposed.request, supposed.point)], 'description', page)
  await inItsTime(crawling, work())
  frontier.cut(NOT_FOLLOWED)
  described.conclude()
  return onlyPlace(crawling, supposed, nobody)
}

const NO_BROWSER: BrowserFacts = {
  ...{ version: null, reason: NOT_FOLLOWED, pages: 0, clicks: 0, states: 0 },
  ...{ failures: [], running: [] },
}

/** The start and the page that makes the request first: by them is told what it is called, who is signed in, and which token it needs. */
const ask = async (crawling: Crawling, page: string | null): Promise<void> => {
  const { site, until, judge, frontier, fetcher, session, described, crawler } = crawling
  for (const one of site.pages) crawler.reading.take(one)
  const known = crawler.reading.urls.some(({ url }) => url === page)
  if (page !== null && !known && judge(page, frontier.harmOf(page)) === null) {
    const exchange = await fetcher.get(page)
    if (exchange !== null) crawler.reading.read({ url: page, depth: 1, source: 'description', on: null }, exchange)
  }
  await described.run(false, until.all())
  await described.run(true, until.all())
  await crawling.learn(
    until.all(),
    () => undefined,
    ({ id }) => isOurs(crawling, id),
  )
  await session.prove()
}

const isOurs = ({ described }: Crawling, id: string): boolean =>
  described.operations().some(({ request }) => request === id)

/**
 * Why no program reads the values of the request as it was written down, null where one answers: asked there, every question would come
 * back alike, and would refute nothing.
 */
const whyNobody = async ({
  judge,
  fetcher,
  described,
  requests,
  scope,
  frontier,
}: Crawling): Promise<string | null> => {
  const [operation] = described.operations()
  const { status = null, request = null } = operation ?? {}
  const own = request === null ? null : requests.find(request)
  if (own === null || own.harm !== null) return null
  if (status === 404 || status === 410) return `it answers ${status} with these values, as what is not there does`
  if (own.method !== 'GET') return null
  const { url, method, headers } = requestOf(own)
  const answer = await fetcher.send({ url, method, headers })
  const led = answer && answer.status >= 300 && answer.status < 400 ? headerOf(answer, 'location') : null
  const to = led === null ? null : URL.parse(led, url)
  if (to === null || !scope.holds(to) || judge(to.href, frontier.harmOf(to.href)) !== null) return null
  const shown = await fetcher.get(to.href)
  const signsIn = shown !== null && pageKindOf(to.href, textOf(shown), false) === 'login'
  return signsIn ? 'it leads to a sign-in, so it needs an identity that may ask it' : null
}

const onlyPlace = (crawling: Crawling, { request, point }: Supposed, nobody: string | null): CrawlFacts => {
  const facts = factsOf(crawling, NO_BROWSER)
  const { pathname } = new URL(request.url, crawling.site.baseUrl)
  // What a link tells of an address sets it apart from others of its kind.
  const isLeft = ({ method, url, harm }: RequestTemplate): boolean =>
    harm !== null && method === request.method && new URL(url).pathname === pathname
  const asked = facts.requests.filter(({ id }) => isOurs(crawling, id))
  const known = asked.length > 0 ? asked : facts.requests.filter(isLeft).slice(0, 1)
  const own = known.map((one) => ({ ...one, harm: one.harm ?? nobody }))
  const pages = new Set(own.flatMap(({ url, seenOn }) => [url, ...seenOn]))
  return {
    ...facts,
    requests: own,
    points: own.flatMap((one) => pointsAt(crawling, one, point)),
    pointsLeft: 0,
    urls: facts.urls.filter(({ url }) => pages.has(url)),
    // What a script of the page reads of its address is asked in a browser.
    scripted: point.in === 'query' ? scriptedOf(facts, own) : [],
    apis: [],
    graphql: [],
    leftOut: {},
    reach: ofOperations(facts.reach),
  }
}

/** The page itself, with the values of the request, where it runs scripts. */
const scriptedOf = (
  { scripted = [] }: Pick<CrawlFacts, 'scripted'>,
  own: readonly RequestTemplate[],
): readonly ScriptedPage[] =>
  scripted.filter(({ url }) => own.some((one) => one.method === 'GET' && one.harm === null && one.url === url))

/** The value itself and what is packed in it, as every crawl lists them; of a header or cookie that none lists the whole. */
const pointsAt = (crawling: Crawling, request: RequestTemplate, point: PlaceOfRequest): readonly InsertionPoint[] => {
  const place = placeOf(request, point)
  const name = point.in === 'path' ? String(Number(point.name) - 1) : point.name
  const same = (one: string): boolean =>
    point.in === 'header' ? one.toLowerCase() === name.toLowerCase() : one === name
  const listed = pointsOf([request], cookiesToAsk(crawling)).filter((one) => one.place === place && same(one.name))
  if (listed.length > 0) return listed.map(({ guessed: _guessed, ...one }) => one)
  return [{ id: `${request.id}:${place}:${name}`, request: request.id, place, name, example: '1' }]
}

const placeOf = ({ encoding }: RequestTemplate, { in: place }: PlaceOfRequest): Place =>
  place === 'form' && encoding === 'multipart' ? 'multipart' : place

const ofOperations = (reach: ReachFacts | undefined): ReachFacts => ({
  rows: (reach?.rows ?? []).filter(({ kind }) => kind === 'operation'),
  counts: (reach?.counts ?? []).filter(({ kind }) => kind === 'operation'),
})
