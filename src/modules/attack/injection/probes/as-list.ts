/** Commands in the one member of a list: what cleans a value as a text, sign by sign, may hand a list on as it came. */
import { asList } from '../../insertion-points/as-list.ts'
import { identical, noiseOf } from '../../insertion-points/likeness.ts'
import { Blocked, type Probe, Unsendable } from '../../insertion-points/prober.ts'
import type { WaitedHit } from '../facts.ts'
import { waitWays } from './arithmetic.ts'

/** Where a list of the place's own value is answered as the value is: elsewhere none is taken. */
export const listWaitWays = async (probe: Probe): Promise<readonly (() => Promise<WaitedHit | null>)[]> => {
  const list = probe.request.bound === undefined ? asList(probe) : null
  if (list === null) return []
  const baseline = await probe.baseline()
  try {
    const reply = await list.send(probe.point.value)
    return reply.status !== 0 && identical(reply, baseline[0], noiseOf(baseline)) ? waitWays(list) : []
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return []
    throw error
  }
}
