/**
 * Ways on which something had shown when a form could be sent no more: each is gone once more when all places were asked, with what was kept of the
 * form's few requests until then.
 */
import type { ProbePoint } from './inventory.ts'
import { Blocked, Bounded, Unsendable } from './prober.ts'

export interface Owed {
  readonly point: ProbePoint
  readonly way: () => Promise<unknown>
}

/** Carries the work out, and notes the way that it was on. */
export const noting = async <Value>(owed: Owed[], point: ProbePoint, work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Bounded && error.shown && error.way) owed.push({ point, way: error.way })
    throw error
  }
}

/** What they find by then. */
export const askOwed = async <Hit>(
  owed: readonly Owed[],
): Promise<readonly { readonly point: ProbePoint; readonly hit: Hit }[]> => {
  const found: { readonly point: ProbePoint; readonly hit: Hit }[] = []
  for (const { point, way } of owed) {
    try {
      const hit = await way()
      if (hit !== null && hit !== undefined) found.push({ point, hit: hit as Hit })
    } catch (error) {
      // It stays what it was: a place that was not asked to the end.
      if (!(error instanceof Unsendable || error instanceof Blocked)) throw error
    }
  }
  return found
}
