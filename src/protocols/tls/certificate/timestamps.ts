/** Signed certificate timestamps (RFC 6962, 3.2 and 3.3): read out of their list and checked against the key of the log. */
import { createHash, createPublicKey, verify, type X509Certificate } from 'node:crypto'
import type { CtLogs } from '../../../knowledge/tls/ct-logs.ts'
import { childAt, childrenOf, DerError, type DerNode, readDer, readOid, writeDer } from './der.ts'
import type { CheckedTimestamp } from './facts.ts'

export const TIMESTAMP_LIST = '1.3.6.1.4.1.11129.2.4.2'
const MOST_TIMESTAMPS = 32

export interface SignedTimestamp {
  /** Hexadecimal id of the log. */
  readonly log: string
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly extensions: Buffer
  /** The DigitallySigned of RFC 5246, 4.7: hash, signature algorithm, signature. */
  readonly signed: Buffer
}

/** A two-octet length and length-prefixed timestamps. @throws DerError */
export const readTimestampList = (list: Buffer): readonly SignedTimestamp[] => {
  if (list.length < 2 || list.readUInt16BE(0) !== list.length - 2) throw new DerError('list length is wrong')
  const found: SignedTimestamp[] = []
  for (let at = 2; at < list.length; ) {
    if (found.length >= MOST_TIMESTAMPS) throw new DerError('too many timestamps')
    if (at + 2 > list.length) throw new DerError('timestamp is cut')
    const length = list.readUInt16BE(at)
    const entry = list.subarray(at + 2, at + 2 + length)
    if (length < 47 || entry.length !== length) throw new DerError('timestamp is cut')
    const size = entry.readUInt16BE(41)
    if (43 + size > length) throw new DerError('timestamp is cut')
    found.push({
      log: entry.toString('hex', 1, 33),
      time: Number(entry.readBigUInt64BE(33)),
      extensions: entry.subarray(43, 43 + size),
      signed: entry.subarray(43 + size),
    })
    at += 2 + length
  }
  return found
}

/** What the logs sign: the certificate as issued, or for an embedded timestamp what it was before it got them. */
export interface Entry {
  readonly source: CheckedTimestamp['source']
  readonly leaf: X509Certificate
  /** Null where nobody sent it: embedded timestamps cover the hash of its key. */
  readonly issuer: X509Certificate | null
}

export const checkTimestamps = (
  list: readonly SignedTimestamp[],
  entry: Entry,
  logs: CtLogs,
): readonly CheckedTimestamp[] => {
  const covered = coveredBy(entry)
  return list.map(({ log, time, extensions, signed }): CheckedTimestamp => {
    const known = logs.find(log)
    const base = { source: entry.source, log, time, operator: known?.operator ?? null, name: known?.name ?? null }
    if (known === null) return { ...base, state: 'unknown-log' }
    if (covered === null) return { ...base, state: 'unchecked' }
    if (!isSigned(signed, covered(time, extensions), known.key)) return { ...base, state: 'invalid' }
    return { ...base, state: known.retired !== null && time > known.retired ? 'retired-log' : 'valid' }
  })
}

/** Version 1, certificate_timestamp, time, entry and extensions; null without the issuer that the entry names. */
const coveredBy = ({ source, leaf, issuer }: Entry): ((time: number, extensions: Buffer) => Buffer) | null => {
  if (source === 'certificate' && issuer === null) return null
  const body = source === 'certificate' && issuer !== null ? precertificate(leaf, issuer) : long(0, leaf.raw)
  return (time, extensions) => {
    const head = Buffer.alloc(10)
    head.writeBigUInt64BE(BigInt(time), 2)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(extensions.length)
    return Buffer.concat([head, body, length, extensions])
  }
}

/** Entry type, what stands before, and the octets after a length of three. */
const long = (type: number, octets: Buffer, before: Buffer = Buffer.alloc(0)): Buffer => {
  const length = Buffer.alloc(3)
  length.writeUIntBE(octets.length, 0, 3)
  return Buffer.concat([Buffer.from([0, type]), before, length, octets])
}

const precertificate = (leaf: X509Certificate, issuer: X509Certificate): Buffer => {
  const key = issuer.publicKey.export({ type: 'spki', format: 'der' })
  return long(1, withoutTimestamps(leaf.raw), createHash('sha256').update(key).digest())
}

/** The tbsCertificate without the extension that holds the timestamps (RFC 6962, 3.2). @throws DerError */
export const withoutTimestamps = (certificate: Buffer): Buffer => {
  const tbs = childAt(readDer(certificate), 0)
  const parts = childrenOf(tbs).map((part) => {
    if (part.tag !== 0xa3) return part.whole
    const kept = childrenOf(childAt(part, 0)).filter((extension) => !isTimestampList(extension))
    return writeDer(0xa3, writeDer(0x30, ...kept.map((extension) => extension.whole)))
  })
  return writeDer(0x30, ...parts)
}

const isTimestampList = (extension: DerNode): boolean => readOid(childAt(extension, 0).content) === TIMESTAMP_LIST

/** SHA-256 with ECDSA (4, 3) or RSA (4, 1): RFC 6962 allows no others. */
const isSigned = (signed: Buffer, data: Buffer, key: string): boolean => {
  const [hash, algorithm] = signed
  if (signed.length < 4) return false
  if (hash !== 4 || (algorithm !== 3 && algorithm !== 1) || signed.readUInt16BE(2) !== signed.length - 4) return false
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  try {
    return verify('sha256', data, publicKey, signed.subarray(4))
  } catch {
    // A signature that is none by its own grammar.
    return false
  }
}
