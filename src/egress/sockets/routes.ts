/** Which addresses this machine has a way to; remembered, so that an address without one costs nothing. */
import { isIP } from 'node:net'
import { EgressError } from '../door/egress.ts'
import { hasRoute } from './udp.ts'

export interface Routes {
  /** @throws EgressError exhausted, or the signal's reason */
  readonly has: (address: string, signal: AbortSignal) => Promise<boolean>
}

/** Milliseconds after which an address is looked at anew: a line may come back, or go, while a run goes on. */
const KEPT = 60_000
const MOST_KEPT = 10_000

export const createRoutes = (look: typeof hasRoute = hasRoute): Routes => {
  const known = new Map<string, { readonly route: boolean; readonly at: number }>()
  const has = async (address: string, signal: AbortSignal): Promise<boolean> => {
    const kept = known.get(address)
    if (kept && performance.now() - kept.at < KEPT) return kept.route
    const route = await look(address, signal)
    if (known.size >= MOST_KEPT) known.clear()
    known.set(address, { route, at: performance.now() })
    return route
  }
  return { has }
}

/** The failure of asking where there is no way to ask. */
export const noRouteTo = (address: string, what = address): EgressError =>
  new EgressError('unreachable', `${what}: this machine has no ${isIP(address) === 6 ? 'IPv6' : 'IPv4'} route to it`, {
    noRoute: true,
  })
