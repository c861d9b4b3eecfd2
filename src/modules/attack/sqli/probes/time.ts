/** Makes the statement wait for random times and keeps how long the answers took. `judge` does the statistics. */
import { askDelays } from '../../insertion-points/delays.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { mindsQuotes } from '../../insertion-points/techniques.ts'
import type { TimeHit } from '../facts.ts'
import { WAITING, type Waiting } from '../payloads.ts'
import { fitsOf } from './fits.ts'

export const timeWays = (probe: Probe): readonly (() => Promise<TimeHit | null>)[] => {
  const fits = fitsOf(probe.point)
  return WAITING.filter((one) => one.fits.some((fit) => fits.includes(fit))).map((way) => () => askWay(probe, way))
}

const askWay = async (probe: Probe, way: Waiting): Promise<TimeHit | null> => {
  const { value } = probe.point
  if (way.quoted === true && !(await mindsQuotes(probe, true))) return null
  const delays = await askDelays(probe, (seconds) => way.with(value, seconds), 'sql', 'time')
  return delays && { technique: way.technique, dbms: way.dbms, ...delays }
}
