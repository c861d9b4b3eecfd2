import type { Check, FindingDefinition } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import type { ProbedPoint } from '../insertion-points/facts.ts'
import { findingAt, judgeProbed, parameterOf, readOnce } from '../insertion-points/verdict.ts'
import type { ErrorHit, MessageHit, SqliHit } from './facts.ts'
import { PROVEN } from './remedy.ts'

const definition: FindingDefinition = {
  ...PROVEN,
  id: 'sqli/error',
  title: 'SQL injection (error-based): the database computes for a visitor and shows the result in an error',
}

/** Confirmed by two products that the database worked out; firm where a quote breaks the statement and two do not. */
export const error: Check<'sqli', 'crawl'> = {
  findings: [definition],
  judge: (facts, { crawl }) =>
    judgeProbed(facts, (point) => {
      const computed = point.hits.find(isComputed)
      if (computed) return [confirmed(point, computed, crawl)]
      const message = point.hits.find((hit) => hit.technique === 'message')
      const better = point.hits.some((hit) => hit.technique !== 'message')
      return message?.toggles && !better ? [firm(point, message, crawl)] : []
    }),
}

const isComputed = (hit: SqliHit): hit is ErrorHit =>
  hit.technique === 'error' &&
  hit.computed.length >= 2 &&
  new Set(hit.computed.map((one) => one.expected)).size === hit.computed.length &&
  hit.computed.every((one) => one.seen && !one.payload.includes(one.expected))

const confirmed = (point: ProbedPoint<SqliHit>, { dbms, computed }: ErrorHit, crawl: CrawlFacts) =>
  findingAt(point, definition, {
    confidence: 'confirmed',
    ...readOnce(point, dbms, crawl),
    detail:
      `${dbms} worked out ${computed.map((one) => one.expected).join(' and ')} from numbers sent in ` +
      `${parameterOf(point.at)} and showed them in its error.`,
    proof: {
      excerpt: computed[0]?.excerpt ?? '',
      mark: computed[0]?.expected ?? null,
      replay: computed[0]?.replay ?? null,
      basis: dbms,
    },
  })

const firm = (point: ProbedPoint<SqliHit>, message: MessageHit, crawl: CrawlFacts) =>
  findingAt(point, definition, {
    confidence: 'firm',
    ...readOnce(point, message.dbms, crawl),
    detail: `A quote in ${parameterOf(point.at)} brings out an error of ${message.dbms}; a doubled quote does not.`,
    proof: { excerpt: message.excerpt, mark: message.mark, replay: message.replay, basis: message.dbms },
  })
