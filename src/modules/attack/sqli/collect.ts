/** The techniques in the order of what they cost and prove; the first that proves a place is the last that is tried there. */

import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { isWorked } from '../insertion-points/inventory.ts'
import { identical, noiseOf, TOO_NOISY } from '../insertion-points/likeness.ts'
import type { Probe } from '../insertion-points/prober.ts'
import { probeAll, Silent, Unsteady } from '../insertion-points/run.ts'
import { firstOf } from '../insertion-points/techniques.ts'
import type { WafFacts } from '../waf/facts.ts'
import { DISGUISES, disguised } from './disguises.ts'
import type { SqliFacts, SqliHit } from './facts.ts'
import { booleanWays } from './probes/boolean.ts'
import { type Broken, breakStatement, computedErrors } from './probes/error.ts'
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
      wants: isWorked,
      probe: probePoint,
      groups: true,
      compares: true,
      afterwards: (at, points) => askLater(ctx, crawl, points, at),
    },
    waf.blockPage,
  )

export const probePoint = async (probe: Probe, found: (hit: SqliHit) => void): Promise<void> => {
  const baseline = await probe.baseline()
  const [usual, again] = baseline
  if (usual.status === 0 || again.status === 0) throw new Silent('the page did not answer')
  const noise = noiseOf(baseline)
  let broken: Broken | null = null

  const errors = async (): Promise<SqliHit | null> => {
    broken = await breakStatement(probe)
    if (!broken.message) return null
    found(broken.message)
    return computedErrors(probe, broken.message.dbms)
  }
  const hit =
    (await firstOf([errors])) ??
    (noise <= TOO_NOISY ? await firstOf(await answerWays(probe, broken, noise)) : null) ??
    (await firstOf(timeWays(probe))) ??
    (await firstOf(await disguisedWays(probe, broken, noise)))
  if (hit) return found(hit)
  if (noise > TOO_NOISY) throw new Unsteady('the page changes by itself, so only errors and times were looked at')
}

/** `broken`: null where it was refused. */
const answerWays = async (
  probe: Probe,
  broken: Broken | null,
  noise: number,
): Promise<readonly (() => Promise<SqliHit | null>)[]> => {
  const reply = broken?.reply ?? null
  // Where a broken statement looks like one that finds nothing, columns cannot be counted.
  const unions = async (): Promise<SqliHit | null> =>
    reply === null || identical(reply, await probe.control(), noise) ? null : askUnion(probe, reply)
  return [...(await booleanWays(probe, reply)), unions]
}

/** Where a statement was broken and nothing else came through, something takes parts of what is sent out. */
const disguisedWays = async (
  probe: Probe,
  broken: Broken | null,
  noise: number,
): Promise<readonly (() => Promise<SqliHit | null>)[]> => {
  const { message } = broken ?? {}
  if (!broken || !message) return []
  const ways = await Promise.all(
    DISGUISES.map(async (disguise) => {
      const other = disguised(probe, disguise)
      return [
        () => computedErrors(other, message.dbms),
        ...(noise <= TOO_NOISY ? await answerWays(other, broken, noise) : []),
      ]
    }),
  )
  return ways.flat()
}
