/** Asks the bodies of JSON of the inventory, within what their forms are kept for the end. */
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { inventoryFor } from '../insertion-points/for-strangers.ts'
import { isWorked } from '../insertion-points/inventory.ts'
import { createProber } from '../insertion-points/prober.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { carefulnessOf } from '../insertion-points/stand-ins.ts'
import type { WafFacts } from '../waf/facts.ts'
import { askPrototypes } from './asking.ts'
import type { PrototypesFacts } from './facts.ts'

export const collectPrototypes = async (
  ctx: CollectContext,
  { crawl, waf }: { readonly crawl: CrawlFacts; readonly waf?: Pick<WafFacts, 'blockPage'> | undefined },
): Promise<PrototypesFacts> => {
  const shared = ctx.scope.of(SHARED)
  const used = new Map<string, number>()
  const leave = shared.writes.join(used)
  const never = () => false
  const nothing = () => undefined
  const careful = { ...carefulnessOf(ctx), used }
  const prober = createProber(ctx.egress, shared, waf?.blockPage ?? null, never, nothing, careful)
  // Nothing follows for which anything would be kept.
  prober.release()
  try {
    const points = (await inventoryFor(ctx, shared, crawl)).filter(isWorked)
    return await askPrototypes(ctx, crawl, points, prober.at)
  } finally {
    leave()
  }
}
