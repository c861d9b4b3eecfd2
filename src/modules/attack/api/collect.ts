/** One topic after the other: what only reads first, what may write last. All requests leave by the policy of the run. */
import { isSafe } from '../../../safety/effect.ts'
import { SETS_PASSWORD } from '../../../safety/form-effect.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts, RequestTemplate } from '../crawl/facts.ts'
import { oneOfEach } from '../effects/pages.ts'
import { ownSignIn, signInWithout } from '../insertion-points/own-sign-in.ts'
import { untilWithin } from '../insertion-points/times.ts'
import { countsOf, goThrough } from './asking.ts'
import { chosen, mayWrite } from './choosing.ts'
import type { AccountHit, AmountHit, ApiFacts, Asked, AssignedHit, ContentHit, DataHit } from './facts.ts'
import { ownNamesOf } from './names.ts'
import { isReading, keptFrom, type Target, targetsOf } from './operations.ts'
import { accountsWork, isGraphqlLogin, isLogin } from './probes/accounts.ts'
import { assignmentWork, isAssignable } from './probes/assignment.ts'
import { isJsonRequest, overrideWork, plainJsonWork } from './probes/content.ts'
import { dataWork } from './probes/data.ts'
import { type AmountKind, amountsIn, formAmountsWork } from './probes/form-amounts.ts'
import { accountAddresses, formAssignmentWork, isAssignableForm } from './probes/form-assignment.ts'
import { graphqlWork } from './probes/graphql.ts'
import { inputWork } from './probes/input.ts'
import { jsonPricesWork, pricesIn } from './probes/json-prices.ts'
import { openWork } from './probes/open.ts'
import { quantitiesIn, quantitiesWork } from './probes/quantities.ts'
import { askingOf, recoveryWork } from './probes/recovery.ts'
import { isVersioned, versionsWork } from './probes/versions.ts'
import { askTokens } from './tokens/ask.ts'
import { createGivenTokens, ownTokens } from './tokens/sources.ts'

/** Milliseconds for all topics, where the run has its usual time; each has its part of what is left. */
const ALL = 360_000
/** Sessions and limits of requests are looked at behind it. */
const OF_REST = 0.5
const AT_ONCE = 4
/** Each is asked for its pages, and for a property or two. */
const MOST_FORMS = 40
/** Requests that know accounts: each names the run's own twice. */
const MOST_KNOWING = 8
/** A header that names a method is read by one piece of code for a whole service. */
const MOST_SERVICES = 40

export const collectApi = async (ctx: CollectContext, crawl: CrawlFacts): Promise<ApiFacts> => {
  const careful = ctx.target.environment !== 'test'
  const end = untilWithin(ctx, ALL * ctx.timeFactor, OF_REST)
  const share = (part: number): number => performance.now() + (end - performance.now()) * part
  const targets = targetsOf(crawl)
  const given = createGivenTokens()
  const reading = targets.filter(({ request }) => isReading(request))
  const data = await goThrough(ctx, {
    ...{ name: 'answers', until: share(0.3), atOnce: AT_ONCE, work: dataWork(ctx, given), ...chosen(reading, true) },
  })
  const signedIn = targets.filter(({ operation }) => operation?.signIn === true)
  const open = await goThrough(ctx, {
    ...{ name: 'operations behind a sign-in', until: share(0.2), work: openWork(ctx), ...chosen(signedIn, careful) },
  })
  const versioned = ctx.hasCredentials ? targets.filter(isVersioned) : []
  const versions = await goThrough(ctx, {
    ...{ name: 'versions', until: share(0.2), atOnce: AT_ONCE, work: versionsWork(ctx), ...chosen(versioned, true) },
  })
  const tokens = await askTokens(ctx, crawl, targets, given, share(0.5))
  const [flat, unguarded] = [new Set<string>(), new Set<string>()]
  const graphql = await goThrough(ctx, {
    ...{ name: 'GraphQL', items: crawl.graphql, until: share(0.3) },
    work: graphqlWork(ctx, targets, {
      flat: (url) => void flat.add(url),
      unguarded: (url) => void unguarded.add(url),
    }),
  })
  const content = await askContent(ctx, targets, careful, share(0.3))
  // The run's own, which knows the account; then of interfaces, then forms of pages.
  const mine = ownSignIn(ctx.session, crawl.requests)
  const named = [...targets.map(({ request }) => request), ...crawl.requests].filter(isLogin)
  const logins = [...new Set([...(mine === null ? [] : [mine]), ...named])]
  const own = await ownTokens(ctx, crawl.urls[0]?.url ?? '')
  const knowing = [...new Set([...targets.map(({ request }) => request), ...crawl.requests])].filter(
    (one) => askingOf(one) !== null && !isLogin(one),
  )
  const unknown = signInWithout(ctx.session, logins)
  const isAsked = logins.length > 0 || knowing.length > 0
  const names = isAsked ? await ownNamesOf(ctx, own, targets) : { mail: null, name: null }
  const accounts = await goThrough(ctx, {
    ...{ name: 'sign-ins', items: logins.slice(0, 1), until: share(0.3), work: accountsWork(ctx, names), once: true },
    // They may count wrong passwords of one account together, and end it after few.
    left: countsOf([
      ...logins.slice(1).map(() => 'where more wrong passwords might lock the account'),
      ...(unknown === null ? [] : [unknown]),
      ...targets.filter(({ request }) => isGraphqlLogin(request)).map(() => 'by GraphQL, which are not asked'),
    ]),
  })
  const handed: DataHit[] = []
  const recovery = await askRecovery(
    ctx,
    knowing,
    recoveryWork(ctx, names, (hit) => handed.push(hit)),
    careful,
    share(0.3),
  )
  const described = targets.filter(
    ({ operation, request }) => operation !== null && operation.name === '' && !isLogin(request),
  )
  const failed = await goThrough(ctx, {
    ...{ name: 'input', until: share(0.5), work: inputWork(ctx), ...chosen(described, careful) },
  })
  const forms = ctx.hasCredentials ? crawl.requests.filter(isAssignableForm) : []
  const assignable = [
    ...targets.filter(({ request }) => isAssignable(request) && !isLogin(request)),
    ...forms.map((request) => ({ request, operation: null })),
  ]
  const lists = targets.flatMap(({ request: { method, url, variables = [], harm, bound } }) =>
    method === 'GET' && variables.length === 0 && harm === null && bound === undefined ? [url] : [],
  )
  const [byJson, byForm] = [
    assignmentWork(ctx, [...new Set(lists)]),
    formAssignmentWork(ctx, accountAddresses(crawl.requests)),
  ]
  const assigned = await goThrough<Target, AssignedHit>(ctx, {
    ...{ name: 'properties', until: share(0.8) },
    work: (one, found) => (forms.includes(one.request) ? byForm(one, found) : byJson(one, found)),
    ...mayWrite(assignable, careful, MOST_FORMS),
  })
  const { quantities, prices } = await askAmounts(ctx, crawl, targets, share)
  return {
    open,
    tokens,
    data: { ...data, hits: [...data.hits, ...handed] },
    assigned,
    quantities,
    prices,
    graphql: { ...graphql, flat: flat.size, unguarded: unguarded.size },
    content,
    failed,
    accounts,
    recovery,
    versions,
    careful,
  }
}

/** Forms beside the requests of scripts. */
const askAmounts = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  targets: readonly Target[],
  share: (part: number) => number,
): Promise<Required<Pick<ApiFacts, 'quantities' | 'prices'>>> => {
  const careful = ctx.target.environment !== 'test'
  const readable = targets.flatMap(({ request: { method, url, harm, bound } }) =>
    method === 'GET' && harm === null && bound === undefined ? [url] : [],
  )
  const pages = oneOfEach(crawl).filter((url) => harmOfAddress(url) === null && !ctx.egress.excludes(url))
  const formsWith = (kind: AmountKind): readonly Target[] =>
    crawl.requests
      .filter((request) => amountsIn(request, kind).length > 0)
      .map((request) => ({ request, operation: null }))
  const [less, byForm] = [quantitiesWork(ctx, [...new Set(readable)]), formAmountsWork(ctx, 'quantity', pages)]
  const counting = [...targets.filter(({ request }) => quantitiesIn(request).length > 0), ...formsWith('quantity')]
  const quantities = await goThrough<Target, AmountHit>(ctx, {
    ...{ name: 'quantities', until: share(0.6) },
    work: (one, found) => (quantitiesIn(one.request).length > 0 ? less(one, found) : byForm(one, found)),
    ...mayWrite(counting, careful),
  })
  const [priced, pricedByForm] = [jsonPricesWork(ctx, [...new Set(readable)]), formAmountsWork(ctx, 'price', pages)]
  const pricing = [...targets.filter(({ request }) => pricesIn(request).length > 0), ...formsWith('price')]
  const prices = await goThrough<Target, AmountHit>(ctx, {
    ...{ name: 'prices', until: share(1) },
    work: (one, found) => (pricesIn(one.request).length > 0 ? priced(one, found) : pricedByForm(one, found)),
    ...mayWrite(pricing, careful),
  })
  return { quantities, prices }
}

const askRecovery = (
  ctx: CollectContext,
  knowing: readonly RequestTemplate[],
  work: ReturnType<typeof recoveryWork>,
  careful: boolean,
  until: number,
): Promise<Asked<AccountHit>> => {
  const keptBy = ({ harm, method }: RequestTemplate): string | null => {
    // Of the account that it is asked for with a wrong answer, none is set.
    if (harm !== null && harm !== SETS_PASSWORD) return `left alone: ${harm}`
    return careful && !isSafe(method) ? 'that may write, on a production system' : null
  }
  const asking = knowing.filter((one) => keptBy(one) === null)
  return goThrough(ctx, {
    ...{ name: 'recovery', items: asking.slice(0, MOST_KNOWING), until, work, once: true },
    left: countsOf([
      ...knowing.flatMap((one) => keptBy(one) ?? []),
      ...asking.slice(MOST_KNOWING).map(() => `beyond the first ${MOST_KNOWING}`),
    ]),
  })
}

const askContent = async (
  ctx: CollectContext,
  targets: readonly Target[],
  careful: boolean,
  until: number,
): Promise<ApiFacts['content']> => {
  const reading = targets.filter(({ request }) => request.method === 'GET')
  const serviceOf = ({ request }: Target): string => request.url.split('/').slice(0, 5).join('/').replace(/\?.*/, '')
  const services = [...Map.groupBy(reading, serviceOf).values()].flatMap(
    (group) => group.find(({ request }) => keptFrom(request, true) === null) ?? [],
  )
  const overrides = await goThrough<Target, ContentHit>(ctx, {
    ...{ name: 'methods', items: services.slice(0, MOST_SERVICES), until, work: overrideWork(ctx) },
    left: countsOf(services.slice(MOST_SERVICES).map(() => `beyond the first ${MOST_SERVICES} services`)),
  })
  // Without a cookie, a page of another site sends them in nobody's name.
  const byCookie = (ctx.ownCookies ?? []).some((name) => name !== '')
  const json = byCookie ? targets.filter(({ request }) => isJsonRequest(request)) : []
  const plain = await goThrough<Target, ContentHit>(ctx, {
    ...{ name: 'types', until, work: plainJsonWork(ctx), ...chosen(json, careful) },
  })
  const left = { ...overrides.left }
  for (const [reason, count] of Object.entries(plain.left)) left[reason] = (left[reason] ?? 0) + count
  const fault = overrides.fault ?? plain.fault
  return {
    ...{ known: overrides.known + plain.known, asked: overrides.asked + plain.asked, left },
    ...{ hits: [...overrides.hits, ...plain.hits], ...(fault === undefined ? {} : { fault }) },
  }
}
