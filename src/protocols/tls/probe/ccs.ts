/** CVE-2014-0224: change_cipher_spec before there are keys, taken by OpenSSL of its time. */
import { randomBytes } from 'node:crypto'
import type { EndpointFacts } from '../endpoint.ts'
import { u8 } from '../wire/bytes.ts'
import { readFlight } from '../wire/flight.ts'
import { helloRecord } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { RECORD, record } from '../wire/record.ts'
import { classicHello } from './hellos.ts'
import type { Agreed } from './keys.ts'
import { reactionOf } from './reaction.ts'

type Ccs = EndpointFacts['ccs']

/** A server that refuses does so at once; one that took it stays silent. */
const WAIT = 1_200

/**
 * Silence after the early message proves little. What follows does: a server that switched its keys tries to decrypt
 * the next record and complains of its MAC; one that ignored the message complains of an unexpected one.
 */
export const probeCcs = async (prober: Prober, agreed: Agreed): Promise<Ccs> => {
  const first = await inject(prober, agreed)
  if (first.verdict !== 'vulnerable') return first
  const second = await inject(prober, agreed)
  return second.verdict === 'vulnerable' ? first : { verdict: 'inconclusive', notes: [...first.notes, ...second.notes] }
}

const inject = async (prober: Prober, agreed: Agreed): Promise<Ccs> => {
  const result = await prober.converse(async (channel): Promise<Ccs> => {
    channel.write(helloRecord(classicHello(prober.endpoint, agreed.version, agreed.suites)))
    const flight = await readFlight(channel, prober.deadline(), true)
    if (flight.end.kind !== 'done') return { verdict: 'inconclusive', notes: ['no whole answer to the hello'] }
    channel.write(record(RECORD.changeCipherSpec, agreed.version, u8(1)))
    const early = await reactionOf(channel.record, prober.deadline(WAIT))
    if (early !== 'timeout') return { verdict: 'safe', notes: [`early change_cipher_spec: ${early}`] }
    channel.write(record(RECORD.handshake, agreed.version, randomBytes(80)))
    const late = await reactionOf(channel.record, prober.deadline(WAIT))
    const notes = ['early change_cipher_spec: silence', `then a random record: ${late}`]
    const decrypts = /bad_record_mac|decryption_failed|decrypt_error/.test(late)
    return { verdict: decrypts ? 'vulnerable' : 'inconclusive', notes }
  })
  return result ?? { verdict: 'inconclusive', notes: ['no connection'] }
}
