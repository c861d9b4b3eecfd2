/** Makes the statement wait for random times and keeps how long the answers took. `judge` does the statistics. */

import { askDelays } from '../../probing/delays.ts'
import type { Probe } from '../../probing/prober.ts'
import type { TimeHit } from '../facts.ts'
import { WAITING, type Waiting } from '../payloads.ts'

export const askTime = async (probe: Probe, technique: TimeHit['technique']): Promise<TimeHit | null> => {
  for (const way of WAITING.filter((one) => one.technique === technique)) {
    const hit = await askWay(probe, way)
    if (hit) return hit
  }
  return null
}

const askWay = async (probe: Probe, way: Waiting): Promise<TimeHit | null> => {
  const { value } = probe.point
  const delays = await askDelays(probe, (seconds) => way.with(value, seconds), 'sql')
  return delays && { technique: way.technique, dbms: way.dbms, ...delays }
}
