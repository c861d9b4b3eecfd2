/** The techniques in the order of what they cost and prove; the first that proves a place is the last that is tried there. */

import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { identical, noiseOf, TOO_NOISY } from '../insertion-points/likeness.ts'
import type { Probe, Reply } from '../insertion-points/prober.ts'
import { probeAll, Silent, Unsteady } from '../insertion-points/run.ts'
import { firstOf, MAY_WRITE } from '../insertion-points/techniques.ts'
import type { WafFacts } from '../waf/facts.ts'
import type { SqliFacts, SqliHit } from './facts.ts'
import { booleanWays } from './probes/boolean.ts'
import { breakStatement, computedErrors } from './probes/error.ts'
import { askLater } from './probes/later.ts'
import { timeWays } from './probes/time.ts'
import { askUnion } from './probes/union.ts'

export interface SqliKnown {
  readonly crawl: CrawlFacts
  readonly waf: Pick<WafFacts, 'blockPage'>
}

export const collect = (ctx: CollectContext, { crawl, waf }: SqliKnown): Promise<SqliFacts> =>
  probeAll<SqliHit>(
    ctx,
    crawl,
    {
      what: 'SQL injection',
      wants: () => true,
      probe: probePoint,
      groups: true,
      afterwards: (at, points) => askLater(ctx, crawl, points, at),
    },
    waf.blockPage,
  )

export const probePoint = async (probe: Probe, found: (hit: SqliHit) => void): Promise<void> => {
  const baseline = await probe.baseline()
  const [usual, again] = baseline
  if (usual.status === 0 || again.status === 0) throw new Silent('the page did not answer')
  const noise = noiseOf(baseline)
  const answers = noise <= TOO_NOISY && probe.request.effect === 'reads'
  if (probe.request.effect !== 'reads') for (const way of ['boolean', 'union']) probe.leave(way, MAY_WRITE)
  let broken: Reply | null = null

  const errors = async (): Promise<SqliHit | null> => {
    const { reply, message } = await breakStatement(probe)
    broken = reply
    if (!message) return null
    found(message)
    return computedErrors(probe, message.dbms)
  }
  /** Where a broken statement looks like one that finds nothing, columns cannot be counted. */
  const unions = async (): Promise<SqliHit | null> =>
    broken === null || identical(broken, await probe.control(), noise) ? null : askUnion(probe, broken)

  const hit =
    (await firstOf([errors])) ??
    (answers ? await firstOf([...(await booleanWays(probe, broken)), unions]) : null) ??
    (await firstOf(timeWays(probe)))
  if (hit) return found(hit)
  if (noise > TOO_NOISY) throw new Unsteady('the page changes by itself, so only errors and times were looked at')
}
