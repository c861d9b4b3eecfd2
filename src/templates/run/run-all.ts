/** Many templates side by side, until time or requests are used up. */
import { EgressError } from '../../egress/door/egress.ts'
import type { TemplatesFacts } from '../../modules/attack/templates/facts.ts'
import { endsModule } from '../../modules/faults.ts'
import type { CollectContext } from '../../modules/module.ts'
import type { Template } from '../language/template.ts'
import type { TemplateTarget } from './executor.ts'
import type { Hit } from './hit.ts'
import { type RunParts, runTemplate, type TemplateOutcome } from './run-template.ts'
import type { Scheduled } from './schedule.ts'

/** Templates at once; egress decides how many requests really are. */
const SIDE_BY_SIDE = 16
/** Templates in a row that got no answer, after which the target is taken for gone. */
const GIVE_UP = 60
/** Reasons that are kept, the most frequent first. */
const MOST_REASONS = 30

export interface RanAll {
  readonly hits: readonly { readonly template: Template; readonly hit: Hit }[]
  /** Those that wait for a call to our listener. */
  readonly outcomes: readonly { readonly template: Template; readonly outcome: TemplateOutcome }[]
  readonly run: number
  readonly skipped: number
  readonly failed: number
  readonly late: number
  readonly skips: TemplatesFacts['skips']
  /** Templates that ended by a fault of ours, and the id of the last. */
  readonly faults: number
  readonly fault: string | null
}

export const runAll = async (
  scheduled: readonly Scheduled[],
  target: TemplateTarget,
  parts: RunParts,
  limits: {
    /** By performance.now(). */
    readonly until: number
    readonly progress: (detail: string, fraction?: number) => void
    /** Tells of a fault of ours and gives its id. */
    readonly fault: CollectContext['fault']
  },
): Promise<RanAll> => {
  const hits: { template: Template; hit: Hit }[] = []
  const outcomes: { template: Template; outcome: TemplateOutcome }[] = []
  const reasons = new Map<string, TemplatesFacts['skips'][number]>()
  const counts = { run: 0, skipped: 0, failed: 0, faults: 0 }
  let fault: string | null = null
  let next = 0
  let unanswered = 0
  let spent = false

  const broke = (template: Template, error: unknown): void => {
    counts.faults += 1
    fault = limits.fault(error, `template ${template.id}`)
  }

  const one = async (template: Template): Promise<void> => {
    // A port that is closed is an answer to those who ask for it, and says nothing about the site.
    const isWeb = template.steps.some(({ protocol }) => protocol === 'http')
    const outcome = await runTemplate(template, target, parts)
    for (const hit of outcome.hits) hits.push({ template, hit })
    outcomes.push({ template, outcome })
    if (outcome.broken) broke(template, outcome.broken.error)
    else if (outcome.skipped !== null) {
      counts.skipped += 1
      const reason = outcome.skipped.slice(0, 120)
      const kind = outcome.skipKind ?? 'unsupported'
      reasons.set(reason, { reason, kind, templates: (reasons.get(reason)?.templates ?? 0) + 1 })
    } else if (isWeb && outcome.failed !== null && outcome.hits.length === 0) counts.failed += 1
    else counts.run += 1
    if (isWeb) unanswered = outcome.failed === null ? 0 : unanswered + 1
  }

  const worker = async (): Promise<void> => {
    while (next < scheduled.length && !spent && performance.now() < limits.until && unanswered < GIVE_UP) {
      const current = scheduled[next]
      next += 1
      if (current === undefined) return
      if (next % 50 === 0) {
        limits.progress(`${next} of ${scheduled.length} templates`, next / scheduled.length)
        // Judging is work of the processor: others get their turn.
        await new Promise((resume) => setImmediate(resume))
      }
      try {
        await one(current.template)
      } catch (error) {
        if (error instanceof EgressError && error.code === 'budget') spent = true
        else if (endsModule(error, parts.signal)) throw error
        else broke(current.template, error)
      }
    }
  }

  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  const skips = [...reasons.values()].toSorted((a, b) => b.templates - a.templates).slice(0, MOST_REASONS)
  const done = counts.run + counts.skipped + counts.failed + counts.faults
  return { hits, outcomes, ...counts, fault, late: scheduled.length - done, skips }
}
