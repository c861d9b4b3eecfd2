/** DNS messages in and out (RFC 1035, 6891). */
import packet from 'dns-packet'
import { type DnsAnswer, type DnsQuestion, type DnsRecord, EgressError } from '../door/egress.ts'
import { type MessageRdata, readRdata } from './dns-rdata.ts'

/** An answer with what the client needs to know of its message. */
export interface Decoded {
  readonly answer: DnsAnswer
  readonly rcode: string
  readonly truncated: boolean
  readonly edns: boolean
}

/**
 * `size`: the UDP payload that EDNS0 offers in octets; null leaves EDNS0 out.
 * @throws EgressError protocol, for a name that no message can hold
 */
export const encode = (question: DnsQuestion, id: number, size: number | null): Buffer => {
  try {
    return write(question, id, size)
  } catch (cause) {
    throw new EgressError('protocol', `${question.name.slice(0, 255)} cannot be asked for`, { cause })
  }
}

const write = (question: DnsQuestion, id: number, size: number | null): Buffer =>
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

/** Null when the message is not the answer to this question. `server` names who gave it. */
export const decode = (message: Buffer, id: number, question: DnsQuestion, server: string): Decoded | null => {
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
      server,
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
