/** The end of modules that write: the last of those that do so together sends forms what they held before. */
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { heldBeside } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { ProbingFacts } from './facts.ts'
import { sendFresh } from './freshness.ts'
import { pageOrNull } from './page-or-null.ts'
import { SHARED } from './shared.ts'

/** Seconds, times the run's factor. */
const MOST_SECONDS = 30

export interface Writing {
  /** It has ended, and looks for nothing any more that it has stored. */
  readonly end: () => Promise<Pick<ProbingFacts<never>, 'putBack' | 'fault'>>
  /** Likewise where it failed: whoever ends later puts back. */
  readonly over: () => void
}

/** A module begins that may write. */
export const beginWriting = (ctx: CollectContext): Writing => {
  const { firstValues, freshness } = ctx.scope.of(SHARED)
  const isLast = firstValues.enter()
  const putBack = (): Promise<readonly string[]> => {
    const until = performance.now() + MOST_SECONDS * ctx.timeFactor * 1_000
    return firstValues.putBack({
      get: (url) => pageOrNull(ctx.egress, url),
      send: async (request, http) => {
        try {
          await sendFresh(ctx.egress, freshness, ctx.hasCredentials, request, http)
        } catch (error) {
          if (targetFailure(error) === null) throw error // Its page tells that nothing came of it.
        }
      },
      isOver: () => performance.now() > until,
    })
  }
  return {
    end: async () => {
      if (!isLast()) return {}
      const done = await heldBeside(ctx, 'putting back', putBack)
      if ('fault' in done) return { fault: done.fault }
      return 'value' in done && done.value.length > 0 ? { putBack: done.value } : {}
    },
    over: () => void isLast(),
  }
}
