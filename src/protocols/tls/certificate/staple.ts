/** OCSP answers (RFC 6960, 4.2): what they say, whom they are about, and whether the authority said so. */
import { createHash, type KeyObject, X509Certificate } from 'node:crypto'
import { keyOf } from './certificate.ts'
import { childAt, childrenOf, DerError, type DerNode, readDer, readOid } from './der.ts'
import type { Staple, StatusCheck } from './facts.ts'
import { checkSigned } from './signed.ts'
import { readTimestampList, type SignedTimestamp } from './timestamps.ts'

const SUCCESSFUL = 0
const STATUS_BY_TAG: Readonly<Record<number, Staple['status']>> = {
  128: 'good', // [0] IMPLICIT NULL
  161: 'revoked', // [1] RevokedInfo
  130: 'unknown', // [2] IMPLICIT NULL
}
const UNREADABLE: Staple = { status: 'unreadable', revokedAt: null }
const OCSP_TIMESTAMPS = '1.3.6.1.4.1.11129.2.4.5'
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9'
/** Clocks may differ by so many milliseconds. */
const SKEW = 5 * 60_000
const HASHES: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** The certificate that an answer has to be about. */
export interface Subject {
  readonly leaf: X509Certificate
  /** Null where it is not at hand: then nothing can be checked. */
  readonly issuer: X509Certificate | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** The status alone, or with `about` what it is worth. Never throws for what a stranger sends. */
export const readStaple = (answer: Buffer, about?: Subject): Staple => {
  try {
    const parsed = parseAnswer(answer)
    const [single] = parsed.singles
    if (single === undefined) return UNREADABLE
    const fit = about?.issuer ? parsed.singles.find((one) => isAbout(one, about)) : undefined
    const shown = fit ?? single
    const base: Staple = { status: shown.status, revokedAt: shown.revokedAt }
    return about === undefined ? base : { ...base, checked: check(parsed, fit ?? null, about) }
  } catch (error) {
    if (error instanceof DerError || error instanceof RangeError) return UNREADABLE
    throw error
  }
}

/** The timestamps that came along with the status (RFC 6962, 3.3); empty where there are none to read. */
export const stapledTimestamps = (answer: Buffer): readonly SignedTimestamp[] => {
  try {
    const found = parseAnswer(answer).singles.flatMap((single) => single.timestamps ?? [])
    const [list] = found
    return list === undefined ? [] : readTimestampList(readDer(list).content)
  } catch (error) {
    if (error instanceof DerError || error instanceof RangeError) return []
    throw error
  }
}

interface Single {
  readonly certId: readonly DerNode[]
  readonly status: Staple['status']
  readonly revokedAt: number | null
  readonly from: number | null
  readonly until: number | null
  readonly timestamps: Buffer | null
}

interface Answer {
  readonly data: Buffer
  readonly algorithm: DerNode
  readonly signature: DerNode
  readonly certificates: readonly Buffer[]
  readonly singles: readonly Single[]
}

const parseAnswer = (answer: Buffer): Answer => {
  const [responseStatus, wrapper] = childrenOf(readDer(answer))
  if (responseStatus?.content[0] !== SUCCESSFUL || wrapper === undefined) throw new DerError('no answer')
  const [data, algorithm, signature, extra] = childrenOf(readDer(childAt(childAt(wrapper, 0), 1).content))
  if (data === undefined || algorithm === undefined || signature === undefined) throw new DerError('answer is cut')
  const responses = childrenOf(data).find((node) => node.tag === 0x30 && isResponseList(node))
  if (responses === undefined) throw new DerError('no status')
  return {
    data: data.whole,
    algorithm,
    signature,
    certificates: extra === undefined ? [] : childrenOf(childAt(extra, 0)).map((node) => node.whole),
    singles: childrenOf(responses).map(readSingle),
  }
}

/** CertID, status, thisUpdate, nextUpdate [0], extensions [1]. */
const readSingle = (node: DerNode): Single => {
  const [id, state, from, ...rest] = childrenOf(node)
  const status = state && STATUS_BY_TAG[state.tag]
  if (id === undefined || state === undefined || from === undefined || status === undefined)
    throw new DerError('a status is cut')
  const until = rest.find((part) => part.tag === 0xa0)
  const extensions = rest.find((part) => part.tag === 0xa1)
  return {
    certId: childrenOf(id),
    status,
    revokedAt: status === 'revoked' ? readTime(childAt(state, 0)) : null,
    from: readTime(from),
    until: until === undefined ? null : readTime(childAt(until, 0)),
    timestamps: extensions === undefined ? null : extensionOf(childAt(extensions, 0), OCSP_TIMESTAMPS),
  }
}

const extensionOf = (extensions: DerNode, wanted: string): Buffer | null => {
  for (const extension of childrenOf(extensions)) {
    const parts = childrenOf(extension)
    if (parts[0] !== undefined && readOid(parts[0].content) === wanted) return parts.at(-1)?.content ?? null
  }
  return null
}

/** ResponseData also holds a responder name and extensions; the list's first entry begins with a CertID sequence. */
const isResponseList = (node: DerNode): boolean => {
  const first = childrenOf(node)[0]
  return first?.tag === 0x30 && childrenOf(first)[0]?.tag === 0x30
}

/** CertID: the hashes of the issuer's name and key, and the serial number (RFC 6960, 4.1.1). */
const isAbout = ({ certId }: Single, { leaf, issuer }: Subject): boolean => {
  const [algorithm, name, key, serial] = certId
  const hash = algorithm && HASHES[readOid(childAt(algorithm, 0).content)]
  if (!hash || !name || !key || !serial || issuer === null) return false
  const digest = (octets: Buffer): Buffer => createHash(hash).update(octets).digest()
  const own = certificateParts(leaf)
  return (
    digest(certificateParts(issuer).subject).equals(name.content) &&
    digest(keyBits(issuer)).equals(key.content) &&
    own.serial.equals(serial.whole)
  )
}

const check = (answer: Answer, fit: Single | null, about: Subject): StatusCheck => {
  const { issuer, now } = about
  if (issuer === null) return { state: 'unchecked', why: 'the certificate of the issuer is not at hand' }
  const own = keyOf(issuer)
  if (own === null) return { state: 'unchecked', why: 'the key of the issuer cannot be read here' }
  const keys = [own, ...delegates(answer.certificates, issuer, own, now).flatMap((one) => keyOf(one) ?? [])]
  const outcomes = keys.map((key) => checkSigned(answer, key))
  if (!outcomes.includes('valid')) {
    return outcomes.includes('unknown')
      ? { state: 'unchecked', why: 'its signature algorithm is not checked here' }
      : { state: 'forged', why: 'neither the issuer nor a responder that it delegated has signed it' }
  }
  if (fit === null) return { state: 'other', why: 'it is about another certificate' }
  if (fit.from === null || fit.from > now + SKEW) return { state: 'stale', why: 'it is of the future' }
  if (fit.until !== null && fit.until < now - SKEW)
    return { state: 'stale', why: `it was valid until ${new Date(fit.until).toISOString()}` }
  const signer = outcomes.indexOf('valid') === 0 ? 'the issuer' : 'a responder that the issuer delegated'
  return { state: 'valid', why: `signed by ${signer}` }
}

/**
 * Responders that may speak for the issuer (RFC 6960, 4.2.2.2): certified by its own key, today, for OCSP signing.
 */
const delegates = (
  certificates: readonly Buffer[],
  issuer: X509Certificate,
  key: KeyObject,
  now: number,
): X509Certificate[] =>
  certificates.slice(0, 8).flatMap((der) => {
    const certificate = certificateOf(der)
    if (certificate === null) return []
    const today = certificate.validFromDate.getTime() <= now + SKEW && certificate.validToDate.getTime() >= now - SKEW
    const mayAnswer = certificate.keyUsage?.includes(OCSP_SIGNING) ?? false
    return today && mayAnswer && certificate.checkIssued(issuer) && isSignedBy(certificate, key) ? [certificate] : []
  })

const isSignedBy = (certificate: X509Certificate, key: KeyObject): boolean => {
  const [data, algorithm, signature] = childrenOf(readDer(certificate.raw))
  if (data === undefined || algorithm === undefined || signature === undefined) return false
  return checkSigned({ data: data.whole, algorithm, signature }, key) === 'valid'
}

/** Null for what OpenSSL does not take for a certificate. */
const certificateOf = (der: Buffer): X509Certificate | null => {
  try {
    return new X509Certificate(der)
  } catch {
    return null
  }
}

/** Serial number and subject of a certificate, whole values. @throws DerError */
export const certificateParts = (
  certificate: X509Certificate,
): { readonly serial: Buffer; readonly subject: Buffer } => {
  const parts = childrenOf(childAt(readDer(certificate.raw), 0))
  const at = parts[0]?.tag === 0xa0 ? 1 : 0
  const [serial, subject] = [parts[at], parts[at + 4]]
  if (serial === undefined || subject === undefined) throw new DerError('the certificate is cut')
  return { serial: serial.whole, subject: subject.whole }
}

/** The BIT STRING of the public key without its count of unused bits, as the certificate has it. @throws DerError */
export const keyBits = (certificate: X509Certificate): Buffer => {
  const parts = childrenOf(childAt(readDer(certificate.raw), 0))
  const info = parts[(parts[0]?.tag === 0xa0 ? 1 : 0) + 5]
  if (info === undefined) throw new DerError('the certificate is cut')
  return childAt(info, 1).content.subarray(1)
}

/** GeneralizedTime, always in UTC here (20260131235959Z), or UTCTime of revocation lists. */
export const readTime = (node: DerNode): number | null => {
  const text = node.content.toString('latin1')
  const full = node.tag === 0x17 ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full)
  if (parts === null) return null
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number)
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
}
