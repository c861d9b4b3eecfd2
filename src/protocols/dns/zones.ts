/** The zones from a trust anchor down to a name (RFC 4035, 5): the keys of each, and what vouches for them. */
import type { DnsAnswer, DnsType } from '../../egress/door/egress.ts'
import type { TrustAnchor } from '../../knowledge/dns/anchors.ts'
import type { Ask } from './ask.ts'
import { provenBy, type VerifyDenial } from './denied.ts'
import type { KeyOfZone, Link, Security, SignatureOfSet } from './security.ts'
import { recordsOf, signaturesOf } from './sets.ts'
import { isSupported, keyBits, matchesDs, type Verdict, verifySet } from './signature.ts'
import { bare, type Dnskey, type Ds, isWithin, labelsOf, type Rrsig, readDnskey, readDs, TYPE_NUMBERS } from './wire.ts'

/** Types that can be both asked for and checked. */
export type CheckedType = DnsType & keyof typeof TYPE_NUMBERS

export interface Zone {
  readonly link: Link
  readonly keys: readonly Dnskey[]
}

export interface ZoneParts {
  readonly ask: Ask
  readonly anchors: readonly TrustAnchor[]
  /** Milliseconds since the epoch, at which signatures have to hold. */
  readonly now: number
}

type Asking = Omit<ZoneParts, 'anchors'>

/** The zones that lead to a name, the anchor first. */
export type ChainOf = (name: string) => Promise<readonly Zone[]>

/** Each name is walked once. */
export const createChains = (parts: ZoneParts): ChainOf => {
  const chains = new Map<string, Promise<readonly Zone[]>>()
  const chainOf: ChainOf = (name) => {
    const known = chains.get(name) ?? walk(parts, chainOf, name)
    chains.set(name, known)
    return known
  }
  return chainOf
}

const walk = async ({ ask, anchors, now }: ZoneParts, chainOf: ChainOf, name: string): Promise<readonly Zone[]> => {
  const anchor = anchors.filter((one) => isWithin(name, one.name)).toSorted((a, b) => b.name.length - a.name.length)[0]
  if (!anchor) return [unsettled('', 'indeterminate', 'no trust anchor stands above this name')]
  if (bare(name) === anchor.name) return [await anchored({ ask, anchors, now }, anchor.name)]
  // Asked side by side; the answers are judged in order.
  await Promise.all([ask.signed(name, 'DS'), ask.signed(name, 'DNSKEY')])
  const above = await chainOf(labelsOf(name).slice(1).join('.'))
  const parent = above.at(-1)
  if (parent?.link.state !== 'secure') return above
  const below = await delegated({ ask, now }, bare(name), parent)
  return below === null ? above : [...above, below]
}

const anchored = async ({ ask, anchors, now }: ZoneParts, zone: string): Promise<Zone> => {
  const own = anchors.filter(({ name }) => name === zone)
  const ds = own.map(({ digest, ...rest }) => ({ ...rest, digest: Buffer.from(digest, 'hex') }))
  const found = await keysOf({ ask, now }, zone, ds)
  if (found.link.state !== 'bogus') return found
  // A resolver that drops signatures, or a root of its own, says nothing about the zones below.
  const reason = `the resolver’s ${zone || 'root'} zone does not lead to a trust anchor: ${found.link.reason}`
  return { ...found, link: { ...found.link, state: 'indeterminate', reason } }
}

/** Null when the name is no zone of its own. */
const delegated = async ({ ask, now }: Asking, zone: string, parent: Zone): Promise<Zone | null> => {
  const reply = await ask.signed(zone, 'DS')
  if (!reply.ok) return unsettled(zone, 'indeterminate', `no answer about its DS records: ${reply.message}`)
  const { answer } = reply
  if (answer.rcode !== 'NOERROR' && answer.rcode !== 'NXDOMAIN') {
    return unsettled(zone, 'indeterminate', `the question for its DS records is answered ${answer.rcode}`)
  }
  const records = recordsOf(answer.answers, zone, 'DS')
  if (records.length === 0) return undelegated(zone, parent, answer, now)
  const verdict = verify(parent, zone, 'DS', records, signaturesOf(answer.answers, zone), now)
  if (!verdict.ok) return unsettled(zone, 'bogus', `its DS records in ${shown(parent.link.zone)}: ${verdict.reason}`)
  const ds = records.flatMap((record) => readDs(record) ?? [])
  if (!ds.some(isSupported)) return unsettled(zone, 'insecure', 'its DS records are of unknown algorithms only', ds)
  return keysOf({ ask, now }, zone, ds)
}

const undelegated = (zone: string, parent: Zone, answer: DnsAnswer, now: number): Zone | null => {
  if (recordsOf(answer.answers, zone, 'CNAME').length > 0) return null
  const proof = provenBy(zone, parent.link.zone, answer, verifier(parent, now))
  if (proof.kind === 'none') {
    return unsettled(
      zone,
      'bogus',
      `${shown(parent.link.zone)} does not prove that it has no DS records: ${proof.reason}`,
    )
  }
  if (proof.kind === 'optOut')
    return unsettled(zone, 'insecure', `${shown(parent.link.zone)} leaves it unsigned (opt-out)`)
  if (proof.kind === 'absent') return null
  if (proof.types.includes(TYPE_NUMBERS.DS)) return unsettled(zone, 'bogus', 'its DS records are withheld')
  if (!proof.types.includes(TYPE_NUMBERS.NS)) return null
  if (proof.types.includes(TYPE_NUMBERS.SOA)) {
    return unsettled(zone, 'indeterminate', 'the parent’s side of the delegation was not answered')
  }
  return unsettled(zone, 'insecure', `${shown(parent.link.zone)} has no DS records for it`)
}

const keysOf = async ({ ask, now }: Asking, zone: string, ds: readonly Ds[]): Promise<Zone> => {
  const reply = await ask.signed(zone, 'DNSKEY')
  if (!reply.ok) return unsettled(zone, 'indeterminate', `no answer about its keys: ${reply.message}`, ds)
  const records = recordsOf(reply.answer.answers, zone, 'DNSKEY')
  const keys = records.flatMap((record) => readDnskey(record) ?? [])
  const link = { zone, ds: ds.map(briefDs), keys: keys.map(briefKey), signature: null }
  const broken = (reason: string): Zone => ({ keys: [], link: { ...link, state: 'bogus', reason } })
  if (records.length === 0) {
    return broken(`its keys are not published (${reply.answer.rcode}), though DS records stand for them`)
  }
  const vouched = keys.filter((key) => ds.some((one) => matchesDs(one, key, zone)))
  if (vouched.length === 0) {
    return broken(
      `none of its keys (${keys.map(({ tag }) => tag).join(', ')}) fits the DS records (${ds.map(({ tag }) => tag).join(', ')})`,
    )
  }
  const set = { name: zone, type: TYPE_NUMBERS.DNSKEY, records }
  const verdict = verifySet(set, signaturesOf(reply.answer.answers, zone), vouched, zone, now)
  if (!verdict.ok) return broken(`its key set: ${verdict.reason}`)
  return { keys, link: { ...link, state: 'secure', reason: '', signature: briefSignature(verdict.signature) } }
}

/** Whether the zone has signed these records of a name, at `now` (milliseconds). */
export const verify = (
  zone: Zone,
  name: string,
  type: CheckedType,
  records: readonly Buffer[],
  signatures: readonly Rrsig[],
  now: number,
): Verdict => verifySet({ name, type: TYPE_NUMBERS[type], records }, signatures, zone.keys, zone.link.zone, now)

export const verifier =
  (zone: Zone, now: number): VerifyDenial =>
  ({ set, signatures }) =>
    verifySet(set, signatures, zone.keys, zone.link.zone, now)

export const briefKey = (key: Dnskey): KeyOfZone => ({
  tag: key.tag,
  algorithm: key.algorithm,
  flags: key.flags,
  bits: keyBits(key),
})

const briefDs = ({ tag, algorithm, digestType }: Ds): Link['ds'][number] => ({ tag, algorithm, digestType })

export const briefSignature = ({ tag, algorithm, inception, expiration }: Rrsig): SignatureOfSet => ({
  tag,
  algorithm,
  inception: inception * 1000,
  expiration: expiration * 1000,
})

/** For a sentence. */
export const shown = (zone: string): string => zone || 'the root zone'

/** A zone of which no key is known to be its own. */
export const unsettled = (zone: string, state: Security, reason: string, ds: readonly Ds[] = []): Zone => ({
  keys: [],
  link: { zone, state, reason, ds: ds.map(briefDs), keys: [], signature: null },
})
