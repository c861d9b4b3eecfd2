/** Whether the run's credentials still work while places are probed: asked again every minute, on the crawl's canary page. */

import { targetFailure } from '../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../page/exchange.ts'
import { isAlike, type Look, lookOf, telling } from '../../../page/who-sees.ts'
import type { CollectContext, RunSession } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'

/** Milliseconds between two proofs. */
const EVERY = 60_000

export interface ProbedSession {
  /**
   * 'proven': asked since the last time and alive; 'assumed': the last proof is young enough, or there is nothing to prove; 'renewed':
   * another session has replaced the one of the last time; 'lost'. `now` asks whatever the time is.
   */
  readonly check: (now?: boolean) => Promise<SessionSeen>
  /** Counts the sessions, where they are begun anew. */
  readonly count: () => number
}
export type SessionSeen = 'proven' | 'assumed' | 'renewed' | 'lost'

/** Without a page that differs nothing can be said, and nothing is. */
const WITHOUT: ProbedSession = { check: async () => 'assumed', count: () => 0 }

export const openProbedSession = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  clock: () => number = () => performance.now(),
): Promise<ProbedSession> => {
  const { state, canary } = crawl.session
  if (state === 'lost') return { check: async () => 'lost', count: () => 0 }
  if (ctx.session !== undefined) return watchedSession(ctx.session)
  if (state !== 'live' || canary === null) return WITHOUT
  const [withThem, without] = [await look(ctx, canary, true), await look(ctx, canary, false)]
  const [again, stranger] = [await look(ctx, canary, true), await look(ctx, canary, false)]
  if (withThem === null || without === null || again === null || stranger === null) return WITHOUT
  const seenBy = telling([withThem, again], [without, stranger])
  let lost = isAlike(withThem, without)
  let provenAt = clock()
  /** Null where it is nobody's page: then only what a stranger sees there now tells. */
  const isOurs = async (seen: Look): Promise<boolean | null> => {
    const who = seenBy(seen)
    if (who !== 'neither') return who === 'ours'
    if (seen.status >= 500 || seen.status === 429) return null
    const now = await look(ctx, canary, false)
    return now !== null && isAlike(seen, now) ? false : null
  }
  return {
    count: () => 0,
    check: async (now = false) => {
      if (lost) return 'lost'
      if (!now && clock() - provenAt <= EVERY) return 'assumed'
      const seen = await look(ctx, canary, true)
      // No answer says nothing about the session, nor does an error; the next proof will.
      const ours = seen === null ? null : await isOurs(seen)
      provenAt = clock()
      if (ours === null) return 'assumed'
      if (ours) return 'proven'
      const second = await look(ctx, canary, true)
      lost = second !== null && (await isOurs(second)) === false
      return lost ? 'lost' : 'assumed'
    },
  }
}

/** Proven for the whole run by who signed in. */
const watchedSession = (watched: RunSession): ProbedSession => {
  let under = watched.session()
  let proofs = watched.proofs()
  return {
    count: watched.session,
    check: async (now = false) => {
      if (now) await watched.prove()
      if (watched.lost() !== null) return 'lost'
      const seen = watched.session() !== under ? 'renewed' : watched.proofs() !== proofs ? 'proven' : 'assumed'
      under = watched.session()
      proofs = watched.proofs()
      return seen
    },
  }
}

const look = async (ctx: CollectContext, url: string, authenticated: boolean): Promise<Look | null> => {
  try {
    return lookOf(await ctx.egress.http(pageRequest(url, { authenticated })))
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}
