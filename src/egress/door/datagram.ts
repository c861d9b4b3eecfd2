/** One datagram to an address, and what comes back within the wait. */
import { converse } from '../sockets/udp.ts'

const MAX_REPLIES = 64 * 1024

/** @throws EgressError when it cannot be sent; no reply is an empty list, an ICMP refusal is `unreachable` */
export const sendDatagram = (
  target: {
    readonly address: string
    readonly port: number
    readonly payload: Uint8Array
    /** Milliseconds. */
    readonly wait: number
    readonly anyPort?: boolean
  },
  signal: AbortSignal,
): Promise<readonly Buffer[]> => {
  const { address, port, payload, wait, anyPort = false } = target
  const replies: Buffer[] = []
  let size = 0
  return converse<readonly Buffer[]>({
    address,
    port,
    payload,
    anyPort,
    signal,
    what: `${address} UDP port ${port}`,
    silence: { wait, give: () => replies },
    hear: (message, from) => {
      if (from.address !== address) return undefined
      const kept = message.subarray(0, MAX_REPLIES - size)
      replies.push(Buffer.from(kept))
      size += kept.length
      return size >= MAX_REPLIES ? replies : undefined
    },
  })
}
