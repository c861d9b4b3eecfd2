/** A small DNS client: UDP with EDNS0, TCP where the answer does not fit (RFC 1035, 6891, 7766). */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import packet from 'dns-packet'
import { startDeadline } from './deadline.ts'
import { type MessageRdata, readRdata } from './dns-rdata.ts'
import { type DnsAnswer, type DnsQuestion, type DnsRecord, EgressError } from './egress.ts'
import { dial, socketError } from './tcp.ts'

export interface DnsServer {
  readonly address: string
  readonly port: number
}

/** Reads `address`, `address:port` or `[v6]:port`. @throws RangeError */
export const parseServer = (text: string): DnsServer => {
  if (isIP(text)) return { address: text, port: 53 }
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text.trim())
  const address = match?.[1] ?? match?.[2] ?? ''
  const port = Number(match?.[3] ?? 53)
  if (!isIP(address) || port < 1 || port > 65_535) throw new RangeError(`"${text}" is not the address of a DNS server`)
  return { address, port }
}

/** The system's resolvers, as resolv.conf(5) has it: without one, the local machine's. */
export const systemServers = (file = '/etc/resolv.conf'): DnsServer[] => {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const found = [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)]
    .map(([, address = '']) => address)
    .filter((address) => isIP(address) !== 0)
    .map((address) => ({ address, port: 53 }))
  return found.length > 0 ? found.slice(0, 3) : [{ address: '127.0.0.1', port: 53 }]
}

/** One question to one server. @throws EgressError timeout, unreachable, protocol, aborted */
export const queryServer = async (
  question: DnsQuestion,
  server: DnsServer,
  signal: AbortSignal,
): Promise<DnsAnswer> => {
  const first = await overUdp(question, server, signal, UDP_SIZE)
  // A server from before EDNS0 answers the OPT record with an error (RFC 6891, 7).
  const decoded =
    (first.rcode === 'FORMERR' || first.rcode === 'NOTIMP') && !first.edns
      ? await overUdp(question, server, signal, null)
      : first
  return (decoded.truncated ? await overTcp(question, server, signal) : decoded).answer
}

/** Asks each server in turn, twice over, until one gives a usable answer; an error answer is kept as the last resort. */
export const queryAny = async (
  question: DnsQuestion,
  servers: readonly DnsServer[],
  signal: AbortSignal,
): Promise<DnsAnswer> => {
  const attempts = [...servers, ...servers]
  let answer: DnsAnswer | null = null
  let failure: unknown = null
  for (const server of attempts) {
    const deadline = startDeadline(ATTEMPT_TIMEOUT, signal, `DNS server ${server.address}`)
    try {
      answer = await queryServer(question, server, deadline.signal)
      if (!TRY_NEXT.has(answer.rcode)) return answer
    } catch (error) {
      if (signal.aborted) throw signal.reason
      failure = error
    } finally {
      deadline.end()
    }
  }
  if (answer) return answer
  throw failure ?? new EgressError('unresolvable', 'no DNS server is configured')
}

/** The size that passes without fragments nearly everywhere (DNS flag day 2020). */
const UDP_SIZE = 1232
const ATTEMPT_TIMEOUT = 2_000
const TRY_NEXT: ReadonlySet<string> = new Set(['SERVFAIL', 'REFUSED', 'NOTIMP', 'FORMERR'])

interface Decoded {
  readonly answer: DnsAnswer
  readonly rcode: string
  readonly truncated: boolean
  readonly edns: boolean
}

const overUdp = (
  question: DnsQuestion,
  server: DnsServer,
  signal: AbortSignal,
  size: number | null,
): Promise<Decoded> =>
  new Promise((resolve, reject) => {
    const id = randomInt(0x1_0000)
    const socket = createSocket(isIP(server.address) === 6 ? 'udp6' : 'udp4')
    const finish = (settle: () => void) => {
      signal.removeEventListener('abort', abort)
      socket.close()
      settle()
    }
    const abort = () => finish(() => reject(signal.reason))
    if (signal.aborted) {
      abort()
      return
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', (error) => finish(() => reject(socketError(error, `DNS server ${server.address}`))))
    socket.on('message', (message) => {
      // Anything but the answer to this question is noise or forgery; the deadline bounds the wait for the real one.
      const decoded = decode(message, id, question, server)
      if (decoded) finish(() => resolve(decoded))
    })
    // A connected socket hears only this server, from a port the system picks at random (RFC 5452).
    socket.connect(server.port, server.address, () => socket.send(encode(question, id, size)))
  })

const overTcp = async (question: DnsQuestion, server: DnsServer, signal: AbortSignal): Promise<Decoded> => {
  const what = `DNS server ${server.address} over TCP`
  const socket = await dial({ ...server, signal })
  const id = randomInt(0x1_0000)
  try {
    return await new Promise((resolve, reject) => {
      let received = Buffer.alloc(0)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      socket.once('error', (error) => reject(socketError(error, what)))
      socket.once('close', () => reject(new EgressError('protocol', `${what}: closed before its answer`)))
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk])
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
        const decoded = decode(received.subarray(2, 2 + received.readUInt16BE(0)), id, question, server)
        if (decoded) resolve(decoded)
        else reject(new EgressError('protocol', `${what}: not an answer to the question`))
      })
      const message = encode(question, id, UDP_SIZE)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(message.length)
      socket.write(Buffer.concat([length, message]))
    })
  } finally {
    socket.on('error', () => undefined)
    socket.destroy()
  }
}

const encode = (question: DnsQuestion, id: number, size: number | null): Buffer =>
  packet.encode({
    type: 'query',
    id,
    flags:
      (question.recursive === false ? 0 : packet.RECURSION_DESIRED) |
      (question.checkingDisabled ? packet.CHECKING_DISABLED : 0) |
      // AD in a query asks for the AD bit in the answer (RFC 6840, 5.7).
      packet.AUTHENTIC_DATA,
    questions: [{ type: question.type, name: question.name }],
    additionals:
      size === null
        ? []
        : [
            {
              type: 'OPT',
              name: '.',
              udpPayloadSize: size,
              flags: question.dnssec ? packet.DNSSEC_OK : 0,
              options: [],
            } as unknown as packet.Answer,
          ],
  })

/** Null when the message is not the answer to this question. */
const decode = (message: Buffer, id: number, question: DnsQuestion, server: DnsServer): Decoded | null => {
  let reply: packet.DecodedPacket & { readonly rcode?: string }
  let rdata: MessageRdata
  try {
    reply = packet.decode(message)
    rdata = readRdata(message)
  } catch {
    // Malformed: treated as not sent, like any datagram that is not ours.
    return null
  }
  const asked = reply.questions?.[0]
  if (reply.type !== 'response' || reply.id !== id) return null
  if (asked && (asked.type !== question.type || !sameName(asked.name, question.name))) return null
  if (!asked && reply.rcode === 'NOERROR') return null
  const records = (list: readonly packet.Answer[] | undefined, data: readonly string[]) =>
    (list ?? []).flatMap((record, index) => (record.type === 'OPT' ? [] : [plainRecord(record, data[index] ?? '')]))
  const rcode = reply.rcode ?? 'NOERROR'
  return {
    rcode,
    truncated: reply.flag_tc,
    edns: (reply.additionals ?? []).some((record) => record.type === 'OPT'),
    answer: {
      server: server.port === 53 ? server.address : `${server.address}:${server.port}`,
      rcode,
      authoritative: reply.flag_aa,
      authenticated: reply.flag_ad,
      answers: records(reply.answers, rdata.answers),
      authorities: records(reply.authorities, rdata.authorities),
      additionals: records(reply.additionals, rdata.additionals),
    },
  }
}

const plainRecord = (record: packet.Answer, rdata: string): DnsRecord => ({
  name: record.name,
  type: record.type as string,
  ttl: 'ttl' in record && typeof record.ttl === 'number' ? record.ttl : 0,
  data: plainData(record.type, 'data' in record ? record.data : null),
  rdata,
})

/** TXT gives a list of strings (one per character-string); other bytes become base64, so that facts stay plain JSON. */
const plainData = (type: string, data: unknown): unknown => {
  if (type === 'TXT') return (Array.isArray(data) ? data : [data]).map((part) => Buffer.from(part as Buffer).toString())
  if (Buffer.isBuffer(data)) return data.toString('base64')
  if (Array.isArray(data)) return data.map((item) => plainData('', item))
  if (data === null || typeof data !== 'object') return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, plainData('', value)]))
}

const sameName = (a: string, b: string): boolean => bareName(a) === bareName(b)
const bareName = (name: string): string => name.toLowerCase().replace(/\.$/, '')
