import { leftUntold } from '../../../safety/signed-in.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { ProbedPoint } from '../insertion-points/facts.ts'
import { findingAt, judgeProbed, parameterOf } from '../insertion-points/verdict.ts'
import { isAnsweredExactly } from './boolean.ts'
import type { LaterAnswersHit, LaterHit, SqliHit } from './facts.ts'
import { PROVEN } from './remedy.ts'

const definition: FindingDefinition = {
  ...PROVEN,
  id: 'sqli/second-order',
  title: 'SQL injection (second-order): what a visitor stores becomes part of a statement, and another page shows it',
  why: `${PROVEN.why} The form itself shows nothing: the flaw lies where the value is written, or behind another page that trusts what was stored.`,
}

const LEAST_TRIALS = 8

export const secondOrder: Check<'sqli', 'crawl'> = {
  findings: [definition],
  judge: (facts, { crawl }) => {
    const judgement = judgeProbed(facts, findingsOf, ['later'])
    const left = leftUntold(crawl)
    return left && !('state' in judgement) ? { state: 'inconclusive', reason: left, findings: judgement } : judgement
  },
}

const findingsOf = (point: ProbedPoint<SqliHit>): readonly Finding[] => {
  const answered = point.hits.find(isAnswered)
  if (answered) return [findingOf(point, answered)]
  const hit = point.hits.find(isComputed)
  // Its own statement has been proven in another way: one flaw.
  if (hit?.written && point.hits.some(({ technique }) => !technique.startsWith('later') && technique !== 'message'))
    return []
  const [first] = hit?.computed ?? []
  if (!hit || !first) return []
  return [
    findingAt(point, definition, {
      confidence: 'confirmed',
      detail:
        `${hit.dbms} worked out ${hit.computed.map((one) => one.expected).join(' and ')} from numbers stored by ` +
        `${parameterOf(point.at)}, and ${pathOf(hit.page)} shows them.`,
      proof: { excerpt: first.excerpt, mark: first.expected, replay: first.replay, basis: hit.dbms },
    }),
  ]
}

const findingOf = (point: ProbedPoint<SqliHit>, hit: LaterAnswersHit) =>
  findingAt(point, definition, {
    confidence: 'confirmed',
    detail:
      `${hit.trials.length} of ${hit.trials.length} random conditions stored by ${parameterOf(point.at)} were answered ` +
      `rightly by ${pathOf(hit.page)}.`,
    proof: {
      excerpt: `true: ${hit.truePayload}\n${hit.trueExcerpt}\n\nfalse: ${hit.falsePayload}\n${hit.falseExcerpt}`,
      mark: hit.truePayload,
      replay: hit.replay,
      basis: 'answers',
    },
  })

/** That of a record which came about with the value has a number in braces. */
const pathOf = (page: string): string => decodeURI(new URL(page).pathname)

const isAnswered = (hit: SqliHit): hit is LaterAnswersHit =>
  hit.technique === 'later-answers' && hit.trials.length >= LEAST_TRIALS && isAnsweredExactly(hit)

const isComputed = (hit: SqliHit): hit is LaterHit =>
  hit.technique === 'later' &&
  hit.computed.length >= 2 &&
  new Set(hit.computed.map((one) => one.expected)).size === hit.computed.length &&
  hit.computed.every((one) => one.seen && !one.payload.includes(one.expected))
