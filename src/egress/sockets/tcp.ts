/** Opens TCP connections, and only to addresses: names were resolved and judged before. */
import { type ClientRequest, type RequestOptions, request } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { EgressError } from '../door/egress.ts'
import { socketError } from './errors.ts'

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
