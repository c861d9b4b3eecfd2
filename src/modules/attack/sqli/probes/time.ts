/** Makes the statement wait for random times and keeps how long the answers took. `judge` does the statistics. */
import { askDelays } from '../../insertion-points/delays.ts'
import { identical, noiseOf } from '../../insertion-points/likeness.ts'
import { Blocked, type Probe } from '../../insertion-points/prober.ts'
import type { TimeHit } from '../facts.ts'
import { WAITING, type Waiting } from '../payloads.ts'
import { fitsOf } from './fits.ts'

export const timeWays = (probe: Probe): readonly (() => Promise<TimeHit | null>)[] => {
  const fits = fitsOf(probe.point)
  return WAITING.filter((one) => one.fits.some((fit) => fits.includes(fit))).map((way) => () => askWay(probe, way))
}

const askWay = async (probe: Probe, way: Waiting): Promise<TimeHit | null> => {
  const { value } = probe.point
  if (way.quoted === true && !(await minds(probe))) return null
  const delays = await askDelays(probe, (seconds) => way.with(value, seconds), 'sql', 'time')
  return delays && { technique: way.technique, dbms: way.dbms, ...delays }
}

/** Whether quotes are answered otherwise than a word: the statement fails at them, or something refuses them. */
const minds = async (probe: Probe): Promise<boolean> => {
  const noise = noiseOf(await probe.baseline())
  try {
    return !identical(await probe.broken(), await probe.control(), noise)
  } catch (error) {
    if (error instanceof Blocked) return true
    throw error
  }
}
