/** Workflows: templates that run when others matched. */
import type { Template, WorkflowStep } from '../language/template.ts'
import type { Hit } from './hit.ts'
import type { TemplateOutcome } from './run-template.ts'

/** Templates that one workflow may run. */
const MOST = 500

export interface WorkflowParts {
  readonly templates: readonly Template[]
  /** Null for a template that the policy holds back. */
  readonly run: (template: Template) => Promise<TemplateOutcome | null>
}

export interface WorkflowOutcome {
  readonly hits: readonly { readonly template: Template; readonly hit: Hit }[]
  readonly ran: number
  readonly heldBack: number
  /** Paths and tags that no template of the catalogue answers to. */
  readonly unknown: readonly string[]
}

export const runWorkflow = async (steps: readonly WorkflowStep[], parts: WorkflowParts): Promise<WorkflowOutcome> => {
  const hits: { template: Template; hit: Hit }[] = []
  const unknown = new Set<string>()
  let ran = 0
  let heldBack = 0

  const walk = async (list: readonly WorkflowStep[]): Promise<void> => {
    for (const step of list) {
      const chosen = templatesOf(step, parts.templates)
      if (chosen.length === 0) unknown.add(step.template ?? step.tags.join(','))
      for (const template of chosen) await one(template, step)
    }
  }

  const one = async (template: Template, step: WorkflowStep): Promise<void> => {
    if (ran >= MOST) return
    const outcome = await parts.run(template)
    if (outcome === null) {
      heldBack += 1
      return
    }
    ran += 1
    const conditional = step.matchers.length > 0 || step.subtemplates.length > 0
    // A template that only decides what comes next is no result of its own.
    if (!conditional) for (const hit of outcome.hits) hits.push({ template, hit })
    if (outcome.hits.length === 0) return
    if (step.matchers.length === 0) return walk(step.subtemplates)
    const names = new Set(outcome.hits.flatMap(namesOf))
    for (const matcher of step.matchers) {
      const held = matcher.names.map((name) => names.has(name))
      const holds = matcher.condition === 'and' ? held.every(Boolean) : held.some(Boolean)
      if (holds) await walk(matcher.subtemplates)
    }
  }

  await walk(steps)
  return { hits, ran, heldBack, unknown: [...unknown] }
}

/** Matchers and extractors both lend their names. */
const namesOf = (hit: Hit): readonly string[] => [
  ...hit.name.split(', '),
  ...hit.extracted.map(({ name }) => name),
  ...hit.signs.flatMap(({ name }) => (name === null ? [] : [name])),
]

/** By path from the catalogue's root, a file or a folder; or by any of the tags. */
const templatesOf = (step: WorkflowStep, templates: readonly Template[]): readonly Template[] => {
  const runnable = templates.filter(({ workflow }) => workflow === null)
  if (step.template !== null) {
    const path = step.template.replace(/^\.?\//, '')
    const folder = path.endsWith('/') ? path : `${path}/`
    return runnable.filter(({ file }) => file === path || file.startsWith(folder))
  }
  return runnable.filter(({ info }) => step.tags.some((tag) => info.tags.includes(tag)))
}
