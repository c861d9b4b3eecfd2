/**
 * What the run's other identities are led to, and its own is not: the office of a shop, the desk of a moderator. Each looks behind the crawl, for a part of
 * its time, from where its sign-in ends; what the crawl knows is looked at once more only to see what else it leads them to.
 */
import { hashRouteOf } from '../../../page/shape.ts'
import type { CollectContext, RunIdentity } from '../../module.ts'
import { MAX_POINTS, pointsOf } from '../insertion-points/points.ts'
import { addressOf, choicesIn } from '../insertion-points/routed.ts'
import { browsingOf } from './browsing-of.ts'
import { type Before, type Crawling, prepare } from './crawling.ts'
import type { CrawledUrl, CrawlFacts, RequestTemplate } from './facts.ts'
import { cookiesToAsk, factsOf } from './facts-of.ts'
import { withoutQuery } from './fetching.ts'
import { guessAdministration } from './guessing.ts'
import { inItsTime, TIME } from './in-its-time.ts'
import { learnTheRest } from './learning.ts'
import { plannedOf } from './planned.ts'

/** Those that are signed in, and their part of the time of a crawl, of all together. */
const MOST_OTHERS = 3
const OF_TIME = 0.6
/** Pages of kinds that the crawl has seen: a menu may show more to somebody else. */
const MOST_KNOWN = 40
/** Views that the crawl has opened by their names alone. */
const MOST_VIEWS = 30

/** The same facts, with what each other is led to alone. The door is told of it: whatever is asked there is asked as that one. */
export const withOthers = async (own: Crawling, facts: CrawlFacts): Promise<CrawlFacts> => {
  const { ctx, notes } = own
  if (ctx.asOther === undefined || ctx.options.hypothesis !== undefined) return facts
  const identities = (ctx.identities ?? []).filter(({ as }) => as !== null)
  let all = facts
  for (const [index, identity] of identities.entries()) {
    const other = index < MOST_OTHERS ? await ctx.asOther(identity) : 'the run looks as three others at most'
    if (typeof other === 'string')
      notes.count({ kind: 'address', fate: 'left_out', holds: true, reason: unseen(identity, other) }, 1)
    else {
      ctx.progress(`pages that ${identity.name} alone is led to`, 0.9)
      all = await withOne(own, all, shortened(other, OF_TIME / Math.min(MOST_OTHERS, identities.length)))
    }
  }
  return { ...all, reach: notes.facts() }
}

const unseen = ({ name }: RunIdentity, why: string): string => `whatever ${name} alone is led to: ${why}`

/** The one that tells of its progress is the crawl as a whole. */
const shortened = (ctx: CollectContext, part: number): CollectContext => ({
  ...ctx,
  timeFactor: ctx.timeFactor * part,
  progress: () => undefined,
})

const withOne = async (own: Crawling, facts: CrawlFacts, ctx: CollectContext): Promise<CrawlFacts> => {
  const known = knownBy(own, facts)
  const crawling = await prepare(ctx, own.site, undefined, known)
  const browsing = browsingOf(crawling, opensAlone(crawling, facts, known))
  await inItsTime(crawling, work(crawling, known, browsing.run))
  crawling.frontier.cut(crawling.cut ?? 'the crawl ended before')
  crawling.described.conclude()
  const found = factsOf(crawling, browsing.facts())
  for (const row of found.reach?.rows ?? []) own.notes.note(row)
  return joined(facts, found, crawling, known)
}

/** Where its sign-in ends. */
const landings = ({ ctx: { session }, site }: Crawling): readonly string[] =>
  [...(session?.landed ?? []), ...(session === undefined ? [] : [session.proofAt])].map(
    (one) => new URL(one, site.baseUrl).href,
  )

/**
 * Pages that the browser opens as the other: where it begins, what the crawl has not seen, and views that a script names and nobody was seen to be led to,
 * which may show something to the other alone.
 */
const opensAlone = (
  crawling: Crawling,
  { urls, scripted = [] }: CrawlFacts,
  known: Known,
): ((url: string) => boolean) => {
  const landed = landings(crawling)
  const first = landed.length > 0 ? landed : [crawling.site.baseUrl]
  const views = new Set(scripted.map(({ url }) => url))
  const ofScripts = new Set(urls.flatMap(({ url, source }) => (source === 'script' ? [url] : [])))
  const decided = new Map<string, boolean>()
  let again = 0
  const decide = (url: string): boolean => {
    if (first.includes(url)) return true
    const isView = hashRouteOf(url) !== null
    if (isView ? !views.has(url) : !known.sees(url)) return true
    if (!isView && !ofScripts.has(url)) return false
    again += 1
    return again <= MOST_VIEWS
  }
  return (url) => {
    const before = decided.get(url) ?? decide(url)
    decided.set(url, before)
    return before
  }
}

const work = async (crawling: Crawling, known: Known, browse: () => Promise<void>): Promise<void> => {
  const { site, until, frontier, fetcher, session, crawler } = crawling
  for (const begin of [...landings(crawling), site.baseUrl]) frontier.add(begin, 1, 'start', null)
  crawling.cut = await crawler.run(until.static)
  const origin = new URL(site.baseUrl).origin
  await guessAdministration({ origin, fetcher, frontier, site, known: [...known.addresses, ...readIn(crawling)] })
  await browse()
  crawling.cut = (await crawler.run(until.all())) ?? (crawling.cut === TIME ? null : crawling.cut)
  await learnTheRest(crawling)
  if (await session.prove()) await crawler.askAgain()
}

const readIn = ({ crawler }: Crawling): readonly string[] => crawler.reading.urls.map(({ url }) => url)

interface Known extends Before {
  /** A page of this kind was shown to the run's own. */
  readonly sees: (address: string) => boolean
  readonly addresses: readonly string[]
  /** Methods and addresses without their query, at which something answers the run's own. */
  readonly answering: ReadonlySet<string>
}

/** `facts`: of the run's own, and of others before. */
const knownBy = ({ routes }: Crawling, { urls, requests, others = [], marker }: CrawlFacts): Known => {
  const kinds = new Set(urls.filter(isShown).map(({ url }) => routes.of(url)))
  const refused = refusedIn({ urls, requests })
  const taken = requests.filter(({ method, url }) => method !== 'GET' || !refused.has(url))
  const asked = new Set([...taken, ...others.flatMap((one) => one.requests)].flatMap((one) => [one.id, likeOf(one)]))
  const again = new Set<string>()
  const sees = (address: string): boolean => kinds.has(routes.of(address)) && !refused.has(address)
  return {
    sees,
    addresses: urls.map(({ url }) => url),
    answering: new Set([
      ...urls.filter(isShown).map(({ url }) => `GET ${withoutQuery(url)}`),
      ...taken.map(({ method, url }) => `${method} ${withoutQuery(url)}`),
    ]),
    leaves: (address) => {
      const kind = routes.of(address)
      if (!sees(address)) return false
      if (again.has(kind) || again.size >= MOST_KNOWN) return true
      again.add(kind)
      return false
    },
    knows: (request) => asked.has(request.id) || asked.has(likeOf(request)),
    marker: marker ?? null,
  }
}

const isShown = ({ status }: CrawledUrl): boolean => status < 300

/** Pages that answered an error, or led to a sign-in. What leads elsewhere has answered. */
const refusedIn = ({ urls, requests }: Pick<CrawlFacts, 'urls' | 'requests'>): ReadonlySet<string> =>
  new Set([
    ...urls.flatMap(({ url, status }) => (status >= 400 ? [url] : [])),
    ...requests.flatMap(({ method, url, turnedAway }) => (turnedAway && method === 'GET' ? [url] : [])),
  ])

/** What another crawl calls the same, though it has learned otherwise what chooses a program. */
const likeOf = (request: RequestTemplate): string => {
  const names = [...new URL(request.url).searchParams.keys(), ...request.fields.map(({ name }) => name)]
  const [path = ''] = request.shape.split('?')
  return JSON.stringify([request.method, request.encoding, path, choicesIn(request.shape), names.toSorted()])
}

const joined = (facts: CrawlFacts, found: CrawlFacts, crawling: Crawling, known: Known): CrawlFacts => {
  const { as, egress } = crawling.ctx
  if (as === undefined) return facts
  const refused = refusedIn(found)
  const requests = found.requests
    .filter((one) => !known.knows(one) && !(one.method === 'GET' && refused.has(one.url)))
    .map((one): RequestTemplate => ({ ...one, as }))
  const urls = found.urls.filter((one) => isShown(one) && !known.sees(one.url))
  const pages = new Set(urls.map(({ url }) => url))
  // Where something answers the run's own at the same address, only what chooses the program tells whose it is.
  const lead = (method: string, address: string): void => {
    const bare = withoutQuery(address)
    if (!known.answering.has(`${method} ${bare}`)) egress.leads?.(as, method, bare)
    else if (address !== bare) egress.leads?.(as, method, address)
  }
  for (const { url } of urls) lead('GET', addressOf({ url, shape: crawling.routes.of(url) }))
  for (const one of requests) lead(one.method, addressOf(one))
  const points = pointsOf(requests, cookiesToAsk(crawling)).slice(0, MAX_POINTS)
  return {
    ...facts,
    urls: [...facts.urls, ...urls],
    scripted: [...(facts.scripted ?? []), ...(found.scripted ?? []).filter(({ url }) => pages.has(url))],
    others: [...(facts.others ?? []), { as, requests, points }],
    ...(facts.planned ? { planned: [...facts.planned, ...plannedOf(requests, points)] } : {}),
  }
}
