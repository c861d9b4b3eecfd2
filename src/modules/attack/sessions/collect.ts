/** One question after the other: what only signs in and reads first, what writes and signs out last. */
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { untilWithin } from '../insertion-points/times.ts'
import type { SessionsFacts } from './facts.ts'
import { askFixation } from './probes/fixation.ts'
import { askForged } from './probes/forged.ts'
import { askIdentifiers } from './probes/identifiers.ts'
import { lookAtOwn } from './probes/own-session.ts'
import { passwordChanges } from './probes/password-change.ts'
import { askScripts } from './probes/scripts.ts'
import { askSignOut } from './probes/sign-out.ts'
import { askSockets } from './probes/sockets.ts'
import { askTrusted } from './probes/trusted.ts'

/** Milliseconds for all questions, where the run has its usual time; each has its part of what is left. */
const ALL = 240_000
/** Limits of requests are looked at behind it. */
const OF_REST = 0.5

export const collectSessions = async (ctx: CollectContext, crawl: CrawlFacts): Promise<SessionsFacts> => {
  const end = untilWithin(ctx, ALL * ctx.timeFactor, OF_REST)
  const share = (part: number): number => performance.now() + (end - performance.now()) * part
  ctx.progress('signing in beside the run’s own session')
  const own = await lookAtOwn(ctx)
  const fixation = await askFixation(ctx, crawl, own, share(0.3))
  const identifiers = await askIdentifiers(ctx, crawl, own, share(0.4))
  const trusted = await askTrusted(ctx, crawl, own, share(0.2))
  const sockets = await askSockets(ctx, crawl, typeof own === 'string' ? null : own.sameSite, share(0.3))
  const scripts = await askScripts(ctx, crawl, own, share(0.2))
  const forged = await askForged(ctx, crawl, own, share(0.8))
  const signOut = await askSignOut(ctx, crawl, own, share(1))
  return { fixation, identifiers, signOut, forged, sockets, scripts, trusted, passwords: passwordChanges(ctx, crawl) }
}
