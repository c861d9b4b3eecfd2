/** A DNS server on loopback, over UDP and TCP on one port. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import packet from 'dns-packet'

export interface Zone {
  readonly answers?: readonly packet.Answer[]
  readonly authorities?: readonly packet.Answer[]
  readonly rcode?: number
  readonly flags?: number
}

export interface DnsListening {
  /** `127.0.0.1:port` */
  readonly server: string
  readonly port: number
  readonly asked: { readonly transport: 'udp' | 'tcp'; readonly query: packet.DecodedPacket }[]
  readonly close: () => Promise<void>
}

type Reply = Zone | Buffer | readonly Buffer[] | null

/** `answer` gives the zone's part of the reply, raw messages, or null for silence. */
export const listenDns = async (
  answer: (question: packet.Question, transport: 'udp' | 'tcp', query: packet.DecodedPacket) => Reply,
): Promise<DnsListening> => {
  const asked: { transport: 'udp' | 'tcp'; query: packet.DecodedPacket }[] = []
  const replies = (message: Buffer, transport: 'udp' | 'tcp'): readonly Buffer[] => {
    const query = packet.decode(message)
    asked.push({ transport, query })
    const question = query.questions?.[0]
    const reply = question ? answer(question, transport, query) : null
    if (reply === null) return []
    if (Buffer.isBuffer(reply)) return [reply]
    if (Array.isArray(reply)) return reply
    return [encodeReply(query, reply as Zone)]
  }
  const tcp = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const reply of replies(chunk.subarray(2), 'tcp')) {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(reply.length)
        socket.write(Buffer.concat([length, reply]))
      }
    })
  })
  await new Promise<void>((resolve) => {
    tcp.listen(0, '127.0.0.1', resolve)
  })
  const address = tcp.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const udp = createSocket('udp4')
  udp.on('message', (message, peer) => {
    for (const reply of replies(message, 'udp')) udp.send(reply, peer.port, peer.address)
  })
  await new Promise<void>((resolve) => {
    udp.bind(port, '127.0.0.1', resolve)
  })
  return {
    server: `127.0.0.1:${port}`,
    port,
    asked,
    close: async () => {
      await new Promise<void>((resolve) => {
        udp.close(() => resolve())
      })
      await new Promise<void>((resolve) => {
        tcp.close(() => resolve())
      })
    },
  }
}

export const encodeReply = (query: packet.DecodedPacket, zone: Zone): Buffer =>
  packet.encode({
    type: 'response',
    id: query.id,
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | (zone.flags ?? 0) | (zone.rcode ?? 0),
    questions: query.questions,
    answers: [...(zone.answers ?? [])],
    authorities: [...(zone.authorities ?? [])],
  })
