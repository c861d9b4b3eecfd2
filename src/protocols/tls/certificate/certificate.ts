import { createHash, type KeyObject, X509Certificate } from 'node:crypto'
import { childAt, childrenOf, DerError, type DerNode, readDer, readOid } from './der.ts'
import type { CertificateFacts, KeyFacts, Timestamp } from './facts.ts'
import { readTimestampList, type SignedTimestamp, TIMESTAMP_LIST } from './timestamps.ts'

const SUBJECT_ALT_NAME = '2.5.29.17'
const AUTHORITY_INFORMATION = '1.3.6.1.5.5.7.1.1'
const CA_ISSUERS = '1.3.6.1.5.5.7.48.2'
const TLS_FEATURE = '1.3.6.1.5.5.7.1.24'
const STATUS_REQUEST = 5
const MOST_NAMES = 2000

/** Field sizes of the curves that certificates use, by OpenSSL's name; others count as unknown. */
const CURVE_BITS: Readonly<Record<string, number>> = {
  secp160r1: 160,
  secp192k1: 192,
  prime192v1: 192,
  secp224k1: 224,
  secp224r1: 224,
  secp256k1: 256,
  prime256v1: 256,
  secp384r1: 384,
  secp521r1: 521,
  brainpoolP224r1: 224,
  brainpoolP256r1: 256,
  brainpoolP384r1: 384,
  brainpoolP512r1: 512,
}

/** @throws DerError or OpenSSL's error when it is no certificate at all; single odd extensions only leave gaps. */
export const parseCertificate = (der: Buffer): CertificateFacts => {
  const certificate = new X509Certificate(der)
  const extensions = readExtensions(der)
  const names = extensions.get(SUBJECT_ALT_NAME)
  const alternatives = names === undefined ? null : readAlternativeNames(names)
  const publicKey = keyOf(certificate)
  return {
    der: der.toString('base64'),
    sha256: createHash('sha256').update(der).digest('hex'),
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    serial: certificate.serialNumber.toLowerCase(),
    notBefore: certificate.validFromDate.getTime(),
    notAfter: certificate.validToDate.getTime(),
    commonName: /(?:^|\n)CN=([^\n]*)(?![\s\S]*\nCN=)/.exec(certificate.subject ?? '')?.[1] ?? null,
    dnsNames: alternatives?.dns ?? null,
    ipAddresses: alternatives?.ip ?? [],
    key: describeKey(publicKey),
    signatureAlgorithm: certificate.signatureAlgorithm ?? certificate.signatureAlgorithmOid ?? 'unknown',
    isAuthority: certificate.ca,
    selfSigned: publicKey !== null && certificate.checkIssued(certificate) && verifies(certificate, publicKey),
    timestamps: readTimestamps(extensions.get(TIMESTAMP_LIST)),
    mustStaple: asksForStaple(extensions.get(TLS_FEATURE)),
    issuerUrls: readIssuerUrls(extensions.get(AUTHORITY_INFORMATION)),
  }
}

/** OpenSSL cannot read every key; one it cannot read is a gap, not a failure of the scan. */
export const keyOf = (certificate: X509Certificate): KeyObject | null => {
  try {
    return certificate.publicKey
  } catch {
    return null
  }
}

/** False as well where the algorithm is one that OpenSSL no longer verifies. */
export const verifies = (certificate: X509Certificate, key: KeyObject): boolean => {
  try {
    return certificate.verify(key)
  } catch {
    return false
  }
}

const describeKey = (key: KeyObject | null): KeyFacts => {
  const details = key?.asymmetricKeyDetails
  const curve = details?.namedCurve ?? null
  const isRsa = key?.asymmetricKeyType === 'rsa'
  const modulus = isRsa ? key.export({ format: 'jwk' }).n : undefined
  return {
    type: key?.asymmetricKeyType ?? 'unknown',
    bits: details?.modulusLength ?? (curve === null ? null : (CURVE_BITS[curve] ?? null)),
    curve,
    exponent: details?.publicExponent?.toString() ?? null,
    modulus: typeof modulus === 'string' ? Buffer.from(modulus, 'base64url').toString('hex') : null,
  }
}

/** Content of the extensions by object identifier. Certificate → tbsCertificate → [3] (RFC 5280, 4.1). */
export const readExtensions = (der: Buffer): ReadonlyMap<string, Buffer> => {
  const wrapper = childrenOf(childAt(readDer(der), 0)).find((node) => node.tag === 0xa3)
  if (wrapper === undefined) return new Map()
  return new Map(
    childrenOf(childAt(wrapper, 0)).map((extension) => {
      const parts = childrenOf(extension)
      const [id, value] = [parts[0], parts.at(-1)]
      if (id === undefined || value === undefined) throw new DerError('an extension without a value')
      return [readOid(id.content), value.content]
    }),
  )
}

const readAlternativeNames = (extension: Buffer): { readonly dns: string[]; readonly ip: string[] } => {
  const names = attempt(() => childrenOf(readDer(extension)).slice(0, MOST_NAMES)) ?? []
  return {
    dns: names.filter((name) => name.tag === 0x82).map((name) => name.content.toString('latin1')),
    ip: names.filter((name) => name.tag === 0x87).map((name) => formatAddress(name.content)),
  }
}

const formatAddress = (octets: Buffer): string =>
  octets.length === 4
    ? octets.join('.')
    : Array.from({ length: octets.length >> 1 }, (_, index) => octets.readUInt16BE(index * 2).toString(16)).join(':')

const readTimestamps = (extension: Buffer | undefined): readonly Timestamp[] | null => {
  if (extension === undefined) return []
  return attempt(() => readTimestampList(readDer(extension).content).map(({ log, time }) => ({ log, time })))
}

/** The list inside the certificate, null where it has none or none that can be read. */
export const embeddedTimestamps = (der: Buffer): readonly SignedTimestamp[] | null =>
  attempt(() => {
    const extension = readExtensions(der).get(TIMESTAMP_LIST)
    return extension === undefined ? null : readTimestampList(readDer(extension).content)
  })

const asksForStaple = (extension: Buffer | undefined): boolean =>
  extension !== undefined &&
  (attempt(() => childrenOf(readDer(extension)).some((feature) => toNumber(feature) === STATUS_REQUEST)) ?? false)

const toNumber = (node: DerNode): number =>
  node.tag === 0x02 && node.content.length > 0 && node.content.length <= 4
    ? node.content.readUIntBE(0, node.content.length)
    : -1

const readIssuerUrls = (extension: Buffer | undefined): readonly string[] => {
  if (extension === undefined) return []
  const urls = attempt(() =>
    childrenOf(readDer(extension))
      .map((description) => childrenOf(description))
      .filter(
        ([method, place]) => method !== undefined && readOid(method.content) === CA_ISSUERS && place?.tag === 0x86,
      )
      .map(([, place]) => place?.content.toString('latin1') ?? ''),
  )
  return (urls ?? []).slice(0, 10)
}

/** Null for an extension that breaks its own grammar; the certificate is read on. */
const attempt = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError || error instanceof RangeError) return null
    throw error
  }
}

const oneLine = (name: string | undefined): string => (name ?? '').split('\n').join(', ')
