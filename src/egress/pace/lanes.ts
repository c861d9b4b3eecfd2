/**
 * The paces of a run: one per host for requests, and for raw connections one per port with a shared, wider one per
 * host, so that a port scan is quick while no single service is asked faster than it can bear.
 */
import { createPace, type Pace, type Release } from './pace.ts'

export interface Lanes {
  readonly request: (host: string, module: string, signal: AbortSignal) => Promise<Release>
  /** `connected` (with the milliseconds it took) frees the host's place, `closed` the port's. */
  readonly connection: (
    host: string,
    port: number,
    module: string,
    signal: AbortSignal,
  ) => Promise<{ readonly connected: (latency?: number) => void; readonly closed: () => void }>
  readonly factor: (host: string) => number
}

/** New connections a second to one port: a scan of cipher suites needs more than a page load does. */
const PORT_RATE = 50
/** New connections a second to all ports of one host, and how many may be opening at once. */
const HOST_CONNECT_RATE = 3_000
const HOST_OPENING = 256
const KEPT = 1_000

export const createLanes = (options: { readonly perSecond: number; readonly concurrency: number }): Lanes => {
  const requests = laneMap(options)
  const ports = laneMap({ perSecond: Math.max(PORT_RATE, options.perSecond * 2.5), concurrency: options.concurrency })
  const hosts = laneMap({ perSecond: Math.max(HOST_CONNECT_RATE, options.perSecond), concurrency: HOST_OPENING })
  return {
    factor: (host) => requests(host).factor(),
    request: (host, module, signal) => requests(host).acquire(module, signal),
    connection: async (host, port, module, signal) => {
      const closed = await ports(`${host}:${port}`).acquire(module, signal)
      try {
        const connected = await hosts(host).acquire(module, signal)
        return { connected: (latency) => connected(latency === undefined ? {} : { latency }), closed: () => closed() }
      } catch (error) {
        closed()
        throw error
      }
    },
  }
}

/** Paces by key, made when first asked for and forgotten when long unused. */
const laneMap = (options: { readonly perSecond: number; readonly concurrency: number }): ((key: string) => Pace) => {
  const lanes = new Map<string, Pace>()
  let sweepAt = KEPT
  return (key) => {
    const known = lanes.get(key)
    if (known) return known
    if (lanes.size >= sweepAt) {
      for (const [name, pace] of lanes) if (pace.idle()) lanes.delete(name)
      // Twice what is in use, so that a sweep costs each new lane a constant.
      sweepAt = Math.max(KEPT, lanes.size * 2)
    }
    const made = createPace(options)
    lanes.set(key, made)
    return made
  }
}
