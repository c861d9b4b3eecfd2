import { leftUntold } from '../../../safety/signed-in.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import { findingAt, judgeProbed, parameterOf } from '../insertion-points/verdict.ts'
import type { LaterHit, SqliHit } from './facts.ts'
import { PROVEN } from './remedy.ts'

const definition: FindingDefinition = {
  ...PROVEN,
  id: 'sqli/second-order',
  title: 'SQL injection (second-order): what a visitor stores becomes part of a statement elsewhere',
  why: `${PROVEN.why} The value is stored safely and trusted afterwards, so the flaw lies behind another page than the form.`,
}

export const secondOrder: Check<'sqli', 'crawl'> = {
  findings: [definition],
  judge: (facts, { crawl }) => {
    const judgement = judgeProbed(facts, (point) => {
      const hit = point.hits.find(isComputed)
      const [first] = hit?.computed ?? []
      if (!hit || !first) return []
      return [
        findingAt(point, definition, {
          confidence: 'confirmed',
          detail:
            `${hit.dbms} worked out ${hit.computed.map((one) => one.expected).join(' and ')} from numbers stored by ` +
            `${parameterOf(point.at)}, and ${new URL(hit.page).pathname} shows them.`,
          proof: { excerpt: first.excerpt, mark: first.expected, replay: first.replay, basis: hit.dbms },
        }),
      ]
    })
    const left = leftUntold(crawl)
    return left && !('state' in judgement) ? { state: 'inconclusive', reason: left, findings: judgement } : judgement
  },
}

const isComputed = (hit: SqliHit): hit is LaterHit =>
  hit.technique === 'later' &&
  hit.computed.length >= 2 &&
  new Set(hit.computed.map((one) => one.expected)).size === hit.computed.length &&
  hit.computed.every((one) => one.seen && !one.payload.includes(one.expected))
