/** `flow`: a small script that says which steps run when. */
import type { Value } from '../language/expression/value.ts'
import { ScriptError } from '../language/script/errors.ts'
import { stringOf } from '../language/script/plain.ts'
import { openSandbox } from '../language/script/sandbox.ts'
import type { Step, Template } from '../language/template.ts'
import { StepSkipped, type Values } from './executor.ts'

const PROTOCOLS = ['http', 'dns', 'ssl', 'tcp', 'network', 'headless', 'javascript', 'code'] as const
/** Steps that one flow may start: a loop over a page's links ends somewhere. */
const MOST_STARTS = 200

/** @throws ScriptError, and what a step throws */
export const runFlow = async (
  template: Template,
  runStep: (step: Step) => Promise<boolean>,
  values: Values,
  signal: AbortSignal,
): Promise<void> => {
  let starts = 0
  const start = async (protocol: string, names: readonly unknown[]): Promise<boolean> => {
    const steps = template.steps.filter((step) => step.protocol === (protocol === 'network' ? 'tcp' : protocol))
    const chosen = names.length === 0 ? steps : names.flatMap((name) => chosenOf(steps, name) ?? [])
    if (chosen.length === 0) {
      throw new StepSkipped(`there is no ${protocol}(${names.map(stringOf).join(', ')})`, 'defect')
    }
    let matched = true
    for (const step of chosen) {
      if (++starts > MOST_STARTS) throw new ScriptError(`a flow may start ${MOST_STARTS} steps`)
      if (!(await runStep(step))) matched = false
    }
    return matched
  }
  const now = (name: string, [of, value]: readonly unknown[]): unknown =>
    name === 'get' ? values.get(stringOf(of)) : values.set(stringOf(of), asValue(value))
  const sandbox = await openSandbox(
    { values: {}, protocols: PROTOCOLS },
    { now, ask: (_, [protocol, ...names]) => start(stringOf(protocol), names) },
    signal,
  )
  await sandbox.run(template.flow ?? '')
}

const chosenOf = (steps: readonly Step[], name: unknown): Step | undefined =>
  typeof name === 'number' ? steps[name - 1] : steps.find(({ id }) => id === stringOf(name))

const asValue = (value: unknown): Value => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'number' ? item : String(item)))
  return value === null || value === undefined ? null : JSON.stringify(value)
}
