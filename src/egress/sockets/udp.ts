/** Opens UDP sockets: one conversation each, then they are closed. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIP } from 'node:net'
import { EgressError } from '../door/egress.ts'
import { socketError } from './errors.ts'

export interface Conversation<Heard> {
  /** Canonical address that the guard allowed. */
  readonly address: string
  readonly port: number
  readonly payload: Uint8Array
  /** Names the peer in errors. */
  readonly what: string
  /** Judges each datagram; the first result that is not undefined is the conversation's. */
  readonly hear: (message: Buffer, from: RemoteInfo) => Heard | undefined
  /** Also hears other ports of other hosts, and then nothing of ICMP: the socket is not connected. */
  readonly anyPort?: boolean
  /** Milliseconds of listening, and what to give when they are over. Without it the signal alone ends the wait. */
  readonly silence?: { readonly wait: number; readonly give: () => Heard }
  readonly signal: AbortSignal
}

/**
 * Sends one datagram and hears what comes back. A connected socket hears its peer alone, from a port that the system
 * picks at random (RFC 5452), and learns of ICMP refusals.
 * @throws EgressError unreachable, exhausted, protocol, or the signal's reason
 */
export const converse = <Heard>(conversation: Conversation<Heard>): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const { address, port, payload, what, hear, anyPort = false, silence, signal } = conversation
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const socket = openSocket(address, what, reject)
    if (!socket) return
    let over = false
    let timer: NodeJS.Timeout | undefined
    const finish = (settle: () => void): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      closeOnce(socket)
      settle()
    }
    const abort = () => finish(() => reject(signal.reason))
    const fail = (error: unknown) => finish(() => reject(socketError(error, what)))
    /** Every step may throw at once, too: the system's refusals of a connect come so at the next call. */
    const guarded = (step: () => void): void => {
      if (over) return
      try {
        step()
      } catch (error) {
        fail(error)
      }
    }
    const sent = (error: Error | null): void => {
      if (error) fail(error)
    }
    // It stays until the end of the socket: what comes late is heard by `finish`, which has nothing left to do.
    socket.on('error', fail)
    socket.on('message', (message, from) =>
      guarded(() => {
        const heard = hear(message, from)
        if (heard !== undefined) finish(() => resolve(heard))
      }),
    )
    signal.addEventListener('abort', abort, { once: true })
    if (silence) timer = setTimeout(() => finish(() => resolve(silence.give())), silence.wait)
    guarded(() => {
      if (anyPort) socket.send(payload, port, address, sent)
      // Typed without it, but the callback is told of a failure, and then the event is not.
      else
        socket.connect(port, address, ((error?: Error) =>
          error ? fail(error) : guarded(() => socket.send(payload, sent))) as () => void)
    })
  })

/**
 * Whether this machine has a way to an address. Connecting a UDP socket sends nothing: the system only looks for a
 * route and for an address of its own, which is how getaddrinfo sorts addresses (RFC 6724, 5).
 * @throws EgressError exhausted, or the signal's reason
 */
export const hasRoute = async (address: string, signal: AbortSignal): Promise<boolean> => {
  if (signal.aborted) throw signal.reason
  return new Promise((resolve, reject) => {
    const socket = openSocket(address, address, reject)
    if (!socket) return
    const decide = (error: unknown) => {
      closeOnce(socket)
      const failure = error ? socketError(error, address) : null
      // Of the ways to run out, having no address for this family is the one that another try does not fix.
      const noAddress = error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL'
      if (failure?.code === 'exhausted' && !noAddress) reject(failure)
      else resolve(failure === null)
    }
    socket.on('error', decide)
    try {
      socket.connect(DISCARD, address, decide as () => void)
    } catch (error) {
      decide(error)
    }
  })
}

/** The port of RFC 863; nothing is sent there. */
const DISCARD = 9

const openSocket = (address: string, what: string, reject: (reason: unknown) => void): Socket | null => {
  const family = isIP(address)
  // With a name the runtime would go and resolve it, past the guard.
  if (family === 0) {
    reject(new EgressError('protocol', `"${address.slice(0, 255)}" is not an IP address`))
    return null
  }
  try {
    return createSocket(family === 6 ? 'udp6' : 'udp4')
  } catch (error) {
    reject(socketError(error, what))
    return null
  }
}

/** The runtime closes a socket by itself after some errors, and a second close throws. */
const closeOnce = (socket: Socket): void => {
  try {
    socket.close()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SOCKET_DGRAM_NOT_RUNNING')) throw error
  }
}
