/** TLSA records (RFC 6698, RFC 7671). Pure. */
import { createHash, X509Certificate } from 'node:crypto'

export interface Tlsa {
  readonly usage: number
  readonly selector: number
  readonly matchingType: number
  readonly data: Buffer
}

export const readTlsa = (data: unknown): Tlsa | null => {
  if (typeof data !== 'object' || data === null) return null
  const { usage, selector, matchingType, certificate } = data as Readonly<Record<string, unknown>>
  if (typeof usage !== 'number' || typeof selector !== 'number' || typeof matchingType !== 'number') return null
  return { usage, selector, matchingType, data: Buffer.from(String(certificate ?? ''), 'base64') }
}

/** What makes the record useless, as a phrase; null for a good one. */
export const tlsaFlaw = ({ usage, selector, matchingType, data }: Tlsa): string | null => {
  if (usage > 3) return `certificate usage ${usage} is not defined`
  if (selector > 1) return `selector ${selector} is not defined`
  if (matchingType > 2) return `matching type ${matchingType} is not defined`
  const length = { 1: 32, 2: 64 }[matchingType]
  return length !== undefined && data.length !== length
    ? `a digest of ${data.length} octets instead of ${length}`
    : null
}

export const showTlsa = ({ usage, selector, matchingType, data }: Tlsa): string =>
  `${usage} ${selector} ${matchingType} ${data.toString('hex').slice(0, 128)}`

/**
 * True when the record stands for the chain (leaf first, DER): usages 1 and 3 look at the leaf, 0 and 2 at what
 * vouches for it. The path checks of usages 0 and 1 are not made here.
 */
export const tlsaMatches = (record: Tlsa, chain: readonly Buffer[]): boolean => {
  const candidates = record.usage === 1 || record.usage === 3 ? chain.slice(0, 1) : chain.slice(1)
  return candidates.some((der) => associated(record, der)?.equals(record.data) ?? false)
}

const associated = ({ selector, matchingType }: Tlsa, der: Buffer): Buffer | null => {
  const whole = selector === 0 ? der : publicKey(der)
  if (whole === null || matchingType === 0) return whole
  return createHash(matchingType === 1 ? 'sha256' : 'sha512')
    .update(whole)
    .digest()
}

const publicKey = (der: Buffer): Buffer | null => {
  try {
    return new X509Certificate(der).publicKey.export({ type: 'spki', format: 'der' })
  } catch {
    // A certificate or key that OpenSSL cannot read stands for no record.
    return null
  }
}
