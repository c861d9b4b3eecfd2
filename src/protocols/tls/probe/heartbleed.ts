/** CVE-2014-0160: a heartbeat that says it is longer than it is, answered with what lay behind it in memory. */
import type { EndpointFacts } from '../endpoint.ts'
import { u8, u16 } from '../wire/bytes.ts'
import { isEnded } from '../wire/channel.ts'
import { readFlight } from '../wire/flight.ts'
import { EXTENSION, helloRecord } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { RECORD, record } from '../wire/record.ts'
import { classicHello, heartbeatAllowed, renegotiationInfo } from './hellos.ts'
import type { Agreed } from './keys.ts'

type Heartbleed = EndpointFacts['heartbleed']

/** Octets that the request claims beyond the one it has: enough for a proof, too few to hold a secret whole. */
const CLAIMED = 64
const WAIT = 1_500

export const probeHeartbleed = async (prober: Prober, agreed: Agreed): Promise<Heartbleed> => {
  const first = await bleed(prober, agreed)
  if (first.verdict !== 'vulnerable') return first
  const second = await bleed(prober, agreed)
  return second.verdict === 'vulnerable' ? first : { verdict: 'inconclusive', notes: [...first.notes, ...second.notes] }
}

const bleed = async (prober: Prober, agreed: Agreed): Promise<Heartbleed> => {
  const hello = classicHello(prober.place, agreed.version, agreed.suites, {
    more: [renegotiationInfo(), heartbeatAllowed],
  })
  const result = await prober.converse(async (channel): Promise<Heartbleed> => {
    channel.write(helloRecord(hello))
    const flight = await readFlight(channel, prober.deadline(), true)
    if (flight.hello === null || flight.end.kind !== 'done')
      return { verdict: 'inconclusive', notes: ['no whole answer to the hello'] }
    if (!flight.hello.extensions.has(EXTENSION.heartbeat))
      return { verdict: 'safe', notes: ['heartbeat is not offered'] }
    const request = Buffer.concat([u8(1), u16(CLAIMED), u8(0x53)])
    channel.write(record(RECORD.heartbeat, agreed.version, request))
    const got = await channel.record(prober.deadline(WAIT))
    if (isEnded(got)) return { verdict: 'safe', notes: [`the false heartbeat was answered by: ${got.kind}`] }
    if (got.type !== RECORD.heartbeat) return { verdict: 'safe', notes: [`answered by a record of type ${got.type}`] }
    const leaked = got.payload.length - request.length
    if (leaked <= 0) return { verdict: 'safe', notes: ['the answer is no longer than the request'] }
    const start = got.payload.subarray(4, 20)
    // The start of what leaked shows that it is no padding of zeros; every other octet is masked.
    const masked = [...start].map((octet, index) => (index % 2 ? '..' : octet.toString(16).padStart(2, '0'))).join(' ')
    return {
      verdict: 'vulnerable',
      notes: [
        `sent ${request.length} octets that claim ${CLAIMED}, received ${got.payload.length}`,
        `first octets beyond (every other one masked): ${masked}`,
      ],
    }
  })
  return result ?? { verdict: 'inconclusive', notes: ['no connection'] }
}
