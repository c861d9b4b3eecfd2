/** Failures of egress that say something about the target, apart from those that end the module. */
import { EgressError, type EgressErrorCode } from './egress.ts'

/** The target did not answer, or not in the protocol asked for, or was not asked because the run excludes the address or has lost its session. */
export type TargetFailure = Extract<
  EgressErrorCode,
  'unreachable' | 'timeout' | 'protocol' | 'unresolvable' | 'excluded' | 'auth_lost'
>

const TARGET_FAILURES: readonly string[] = [
  'unreachable',
  'timeout',
  'protocol',
  'unresolvable',
  'excluded',
  'auth_lost',
] satisfies TargetFailure[]

/**
 * What to record of an egress error, or null where it has to be thrown on: a refusal of the guard, a spent budget,
 * a cancel, and everything that is no egress error at all.
 */
export const targetFailure = (
  error: unknown,
): { readonly code: TargetFailure; readonly message: string; readonly cause: unknown } | null => {
  if (!(error instanceof EgressError)) return null
  const code = TARGET_FAILURES.find((known) => known === error.code)
  return code === undefined ? null : { code: code as TargetFailure, message: error.message, cause: error }
}
