/**
 * Who compares what pages say to different people goes before who writes there: a name that a probe has put into a profile stands in another
 * page of orders at each look, and what two people are shown has nothing in common then. The pace is the host's, so nothing is lost by it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CollectContext } from '../../module.ts'
import type { ScopeKey } from '../../run-scope.ts'
import type { ProbePoint } from './inventory.ts'
import { untilWithin } from './times.ts'

export interface Reading {
  /** Somebody begins to compare; what it returns is called when that is done, however it ended. */
  readonly begin: () => () => void
  /** Resolves when nobody is at it. */
  readonly over: () => Promise<void>
}

export const READING: ScopeKey<Reading> = {
  make: () => {
    const under = new Set<Promise<void>>()
    return {
      begin: () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        under.add(promise)
        return () => {
          under.delete(promise)
          resolve()
        }
      },
      over: async () => void (await Promise.all(under)),
    }
  },
}

/** Of the time that the run has left, who writes waits so much at most, and no longer than so many milliseconds. */
const OF_RUN = 0.15
const LONGEST = 3_600_000

/** Resolves at once where nothing may be written. */
export const afterReading = async (ctx: CollectContext, points: readonly ProbePoint[]): Promise<void> => {
  if (!points.some(({ request }) => request.bound !== undefined)) return
  const waited = new AbortController()
  const most = Math.min(LONGEST, untilWithin(ctx, Number.POSITIVE_INFINITY, OF_RUN) - performance.now())
  const signal = AbortSignal.any([ctx.signal, waited.signal])
  ctx.progress('waiting until what is compared was read', 0)
  // Called off where the others are done, and thrown anew below where the run is.
  const late = sleep(most, undefined, { signal }).catch(() => undefined)
  await Promise.race([ctx.scope.of(READING).over(), late])
  waited.abort()
  ctx.signal.throwIfAborted()
}
