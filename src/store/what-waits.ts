/** What a worker asks before it claims: most of its looks find nothing, and of a thousand workers these are most of what the queue costs. */
import type { Plan } from '../contract/organisation.ts'
import type { Queryable } from './database.ts'

/** What there is for whoever claims now: runs started alone, scans of agents to be brought to their end, and batches. */
export interface Waiting {
  readonly alone: boolean
  readonly scanned: boolean
  readonly batch: boolean
}

export const ANYTHING: Waiting = { alone: true, scanned: true, batch: true }

/** In which order the kinds are claimed, by the one that is preferred. */
export const ORDERS: Readonly<Record<keyof Waiting, readonly (keyof Waiting)[]>> = {
  alone: ['alone', 'scanned', 'batch'],
  scanned: ['scanned', 'alone', 'batch'],
  batch: ['scanned', 'batch', 'alone'],
}

/** How many runs an organisation of each plan has at once, as the functions of the queue read it. */
export const capsOf = (plans: readonly Plan[]): string =>
  JSON.stringify(Object.fromEntries(plans.map((plan) => [plan.id, plan.concurrent_runs])))

/**
 * One statement in place of a claim of each kind. Null where there is nothing to be had, though runs may wait: for their time, for an
 * agent, for an organisation below its limit, for the end of a hold. `light`: only what mostly waits for answers.
 */
export const whatWaits = async (
  db: Queryable,
  { plans, light = false }: { readonly plans: readonly Plan[]; readonly light?: boolean },
): Promise<Waiting | null> => {
  const [found] = await db.query<Waiting>('select alone, scanned, batch from what_waits($1, $2)', [
    ...[capsOf(plans), light],
  ])
  return found && (found.alone || found.scanned || found.batch) ? found : null
}

/** Organisations that have nothing in the queue any more are not looked at by a claim until they have. */
export const settleWaiting = async (db: Queryable): Promise<void> => {
  await db.query('select settle_waiting()', [])
}
