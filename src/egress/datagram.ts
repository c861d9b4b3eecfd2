/** One datagram to an address, and what comes back within the wait. */
import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { socketError } from './tcp.ts'

const MAX_REPLIES = 64 * 1024

/** @throws EgressError when it cannot be sent; no reply is an empty list, an ICMP refusal is `unreachable` */
export const sendDatagram = (
  target: {
    readonly address: string
    readonly port: number
    readonly payload: Uint8Array
    readonly wait: number
    readonly anyPort?: boolean
  },
  signal: AbortSignal,
): Promise<readonly Buffer[]> =>
  new Promise((resolve, reject) => {
    const { address, port, payload, wait, anyPort = false } = target
    const replies: Buffer[] = []
    let size = 0
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.close()
      settle()
    }
    const abort = () => finish(() => reject(signal.reason))
    const timer = setTimeout(() => finish(() => resolve(replies)), wait)
    if (signal.aborted) {
      abort()
      return
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', (error) => finish(() => reject(socketError(error, `${address} UDP port ${port}`))))
    socket.on('message', (message, from) => {
      if (from.address !== address) return
      const kept = message.subarray(0, MAX_REPLIES - size)
      replies.push(Buffer.from(kept))
      size += kept.length
      if (size >= MAX_REPLIES) finish(() => resolve(replies))
    })
    // A connected socket hears of ICMP refusals, but nothing from other ports.
    if (anyPort) socket.send(payload, port, address)
    else socket.connect(port, address, () => socket.send(payload))
  })
