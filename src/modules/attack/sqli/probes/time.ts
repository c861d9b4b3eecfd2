/** Makes the statement wait for random times and keeps how long the answers took. `judge` does the statistics. */
import { askDelays } from '../../insertion-points/delays.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { mindsQuotes } from '../../insertion-points/techniques.ts'
import type { TimeHit } from '../facts.ts'
import { WAITING, type Waiting } from '../payloads.ts'
import { fitsOf } from './fits.ts'

/** Databases that the site has shown so far, as `dbms` names them. */
export type Databases = ReadonlySet<string>
const NONE: Databases = new Set()

/** Those of a database first that the site has shown. */
export const timeWays = (probe: Probe, shown: Databases = NONE): readonly (() => Promise<TimeHit | null>)[] =>
  waitsAt(probe, shown).map((way) => () => askWay(probe, way))

/** Of each database the first: where few may be asked, a second of one says less than the first of another. */
export const soonestWaits = (probe: Probe, shown: Databases = NONE): readonly (() => Promise<TimeHit | null>)[] => {
  const ways = waitsAt(probe, shown)
  return ways
    .filter(({ dbms }, index) => ways.findIndex((one) => one.dbms === dbms) === index)
    .map((way) => () => askWay(probe, way))
}

/** Those by which several places as one were seen to wait. */
export const sameWaits = (probe: Probe, { dbms, technique }: TimeHit): readonly (() => Promise<TimeHit | null>)[] =>
  waitsAt(probe, NONE)
    .filter((way) => way.dbms === dbms && way.technique === technique)
    .map((way) => () => askWay(probe, way))

const waitsAt = ({ point }: Probe, shown: Databases): readonly Waiting[] => {
  const fits = fitsOf(point)
  const ways = WAITING.filter((one) => one.fits.some((fit) => fits.includes(fit)))
  const isShown = ({ dbms }: Waiting): boolean => [...shown].some((one) => dbms.includes(one))
  return [...ways.filter(isShown), ...ways.filter((one) => !isShown(one))]
}

const askWay = async (probe: Probe, way: Waiting): Promise<TimeHit | null> => {
  const { value } = probe.point
  if (way.quoted === true && !(await mindsQuotes(probe, true))) return null
  const delays = await askDelays(probe, (seconds) => way.with(value, seconds), 'sql', 'time')
  return delays && { technique: way.technique, dbms: way.dbms, ...delays }
}
