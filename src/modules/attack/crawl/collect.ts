import { withoutHash } from '../../../page/shape.ts'
import { isHtml } from '../../../page/text.ts'
import { decide } from '../../../safety/policy.ts'
import type { CollectContext } from '../../module.ts'
import type { SiteFacts } from '../../passive/site/facts.ts'
import { shownOn } from '../effects/shown.ts'
import { pageAt } from '../insertion-points/elsewhere.ts'
import { withOthers } from './as-others.ts'
import type { Browsing } from './browsing.ts'
import { browsingOf } from './browsing-of.ts'
import { takeClientDocuments } from './client-documents.ts'
import { type Crawling, prepare } from './crawling.ts'
import { discover, graphqlAt } from './discover.ts'
import type { CrawledUrl, CrawlFacts, RequestTemplate } from './facts.ts'
import { factsOf } from './facts-of.ts'
import { guessAdministration, guessApplications, guessOperations, guessPages } from './guessing.ts'
import { inItsTime, TIME } from './in-its-time.ts'
import { learnTheRest } from './learning.ts'
import { otherMethods } from './methods.ts'
import { lookForNeeds } from './needed-cookies.ts'
import { createServiceDescriptions } from './service-descriptions.ts'
import { strangerPages } from './strangers.ts'
import { askForDebugging, unlinkedParameters } from './unlinked.ts'

/** A site of fewer pages has perhaps its applications in folders that nothing leads to, as behind the page that a new server shows. */
const FEW = 3

/** Static crawl, then a browser on the pages that run scripts, then what that has shown. `leaveAt`: milliseconds from the start. */
export const collectCrawl = async (ctx: CollectContext, site: SiteFacts, leaveAt?: number): Promise<CrawlFacts> => {
  const crawling = await prepare(ctx, site, leaveAt)
  const { crawler, frontier, described } = crawling
  for (const page of site.pages) crawler.reading.take(page)
  const browsing = browsingOf(crawling)
  await inItsTime(crawling, work(crawling, browsing))
  frontier.cut(crawling.cut ?? 'the crawl ended before')
  described.conclude()
  crawling.notes.doubt(doubtfulOf(crawling))
  return withOthers(crawling, factsOf(crawling, browsing.facts()))
}

/** Where the session was lost for good: what was asked since its last proof, by method and address. */
const doubtfulOf = ({ ctx, session }: Crawling): ReadonlySet<string> =>
  new Set([
    ...(ctx.session?.doubtful() ?? []).map(({ method, href }) => `${method} ${withoutHash(href)}`),
    ...session.facts().doubtful.map((url) => `GET ${withoutHash(url)}`),
  ])

const work = async (crawling: Crawling, browsing: Browsing): Promise<void> => {
  const { ctx, site, until, scope, requests, frontier, fetcher, session, described, crawler } = crawling
  const { origin } = new URL(site.baseUrl)
  const signedIn = ctx.session === undefined ? [] : [ctx.session.proofAt, ...(ctx.session.landed ?? [])]
  const begins = [...(ctx.options.start_paths ?? []), ...signedIn]
  for (const begin of begins) frontier.add(new URL(begin, site.baseUrl).href, 1, 'start', null)
  const parts = { origin, fetcher, frontier, requests, scope, described, beyond: crawler.reading.beyond }
  crawling.discovered = await discover(parts)
  if (ctx.hasCredentials && ctx.options.hypothesis === undefined) await guessPages({ origin, fetcher, frontier, site })
  await described.run(false, until.static)
  crawling.cut = await crawler.run(until.static)
  if (ctx.options.hypothesis === undefined && crawler.reading.urls.filter(isPage).length < FEW) {
    await guessApplications({ origin, fetcher, frontier, site }, until.static)
    crawling.cut = await crawler.run(until.static)
  }
  await takeClientDocuments(crawling, until.browser())
  const describeServices = createServiceDescriptions(crawling, parts)
  await describeServices(until.browser())
  await described.run(true, until.browser())
  if (ctx.hasCredentials) await lookAsStranger(crawling)
  await browsing.run()
  await describeServices(until.all())
  const { graphql, ...others } = crawling.discovered
  const shown = await graphqlAt(parts, requests.all(), graphql)
  crawling.discovered = { ...others, graphql: [...graphql, ...shown] }
  if (ctx.options.hypothesis === undefined) {
    const known = [...crawler.reading.urls, ...requests.all(frontier.harmOf)].map(({ url }) => url)
    await guessOperations({ origin, fetcher, frontier, known })
    if (ctx.hasCredentials) await guessAdministration({ origin, fetcher, frontier, site, known })
  }
  crawling.cut = (await crawler.run(until.all())) ?? (crawling.cut === TIME ? null : crawling.cut)
  await takeClientDocuments(crawling, until.all())
  // Of descriptions that only the browser has shown.
  await described.run(true, until.all())
  await learnTheRest(crawling)
  if (!crawling.dry) await lookForNeeds(ctx, fetcher.broughtTo, requests.all(frontier.harmOf), until.all())
  if (crawling.marker !== null && crawling.isMarked()) await lookForStored(crawling, crawling.marker)
  if (!crawling.dry) await askOtherMethods(crawling)
  if (!crawling.dry && ctx.options.hypothesis === undefined) await askUnlinked(crawling)
  await session.seek(readBy(crawler.reading.urls, requests.all(frontier.harmOf)))
  if (await session.prove()) await crawler.askAgain()
}

const isPage = ({ status, contentType }: CrawlFacts['urls'][number]): boolean =>
  status === 200 && isHtml(contentType, '')

const isEnding = ({ until, last }: Crawling): boolean => performance.now() > until.all() || last.signal.aborted

const lookAsStranger = async (crawling: Crawling): Promise<void> => {
  const { ctx, site, until, judge, scope, routes, frontier, session, crawler } = crawling
  const pages = await strangerPages({
    ctx,
    from: [site.baseUrl, ...[session.facts().canary, ctx.session?.leads?.at].filter((url) => url != null)],
    kindOf: routes.of,
    known: crawler.reading.urls.map(({ url }) => url),
    mayAsk: (address) => {
      const url = URL.parse(address)
      return url !== null && scope.holds(url) && judge(address, frontier.harmOf(address)) === null
    },
    isOver: () => isEnding(crawling),
  })
  for (const { url, exchange } of pages) crawler.reading.takeStranger(url, exchange)
  crawling.cut = (await crawler.run(until.static)) ?? crawling.cut
}

const askOtherMethods = async (crawling: Crawling): Promise<void> => {
  const { careful, around, requests, frontier, fetcher } = crawling
  const found = await otherMethods({
    requests: requests.all(frontier.harmOf),
    maySend: ({ method, url, encoding = 'none', fields = [] }) => {
      const asked = { method, url, encoding, fields, body: null }
      const { send } = decide(asked, null, around())
      return send === 'send' || (send === 'bounded' && !careful && method !== 'GET')
    },
    send: fetcher.send,
    isOver: () => isEnding(crawling),
  })
  for (const draft of found) requests.add(draft)
}

const askUnlinked = async (crawling: Crawling): Promise<void> => {
  const { judge, routes, requests, frontier, fetcher, crawler, careful } = crawling
  const answered = crawler.reading.urls.filter(({ status, contentType }) => status === 200 && isHtml(contentType, ''))
  const pages = new Map(answered.toReversed().map(({ url }) => [routes.of(url), withoutHash(url)]))
  const asked = {
    pages: [...pages.values()].toReversed().filter((url) => judge(url, frontier.harmOf(url)) === null),
    maySend: ({ url }: { readonly url: string }) => judge(url, null) === null,
    send: fetcher.send,
    isOver: () => isEnding(crawling),
  }
  const found = await unlinkedParameters({ ...asked, requests: requests.all(frontier.harmOf), routeOf: routes.of })
  for (const draft of found) requests.add(draft)
  // It may be a setting of the session.
  if (!careful) await askForDebugging(asked)
}

const lookForStored = async (crawling: Crawling, mark: string): Promise<void> => {
  const { ctx, judge, routes, requests, crawler } = crawling
  const pages = crawler.reading.urls.filter(({ status, url }) => status === 200 && judge(url, null) === null)
  const addresses = new Map(pages.toReversed().map(({ url }) => [routes.of(url), url])).values().toArray().toReversed()
  const isOver = (): boolean => isEnding(crawling)
  requests.shown(await shownOn(addresses, mark, (url) => pageAt(ctx, url), isOver))
}

/** What answered a GET, that of scripts first: it is data, and tells who asks sooner than a page. */
const readBy = (urls: readonly CrawledUrl[], requests: readonly RequestTemplate[]): readonly string[] => [
  ...requests.flatMap(({ method, url, sent, harm, source }) =>
    method === 'GET' && sent && harm === null && ['browser', 'script'].includes(source) ? [url] : [],
  ),
  ...urls.flatMap(({ url, status, contentType }) => (status === 200 && /json/.test(contentType) ? [url] : [])),
  ...urls.flatMap(({ url, status }) => (status === 200 ? [url] : [])),
]
