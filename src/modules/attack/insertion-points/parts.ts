/** What one module's probing works with. */
import type { CollectContext } from '../../module.ts'
import type { Deviating } from './deviating.ts'
import type { Interfering } from './groups.ts'
import type { ProbePoint } from './inventory.ts'
import type { Patience } from './limits.ts'
import type { Owed } from './owed.ts'
import type { Plan } from './plan.ts'
import type { Prober } from './prober.ts'
import type { Records } from './records.ts'
import type { ProbedSession } from './session.ts'
import type { Shared } from './shared.ts'

export interface Parts<Hit> {
  readonly ctx: CollectContext
  readonly plan: Plan<Hit>
  readonly points: readonly ProbePoint[]
  readonly prober: Prober
  readonly records: Records<Hit>
  /** Of all modules of the run. */
  readonly shared: Shared
  readonly patience: Patience
  /** By performance.now(): no unit is begun after it. */
  readonly until: () => number
  readonly session: ProbedSession
  /** More places than there may be time for. */
  readonly isMany: boolean
  readonly interfering: Interfering
  readonly deviating: Deviating
  readonly owed: Owed[]
}
