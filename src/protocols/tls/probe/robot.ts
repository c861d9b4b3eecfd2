/** ROBOT (Böck, Somorovsky, Young, 2017): does the server tell how the RSA padding of a key exchange was wrong? */
import { constants, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto'
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts } from '../endpoint.ts'
import { rsaKeyOf } from '../session/exchange.ts'
import { u8, u16, vector } from '../wire/bytes.ts'
import { readFlight } from '../wire/flight.ts'
import { helloRecord } from '../wire/hello.ts'
import type { Prober } from '../wire/prober.ts'
import { HANDSHAKE, handshake, RECORD, record } from '../wire/record.ts'
import { classicHello } from './hellos.ts'
import type { Agreed } from './keys.ts'
import { differs, isSilent, notesOf, reactionOf, type Sample, stableReactions } from './reaction.ts'

type Robot = EndpointFacts['robot']

const VARIANTS = ['right', 'wrong first octets', 'zero too early', 'no zero', 'wrong version'] as const
type Variant = (typeof VARIANTS)[number]
const ROUNDS = 3
const WAIT = 2_500
/** Bits: a premaster secret of 48 octets, a separator, and 8 octets of padding (RFC 8017, 7.2.1). */
const LEAST_MODULUS = 488
/**
 * Without the rest of the handshake a sound server waits, so this wait is spent in full: many times what the server took
 * for its quickest hello, within bounds. A server of one thread makes the others wait, which says nothing of its pace.
 */
const SHORT_WAIT = { times: 8, least: 200, most: 1_000 }

export const probeRobot = async (prober: Prober, agreed: Agreed): Promise<Robot> => {
  const suites = agreed.suites.filter((code) => suiteOf(code).exchange === 'RSA' && !suiteOf(code).isExport)
  if (suites.length === 0) return { verdict: 'not_applicable', notes: ['no suite with RSA key exchange'] }
  const pace: Pace = { quickest: Number.POSITIVE_INFINITY }
  for (const whole of [true, false]) {
    const sample = await stableReactions(VARIANTS, ROUNDS, (variant) =>
      exchange(prober, { version: agreed.version, suites }, variant as Variant, whole, pace),
    )
    if (sample === null)
      return { verdict: 'inconclusive', notes: ['no whole handshake, or answers that were not the same twice'] }
    if (differs(sample)) {
      const flow = whole ? 'with change_cipher_spec and Finished' : 'without change_cipher_spec'
      return { verdict: strengthOf(sample), notes: [flow, ...notesOf(sample)] }
    }
    // A Finished that cannot be right has to be refused; a server that waits without one is sound.
    if (whole && isSilent(sample)) return { verdict: 'inconclusive', notes: notesOf(sample) }
    if (!whole) return { verdict: 'safe', notes: notesOf(sample) }
  }
  return { verdict: 'inconclusive', notes: [] }
}

/** Weak where only a wholly right padding stands out: then an attack takes far more questions. */
const strengthOf = (sample: Sample): 'strong' | 'weak' => {
  const answers = VARIANTS.slice(1, 4).map((variant) => sample.get(variant))
  return new Set(answers).size === 1 ? 'weak' : 'strong'
}

interface Pace {
  /** Milliseconds of the quickest hello so far. */
  quickest: number
}

const exchange = (
  prober: Prober,
  agreed: Agreed,
  variant: Variant,
  whole: boolean,
  pace: Pace,
): Promise<string | null> =>
  prober.converse(async (channel) => {
    const began = performance.now()
    channel.write(helloRecord(classicHello(prober.endpoint, agreed.version, agreed.suites)))
    const flight = await readFlight(channel, prober.deadline(), true)
    pace.quickest = Math.min(pace.quickest, performance.now() - began)
    const wait = Math.min(SHORT_WAIT.most, Math.max(SHORT_WAIT.least, SHORT_WAIT.times * pace.quickest))
    const key = rsaKeyOf(flight.certificates)
    if (flight.hello === null || flight.end.kind !== 'done' || key === null) return null
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < LEAST_MODULUS) return null
    const { version, suite } = flight.hello
    const sealed = encrypt(key, padded(key, agreed.version, variant))
    const body = version === 0x0300 ? sealed : vector(2, sealed)
    const certificate = flight.certificateRequested ? [handshake(HANDSHAKE.certificate, vector(3))] : []
    const records = [...certificate, handshake(HANDSHAKE.clientKeyExchange, body)].map((message) =>
      record(RECORD.handshake, version, message),
    )
    if (whole) {
      records.push(record(RECORD.changeCipherSpec, version, u8(1)))
      records.push(record(RECORD.handshake, version, FINISHED.subarray(0, suiteOf(suite).mode === 'cbc' ? 64 : 40)))
    }
    channel.write(Buffer.concat(records))
    return reactionOf(channel.record, prober.deadline(whole ? WAIT : wait))
  })

/** The same octets every time, so that nothing but the key exchange differs. */
const FINISHED = Buffer.alloc(64, 0xa7)

/** A block of PKCS #1 v1.5 as long as the modulus, right or wrong in one way. */
const padded = (key: KeyObject, version: number, variant: Variant): Buffer => {
  const length = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 2048) / 8)
  const filler = (octets: number) => Buffer.from(randomBytes(octets).map((octet) => octet || 1))
  const premaster = Buffer.concat([u16(variant === 'wrong version' ? 0x0202 : version), filler(46)])
  const pad = filler(length - 3 - premaster.length)
  if (variant === 'wrong first octets') return Buffer.concat([Buffer.from('4117', 'hex'), pad, u8(0), premaster])
  const start = Buffer.from('0002', 'hex')
  if (variant === 'zero too early') {
    pad[1] = 0
    return Buffer.concat([start, pad, u8(0x11), filler(premaster.length)])
  }
  if (variant === 'no zero') return Buffer.concat([start, pad, u8(0x11), filler(premaster.length)])
  return Buffer.concat([start, pad, u8(0), premaster])
}

/** A block whose number is not below the modulus (it begins with 0x41) cannot be encrypted where the modulus is smaller. */
const encrypt = (key: KeyObject, block: Buffer): Buffer => {
  try {
    return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, block)
  } catch {
    block[0] = 0
    return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, block)
  }
}
