/** By what the run's own session is carried, seen at one that was begun beside it. */
import { isSessionCookie } from '../../../../page/cookies/session.ts'
import { parseSetCookie } from '../../../../page/cookies/set-cookie.ts'
import { lookOf, telling } from '../../../../page/who-sees.ts'
import type { CollectContext, SpareSession, SpareSessions } from '../../../module.ts'
import { Left, neverApplies, notAsked, spoken } from '../asking.ts'
import { cookieOf, pairsOf } from '../cookies.ts'
import type { Topic } from '../facts.ts'

export const NO_SIGN_IN = 'the run does not sign in by requests, so that no session beside its own can be begun'
const BY_HEADER = 'the session stands in a header, which no other site can make a browser send'

/** Two sessions in one identity: what pages read stands in the cookies, and its proof reads the header alone. */
const BESIDE_HEADER =
  'the identity signs in to pages by cookies beside the header that its proof reads: an identity of the cookies alone, with a page as its proof, shows it'

const TOGETHER = 'the session stands in several cookies, none of which lets in without the others'

/** Why nothing can be told of one cookie: a header lets in, or several cookies do. */
export const withoutOpener = (own: OwnSession | string): Topic<never> => {
  if (typeof own !== 'string' && own.together) return notAsked('not_tested', TOGETHER)
  return typeof own !== 'string' && own.beside !== null
    ? notAsked('not_tested', BESIDE_HEADER)
    : neverApplies(BY_HEADER)
}

export interface OwnSession {
  readonly spare: SpareSessions
  readonly first: SpareSession
  /** The cookie that lets in by itself; null where a header does, or several cookies together. */
  readonly opener: string | null
  /** No cookie lets in by itself, and all of them do without a header. */
  readonly together: boolean
  /** What that cookie, or the strictest of several, says of requests that other sites make; null without one. */
  readonly sameSite: string | null
  /** Where a header lets in, the cookies that open pages beside it by themselves, and what they say of requests that other sites make; null where none do. */
  readonly beside: { readonly cookie: string; readonly sameSite: string | null } | null
  /** Whether who has these cookies is answered as the account. @throws Left where the answer says nothing */
  readonly letsIn: (cookie: string | null) => Promise<boolean>
}

/** Whether a cookie carries the run's session, which browsers send with requests of other sites; `own` as {@link lookAtOwn} told it. */
export const isCarried = (ctx: CollectContext, own: OwnSession | string): boolean =>
  typeof own === 'string' ? (ctx.ownCookies ?? []).length > 0 : own.opener !== null || own.together

/** Null where nothing is known of its cookie. */
export const sameSiteOf = (own: OwnSession | string): string | null => (typeof own === 'string' ? null : own.sameSite)

const MOST_CANDIDATES = 4

/** Why nothing can be told of it, in words; else what is. */
export const lookAtOwn = async (ctx: CollectContext): Promise<OwnSession | string> => {
  const spare = ctx.session?.spare
  if (spare === undefined) return NO_SIGN_IN
  const letsIn = async (cookie: string | null): Promise<boolean> => {
    const isIn = await spoken(ctx, () => spare.isSignedIn({ cookie, header: null }))
    if (isIn === null) throw new Left('whose proof was not answered clearly')
    return isIn
  }
  try {
    if (await letsIn(null)) return 'its proof is shown to nobody as well'
    const first = await spoken(ctx, () => spare.begin())
    if (first === null) return 'signing in once more did not work'
    const { cookie } = first.after
    // All of them before each: some applications end a session that comes without its other half.
    const byCookies = cookie !== null && (await letsIn(cookie))
    const opener = byCookies ? await openerOf(first, letsIn) : null
    const together = byCookies && opener === null
    const sameSite = together ? strictestOf(first) : opener === null ? null : (first.sameSite.get(opener) ?? null)
    const beside = opener === null && !together ? await besideOf(ctx, first) : null
    return { spare, first, opener, together, sameSite: sameSite === 'unknown' ? 'absent' : sameSite, beside, letsIn }
  } catch (error) {
    if (error instanceof Left) return error.message
    throw error
  }
}

/** By the page at which the sign-in ends: what the cookies alone are shown there, and nobody is not. */
const besideOf = async (ctx: CollectContext, first: SpareSession): Promise<OwnSession['beside']> => {
  const [{ cookie, header }, [page]] = [first.after, ctx.session?.landed ?? []]
  if (cookie === null || header === null || page === undefined) return null
  const look = async (by: string | null) =>
    lookOf(await spoken(ctx, () => first.send({ url: page }, { cookie: by, header: null })))
  const [own, again, none] = [await look(cookie), await look(cookie), await look(null)]
  const seenBy = telling([own, again], [none])
  if (own.status > 299 || seenBy(again) !== 'ours' || seenBy(none) === 'ours') return null
  return { cookie, sameSite: strictestOf(first) }
}

/** The one that is kept from other sites may be what lets in: then none of it comes along. */
const strictestOf = ({ after, sameSite }: SpareSession): string => {
  const said = [...pairsOf(after.cookie)].map(([name]) => sameSite.get(name) ?? 'absent')
  return ['strict', 'lax'].find((kind) => said.some((one) => one === kind)) ?? 'absent'
}

/** Those that are named for it first. */
const openerOf = async (
  { after }: SpareSession,
  letsIn: (cookie: string | null) => Promise<boolean>,
): Promise<string | null> => {
  const isNamed = ([name, value]: readonly [string, string]): boolean => {
    const cookie = parseSetCookie(`${name}=${value}`)
    return cookie !== null && isSessionCookie(cookie, 'plain')
  }
  const pairs = [...pairsOf(after.cookie)].toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
  for (const pair of pairs.slice(0, MOST_CANDIDATES)) if (await letsIn(cookieOf([pair]))) return pair[0]
  return null
}
