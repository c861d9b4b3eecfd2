/** The techniques in the order of what they cost and prove; the first that proves a place is the last that is tried there. */
import type { CrawlFacts } from '../crawl/facts.ts'
import type { CollectContext } from '../module.ts'
import { noiseOf } from '../probing/likeness.ts'
import type { Probe } from '../probing/prober.ts'
import { probeAll, Silent, Unsteady } from '../probing/run.ts'
import type { SqliFacts, SqliHit } from './facts.ts'
import { askBooleans, identical, unlike } from './probes/boolean.ts'
import { breakStatement, computedErrors } from './probes/error.ts'
import { askTime } from './probes/time.ts'
import { askUnion } from './probes/union.ts'

/** A page that differs from itself by more than this answers no questions. */
const TOO_NOISY = 0.2

export const collect = (ctx: CollectContext, { crawl }: { readonly crawl: CrawlFacts }): Promise<SqliFacts> =>
  probeAll<SqliHit>(ctx, crawl, { what: 'SQL injection', wants: () => true, probe: probePoint })

export const probePoint = async (probe: Probe, found: (hit: SqliHit) => void): Promise<void> => {
  const baseline = await probe.baseline()
  const [usual, again] = baseline
  if (usual.status === 0 || again.status === 0) throw new Silent('the page did not answer')
  const noise = noiseOf(baseline)
  const { reply: broken, message } = await breakStatement(probe)
  if (message) found(message)
  // An error without words still shows in the page: worth asking the databases whose drivers hide theirs.
  const computed = message ? await computedErrors(probe, message.dbms) : null
  if (computed) return found(computed)
  if (noise <= TOO_NOISY && probe.request.effect === 'reads') {
    const other = await probe.send(unlike(probe.point.value), { language: 'sql' })
    const answered = await askBooleans(probe, broken, other)
    if (answered) return found(answered)
    // Where a broken statement looks like one that finds nothing, columns cannot be counted.
    const united = identical(broken, other, noise) ? null : await askUnion(probe, broken)
    if (united) return found(united)
  }
  for (const technique of ['time', 'stacked'] as const) {
    const waited = await askTime(probe, technique)
    if (waited) return found(waited)
  }
  if (noise > TOO_NOISY) throw new Unsteady('the page changes by itself, so only errors and times were looked at')
}
