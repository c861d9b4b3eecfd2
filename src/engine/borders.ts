/** What an active module may send, decided where it leaves: no request of one goes out without a decision of the policy. */
import type { AnyModule } from '../modules/any-module.ts'
import type { RunScope, ScopeKey } from '../modules/run-scope.ts'
import { addressBorder, type Border, fullBorder } from '../safety/border.ts'
import type { Around } from '../safety/policy.ts'
import type { RunSpec } from './protocol.ts'

/** How often what may write was sent by modules whose requests are decided on at the border, by method and address. */
const TIMES: ScopeKey<Map<string, number>> = { make: () => new Map() }

/** Null for modules that ask as visitors do: they send nothing but GET. The operator's patterns stand in egress itself. */
export const borderOf = (
  { conduct, decides }: Pick<AnyModule, 'conduct' | 'decides'>,
  { target, credentials }: Pick<RunSpec, 'target' | 'credentials'>,
  scope: RunScope,
): Border | null => {
  if (conduct !== 'active') return null
  const around: Around = {
    environment: target.environment ?? 'production',
    signedIn: credentials.cookie !== null || credentials.header !== null,
    staff: false,
    excludes: () => false,
  }
  return decides ? addressBorder(around) : fullBorder(around, scope.of(TIMES))
}
