/** Certificate revocation lists (RFC 5280, 5): whether a serial number stands in one, and whether the authority signed it. */
import type { X509Certificate } from 'node:crypto'
import { keyOf } from './certificate.ts'
import { childrenOf, DerError, type DerNode, readDer, readOid } from './der.ts'
import type { StatusCheck } from './facts.ts'
import { checkSigned } from './signed.ts'
import { certificateParts, readTime } from './staple.ts'

/** A list with this critical extension may speak for part of the certificates, or for other authorities. */
const ISSUING_POINT = '2.5.29.28'
const INDIRECT = 0x84
const SKEW = 5 * 60_000

export interface ListedStatus {
  readonly listed: boolean
  readonly checked: StatusCheck
}

/** @throws DerError, RangeError for what is no list */
export const readList = (
  list: Buffer,
  leaf: X509Certificate,
  issuer: X509Certificate | null,
  now: number,
): ListedStatus => {
  const whole = readDer(list)
  const tbs = readDer(whole.content)
  const algorithm = readDer(whole.content, tbs.whole.length)
  const signature = readDer(whole.content, tbs.whole.length + algorithm.whole.length)
  const parts = childrenOf(tbs)
  const listed = isListed(parts, certificateParts(leaf).serial)
  return { listed, checked: check({ tbs, algorithm, signature, parts }, issuer, now) }
}

interface Parsed {
  readonly tbs: DerNode
  readonly algorithm: DerNode
  readonly signature: DerNode
  readonly parts: readonly DerNode[]
}

const check = (
  { tbs, algorithm, signature, parts }: Parsed,
  issuer: X509Certificate | null,
  now: number,
): StatusCheck => {
  const key = issuer === null ? null : keyOf(issuer)
  if (issuer === null || key === null)
    return { state: 'unchecked', why: 'the certificate of the issuer is not at hand' }
  const name = parts[(parts[0]?.tag === 0x02 ? 1 : 0) + 1]
  if (!name?.whole.equals(certificateParts(issuer).subject))
    return { state: 'other', why: 'it is a list of another authority' }
  const outcome = checkSigned({ data: tbs.whole, algorithm, signature }, key)
  if (outcome === 'unknown') return { state: 'unchecked', why: 'its signature algorithm is not checked here' }
  if (outcome === 'invalid') return { state: 'forged', why: 'the issuer has not signed it' }
  if (isIndirect(parts)) return { state: 'unchecked', why: 'it is an indirect list, which is not read here' }
  const [from, until] = parts.filter(isDate).map(readTime)
  if (from === undefined || from === null || from > now + SKEW) return { state: 'stale', why: 'it is of the future' }
  if (typeof until === 'number' && until < now - SKEW)
    return { state: 'stale', why: `it was valid until ${new Date(until).toISOString()}` }
  return { state: 'valid', why: 'signed by the issuer' }
}

const isDate = (node: DerNode): boolean => node.tag === 0x17 || node.tag === 0x18

/** The one sequence after the dates; each member begins with a serial number. */
const isListed = (parts: readonly DerNode[], serial: Buffer): boolean => {
  const revoked = parts[parts.findLastIndex(isDate) + 1]
  if (revoked?.tag !== 0x30) return false
  for (let at = 0; at < revoked.content.length; ) {
    const entry = readDer(revoked.content, at)
    if (readDer(entry.content).whole.equals(serial)) return true
    at += entry.whole.length
  }
  return false
}

const isIndirect = (parts: readonly DerNode[]): boolean => {
  const extensions = parts.find((node) => node.tag === 0xa0)
  if (extensions === undefined) return false
  return childrenOf(readDer(extensions.content)).some((extension) => {
    const [id, ...rest] = childrenOf(extension)
    const value = rest.at(-1)
    if (id === undefined || value === undefined) throw new DerError('an extension without a value')
    if (readOid(id.content) !== ISSUING_POINT) return false
    return childrenOf(readDer(value.content)).some((node) => node.tag === INDIRECT && node.content[0] !== 0)
  })
}
