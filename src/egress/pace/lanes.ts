/**
 * The paces of a run: one per address for requests, and for raw connections one per port with a shared, wider one per
 * address, so that a port scan is quick while no single service is asked faster than it can bear. Other runs may be on the
 * same address; each uses its share of all three.
 */
import { createPace, type Pace, type Release } from './pace.ts'
import { createShares, type LeaseSlice } from './shares.ts'

export interface Lanes {
  /** `spare`: it gives way to others; `of`: what is asked, so that a pause may be its own. See `Pace.acquire`. */
  readonly request: (
    host: string,
    module: string,
    signal: AbortSignal,
    spare?: boolean,
    of?: string,
  ) => Promise<Release>
  /** `connected` (with the milliseconds it took) frees the address's place, `closed` the port's. */
  readonly connection: (
    host: string,
    port: number,
    module: string,
    signal: AbortSignal,
  ) => Promise<{ readonly connected: (latency?: number) => void; readonly closed: () => void }>
}

/** New connections a second to one port: a scan of cipher suites needs more than a page load does. */
const PORT_RATE = 50
/** New connections a second to all ports of one address, and how many may be opening at once. */
const CONNECT_RATE = 3_000
const OPENING = 256
const KEPT = 1_000

export interface LanesOptions {
  readonly perSecond: number
  readonly concurrency: number
  /** The address that the host is dialled at, or the host itself where there is none. Default: the host. */
  readonly addressOf?: (host: string, signal: AbortSignal) => Promise<string>
  /** Default: the run is alone with its addresses. */
  readonly lease?: LeaseSlice | undefined
  /** Nobody gets a turn once it has aborted: its reason is thrown. */
  readonly silence?: AbortSignal | undefined
}

export const createLanes = ({ perSecond, concurrency, addressOf, lease, silence }: LanesOptions): Lanes => {
  const shares = lease
    ? createShares(lease, (address) => {
        for (const map of [requests, ports, opening]) map.look(address)
      })
    : () => 1
  const lanesOf = (rate: number, places: number) =>
    laneMap((address) =>
      createPace({ perSecond: rate, concurrency: places, share: (wanted) => shares(address, wanted) }),
    )
  const requests = lanesOf(perSecond, concurrency)
  const ports = lanesOf(Math.max(PORT_RATE, perSecond * 2.5), concurrency)
  const opening = lanesOf(Math.max(CONNECT_RATE, perSecond), OPENING)
  const dialled = async (host: string, signal: AbortSignal): Promise<string> =>
    addressOf ? addressOf(host, signal) : host
  /** Also for who was waiting for a turn when it became silent. */
  const unlessSilent = (release?: Release): void => {
    if (silence?.aborted !== true) return
    release?.()
    throw silence.reason
  }
  return {
    request: async (host, module, signal, spare = false, of = '') => {
      unlessSilent()
      const release = await requests.lane(await dialled(host, signal)).acquire(module, signal, spare, of)
      unlessSilent(release)
      return release
    },
    connection: async (host, port, module, signal) => {
      unlessSilent()
      const address = await dialled(host, signal)
      const closed = await ports.lane(address, port).acquire(module, signal)
      try {
        const connected = await opening.lane(address).acquire(module, signal)
        unlessSilent(connected)
        return { connected: (latency) => connected(latency === undefined ? {} : { latency }), closed: () => closed() }
      } catch (error) {
        closed()
        throw error
      }
    },
  }
}

/** Paces of addresses, or of their ports: made when first asked for and forgotten when long unused. */
const laneMap = (make: (address: string) => Pace) => {
  const lanes = new Map<string, { readonly address: string; readonly pace: Pace }>()
  let sweepAt = KEPT
  return {
    lane: (address: string, port?: number): Pace => {
      const key = `${address} ${port ?? ''}`
      const known = lanes.get(key)
      if (known) return known.pace
      if (lanes.size >= sweepAt) {
        for (const [name, { pace }] of lanes) if (pace.idle()) lanes.delete(name)
        // Twice what is in use, so that a sweep costs each new lane a constant.
        sweepAt = Math.max(KEPT, lanes.size * 2)
      }
      const pace = make(address)
      lanes.set(key, { address, pace })
      return pace
    },
    /** The share of this address has changed. */
    look: (changed: string): void => {
      for (const { address, pace } of lanes.values()) if (address === changed) pace.look()
    },
  }
}
