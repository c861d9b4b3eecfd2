/** The way to a host: its pinned addresses, each through the guard, then the dial. There is no other way out. */
import type { Socket } from 'node:net'
import { sleep } from '../../contract/sleep.ts'
import type { Resolver } from '../dns/resolve.ts'
import { canonicalHost } from '../dns/resolve.ts'
import { isExhausted, isNoRoute } from '../sockets/errors.ts'
import { dial, noRouteTo, type Routes } from '../sockets/tcp.ts'
import { startDeadline } from './deadline.ts'
import { EgressError } from './egress.ts'
import type { Guard } from './guard.ts'

export interface Dialled {
  readonly socket: Socket
  readonly address: string
}

export interface Dialer {
  /**
   * Addresses of the host that may be dialled: the one that answered before first, then those that have not kept silent
   * yet, and at the end those to which this machine has no route. @throws EgressError
   */
  readonly addresses: (host: string, signal: AbortSignal) => Promise<readonly string[]>
  /** The one that is dialled first as far as is known now; the host itself where it has none. Asks no guard. */
  readonly likely: (host: string, signal: AbortSignal) => Promise<string>
  /**
   * A connected socket. Goes on to the host's next address where there is no route to one; with `persist` also where
   * one refuses or does not answer, as a browser does.
   * @throws EgressError
   */
  readonly open: (host: string, port: number, options: OpenOptions) => Promise<Dialled>
}

export interface OpenOptions {
  readonly signal: AbortSignal
  /** Milliseconds for each address. */
  readonly timeout: number
  readonly persist?: boolean
}

export const createDialer = (options: {
  readonly resolve: Resolver
  readonly guard: Guard
  readonly routes: Routes
  /** Told whenever the guard refuses a whole host. */
  readonly refused: (host: string, address: string, reason: string) => void
}): Dialer => {
  const answered = new Map<string, string>()
  /** Of the run: addresses that did not answer a connect in time, and those that have answered one, if only with no. */
  const silent = new Set<string>()
  const heard = new Set<string>()

  const addresses = async (name: string, signal: AbortSignal) => {
    const host = canonicalHost(name)
    const { addresses: resolved } = await options.resolve(host, signal)
    const verdicts = resolved.map((address) => options.guard.judge(address))
    const allowed = verdicts.filter((verdict) => verdict.allowed).map((verdict) => verdict.address)
    if (allowed.length === 0) {
      const refused = verdicts.find((verdict) => !verdict.allowed)
      const address = refused?.address ?? ''
      const reason = refused && !refused.allowed ? refused.reason : 'no address'
      options.refused(host, address, reason)
      throw new EgressError('refused_by_guard', `${host} is at ${address}, which may not be scanned: ${reason}`)
    }
    if (allowed.length === 1) return allowed
    const routed = await Promise.all(allowed.map((address) => options.routes.has(address, signal)))
    const rank = new Map(
      allowed.map((address, index) => {
        if (!routed[index]) return [address, 3]
        if (address === answered.get(host)) return [address, 0]
        return [address, silent.has(address) && !heard.has(address) ? 2 : 1]
      }),
    )
    return allowed.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
  }

  const dialOnce = async (address: string, port: number, timeout: number, signal: AbortSignal): Promise<Socket> => {
    if (!(await options.routes.has(address, signal))) throw noRouteTo(address)
    try {
      const socket = await dialPatiently(address, port, timeout, signal)
      heard.add(address)
      return socket
    } catch (error) {
      if (error instanceof EgressError && !signal.aborted) {
        if (error.code === 'timeout') silent.add(address)
        if (error.code === 'unreachable' && !isNoRoute(error)) heard.add(address)
      }
      throw error
    }
  }

  return {
    addresses,
    likely: async (host, signal) => {
      const known = answered.get(host)
      if (known !== undefined) return known
      try {
        return (await options.resolve(host, signal)).addresses[0] ?? host
      } catch (error) {
        // Whoever goes on to dial it is told why there is none.
        if (error instanceof EgressError) return host
        throw error
      }
    },
    open: async (name, port, { signal, timeout, persist = false }) => {
      const host = canonicalHost(name)
      let failure: unknown = new EgressError('unreachable', `${host} has no address`)
      for (const address of await addresses(host, signal)) {
        try {
          const socket = await dialOnce(address, port, timeout, signal)
          if (!answered.has(host)) answered.set(host, address)
          return { socket, address }
        } catch (error) {
          if (signal.aborted) throw error
          failure = error
          // Once an address has answered, the host's other addresses are not a second chance.
          if (!isNoRoute(error) && (!persist || answered.has(host))) throw error
        }
      }
      throw failure
    },
  }
}

/** Retries when this machine, not the target, was the reason; the deadline ends it. */
const dialPatiently = async (address: string, port: number, timeout: number, signal: AbortSignal): Promise<Socket> => {
  const deadline = startDeadline(timeout, signal, `${address} port ${port}`)
  try {
    for (;;) {
      try {
        return await dial({ address, port, signal: deadline.signal })
      } catch (error) {
        if (!isExhausted(error) || deadline.elapsed() + EXHAUSTED_WAIT > timeout) throw error
        await sleep(EXHAUSTED_WAIT)
      }
    }
  } finally {
    deadline.end()
  }
}

const EXHAUSTED_WAIT = 100
