/** Signs in beside the run's own session, and looks whether what was there before is let in afterwards. */
import { randomBytes } from 'node:crypto'
import type { CollectContext, RunSession, SpareSession } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { ask, goThrough, Left, notAsked, spoken } from '../asking.ts'
import { afterAnswer, pairsOf } from '../cookies.ts'
import type { FixationSeen, Topic } from '../facts.ts'
import { pagesThatMayGive } from './givers.ts'
import { type OwnSession, withoutOpener } from './own-session.ts'

export const askFixation = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  own: OwnSession | string,
  until: number,
): Promise<Topic<FixationSeen>> => {
  const { session } = ctx
  if (session === undefined || typeof own === 'string') return notAsked('not_tested', String(own))
  const { opener } = own
  if (opener === null) return withoutOpener(own)
  return goThrough(ctx, { name: 'session fixation', items: [session], until }, (one) =>
    fixationOf(ctx, { session: one, crawl }, own, opener),
  )
}

interface About {
  readonly session: RunSession
  readonly crawl: CrawlFacts
}

const fixationOf = async (
  ctx: CollectContext,
  about: About,
  { spare, first, letsIn }: OwnSession,
  opener: string,
): Promise<readonly FixationSeen[]> => {
  const { cookies: kept, page } = await keptBy(ctx, about, { spare, first, letsIn }, opener)
  const planted = `${opener}=${alike(pairsOf(first.after.cookie).get(opener) ?? '')}`
  // Who is given nothing, as they have brought what is taken, has signed in all the same.
  const begun = await spoken(ctx, () => spare.begin({ planted }))
  const isPlanted = await letsIn(planted)
  const ways = [...(kept.length > 0 ? (['kept'] as const) : []), ...(isPlanted ? (['planted'] as const) : [])]
  // Of a sign-in that was refused nothing is known.
  if (ways.length === 0 && begun === null) throw new Left('as signing in with a value of our own did not work')
  if (ways.length === 0) return []
  return [seenOf(about.session, { cookies: kept.length > 0 ? kept : [opener], page }, ways)]
}

interface Kept {
  readonly cookies: readonly string[]
  /** Where it was given; null where on the way of the sign-in itself. */
  readonly page: string | null
}
const NONE: Kept = { cookies: [], page: null }

const keptBy = async (
  ctx: CollectContext,
  about: About,
  { spare, first, letsIn }: Pick<OwnSession, 'spare' | 'first' | 'letsIn'>,
  opener: string,
): Promise<Kept> => {
  if (!pairsOf(first.before).has(opener)) return keptSince(ctx, about, { spare, letsIn }, opener)
  if (!(await letsIn(first.before))) return NONE
  const kept = keptIn(first)
  // What encrypts its cookies writes the same identifier with other letters each time.
  return { cookies: kept.length > 0 ? kept : [opener], page: null }
}

/** A sign-in that asks for no page before has nothing yet: it brings what a page gives whoever is nobody, as a browser would. */
const keptSince = async (
  ctx: CollectContext,
  { crawl }: About,
  { spare, letsIn }: Pick<OwnSession, 'spare' | 'letsIn'>,
  opener: string,
): Promise<Kept> => {
  for (const url of pagesThatMayGive(ctx, crawl)) {
    const given = afterAnswer(null, await ask(ctx, { url, authenticated: false }))
    if (given === null || !pairsOf(given).has(opener)) continue
    // Who is given nothing, as they have brought what is taken, has signed in all the same.
    await spoken(ctx, () => spare.begin({ planted: given }))
    return (await letsIn(given)) ? { cookies: [opener], page: url } : NONE
  }
  return NONE
}

const keptIn = ({ before, after }: SpareSession): readonly string[] => {
  const now = pairsOf(after.cookie)
  return [...pairsOf(before)].flatMap(([name, value]) => (now.get(name) === value && value !== '' ? [name] : []))
}

/** As long, of the same letters, and nobody's: another one for each run. */
const alike = (value: string): string => {
  const length = Math.min(128, Math.max(16, value.length))
  return randomBytes(length).toString('hex').slice(0, length)
}

const seenOf = (session: RunSession, { cookies, page: given }: Kept, ways: FixationSeen['ways']): FixationSeen => {
  const url = session.form?.url ?? session.proofAt
  const [name = ''] = cookies
  const mark = `Cookie ${name} as before the sign-in: ${new URL(session.proofAt).pathname} answers as the account`
  const lines = [
    `without cookies: ${new URL(session.proofAt).pathname} answers nobody`,
    ...(ways.includes('kept') ? [mark] : []),
    ...(ways.includes('planted')
      ? [
          `Cookie ${name} with a value made up before the sign-in: ${new URL(session.proofAt).pathname} answers as the account`,
        ]
      : []),
  ]
  const page = given ?? session.form?.page ?? url
  return {
    ...{ method: 'POST', url, cookies, ways },
    excerpt: lines.join('\n'),
    mark: ways.includes('kept') ? mark : (lines.at(-1) ?? null),
    replay: `ID=$(curl -sk -o /dev/null -D - '${page}' | grep -i '^set-cookie: ${name}=' | head -1 | sed 's/.*${name}=\\([^;]*\\).*/\\1/'); echo "sign in now in a browser whose cookie ${name} is $ID, then:"; curl -isk -b "${name}=$ID" '${session.proofAt}'`,
  }
}
