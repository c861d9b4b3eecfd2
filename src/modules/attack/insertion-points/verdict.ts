/** From places probed to a judgement: what was not reached or kept out is said, never called clean. */

import type { Proof } from '../../../contract/finding.ts'
import { faultReason } from '../../faults.ts'
import type { Finding, FindingDefinition, Judgement, Unjudged } from '../../module.ts'
import type { ProbedPlace, ProbedPoint, ProbingFacts } from './facts.ts'

export const judgeProbed = <Hit>(
  facts: ProbingFacts<Hit>,
  findingsOf: (point: ProbedPoint<Hit>) => readonly Finding[],
): Judgement => {
  const findings = facts.points.flatMap(findingsOf)
  const unjudged = shortfall(facts)
  return unjudged ? { ...unjudged, findings } : findings
}

/** The judgement of a check that left something out on purpose, and says what. */
export const withShortfall = (judgement: Judgement, reason: string): Judgement => {
  if (!('state' in judgement)) return { state: 'inconclusive', reason, findings: judgement }
  return judgement.state === 'inconclusive' ? { ...judgement, reason: `${judgement.reason}; ${reason}` } : judgement
}

/** Counted over everything that the crawl found, what was left alone included. */
const shortfall = ({
  points,
  left,
  leftAlone = {},
  sessionLost,
  cut,
  fault: late,
}: ProbingFacts<unknown>): Unjudged | null => {
  const alone = Object.values(leftAlone).reduce((sum, count) => sum + count, 0)
  const all = points.length + left + alone
  if (all === 0) return { state: 'not_applicable', reason: 'the crawl found no place that takes such input' }
  if (sessionLost)
    return { state: 'not_tested', reason: 'session lost: the crawl saw it end, so nothing was tested signed in' }
  const count = (end: ProbedPoint<unknown>['end']): number => points.filter((point) => point.end === end).length
  const [blocked, tested, lost] = [count('blocked'), count('tested'), count('session-lost')]
  if (lost > 0)
    return { state: 'not_tested', reason: `session lost: ${lost} of ${all} places were not tested signed in` }
  if (blocked === all) return { state: 'blocked', reason: `probes were blocked at all ${all} places` }
  const fault = points.find((point) => point.fault !== undefined)?.fault ?? late
  const ours = fault === undefined ? {} : { fault }
  if (tested === all)
    return fault === undefined
      ? null
      : { state: 'inconclusive', reason: `what follows the places: ${faultReason(fault)}`, ...ours }
  const parts = [
    blocked > 0 ? `${blocked} blocked by a firewall or limit` : '',
    count('unstable') > 0 ? `${count('unstable')} with a page that changes by itself` : '',
    count('unreachable') > 0 ? `${count('unreachable')} without an answer` : '',
    count('failed') > 0 ? `${count('failed')} that cannot hold a probe` : '',
    count('cut') > 0 ? `${count('cut')} not asked to the end` : '',
    count('fault') > 0 && fault !== undefined ? `${count('fault')} left by ${faultReason(fault)}` : '',
    left > 0 ? `${left} not reached, as ${cut ?? 'the budget was spent'}` : '',
    late === undefined ? '' : `what follows them by ${faultReason(late)}`,
    alone > 0 ? `${alone} left alone (${reasonsOf(leftAlone)})` : '',
  ]
  return { state: 'inconclusive', reason: `of ${all} places: ${parts.filter(Boolean).join(', ')}`, ...ours }
}

const reasonsOf = (leftAlone: Readonly<Record<string, number>>): string =>
  Object.entries(leftAlone)
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([reason, count]) => `${reason}: ${count}`)
    .join(', ')

/** Where a finding of a place is, its parameter as a person names it. */
export const locationOf = (at: ProbedPlace): Finding['at'] => ({
  url: at.url,
  method: at.method,
  parameter: parameterOf(at),
})

export const parameterOf = ({ place, name }: ProbedPlace): string => {
  if (place === 'path') return `path segment ${Number(name) + 1}`
  if (place === 'header' || place === 'cookie') return `${place} ${name}`
  return name
}

/** Payloads are made anew in each run, so a proof by probing says itself what it rests on. */
export type ProbedProof = Proof & { readonly basis: string }
export type ProbedFinding = Partial<Omit<Finding, 'proof'>> & { readonly proof?: ProbedProof }

/** For one definition at a place with its proof. */
export const findingAt = (
  point: ProbedPoint<unknown>,
  definition: FindingDefinition,
  rest: Pick<Finding, 'confidence' | 'detail'> & ProbedFinding,
): Finding => ({ definition, at: locationOf(point.at), ...rest })

/** Around the mark, so that a reader sees it in its place. The mark is part of what is returned. */
export const around = (text: string, mark: string, room = 300): string => {
  const at = text.indexOf(mark)
  if (at < 0) return text.slice(0, 2 * room)
  return text.slice(Math.max(0, at - room), at + mark.length + room)
}
