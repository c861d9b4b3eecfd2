/** Who is to blame for a scan process that died: one of the modules at work then, which one shows at the next death. Pure. */
import { faultIdOf } from '../engine/faults.ts'
import type { ChildDeath } from '../store/faults.ts'

/** A module is left out once it was at work at so many deaths for which it is to blame. */
const MOST_DEATHS = 2

export interface Blame {
  /** To run one at a time from now on. */
  readonly suspects: readonly string[]
  /** Not to be begun any more: module and id of the fault. */
  readonly leftOut: Readonly<Record<string, string>>
}

/**
 * At the first death every module at work is suspected. Suspects run one at a time after it, so at a later death the one of
 * them that was at work is to blame, and those beside it are not.
 */
export const blameFor = (deaths: readonly ChildDeath[]): Blame => {
  const counts = new Map<string, number>()
  for (const { modules } of deaths) {
    const known = modules.filter((module) => counts.has(module))
    for (const module of known.length > 0 ? known : modules) counts.set(module, (counts.get(module) ?? 0) + 1)
  }
  const out = [...counts].filter(([, count]) => count >= MOST_DEATHS).map(([module]) => module)
  return {
    suspects: [...counts.keys()].filter((module) => !out.includes(module)),
    leftOut: Object.fromEntries(out.map((module) => [module, faultIdOf(module, 'it ended its process')])),
  }
}
