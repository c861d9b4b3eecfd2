/** CVE-2014-0224: change_cipher_spec before there are keys, taken by OpenSSL of its time. */
import { randomBytes } from 'node:crypto'
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts } from '../endpoint.ts'
import { keysFrom, readEnding } from '../session/classic.ts'
import { answerExchange } from '../session/exchange.ts'
import { prf, prfHashOf, transcriptHash } from '../session/keys.ts'
import { partsOf } from '../session/protection.ts'
import { u8, vector } from '../wire/bytes.ts'
import type { Channel } from '../wire/channel.ts'
import { type Flight, readFlight } from '../wire/flight.ts'
import { buildHello, type Hello, helloRecord } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { HANDSHAKE, handshake, RECORD, record, VERSION } from '../wire/record.ts'
import { classicHello } from './hellos.ts'
import type { Agreed } from './keys.ts'
import { reactionOf } from './reaction.ts'
import { stillAnswers } from './still-answers.ts'

type Ccs = EndpointFacts['ccs']

/** A server that refuses does so at once; one that took it stays silent. */
const WAIT = 1_200

/**
 * Silence after the early message proves little. Two things behind it do: a handshake that comes to its end under keys made
 * of an empty master secret, which anybody on the path can make too; or a complaint of the next record's MAC, which a server
 * that ignored the message would not have looked at.
 */
export const probeCcs = async (prober: Prober, agreed: Agreed): Promise<Ccs> => {
  const first = await inject(prober, agreed)
  if (first.verdict === 'safe') return refused(prober, agreed, first)
  const proof = await finishUnderKnownKeys(prober, agreed)
  if (proof !== null) return { verdict: 'proven', notes: [...first.notes, proof] }
  if (first.verdict !== 'vulnerable') return first
  const second = await inject(prober, agreed)
  return second.verdict === 'vulnerable' ? first : { verdict: 'inconclusive', notes: [...first.notes, ...second.notes] }
}

/** An alert is a refusal. A bare end is one only of a server that still answers: one that died of something ends alike. */
const refused = async (prober: Prober, agreed: Agreed, ccs: Ccs): Promise<Ccs> => {
  if (ccs.notes.some((note) => /\b(?:fatal|warning) /.test(note))) return ccs
  const { answers, note } = await stillAnswers(prober, agreed)
  return { verdict: answers ? ccs.verdict : 'inconclusive', notes: [...ccs.notes, note] }
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

/** The master secret before the key exchange. */
const NONE = Buffer.alloc(0)

/** A line of proof; null where the handshake does not come to its end. */
const finishUnderKnownKeys = async (prober: Prober, agreed: Agreed): Promise<string | null> => {
  const suites = agreed.suites.filter((code) => partsOf(suiteOf(code)) !== null)
  if (suites.length === 0 || agreed.version === VERSION.ssl3) return null
  const hello = { ...classicHello(prober.endpoint, agreed.version, suites), random: randomBytes(32) }
  for (const settled of ['at Finished', 'at change_cipher_spec'] as const) {
    if (await prober.converse((channel) => exploit(channel, hello, settled, prober.deadline()))) return PROOF
  }
  return null
}

const PROOF =
  'behind it a handshake was finished under keys made of an empty master secret, and the server’s Finished could be read with them'

/** When the server settles what the client's Finished has to be: OpenSSL 1.0.1 when that comes, older ones before. */
type Settled = 'at Finished' | 'at change_cipher_spec'
type Offer = Hello & { readonly random: Buffer }

const exploit = async (channel: Channel, hello: Offer, settled: Settled, until: number): Promise<boolean> => {
  channel.write(helloRecord(hello))
  const flight = await readFlight(channel, until, true)
  const sent = flight.end.kind === 'done' ? messagesBehind(flight, hello, settled) : null
  if (sent === null) return false
  const { version, keys } = sent
  const sealed = (message: Buffer) => record(RECORD.handshake, version, keys.write.seal(RECORD.handshake, message))
  channel.write(Buffer.concat([record(RECORD.changeCipherSpec, version, u8(1)), ...sent.messages.map(sealed)]))
  const ending = await readEnding(channel, keys.read, until)
  return ending?.verify.equals(sent.expected(ending.clear)) ?? false
}

/** What is due behind the server's flight and an early change_cipher_spec: a true handshake, but for the keys of its records. */
const messagesBehind = (flight: Flight, offer: Offer, settled: Settled) => {
  const { hello } = flight
  const exchange = answerExchange(flight, offer.version)
  const parts = hello && partsOf(suiteOf(hello.suite))
  if (!hello || !parts || exchange === null) return null
  const hash = prfHashOf(hello.version, suiteOf(hello.suite).name)
  const master = prf(hash, exchange.premaster, 'master secret', Buffer.concat([offer.random, hello.random]), 48)
  const messages = [
    ...(flight.certificateRequested ? [handshake(HANDSHAKE.certificate, vector(3))] : []),
    handshake(HANDSHAKE.clientKeyExchange, exchange.message),
  ]
  const early = Buffer.concat([buildHello(offer), ...flight.messages])
  const [secret, seen] = settled === 'at Finished' ? [master, Buffer.concat([early, ...messages])] : [NONE, early]
  const finished = prf(hash, secret, 'client finished', transcriptHash(hash, seen), 12)
  messages.push(handshake(HANDSHAKE.finished, finished))
  const transcript = Buffer.concat([early, ...messages])
  return {
    version: hello.version,
    messages,
    keys: keysFrom(NONE, offer.random, hello, parts),
    /** verify_data of the server. */
    expected: (clear: readonly Buffer[]) =>
      prf(hash, master, 'server finished', transcriptHash(hash, Buffer.concat([transcript, ...clear])), 12),
  }
}
