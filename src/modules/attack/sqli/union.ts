import type { Check, FindingDefinition } from '../../module.ts'
import { findingAt, judgeProbed, parameterOf, readOnce } from '../insertion-points/verdict.ts'
import type { SqliHit, UnionHit } from './facts.ts'
import { PROVEN } from './remedy.ts'

const definition: FindingDefinition = {
  ...PROVEN,
  id: 'sqli/union',
  title: 'SQL injection (UNION-based): the page shows the result of a visitor’s query',
}

export const union: Check<'sqli', 'crawl'> = {
  findings: [definition],
  judge: (facts, { crawl }) =>
    judgeProbed(
      facts,
      (point) => {
        const hit = point.hits.find(isShown)
        const [first] = hit?.computed ?? []
        if (!hit || !first) return []
        return [
          findingAt(point, definition, {
            confidence: 'confirmed',
            ...readOnce(point, `${hit.columns}`, crawl),
            detail:
              `${hit.listed ? 'Another column' : `A second result of ${hit.columns} columns`}, asked for in ${parameterOf(point.at)}, is shown in the page: ` +
              `${hit.computed.map((one) => one.expected).join(' and ')}, worked out by the database.`,
            proof: { excerpt: first.excerpt, mark: first.expected, replay: first.replay, basis: 'result' },
          }),
        ]
      },
      ['union'],
    ),
}

const isShown = (hit: SqliHit): hit is UnionHit =>
  hit.technique === 'union' &&
  hit.computed.length >= 2 &&
  hit.computed.every((one) => one.seen && !one.payload.includes(one.expected))
