/**
 * What a server tells of records in CBC mode that are wrong in different ways: POODLE over TLS (CVE-2014-8730), Zombie
 * POODLE, GOLDENDOODLE (Young, 2019), and zero-length records (CVE-2019-1559).
 *
 * CVE-2016-2107 is not asked about. It shows by padding that is right and leaves no room for a MAC, which flawed libraries
 * subtract to a length below zero: a program that reads on is given what lies behind the record in memory, and Node 0.10.1 over
 * OpenSSL 1.0.1e aborts.
 */
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import type { EndpointFacts } from '../endpoint.ts'
import { openSession, type Session } from '../session/classic.ts'
import { partsOf } from '../session/protection.ts'
import { xor } from '../wire/bytes.ts'
import type { Prober } from '../wire/prober.ts'
import { RECORD, VERSION } from '../wire/record.ts'
import { classicHello, question } from './hellos.ts'
import type { Agreed } from './keys.ts'
import { differs, isSilent, notesOf, reactionOf, stableReactions } from './reaction.ts'

type Padding = EndpointFacts['padding']

export const PADDING_VARIANTS = [
  'wrong MAC',
  'wrong padding',
  'wrong MAC and padding',
  'no data, wrong MAC',
  'padding beyond the record',
] as const
type Variant = (typeof PADDING_VARIANTS)[number]
const ROUNDS = 3
const WAIT = 2_500

/** Kinds of suites that are looked at, the usual ones first: libraries have code of its own for each. */
const MOST_KINDS = 4

export const probePadding = async (prober: Prober, agreed: Agreed): Promise<Padding> => {
  const suites = agreed.suites.filter((code) => partsOf(suiteOf(code))?.kind === 'cbc')
  if (suites.length === 0 || agreed.version === VERSION.ssl3)
    return { verdict: 'not_applicable', notes: ['no suite in CBC mode'] }
  const kinds = [...Map.groupBy(suites, kindOf)].toSorted(([a], [b]) => rankOf(a) - rankOf(b)).slice(0, MOST_KINDS)
  const found: Padding[] = []
  for (const [kind, some] of kinds) {
    const one = await probeKind(prober, { version: agreed.version, suites: some })
    const named = { ...one, notes: [`suites of ${kind}`, ...one.notes] }
    if (one.verdict === 'poodle' || one.verdict === 'oracle') return named
    found.push(named)
  }
  const unsure = found.find(({ verdict }) => verdict === 'inconclusive')
  return unsure ?? { verdict: 'safe', notes: found.flatMap(({ notes }) => notes) }
}

/** A cipher with the hash of its MAC: its length of key makes no difference to the padding. */
const kindOf = (code: number): string => `${suiteOf(code).cipher} with ${suiteOf(code).mac}`

/** OpenSSL has code in one piece for AES with SHA-1 and SHA-256, others by the same path as one another. */
const USUAL = ['AES with SHA', 'AES with SHA256', 'AES with SHA384', '3DES with SHA']
const rankOf = (kind: string): number => (USUAL.includes(kind) ? USUAL.indexOf(kind) : USUAL.length)

const probeKind = async (prober: Prober, agreed: Agreed): Promise<Padding> => {
  const sample = await stableReactions(PADDING_VARIANTS, ROUNDS, (variant) =>
    sendBroken(prober, agreed, variant as Variant),
  )
  if (sample === null)
    return { verdict: 'inconclusive', notes: ['no handshake, or answers that were not the same twice'] }
  if (!differs(sample)) {
    const notes = [`to each: ${[...sample.values()][0] ?? ''}`]
    return { verdict: isSilent(sample) ? 'inconclusive' : 'safe', notes }
  }
  const notes = notesOf(sample)
  // Data in answer to a record with wrong padding: the padding is not looked at.
  const accepted = sample.get('wrong padding')?.includes('application data') ?? false
  return { verdict: accepted ? 'poodle' : 'oracle', notes }
}

const sendBroken = (prober: Prober, agreed: Agreed, variant: Variant): Promise<string | null> =>
  prober
    .converse(async (channel) => {
      const hello = classicHello(prober.endpoint, agreed.version, agreed.suites)
      const session = await openSession(channel, hello, prober.deadline())
      if (session === null) return null
      session.sendRaw(RECORD.data, brokenRecord(session, variant, question(prober.endpoint)))
      return reactionOf(session.next, prober.deadline(WAIT))
    })
    .then((answer) => answer ?? null)

/** The octets to encrypt: data, MAC and padding, whole blocks. Padding that is right always leaves room for the MAC. */
export const brokenRecord = (session: Pick<Session, 'parts' | 'write'>, variant: Variant, data: Buffer): Buffer => {
  const { block } = session.parts
  const plain = variant === 'no data, wrong MAC' ? Buffer.alloc(0) : data
  const mac = session.write.macOf(RECORD.data, plain)
  const wrong = xor(mac, Buffer.alloc(mac.length, 0x5a))
  // One block more than is needed, so that there is padding to spoil.
  const length = 2 * block - ((plain.length + mac.length) % block)
  const padding = Buffer.alloc(length, length - 1)
  const spoilt = Buffer.from(padding)
  spoilt.fill(0x5a, 0, length - 1)
  if (variant === 'wrong padding') return Buffer.concat([plain, mac, spoilt])
  if (variant === 'wrong MAC and padding') return Buffer.concat([plain, wrong, spoilt])
  if (variant === 'padding beyond the record') {
    const beyond = Buffer.alloc(length, 0xff)
    // Room for the MAC and a length: a record that everybody sees to be too short may be refused in words of its own.
    const blocks = Math.ceil((mac.length + 1) / block) + 1
    return Buffer.concat([plain, mac, beyond]).subarray(-(blocks * block))
  }
  return Buffer.concat([plain, wrong, padding])
}
