/** One class after the other at every place; the first that is proven is the last that is tried there. */
import type { CrawlFacts } from '../crawl/facts.ts'
import type { CollectContext } from '../module.ts'
import { likeness, noiseOf } from '../probing/likeness.ts'
import type { Probe } from '../probing/prober.ts'
import { probeAll, Silent } from '../probing/run.ts'
import type { InjectionFacts, InjectionHit } from './facts.ts'
import { SERIALIZED } from './payloads.ts'
import { askQuestions } from './probes/answers.ts'
import { askEntities, askPaths } from './probes/files.ts'
import { askCode, askCommands, askCommandWaits, askTemplates } from './probes/reckon.ts'

export const collect = (ctx: CollectContext, { crawl }: { readonly crawl: CrawlFacts }): Promise<InjectionFacts> =>
  probeAll<InjectionHit>(ctx, crawl, { what: 'Injection', wants: () => true, probe: probePoint })

const probePoint = async (probe: Probe, found: (hit: InjectionHit) => void): Promise<void> => {
  const { value } = probe.point
  const baseline = await probe.baseline()
  const [usual, again] = baseline
  if (usual.status === 0 || again.status === 0) throw new Silent('the page did not answer')
  const format = SERIALIZED.find(([, pattern]) => pattern.test(value))?.[0]
  if (format) found({ kind: 'serialized', proof: 'marker', format, beginning: value.slice(0, 12) })
  const other = await probe.send(`${value}qzvkx`)
  const moves = 1 - likeness(other, usual) > Math.max(0.0005, 3 * noiseOf(baseline))
  // Code before templates: to an interpreter of JavaScript, {{2*3}} is a block.
  for (const ask of [askEntities, askPaths, (one: Probe) => askCode(one, moves), askTemplates]) {
    const hit = await ask(probe)
    if (hit) return found(hit)
  }
  const answered = moves && probe.request.effect === 'reads' ? await askQuestions(probe) : null
  if (answered) return found(answered)
  const ran = (await askCommands(probe)) ?? (await askCommandWaits(probe))
  if (ran) found(ran)
}
