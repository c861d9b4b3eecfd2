import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { followsDelays, meanOf, regressionOf } from '../insertion-points/delay-times.ts'
import type { ProbedPoint } from '../insertion-points/facts.ts'
import { findingAt, judgeProbed, parameterOf, readOnce } from '../insertion-points/verdict.ts'
import type { SqliHit, TimeHit } from './facts.ts'
import { PROVEN } from './remedy.ts'

const inStatement: FindingDefinition = {
  ...PROVEN,
  id: 'sqli/time',
  title: 'SQL injection (time-based): the database waits as long as a visitor says',
}

const stackedStatement: FindingDefinition = {
  ...PROVEN,
  id: 'sqli/stacked',
  title: 'SQL injection (stacked queries): a visitor can add whole statements',
  why: `${PROVEN.why} Here statements of any kind can follow, so data can be changed and deleted too.`,
}

const checkOf = (definition: FindingDefinition, technique: TimeHit['technique']): Check<'sqli', 'crawl'> => ({
  findings: [definition],
  judge: (facts, { crawl }) =>
    judgeProbed(
      facts,
      (point) => {
        const hit = point.hits.find((one): one is TimeHit => one.technique === technique && isTimed(one))
        return hit ? [findingOf(point, hit, definition, crawl)] : []
      },
      ['time'],
    ),
})

export const time = checkOf(inStatement, 'time')
export const stacked = checkOf(stackedStatement, 'stacked')

const isTimed = (hit: SqliHit): boolean => 'trials' in hit && 'baseline' in hit && followsDelays(hit)

const findingOf = (
  point: ProbedPoint<SqliHit>,
  hit: TimeHit,
  definition: FindingDefinition,
  crawl: CrawlFacts,
): Finding => {
  const { slope, r } = regressionOf(hit.trials)
  const rows = hit.trials.map(({ delay, ms }) => `asked ${delay.toFixed(1)} s, took ${(ms / 1_000).toFixed(2)} s`)
  return findingAt(point, definition, {
    confidence: 'confirmed',
    ...readOnce(point, hit.dbms, crawl),
    detail:
      `${hit.dbms} waited as told in ${parameterOf(point.at)}: ${hit.trials.length} random waits, slope ` +
      `${slope.toFixed(2)}, correlation ${r.toFixed(3)}, against ${Math.round(meanOf(hit.baseline))} ms otherwise.`,
    proof: { excerpt: `${hit.payload}\n${rows.join('\n')}`, mark: hit.payload, replay: hit.replay, basis: hit.dbms },
  })
}
