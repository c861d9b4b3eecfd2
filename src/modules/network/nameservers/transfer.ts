/** A zone transfer as any stranger may ask for it (RFC 5936), read only as far as a proof needs. */
import { randomInt } from 'node:crypto'
import type { Duplex } from 'node:stream'
import packet from 'dns-packet'
import { type Egress, EgressError } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import { isPrivate } from '../../../knowledge/dns/addresses.ts'
import type { LeftOut } from '../../../protocols/dns/left-out.ts'
import { bare } from '../../../protocols/dns/wire.ts'
import type { TransferFacts } from './facts.ts'

/** Bytes read of a transfer; enough for thousands of records. */
const MOST_BYTES = 256 * 1024
const MOST_SAMPLES = 20
const MOST_INTERNAL = 20
const MOST_HOSTS = 500
/** Milliseconds from the question to the last byte. */
const TIMEOUT = 6_000
const INTERNAL =
  /^(?:.*[.-])?(?:intranet|internal|intern|corp|vpn|dc\d*|ldap|db\d*|sql|backup|admin|staging|dev|test|jenkins|gitlab|nas|esx\w*|vcenter)(?:[.-].*)?$/i

export const askTransfer = async (
  egress: Egress,
  zone: string,
  server: string,
  address: string,
): Promise<TransferFacts> => {
  const nothing = { server, address, records: 0, sample: [], internal: [], hosts: [] }
  try {
    const socket = await egress.connect({ host: address, port: 53, timeout: 3_000 })
    const read = await exchange(socket, zone)
    if (read.records.length === 0)
      return { ...nothing, outcome: read.rcode === null ? 'failed' : 'refused', detail: read.rcode ?? read.ended }
    const texts = read.records.map(showRecord)
    // The addresses of the name servers themselves are public by the delegation.
    const servers = new Set(read.records.flatMap((record) => (record.type === 'NS' ? [bare(String(record.data))] : [])))
    const inner = read.records.filter((record) => isInternal(record, zone) && !servers.has(bare(record.name)))
    const internal = inner.map(showRecord)
    return {
      ...nothing,
      outcome: 'transferred',
      detail: 'NOERROR',
      records: read.records.length,
      sample: texts.slice(0, MOST_SAMPLES),
      internal: [...new Set(internal)].slice(0, MOST_INTERNAL),
      hosts: hostsOf(read.records).slice(0, MOST_HOSTS),
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const left = leftFor(error)
    if (left === null && targetFailure(error) === null) throw error
    const detail = error.message.slice(0, 300)
    return { ...nothing, outcome: 'failed', detail, ...(left === null ? {} : { left }) }
  }
}

const leftFor = (error: EgressError): LeftOut['why'] | null => {
  if (error.code === 'refused_by_guard') return 'refused'
  return error.noRoute ? 'no-route' : null
}

interface Transfer {
  readonly rcode: string | null
  readonly records: readonly packet.Answer[]
  readonly ended: string
}

/** A transfer begins and ends with the SOA record; one that holds nothing else, or only errors, gives nothing. */
const exchange = (socket: Duplex, zone: string): Promise<Transfer> =>
  new Promise((resolve) => {
    const id = randomInt(0x1_0000)
    const records: packet.Answer[] = []
    let received = Buffer.alloc(0)
    let total = 0
    let rcode: string | null = null
    const finish = (ended: string) => {
      clearTimeout(timer)
      socket.destroy()
      // The SOA alone is no zone: it is public anyway.
      resolve({ rcode, records: records.some(({ type }) => type !== 'SOA') ? records : [], ended })
    }
    const timer = setTimeout(() => finish('no whole answer in time'), TIMEOUT)
    socket.on('error', (error) => finish(error.message))
    socket.on('close', () => finish('closed'))
    socket.on('data', (chunk: Buffer) => {
      total += chunk.length
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const message = readMessage(received.subarray(2, 2 + received.readUInt16BE(0)), id)
        received = received.subarray(2 + received.readUInt16BE(0))
        if (message === null) return finish('not an answer to the question')
        rcode = message.rcode
        records.push(...message.answers)
        const done = message.rcode !== 'NOERROR' || message.answers.length === 0 || isWhole(records)
        if (done) return finish('')
      }
      if (total > MOST_BYTES) finish('')
    })
    socket.write(question(zone, id))
  })

const isWhole = (records: readonly packet.Answer[]): boolean => records.length > 1 && records.at(-1)?.type === 'SOA'

const question = (zone: string, id: number): Buffer => {
  const query = packet.encode({ type: 'query', id, questions: [{ type: 'AXFR', name: zone }] })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(query.length)
  return Buffer.concat([length, query])
}

const readMessage = (
  bytes: Buffer,
  id: number,
): { readonly rcode: string; readonly answers: packet.Answer[] } | null => {
  try {
    const reply: packet.DecodedPacket & { readonly rcode?: string } = packet.decode(bytes)
    if (reply.type !== 'response' || reply.id !== id) return null
    return { rcode: reply.rcode ?? 'NOERROR', answers: reply.answers ?? [] }
  } catch {
    // Malformed: the peer does not speak DNS, which ends the transfer.
    return null
  }
}

const isInternal = (record: packet.Answer, zone: string): boolean => {
  if (record.type === 'A' || record.type === 'AAAA') {
    const label = record.name
      .toLowerCase()
      .replace(/\.$/, '')
      .slice(0, -zone.length - 1)
    return isPrivate(String(record.data)) || INTERNAL.test(label)
  }
  return false
}

const hostsOf = (records: readonly packet.Answer[]): readonly string[] => [
  ...new Set(records.flatMap(({ type, name }) => (['A', 'AAAA', 'CNAME'].includes(type) ? [bare(name)] : []))),
]

const showRecord = (record: packet.Answer): string => {
  const data = 'data' in record ? record.data : ''
  const text = typeof data === 'string' ? data : Array.isArray(data) ? data.map(String).join(' ') : JSON.stringify(data)
  return `${record.name} ${record.type} ${text}`.slice(0, 200)
}
