/** What a probing module says of the run's reach: what became of each place that it asks. */
import type { ReachEntry, ReachPart } from '../../reach.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { COMPARED, FIRST_ONLY, type ProbingFacts, SIGNS_IN_BY, SPARED, TURNED_AWAY, USUAL } from './facts.ts'
import { inventoryOf, type ProbePoint } from './inventory.ts'
import { idOf, placeOf } from './records.ts'
import { parameterOf, wordsOf } from './verdict.ts'

/** `wants`: as the module's plan says. Places that were left alone are the crawl's to tell. */
export const reachPartOf = (
  facts: ProbingFacts<unknown>,
  crawl: CrawlFacts,
  wants: (point: ProbePoint) => boolean = () => true,
): ReachPart => {
  const points = new Map(facts.points.flatMap((point) => (point.id === undefined ? [] : [[point.id, point] as const])))
  const entries = inventoryOf(crawl)
    .filter(wants)
    .map((place): ReachEntry => {
      const at = placeOf(place)
      const { method, url } = at
      const id = idOf(place)
      const point = points.get(id)
      const which = { id, kind: 'insertion_point' as const, method, url, parameter: parameterOf(at) }
      if (point?.leftWays?.some(({ reason }) => reason === FIRST_ONLY))
        return { ...which, fate: 'cut_off', reason: FIRST_ONLY, inPart: true }
      if (point?.leftWays?.some(({ reason }) => reason === USUAL))
        return { ...which, fate: 'left_out', reason: USUAL, inPart: true }
      const whole = point?.leftWays?.find(({ reason }) => WHOLE.has(reason))
      if (whole) return { ...which, fate: 'left_out', reason: whole.reason }
      const other = point?.with === undefined ? undefined : points.get(point.with)
      if (point?.end === 'tested' && other) return { ...which, fate: 'merged', with: other.at.url, reason: null }
      if (point?.end === 'tested') return { ...which, fate: 'asked', reason: null }
      if (point === undefined) return { ...which, fate: 'cut_off', reason: facts.cut ?? 'the budget was spent' }
      return { ...which, fate: CUT.includes(point.end) ? 'cut_off' : 'left_out', reason: wordsOf(point) }
    })
  return { entries, beyond: [] }
}

/** Why nothing of a place was asked. */
const WHOLE: ReadonlySet<string> = new Set([TURNED_AWAY, SPARED, COMPARED, SIGNS_IN_BY])
const CUT: readonly string[] = ['cut', 'session-lost']
