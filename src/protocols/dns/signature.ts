/** Signatures over record sets (RFC 4034, 3.1.8; RFC 4035, 5.3) and digests of keys, by node:crypto. Pure. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { algorithmName, DIGESTS } from '../../knowledge/dns/algorithms.ts'
import { bare, type Dnskey, type Ds, isWithin, labelsOf, nameToWire, type Rrsig } from './wire.ts'

export interface RecordSet {
  readonly name: string
  readonly type: number
  /** Canonical RDATA of each record. */
  readonly records: readonly Buffer[]
}

export type Verdict =
  | { readonly ok: true; readonly signature: Rrsig; readonly expandedFrom: string | null }
  | { readonly ok: false; readonly unsupported: boolean; readonly reason: string }

/** Signatures tried for one set: a hostile answer must not cost unbounded work (CVE-2023-50387). */
const MOST_SIGNATURES = 8
const MOST_TRIES = 16
const ZONE_KEY = 0x0100
const REVOKED = 0x0080

/**
 * True when one signature of the zone holds over the set at `now` (milliseconds). The reason names the best attempt.
 * `unsupported` says that the only signatures are of an algorithm that is not known here.
 */
export const verifySet = (
  set: RecordSet,
  signatures: readonly Rrsig[],
  keys: readonly Dnskey[],
  zone: string,
  now: number,
): Verdict => {
  const relevant = signatures.filter(({ covered }) => covered === set.type).slice(0, MOST_SIGNATURES)
  if (relevant.length === 0) return refuse('it has no signature')
  let reason = ''
  let tries = 0
  for (const signature of relevant) {
    const flaw = flawOf(set, signature, zone, now)
    if (flaw !== null) {
      reason ||= flaw
      continue
    }
    const fitting = keys.filter(
      (key) => key.tag === signature.tag && key.algorithm === signature.algorithm && isZoneKey(key),
    )
    if (fitting.length === 0) {
      reason ||= `its signature is by key ${signature.tag} (${algorithmName(signature.algorithm)}), which the zone does not publish`
    }
    for (const key of fitting) {
      tries += 1
      if (tries > MOST_TRIES) return refuse('it has too many signatures to try')
      if (holds(set, signature, key)) return { ok: true, signature, expandedFrom: expansion(set.name, signature) }
      reason = `the signature by key ${signature.tag} does not fit the data`
    }
  }
  const unsupported = relevant.every(({ algorithm }) => !SUPPORTED.includes(algorithm))
  return { ok: false, unsupported, reason }
}

/** True when the DS record stands for this key of the zone (RFC 4034, 5.1.4). */
export const matchesDs = (ds: Ds, key: Dnskey, zone: string): boolean => {
  const hash = DIGESTS[ds.digestType]?.hash
  if (!hash || ds.tag !== key.tag || ds.algorithm !== key.algorithm || !isZoneKey(key)) return false
  return createHash(hash).update(nameToWire(zone)).update(key.rdata).digest().equals(ds.digest)
}

export const isSupported = (ds: Ds): boolean =>
  SUPPORTED.includes(ds.algorithm) && typeof DIGESTS[ds.digestType]?.hash === 'string'

/** Bits of an RSA modulus or of the curve; null where the key cannot be read. */
export const keyBits = ({ algorithm, key }: Dnskey): number | null => {
  if (RSA[algorithm] !== undefined || algorithm === 1) {
    const modulus = readRsa(key)?.modulus
    if (!modulus) return null
    const first = modulus.findIndex((octet) => octet !== 0)
    return first < 0 ? 0 : (modulus.length - first) * 8 - Math.clz32(modulus[first] ?? 0) + 24
  }
  return { 13: 256, 14: 384, 15: 256, 16: 456 }[algorithm] ?? null
}

const RSA: Readonly<Record<number, string>> = { 5: 'sha1', 7: 'sha1', 8: 'sha256', 10: 'sha512' }
const EC: Readonly<Record<number, readonly [curve: string, hash: string, size: number]>> = {
  13: ['P-256', 'sha256', 32],
  14: ['P-384', 'sha384', 48],
}
const ED: Readonly<Record<number, readonly [curve: string, size: number]>> = { 15: ['Ed25519', 32], 16: ['Ed448', 57] }
export const SUPPORTED: readonly number[] = [RSA, EC, ED].flatMap((table) => Object.keys(table).map(Number))

const refuse = (reason: string): Verdict => ({ ok: false, unsupported: false, reason })

const isZoneKey = ({ flags, protocol }: Dnskey): boolean =>
  (flags & ZONE_KEY) !== 0 && (flags & REVOKED) === 0 && protocol === 3

const flawOf = (set: RecordSet, signature: Rrsig, zone: string, now: number): string | null => {
  const seconds = Math.floor(now / 1000)
  if (bare(signature.signer) !== bare(zone) || !isWithin(set.name, zone)) {
    return `its signature names the zone ${signature.signer || '.'}`
  }
  if (signature.labels > ownerLabels(set.name).length) return 'its signature counts more labels than the name has'
  if (seconds > signature.expiration) return `its signature expired on ${day(signature.expiration)}`
  if (seconds < signature.inception) return `its signature begins only on ${day(signature.inception)}`
  return null
}

const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')

/** A leading asterisk is not counted (RFC 4034, 3.1.3). */
const ownerLabels = (name: string): readonly string[] =>
  labelsOf(name).filter((label, index) => index > 0 || label !== '*')

const expansion = (name: string, signature: Rrsig): string | null => {
  const labels = ownerLabels(name)
  return signature.labels < labels.length ? `*.${labels.slice(-signature.labels || labels.length).join('.')}` : null
}

const holds = (set: RecordSet, signature: Rrsig, key: Dnskey): boolean => {
  const publicKey = readKey(key)
  if (!publicKey) return false
  const data = signedData(set, signature)
  const rsa = RSA[key.algorithm]
  if (rsa) return verify(rsa, data, publicKey, signature.signature)
  const ec = EC[key.algorithm]
  if (ec) return verify(ec[1], data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature.signature)
  return verify(null, data, publicKey, signature.signature)
}

const signedData = (set: RecordSet, signature: Rrsig): Buffer => {
  const owner = nameToWire(expansion(set.name, signature) ?? set.name)
  const fixed = Buffer.alloc(8)
  fixed.writeUInt16BE(set.type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(signature.originalTtl, 4)
  const sorted = set.records.toSorted(Buffer.compare)
  const unique = sorted.filter((record, index) => index === 0 || !record.equals(sorted[index - 1] ?? Buffer.alloc(0)))
  const records = unique.map((record) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(record.length)
    return Buffer.concat([owner, fixed, length, record])
  })
  return Buffer.concat([signature.head, ...records])
}

const readKey = ({ algorithm, key }: Dnskey): KeyObject | null => {
  const text = (octets: Buffer) => octets.toString('base64url')
  try {
    if (RSA[algorithm]) {
      const rsa = readRsa(key)
      if (!rsa || rsa.modulus.length > 512) return null
      return createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: text(rsa.modulus), e: text(rsa.exponent) } })
    }
    const ec = EC[algorithm]
    if (ec) {
      const [crv, , size] = ec
      if (key.length !== size * 2) return null
      const point = { x: text(key.subarray(0, size)), y: text(key.subarray(size)) }
      return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv, ...point } })
    }
    const ed = ED[algorithm]
    if (!ed || key.length !== ed[1]) return null
    return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: ed[0], x: text(key) } })
  } catch {
    // Not a point of the curve, or an exponent that OpenSSL refuses: no signature can hold under it.
    return null
  }
}

/** RFC 3110. */
const readRsa = (key: Buffer): { readonly exponent: Buffer; readonly modulus: Buffer } | null => {
  if (key.length < 3) return null
  const long = key.readUInt8(0) === 0
  const size = long ? key.readUInt16BE(1) : key.readUInt8(0)
  const start = long ? 3 : 1
  if (size === 0 || start + size >= key.length) return null
  return { exponent: key.subarray(start, start + size), modulus: key.subarray(start + size) }
}
