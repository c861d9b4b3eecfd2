/** In which order templates run, and which of their requests are known beforehand. */
import { DslError, type Value } from '../language/expression/value.ts'
import { interpolate } from '../language/interpolate.ts'
import type { HttpStep, Template, Variable } from '../language/template.ts'
import { StepSkipped, type TemplateTarget } from './executor.ts'
import { buildRequest, draftsOf, type Filling } from './http/build.ts'
import { type HttpSpec, keyOf } from './http/request.ts'

export interface Scheduled {
  readonly template: Template
  /** Requests that hold nothing random and nothing from an answer. */
  readonly requests: readonly HttpSpec[]
}

/**
 * Templates that share a request stand together, the most shared first: its answer is needed for a short time. Within
 * that, the gravest first.
 */
export const schedule = (templates: readonly Template[], target: TemplateTarget): readonly Scheduled[] => {
  const scheduled = templates.map((template) => {
    const requests = staticRequests(template, target)
    return { template, requests, key: requests[0] ? keyOf(requests[0]) : '' }
  })
  const shared = new Map<string, number>()
  for (const { key } of scheduled) shared.set(key, (shared.get(key) ?? 0) + 1)
  const weight = (key: string): number => (key === '' ? 0 : (shared.get(key) ?? 0))
  return scheduled.toSorted(
    (a, b) =>
      Number(watches(b.template)) - Number(watches(a.template)) ||
      weight(b.key) - weight(a.key) ||
      (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) ||
      GRAVITY.indexOf(a.template.info.severity) - GRAVITY.indexOf(b.template.info.severity),
  )
}

/** What looks at the answers of others has to be there before them. */
const watches = ({ steps }: Template): boolean => steps.some((step) => step.protocol === 'http' && step.global)

const GRAVITY: readonly string[] = ['critical', 'high', 'medium', 'low', 'info', 'unknown']

export const staticRequests = (template: Template, target: TemplateTarget): readonly HttpSpec[] => {
  const known = new Map<string, string | number | boolean>(target.variables)
  const run = staticRun(template, target, known)
  return template.steps.flatMap((step) =>
    step.protocol !== 'http' || step.payloads.length > 0 || step.digest !== null ? [] : requestsOf(step, run),
  )
}

const requestsOf = (step: HttpStep, run: Filling): readonly HttpSpec[] =>
  draftsOf(step).flatMap((draft) => {
    try {
      return [buildRequest(draft, step, run, new Map())]
    } catch (error) {
      // Not known beforehand, or not at the target: nothing to count.
      if (error instanceof StepSkipped || error instanceof DslError) return []
      throw error
    }
  })

/** Markers that draw or wait make a request one of its own. */
const CHANGING = /rand|interactsh|unix_?time|date_?time|wait_?for|uuid/i

/** Knows the address and fixed variables alone. */
const staticRun = (template: Template, target: TemplateTarget, known: Map<string, Value>): Filling => {
  const fill = (text: string): string => {
    if (CHANGING.test(text)) throw new StepSkipped('it changes', 'value')
    const { text: filled, unresolved } = interpolate(text, (name) => known.get(name))
    if (unresolved.length > 0) throw new StepSkipped('it is not known yet', 'value')
    return filled
  }
  for (const [name, value] of [...template.variables, ...template.constants]) {
    try {
      known.set(name, filled(value, fill))
    } catch (error) {
      if (!(error instanceof StepSkipped) && !(error instanceof DslError)) throw error
    }
  }
  return { target, fill }
}

const filled = (value: Variable[1], fill: (text: string) => string): Value => {
  if (typeof value === 'string') return fill(value)
  return typeof value === 'object' ? value.map((item) => filled(item, fill)) : value
}
