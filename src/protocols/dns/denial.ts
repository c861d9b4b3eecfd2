/** What NSEC (RFC 4034, 4035) and NSEC3 (RFC 5155) records prove about a name. The records have been verified. Pure. */
import { createHash } from 'node:crypto'
import { bare, compareNames, isWithin, labelsOf, type Nsec, type Nsec3, nameToWire, parentOf } from './wire.ts'

export interface OwnedNsec extends Nsec {
  readonly owner: string
}

export interface OwnedNsec3 extends Nsec3 {
  readonly owner: string
}

/** exists: the name is there, with exactly these types · absent: it is not · optOut: an unsigned delegation may be there. */
export type Proof =
  | { readonly kind: 'exists'; readonly types: readonly number[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'optOut' }
  | { readonly kind: 'none'; readonly reason: string }

/** Beyond this no validator still computes (RFC 9276, 3.2); and it bounds the work for a hostile zone. */
export const MOST_ITERATIONS = 500

export const proveByNsec = (name: string, records: readonly OwnedNsec[]): Proof => {
  const own = records.find(({ owner }) => bare(owner) === bare(name))
  if (own) return { kind: 'exists', types: own.types }
  const covering = records.find((record) => covers(name, record))
  if (!covering) return { kind: 'none', reason: `no NSEC record speaks of ${name}` }
  // An empty non-terminal exists without a record of its own: the next name lies below it.
  return isWithin(covering.next, name) ? { kind: 'exists', types: [] } : { kind: 'absent' }
}

export const proveByNsec3 = (name: string, zone: string, records: readonly OwnedNsec3[]): Proof => {
  const [first] = records
  if (!first) return { kind: 'none', reason: 'there is no NSEC3 record' }
  if (first.algorithm !== 1 || first.iterations > MOST_ITERATIONS) {
    return { kind: 'none', reason: `NSEC3 with algorithm ${first.algorithm} and ${first.iterations} iterations` }
  }
  const hashed = (text: string) => hashName(text, first)
  const own = records.find((record) => ownHash(record, zone) === toBase32(hashed(name)))
  if (own) return { kind: 'exists', types: own.types }
  for (
    let encloser = parentOf(name), next = name;
    isWithin(encloser, zone);
    next = encloser, encloser = parentOf(encloser)
  ) {
    const found = records.some((record) => ownHash(record, zone) === toBase32(hashed(encloser)))
    if (found) {
      const covering = records.find((record) => coversHash(hashed(next), record, zone))
      if (!covering) return { kind: 'none', reason: `no NSEC3 record covers ${next}` }
      return covering.optOut ? { kind: 'optOut' } : { kind: 'absent' }
    }
    if (bare(encloser) === bare(zone)) break
  }
  return { kind: 'none', reason: `no NSEC3 record speaks of ${name}` }
}

/** True when a record covers the name itself, whatever is known of its parents (RFC 5155, 8.8). */
export const isCovered = (name: string, zone: string, records: readonly OwnedNsec3[]): boolean =>
  records.some((record) => record.iterations <= MOST_ITERATIONS && coversHash(hashName(name, record), record, zone))

/** RFC 5155, 5: SHA-1 over the name, then again for each iteration. */
export const hashName = (name: string, { salt, iterations }: Pick<Nsec3, 'salt' | 'iterations'>): Buffer => {
  let digest = createHash('sha1').update(nameToWire(name)).update(salt).digest()
  for (let round = 0; round < Math.min(iterations, MOST_ITERATIONS); round += 1) {
    digest = createHash('sha1').update(digest).update(salt).digest()
  }
  return digest
}

const covers = (name: string, { owner, next }: OwnedNsec): boolean => {
  const afterOwner = compareNames(owner, name) < 0
  const beforeNext = compareNames(name, next) < 0
  // The last record of a zone points back to the apex.
  return compareNames(owner, next) < 0 ? afterOwner && beforeNext : afterOwner && isWithin(name, next)
}

const ownHash = ({ owner }: OwnedNsec3, zone: string): string => {
  const [label = ''] = labelsOf(owner)
  return parentOf(owner) === bare(zone) ? label : ''
}

const coversHash = (hash: Buffer, record: OwnedNsec3, zone: string): boolean => {
  const [own, next, wanted] = [ownHash(record, zone), toBase32(record.next), toBase32(hash)]
  if (own === '') return false
  return own < next ? own < wanted && wanted < next : wanted > own || wanted < next
}

const DIGITS = '0123456789abcdefghijklmnopqrstuv'

/** Base 32 with the extended hex alphabet, without padding (RFC 4648, 7): keeps the order of the octets. */
const toBase32 = (octets: Buffer): string => {
  let text = ''
  let bits = 0
  let held = 0
  for (const octet of octets) {
    held = (held << 8) | octet
    bits += 8
    for (; bits >= 5; bits -= 5) text += DIGITS[(held >> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + DIGITS[(held << (5 - bits)) & 31] : text
}
