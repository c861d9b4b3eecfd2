/** Other modules write into the same records: what is looked for while they ask has another value by then. */
import { setTimeout as delay } from 'node:timers/promises'
import type { CollectContext } from '../../../module.ts'
import { SHARED } from '../../insertion-points/shared.ts'
import { mayStore, type Planted } from './stored-pages.ts'

/** Seconds, times the run's factor. The scripts of pages are looked at meanwhile. */
const MOST_SECONDS = 120

/**
 * Waits until no other module asks places any more, or for its time, and for no longer than `most` seconds. Nothing is waited for where only what reads
 * was sent.
 */
export const untilOthersEnd = async (ctx: CollectContext, planted: readonly Planted[], most: number): Promise<void> => {
  const { writes } = ctx.scope.of(SHARED)
  const own = new Map<string, number>()
  if (most <= 0 || !planted.some(mayStore) || !writes.othersAsk(own)) return
  ctx.progress('what other modules ask still', 0.98)
  const over = new AbortController()
  const signal = AbortSignal.any([ctx.signal, over.signal])
  const seconds = Math.min(most, MOST_SECONDS * ctx.timeFactor)
  const time = delay(seconds * 1_000, undefined, { signal }).catch(() => undefined)
  await Promise.race([writes.othersEnd(own), time])
  over.abort()
  ctx.signal.throwIfAborted()
}
