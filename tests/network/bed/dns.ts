/** Name servers and resolvers of the bed: one table of records, each server with manners of its own. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import packet from 'dns-packet'

/** `name TYPE` to the data of its records. */
export type Records = Readonly<Record<string, readonly unknown[]>>

export interface Manners {
  readonly address: string
  readonly records: Records
  /** silent takes questions and says nothing; absent does not listen at all. */
  readonly udp?: 'answers' | 'silent' | 'absent'
  readonly tcp?: 'answers' | 'silent' | 'absent'
  /** An authoritative server sets AA, a resolver RA. */
  readonly authoritative?: boolean
  /** Names at and below `zone` are referred to these servers, with their addresses. */
  readonly refers?: { readonly zone: string; readonly to: Readonly<Record<string, string>> }
  /** Answers SERVFAIL for names at and below it: as a validating resolver does for what is bogus. */
  readonly fails?: string
  /** The same where the question has checking disabled, as a forwarder does that drops the flag. */
  readonly failsUnchecked?: boolean
}

/** Listens until the process ends. */
export const serveDns = async (manners: Manners): Promise<void> => {
  const { address, udp = 'answers', tcp = 'answers' } = manners
  if (udp !== 'absent') {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    socket.on('message', (message, peer) => {
      if (udp === 'answers') socket.send(replyTo(message, manners), peer.port, peer.address)
    })
    socket.bind(53, address)
    await once(socket, 'listening')
  }
  if (tcp !== 'absent') {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.on('data', (chunk) => {
        if (tcp === 'silent') return
        const reply = replyTo(chunk.subarray(2), manners)
        const length = Buffer.alloc(2)
        length.writeUInt16BE(reply.length)
        socket.write(Buffer.concat([length, reply]))
      })
    })
    server.listen(53, address)
    await once(server, 'listening')
  }
}

const referral = (query: packet.DecodedPacket, { zone, to }: NonNullable<Manners['refers']>): Buffer =>
  packet.encode({
    type: 'response',
    id: query.id,
    flags: packet.RECURSION_DESIRED,
    questions: query.questions,
    authorities: Object.keys(to).map((data) => ({ name: zone, type: 'NS', ttl: 300, data })),
    additionals: Object.entries(to).map(([name, data]) => ({ name, type: 'A', ttl: 300, data })),
  })

const NXDOMAIN = 3
const SERVFAIL = 2

const replyTo = (message: Buffer, manners: Manners): Buffer => {
  const query = packet.decode(message)
  const [question] = query.questions ?? []
  const name = (question?.name ?? '').toLowerCase()
  const type = question?.type ?? 'A'
  const { records, authoritative = false, fails, failsUnchecked = false } = manners
  const refuses = fails !== undefined && `.${name}`.endsWith(`.${fails}`) && (failsUnchecked || !query.flag_cd)
  const found = refuses ? [] : (records[`${name} ${type}`] ?? [])
  const exists = Object.keys(records).some((key) => `.${key.split(' ')[0]}`.endsWith(`.${name}`))
  const zone = ['shop.test', 'test', ''].find((one) => name === one || name.endsWith(`.${one}`) || one === '') ?? ''
  const below =
    manners.refers && `.${name}`.endsWith(`.${manners.refers.zone}`) && type !== 'DS' ? manners.refers : null
  if (below) return referral(query, below)
  const answers = found.map((data) => ({ name: name || '.', type, ttl: 300, data }) as unknown as packet.Answer)
  const [soa] = records[`${zone} SOA`] ?? []
  const denial = found.length === 0 && !refuses && soa !== undefined
  return packet.encode({
    type: 'response',
    id: query.id,
    flags:
      (authoritative ? packet.AUTHORITATIVE_ANSWER : packet.RECURSION_AVAILABLE) |
      packet.RECURSION_DESIRED |
      (refuses ? SERVFAIL : exists ? 0 : NXDOMAIN),
    questions: query.questions,
    answers,
    authorities: denial ? [{ name: zone || '.', type: 'SOA', ttl: 300, data: soa } as unknown as packet.Answer] : [],
  })
}
