/** How a place ended, by what was thrown there. */
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { endsModule, faultReason } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import { Deviation } from './groups.ts'
import type { Ended } from './planner.ts'
import { Blocked, Bounded, Filtered, Unsendable } from './prober.ts'

export const TESTED: Ended = { end: 'tested', reason: null }

/** An error of the budget ends everything; a fault of ours costs its place alone. @throws what ends the module */
export const endOf = async (
  ctx: Pick<CollectContext, 'signal' | 'fault'>,
  work: () => Promise<void>,
): Promise<Ended | Error> => {
  try {
    await work()
    return TESTED
  } catch (error) {
    if (error instanceof Deviation) return error
    // Which ways that closed is told already.
    if (error instanceof Filtered) return TESTED
    if (error instanceof Blocked) return { end: 'blocked', reason: error.message }
    if (error instanceof Unreachable) return { end: 'unreachable', reason: error.message }
    if (error instanceof Bounded) return { end: 'cut', reason: error.message }
    if (error instanceof Unsendable) return { end: 'failed', reason: error.message }
    if (error instanceof Error && 'code' in error && error.code === 'budget') return error
    if (endsModule(error, ctx.signal)) throw error
    const failure = targetFailure(error)
    if (failure) return { end: 'unreachable', reason: failure.message }
    if (isRefusal(error)) return { end: 'failed', reason: error.message }
    const fault = ctx.fault(error, 'a place')
    return { end: 'fault', reason: faultReason(fault), fault }
  }
}

/** The guard does not let the place be asked. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'refused_by_guard'

/** The page did not answer as it is. */
export class Unreachable extends Error {}
