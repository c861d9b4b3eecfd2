import { REDACTED } from '../egress/redaction/redacted.ts'
import type { AnyModule } from '../modules/any-module.ts'
import type { RunSpec } from './protocol.ts'

/**
 * Ids of the modules whose results of an earlier attempt stand. A module that still has to run may send again what those
 * before it read, such as the token of a form; stored facts from which a secret was taken cannot tell it. Their modules
 * are collected again, and so are those that they rest on in turn. `plan` has every module after its needs.
 */
export const reusableResults = (
  plan: readonly Pick<AnyModule, 'id' | 'needs' | 'uses'>[],
  { completed, credentials }: Pick<RunSpec, 'completed' | 'credentials'>,
): ReadonlySet<string> => {
  const standing = new Set(plan.map(({ id }) => id).filter((id) => completed[id]?.outcome.state === 'completed'))
  if (credentials.cookie === null && credentials.header === null) return standing
  for (const { id, needs, uses = [] } of plan.toReversed()) {
    if (standing.has(id)) continue
    for (const other of [...needs, ...uses]) if (lostSomething(completed[other]?.facts)) standing.delete(other)
  }
  return standing
}

const lostSomething = (facts: unknown): boolean => JSON.stringify(facts ?? null).includes(REDACTED)
