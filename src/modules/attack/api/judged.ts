/** From a topic to a judgement: what was not asked of what it applies to is said, never called clean. */

import { segmentShape } from '../../../page/shape.ts'
import type { Finding, FindingDefinition, Judgement } from '../../module.ts'
import { shortOf } from '../insertion-points/verdict.ts'
import type { Asked, Shown } from './facts.ts'

/** `unit`: what is counted, in the plural. `absent`: why it applies to nothing. */
export const judged = (
  { known, asked, left, fault }: Asked<unknown>,
  findings: readonly Finding[],
  { unit, absent }: { readonly unit: string; readonly absent: string },
): Judgement => {
  if (known === 0) return { state: 'not_applicable', reason: absent }
  const reasons = Object.entries(left)
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
  if (reasons.length === 0) return findings
  const state = asked === 0 && findings.length === 0 && fault === undefined ? 'not_tested' : 'inconclusive'
  return { state, ...shortOf(unit, known, reasons), findings, ...(fault === undefined ? {} : { fault }) }
}

/** Of a hit, with its proof. */
export const findingOf = (
  definition: FindingDefinition,
  { method, url, procedure, excerpt, mark, replay }: Shown,
  rest: Pick<Finding, 'confidence' | 'detail'> & {
    readonly parameter?: string
    readonly subject?: string
    readonly basis?: string
    readonly cause?: string
  },
): Finding => {
  const { parameter, basis, ...told } = rest
  return {
    definition,
    at: { url, method, ...(parameter === undefined ? {} : { parameter }) },
    ...(parameter === undefined ? { subject: operationOf(method, url) } : {}),
    ...(procedure === undefined ? {} : { procedure }),
    ...told,
    proof: {
      excerpt: excerpt.slice(0, 8_000),
      mark,
      replay: replay?.slice(0, 8_000) ?? null,
      ...(basis === undefined ? {} : { basis }),
    },
  }
}

/** Two operations with one flaw are two findings, whatever record each was asked for. */
const operationOf = (method: string, url: string): string =>
  `${method} ${new URL(url).pathname.split('/').map(segmentShape).join('/')}`
