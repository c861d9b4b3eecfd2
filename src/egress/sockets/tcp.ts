/** Opens TCP connections, and only to addresses: names were resolved and judged before. Which of them this machine has a way to is remembered. */
import { type ClientRequest, type RequestOptions, request } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { EgressError } from '../door/egress.ts'
import { socketError } from './errors.ts'
import { hasRoute } from './udp.ts'

export interface Dial {
  /** Canonical address that the guard allowed. */
  readonly address: string
  readonly port: number
  /** Rejects the attempt with its reason. */
  readonly signal: AbortSignal
}

/**
 * A connected socket. An error that comes after it was handed over belongs to whoever listens; where nobody does, the
 * socket closes, and the process goes on.
 * @throws EgressError unreachable, exhausted, timeout, protocol, or the signal's reason
 */
export const dial = ({ address, port, signal }: Dial): Promise<Socket> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const what = `${address} port ${port}`
    let socket: Socket
    try {
      // With a name the runtime would go and resolve it, past the guard.
      if (isIP(address) === 0) throw new EgressError('protocol', `"${address.slice(0, 255)}" is not an IP address`)
      socket = connect({ host: address, port, autoSelectFamily: false, noDelay: true })
    } catch (error) {
      reject(socketError(error, what))
      return
    }
    socket.on('error', unheard)
    const settle = () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', fail)
      socket.off('connect', succeed)
    }
    const abort = () => {
      settle()
      socket.destroy()
      reject(signal.reason)
    }
    const fail = (error: Error) => {
      settle()
      socket.destroy()
      reject(socketError(error, what))
    }
    const succeed = () => {
      settle()
      resolve(socket)
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', fail)
    socket.once('connect', succeed)
  })

/**
 * An HTTP request on a connection that is open already: for upgrades, where the answer is no message but a stream.
 * @throws EgressError protocol, where what is to be sent is no request
 */
export const requestOver = (
  socket: Duplex,
  options: Pick<RequestOptions, 'method' | 'path' | 'headers' | 'setHost' | 'insecureHTTPParser' | 'maxHeaderSize'>,
): ClientRequest => {
  try {
    const sent = request({ ...options, createConnection: () => socket })
    return sent.on('error', unheard)
  } catch (error) {
    throw socketError(error, 'the request')
  }
}

/** Without a listener of ours an error that comes when the caller has gone would end the process (Node, `error` events). */
export const unheard = (): void => undefined

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
