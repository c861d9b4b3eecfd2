/** How large the simulated fleet is, and what its processes are told. */
import type { Plan } from '../../src/contract/organisation.ts'

export interface FleetSettings {
  readonly url: string
  readonly name: string
  readonly workers: number
  readonly leaseSeconds: number
  /** Mean length of a sleep that stands for a scan. */
  readonly scanSeconds: number
  /** Part of the runs whose worker dies. */
  readonly deadly: number
}

/** One organisation may have a tenth of the fleet at once. */
export const PLANS: readonly Plan[] = [
  { id: 'enterprise', runs_per_month: null, concurrent_runs: 100, retention_days: 365, watermark: false },
]
