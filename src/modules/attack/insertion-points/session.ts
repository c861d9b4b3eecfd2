/** Whether the run's credentials still work while places are probed: asked again every minute, on the crawl's canary page. */

import { targetFailure } from '../../../egress/door/target-failure.ts'
import { headerOf, pageRequest } from '../../../page/exchange.ts'
import { likeness } from '../../../page/similarity.ts'
import { textOf } from '../../../page/text.ts'
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

interface Look {
  readonly status: number
  readonly location: string
  readonly text: string
}

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
  if (withThem === null || without === null) return WITHOUT
  let lost = isAlike(withThem, without)
  let provenAt = clock()
  return {
    count: () => 0,
    check: async (now = false) => {
      if (lost) return 'lost'
      if (!now && clock() - provenAt <= EVERY) return 'assumed'
      const seen = await look(ctx, canary, true)
      // No answer says nothing about the session; the next proof will.
      if (seen === null) return 'assumed'
      lost = !isNearer(seen, withThem, without)
      provenAt = clock()
      return lost ? 'lost' : 'proven'
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
    const exchange = await ctx.egress.http(pageRequest(url, { authenticated }))
    return {
      status: exchange.status,
      location: (headerOf(exchange, 'location') ?? '').replace(/\?.*$/, ''),
      text: textOf(exchange),
    }
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

const sameHead = (a: Look, b: Look): boolean => a.status === b.status && a.location === b.location

const isAlike = (a: Look, b: Look): boolean => sameHead(a, b) && likeness(a.text, b.text) > 0.98

const isNearer = (now: Look, withThem: Look, without: Look): boolean => {
  if (!sameHead(withThem, without)) return sameHead(now, withThem)
  return sameHead(now, withThem) && likeness(now.text, withThem.text) > likeness(now.text, without.text)
}
