/** Has the site give fresh identifiers, to nobody, by a button that does nothing else or to who signs in, and looks how they are made. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { isSessionCookie } from '../../../../page/cookies/session.ts'
import { type Cookie, isRemoval, parseSetCookie } from '../../../../page/cookies/set-cookie.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import { parseJwt } from '../../../../page/jwt.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts, RequestTemplate } from '../../crawl/facts.ts'
import { mintFor, withMinted } from '../../insertion-points/freshness.ts'
import { requestOf } from '../../insertion-points/inventory.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { ask, goThrough, Left, spoken } from '../asking.ts'
import { pairsOf } from '../cookies.ts'
import type { IdentifierSeen, Topic } from '../facts.ts'
import { bitsAtMost, ENOUGH_BITS, FEWEST, FEWEST_MET, madeBy, type Sample } from '../generators.ts'
import { pagesThatMayGive } from './givers.ts'
import type { OwnSession } from './own-session.ts'

const SAMPLES = 20
/** Of a form, whose requests are few. */
const SAMPLES_OF_FORM = 12
const MOST_FORMS = 10
/** Of sign-ins: a time or a digest of one is told by a few, a number that counts up by more. */
const SAMPLES_OF_SIGN_IN = { test: FEWEST, production: FEWEST_MET } as const

/** What gives a fresh identifier when it is asked once more. */
interface Source {
  readonly method: string
  readonly url: string
  /** Undefined where it gave none. */
  readonly give: () => Promise<string | undefined>
  readonly cookie: string
  readonly samples: number
  /** It lets in as the run's account, and no single request gives it. */
  readonly ofSignIn?: true
}

export const askIdentifiers = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  session: OwnSession | string,
  until: number,
): Promise<Topic<IdentifierSeen>> => {
  const sources = new Map<string, Source>()
  const own = new Set(ctx.ownCookies ?? [])
  for (const { signedIn, ask: again, ...one } of candidatesOf(ctx, crawl)) {
    if (performance.now() > until) break
    const exchange = await askOrNull(again)
    for (const { name: cookie } of exchange === null ? [] : sessionsIn(exchange, namesOfOwn(ctx))) {
      // The run's own session is given to whoever has it only when it is renewed, which is the site's business.
      if (sources.has(cookie) || (signedIn && own.has(cookie))) continue
      const give = async (): Promise<string | undefined> =>
        sessionsIn(await again(), namesOfOwn(ctx)).find(({ name }) => name === cookie)?.value
      sources.set(cookie, { ...one, cookie, give })
    }
  }
  for (const one of ofSignIn(ctx, session)) if (!sources.has(one.cookie)) sources.set(one.cookie, one)
  return goThrough(ctx, { name: 'identifiers', items: [...sources.values()], until }, (source) => look(ctx, source))
}

const askOrNull = async (work: () => Promise<HttpExchange>): Promise<HttpExchange | null> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Left) return null
    throw error
  }
}

/** What nobody is given before a sign-in. What is signed is judged as a token. */
const ofSignIn = (ctx: CollectContext, session: OwnSession | string): readonly Source[] => {
  if (ctx.session === undefined) return []
  const at = { method: 'POST', url: ctx.session.form?.url ?? ctx.session.proofAt, ofSignIn: true as const }
  if (typeof session === 'string') {
    const give = async (): Promise<never> => {
      throw new Left(`that a sign-in gives: ${session}`)
    }
    const [cookie] = [...namesOfOwn(ctx)]
    return cookie === undefined ? [] : [{ ...at, cookie, give, samples: 1 }]
  }
  const { opener, spare } = session
  if (opener === null || parseJwt(pairsOf(session.first.after.cookie).get(opener) ?? '') !== null) return []
  const give = async (): Promise<string | undefined> => {
    const begun = await spoken(ctx, () => spare.begin())
    // A limit of sign-ins may be what refuses: the run needs its own.
    if (begun === null) throw new Left('that a sign-in gives: signing in once more did not work')
    return pairsOf(begun.after.cookie).get(opener)
  }
  return [{ ...at, cookie: opener, give, samples: SAMPLES_OF_SIGN_IN[ctx.target.environment ?? 'production'] }]
}

type Candidate = Omit<Source, 'cookie' | 'give'> & {
  readonly signedIn: boolean
  readonly ask: () => Promise<HttpExchange>
}

const candidatesOf = (ctx: CollectContext, crawl: CrawlFacts): readonly Candidate[] => {
  const nobody = pagesThatMayGive(ctx, crawl).map((url): Candidate => {
    const request: HttpRequest = pageRequest(url, { authenticated: false })
    return { method: 'GET', url, samples: SAMPLES, signedIn: false, ask: () => ask(ctx, request) }
  })
  const forms = ctx.target.environment === 'test' ? crawl.requests.filter(isButton).slice(0, MOST_FORMS) : []
  return [
    ...nobody,
    ...forms.map((template): Candidate => {
      const { method, url } = template
      return { method, url, samples: SAMPLES_OF_FORM, signedIn: ctx.hasCredentials, ask: () => press(ctx, template) }
    }),
  ]
}

/** Nothing is filled in: a ticket is drawn, a visit begun. */
const isButton = ({ method, encoding, harm, fields, url }: RequestTemplate): boolean =>
  harm === null &&
  method === 'POST' &&
  (encoding === 'none' || (encoding === 'urlencoded' && new URL(url).search === '')) &&
  fields.every(({ type }) => ['hidden', 'submit', 'button', 'image'].includes(type))

const press = async (ctx: CollectContext, template: RequestTemplate): Promise<HttpExchange> => {
  const made = requestOf(template)
  const { url, method, headers, body } = made
  const request: HttpRequest = { url, method, headers, ...(body === null ? {} : { body }) }
  if (made.tokens === undefined && made.antiForgery === undefined) return ask(ctx, request)
  const minted = await mintFor(ctx.egress, made, ctx.hasCredentials)
  if (minted === null) throw new Left('whose token against forged requests its pages do not name')
  return ask(ctx, withMinted(request, made, minted))
}

/** Cookies that say who the run is signed in as: whoever is given one by such a name is given a session, whatever it is called. */
const namesOfOwn = ({ ownCookies = [], ownSettings }: CollectContext): ReadonlySet<string> =>
  new Set(ownCookies.filter((name) => name !== '' && !ownSettings?.has(name)))

const sessionsIn = ({ headers }: Pick<HttpExchange, 'headers'>, own: ReadonlySet<string>): readonly Cookie[] =>
  headers.flatMap(([name, line]) => {
    const cookie = name.toLowerCase() === 'set-cookie' ? parseSetCookie(line) : null
    if (cookie === null || cookie.value === '' || isRemoval(cookie, Date.now())) return []
    return own.has(cookie.name) || isSessionCookie(cookie, 'plain') ? [cookie] : []
  })

/** @throws Left where the site does not go on giving them */
const look = async (ctx: CollectContext, source: Source): Promise<readonly IdentifierSeen[]> => {
  const samples: Sample[] = []
  for (let at = 0; at < source.samples; at += 1) {
    const from = Date.now()
    const value = await source.give()
    if (value !== undefined) samples.push({ value, from, to: Date.now() })
    const isSame = samples.length > 1 && samples.at(-1)?.value === samples.at(-2)?.value
    // What is made of the second is the same for all who come in it.
    if (isSame) await sleep(SECOND, undefined, { signal: ctx.signal })
    if (isSame && at >= MOST_OF_ONE) break
  }
  // By value, as each was first seen.
  const distinct = [...new Map(samples.toReversed().map((one) => [one.value, one])).values()].toReversed()
  if (samples.length < FEWEST_MET) throw new Left('of which the site gave too few')
  if (distinct.length === 1) throw new Left('whose value is the same each time')
  const made = madeBy(distinct)
  if (made !== null) return [seenOf(source, 'guessed', made, distinct)]
  if (distinct.length < FEWEST) throw new Left('of which the site gave too few that differ')
  const bits = bitsAtMost(distinct.map(({ value }) => value))
  return bits >= ENOUGH_BITS ? [] : [seenOf(source, 'short', `${bits} bits at most`, distinct)]
}
const SECOND = 1_050
/** Requests, while the value stays what it was. */
const MOST_OF_ONE = 6

const seenOf = (
  { method, url, cookie, ofSignIn }: Source,
  kind: IdentifierSeen['kind'],
  made: string,
  samples: readonly Sample[],
): IdentifierSeen => {
  const few = samples.slice(0, 6)
  // A number that anybody can work out is no secret; of all else the length is told.
  const shown = few.map(({ value }) =>
    /^[\w.-]{1,12}$/.test(value) && kind === 'guessed' && !ofSignIn ? value : `${value.length} characters`,
  )
  const mark = `each is ${made}`
  const name = [...pairsOf(`${cookie}=`).keys()][0] ?? cookie
  return {
    ...{ method, url, cookie, kind, made, samples: samples.length },
    excerpt: [`${cookie} as given by ${method} ${new URL(url).pathname}:`, ...shown, mark].join('\n'),
    mark,
    replay: ofSignIn
      ? `echo "sign in five times, each time in a fresh browser, and put the values of its cookie ${name} beside each other: ${mark}"`
      : `for N in 1 2 3 4 5; do ${curlOf({ method, url })} | grep -i '^set-cookie: ${name}='; done`,
  }
}
