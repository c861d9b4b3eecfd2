/**
 * DNSSEC validation (RFC 4035, 5) from a trust anchor down, on what the operator's resolver hands through with checking
 * disabled: whether the resolver validates, and how well, does not matter.
 */
import type { DnsAnswer, DnsType } from '../../egress/door/egress.ts'
import type { TrustAnchor } from '../../knowledge/dns/anchors.ts'
import type { Ask } from './ask.ts'
import { denialOf, provenBy, provesExpansion, type VerifyDenial } from './denied.ts'
import type { DenialFacts, KeyOfZone, Link, Security, SetCheck, SignatureOfSet } from './security.ts'
import { recordsOf, signaturesOf } from './sets.ts'
import { isSupported, keyBits, matchesDs, type Verdict, verifySet } from './signature.ts'
import { bare, type Dnskey, type Ds, isWithin, labelsOf, type Rrsig, readDnskey, readDs, TYPE_NUMBERS } from './wire.ts'

/** Types that can be both asked for and checked. */
export type CheckedType = DnsType & keyof typeof TYPE_NUMBERS

export interface Validator {
  /** The chain down to the zone that holds the name. */
  readonly chain: (name: string) => Promise<readonly Link[]>
  readonly check: (name: string, type: CheckedType) => Promise<SetCheck>
  readonly denial: (name: string) => Promise<DenialFacts | null>
}

interface Zone {
  readonly link: Link
  readonly keys: readonly Dnskey[]
}

const LONGEST_CHAIN = 8

export const createValidator = (ask: Ask, anchors: readonly TrustAnchor[], now: number): Validator => {
  const zones = new Map<string, Promise<readonly Zone[]>>()

  const chainOf = (name: string): Promise<readonly Zone[]> => {
    const known = zones.get(name) ?? walk(name)
    zones.set(name, known)
    return known
  }

  const walk = async (name: string): Promise<readonly Zone[]> => {
    const anchor = anchors
      .filter((one) => isWithin(name, one.name))
      .toSorted((a, b) => b.name.length - a.name.length)[0]
    if (!anchor) return [unsettled('', 'indeterminate', 'no trust anchor stands above this name')]
    if (bare(name) === anchor.name) return [await anchored(anchor.name)]
    // Asked side by side; the answers are judged in order.
    await Promise.all([ask.signed(name, 'DS'), ask.signed(name, 'DNSKEY')])
    const above = await chainOf(labelsOf(name).slice(1).join('.'))
    const parent = above.at(-1)
    if (parent?.link.state !== 'secure') return above
    const below = await delegated(bare(name), parent)
    return below === null ? above : [...above, below]
  }

  const anchored = async (zone: string): Promise<Zone> => {
    const own = anchors.filter(({ name }) => name === zone)
    const ds = own.map(({ digest, ...rest }) => ({ ...rest, digest: Buffer.from(digest, 'hex') }))
    const found = await keysOf(zone, ds)
    if (found.link.state !== 'bogus') return found
    // A resolver that drops signatures, or a root of its own, says nothing about the zones below.
    const reason = `the resolver’s ${zone || 'root'} zone does not lead to a trust anchor: ${found.link.reason}`
    return { ...found, link: { ...found.link, state: 'indeterminate', reason } }
  }

  /** Null when the name is no zone of its own. */
  const delegated = async (zone: string, parent: Zone): Promise<Zone | null> => {
    const reply = await ask.signed(zone, 'DS')
    if (!reply.ok) return unsettled(zone, 'indeterminate', `no answer about its DS records: ${reply.message}`)
    const { answer } = reply
    if (answer.rcode !== 'NOERROR' && answer.rcode !== 'NXDOMAIN') {
      return unsettled(zone, 'indeterminate', `the question for its DS records is answered ${answer.rcode}`)
    }
    const records = recordsOf(answer.answers, zone, 'DS')
    if (records.length === 0) return undelegated(zone, parent, answer)
    const verdict = verify(parent, zone, 'DS', records, signaturesOf(answer.answers, zone))
    if (!verdict.ok) return unsettled(zone, 'bogus', `its DS records in ${shown(parent.link.zone)}: ${verdict.reason}`)
    const ds = records.flatMap((record) => readDs(record) ?? [])
    if (!ds.some(isSupported)) return unsettled(zone, 'insecure', 'its DS records are of unknown algorithms only', ds)
    return keysOf(zone, ds)
  }

  const undelegated = (zone: string, parent: Zone, answer: DnsAnswer): Zone | null => {
    if (recordsOf(answer.answers, zone, 'CNAME').length > 0) return null
    const proof = provenBy(zone, parent.link.zone, answer, verifier(parent))
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

  const keysOf = async (zone: string, ds: readonly Ds[]): Promise<Zone> => {
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

  const verify = (
    zone: Zone,
    name: string,
    type: CheckedType,
    records: readonly Buffer[],
    signatures: readonly Rrsig[],
  ): Verdict => verifySet({ name, type: TYPE_NUMBERS[type], records }, signatures, zone.keys, zone.link.zone, now)

  const verifier =
    (zone: Zone): VerifyDenial =>
    ({ set, signatures }) =>
      verifySet(set, signatures, zone.keys, zone.link.zone, now)

  const check = async (name: string, type: CheckedType, hops = 0): Promise<SetCheck> => {
    const zone = (await chainOf(bare(name))).at(-1) ?? unsettled('', 'indeterminate', 'no chain')
    const result = { name: bare(name), type, zone: zone.link.zone, present: false, signature: null }
    if (zone.link.state !== 'secure') {
      const reason = `${shown(zone.link.zone)}: ${zone.link.reason}`
      const seen = await ask.signed(name, type)
      const present = seen.ok && recordsOf(seen.answer.answers, name, type).length > 0
      return { ...result, present, state: zone.link.state, reason }
    }
    const reply = await ask.signed(name, type)
    if (!reply.ok) return { ...result, state: 'indeterminate', reason: reply.message }
    const { answer } = reply
    if (answer.server === 'hosts') return { ...result, state: 'insecure', reason: 'it is from the static name table' }
    if (answer.rcode !== 'NOERROR' && answer.rcode !== 'NXDOMAIN') {
      return { ...result, state: 'indeterminate', reason: `answered ${answer.rcode}` }
    }
    const alias = recordsOf(answer.answers, name, 'CNAME')
    const records = recordsOf(answer.answers, name, type)
    const kind = records.length > 0 || alias.length === 0 ? type : 'CNAME'
    const found = kind === 'CNAME' ? alias : records
    const signatures = signaturesOf(answer.answers, name)
    if (found.length === 0) return { ...result, ...denied(name, type, zone, answer) }
    const verdict = verify(zone, bare(name), kind, found, signatures)
    if (!verdict.ok) {
      const state: Security = verdict.unsupported ? 'insecure' : 'bogus'
      return { ...result, present: true, state, reason: `its ${kind} records: ${verdict.reason}` }
    }
    const signature = briefSignature(verdict.signature)
    if (
      verdict.expandedFrom !== null &&
      !provesExpansion(bare(name), zone.link.zone, answer, verdict.signature.labels, verifier(zone))
    ) {
      return {
        ...result,
        present: true,
        signature,
        state: 'bogus',
        reason: `nothing proves that ${verdict.expandedFrom} may answer for it`,
      }
    }
    const target =
      kind === 'CNAME' && type !== 'CNAME'
        ? answer.answers.find((one) => one.type === 'CNAME' && bare(one.name) === bare(name))
        : null
    if (!target || hops >= LONGEST_CHAIN) return { ...result, present: true, signature, state: 'secure', reason: '' }
    const next = await check(bare(String(target.data)), type, hops + 1)
    return { ...result, present: next.present, signature, state: next.state, reason: next.reason }
  }

  const denied = (
    name: string,
    type: CheckedType,
    zone: Zone,
    answer: DnsAnswer,
  ): Pick<SetCheck, 'state' | 'reason'> => {
    const proof = provenBy(bare(name), zone.link.zone, answer, verifier(zone))
    if (proof.kind === 'none') return { state: 'bogus', reason: `its absence: ${proof.reason}` }
    const contradicted = proof.kind === 'exists' && proof.types.includes(TYPE_NUMBERS[type])
    return contradicted
      ? { state: 'bogus', reason: `its ${type} records are withheld` }
      : { state: 'secure', reason: '' }
  }

  return {
    chain: async (name) => (await chainOf(bare(name))).map(({ link }) => link),
    check: (name, type) => check(name, type),
    denial: async (name) => {
      const reply = await ask.signed(name, 'A')
      return reply.ok ? denialOf(reply.answer) : null
    },
  }
}

export const briefKey = (key: Dnskey): KeyOfZone => ({
  tag: key.tag,
  algorithm: key.algorithm,
  flags: key.flags,
  bits: keyBits(key),
})

const briefDs = ({ tag, algorithm, digestType }: Ds): Link['ds'][number] => ({ tag, algorithm, digestType })

const briefSignature = ({ tag, algorithm, inception, expiration }: Rrsig): SignatureOfSet => ({
  tag,
  algorithm,
  inception: inception * 1000,
  expiration: expiration * 1000,
})

const shown = (zone: string): string => zone || 'the root zone'

const unsettled = (zone: string, state: Security, reason: string, ds: readonly Ds[] = []): Zone => ({
  keys: [],
  link: { zone, state, reason, ds: ds.map(briefDs), keys: [], signature: null },
})
