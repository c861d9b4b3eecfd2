/** One class after the other at every place; the first that is proven is the last that is tried there. */

import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { isDocument } from '../insertion-points/documents.ts'
import { pageAt } from '../insertion-points/elsewhere.ts'
import { isWorked } from '../insertion-points/inventory.ts'
import { identical, moves, noiseOf } from '../insertion-points/likeness.ts'
import { Blocked, type Probe, type Reply } from '../insertion-points/prober.ts'
import { type Plan, probeAll, Silent } from '../insertion-points/run.ts'
import { memory } from '../insertion-points/shared.ts'
import { firstOf } from '../insertion-points/techniques.ts'
import type { WafFacts } from '../waf/facts.ts'
import type { InjectionFacts, InjectionHit } from './facts.ts'
import { SERIALIZED } from './payloads.ts'
import { questionWays } from './probes/answers.ts'
import { entityWays } from './probes/entities.ts'
import { FIRST_PATHS, namedPathWays, pathWays, takesPaths } from './probes/files.ts'
import { askHosts } from './probes/hosts.ts'
import { askTemplatesLater } from './probes/later.ts'
import { createOutside, type Outside, promisesAddress } from './probes/outside.ts'
import { codeWays, commandWays, isWindows, waitWays } from './probes/reckon.ts'
import { resourceWays } from './probes/resources.ts'
import { type Sources, sourceWays } from './probes/sources.ts'
import { templateWays } from './probes/templates.ts'
import { siteFilesOf } from './site-files.ts'

export interface InjectionKnown {
  readonly crawl: CrawlFacts
  readonly waf: Pick<WafFacts, 'blockPage'>
}

/** `patience`: milliseconds for calls from the target to come. */
export const collect = async (
  ctx: CollectContext,
  { crawl, waf }: InjectionKnown,
  patience?: number,
): Promise<InjectionFacts> => {
  const outside = createOutside(ctx.outOfBand, patience)
  const sources = sourcesOf(ctx, crawl)
  const plan: Plan<InjectionHit> = {
    what: 'Injection',
    wants: isWorked,
    probe: (probe, found) => probePoint(probe, found, outside, sources),
    groups: true,
    compares: true,
    named: async (probe, found) => {
      const hit = isDocument(probe.point.value) ? await firstOf<InjectionHit>(namedPathWays(probe)) : null
      if (hit) found(hit)
    },
    afterwards: async (at, points) => [
      ...(await outside.settle(at)),
      ...(await askTemplatesLater(ctx, crawl, points, at)),
      ...(await askHosts(points, at)),
    ],
  }
  const facts = await probeAll(ctx, crawl, plan, waf.blockPage)
  return { ...facts, listened: ctx.outOfBand !== undefined }
}

/** Pages are fetched once for all places, those that were asked for last. */
const sourcesOf = (ctx: CollectContext, crawl: CrawlFacts): Sources => {
  const pages = memory<Awaited<ReturnType<Sources['served']>>>(({ text }) => text.length, MOST_KEPT)
  const served: Sources['served'] = (url) => pages(url, () => pageAt(ctx, url))
  return { site: siteFilesOf(crawl), served, tests: ctx.target.environment === 'test' }
}

/** Characters of pages. */
const MOST_KEPT = 4_000_000

const probePoint = async (
  probe: Probe,
  found: (hit: InjectionHit) => void,
  outside: Outside,
  sources: Sources,
): Promise<void> => {
  const { value } = probe.point
  const baseline = await probe.baseline()
  const [usual, again] = baseline
  if (usual.status === 0 || again.status === 0) throw new Silent('the page did not answer')
  for (const one of probe.point.members?.map((member) => member.value) ?? [value]) {
    const format = SERIALIZED.find(([, pattern]) => pattern.test(one))?.[0]
    if (format) found({ kind: 'serialized', proof: 'marker', format, beginning: one.slice(0, 12) })
  }
  if (!takesPaths(probe)) probe.leave('traversal', 'that may write files, asked for none')
  const control = await probe.control()
  const changes = moves(control, baseline, [value])
  const shows = changes || repeats(control)
  const paths = pathWays(probe, sources.site)
  const addresses = outside.addresses(probe)
  const early = promisesAddress(probe) ? addresses.slice(0, 1) : []
  let named = false
  const hit = await firstOf<InjectionHit>([
    ...entityWays(probe),
    ...paths.slice(0, FIRST_PATHS),
    ...early.map((way) => () => {
      named = true
      return way()
    }),
    ...sourceWays(probe, usual, sources),
    ...paths.slice(FIRST_PATHS),
    ...resourceWays(probe, usual, sources.site),
    // Code before templates: to an interpreter of JavaScript, {{2*3}} is a block.
    ...codeWays(probe, shows, shows && (await breaks(probe))),
    ...templateWays(probe, repeats(control)),
    ...(await questionWays(probe)),
    ...commandWays(probe, isWindows(usual)),
    ...waitWays(probe),
    ...addresses.slice(early.length),
    ...outside.ways(probe),
  ])
  if (hit) found(hit)
  // What opens a file of any name may open an address, too, and run what it gets.
  const more = hit?.kind === 'traversal' ? await firstOf<InjectionHit>(addresses.slice(named ? 1 : 0)) : null
  if (more) found(more)
}

/**
 * Quotes do not leave the page as a meaningless value does. Where they do, the value stands in no literal of a language:
 * none survives a quote of either kind.
 */
const breaks = async (probe: Probe): Promise<boolean> => {
  try {
    return !identical(await probe.broken(), await probe.control(), noiseOf(await probe.baseline()))
  } catch (error) {
    if (error instanceof Blocked) return true // Unknown; the ways themselves may pass.
    throw error
  }
}

/** The end of what was sent stands in the answer. */
const repeats = ({ value, echoes, text }: Reply): boolean =>
  (echoes ?? [value]).some((echo) => text.includes(echo.slice(-5)))
