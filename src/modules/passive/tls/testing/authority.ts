/** Certificates made for a test: an authority, an intermediate, and leaves with the extensions that a case asks for. */
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const DAY = 86_400_000
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

export interface Issued {
  readonly certificate: x509.X509Certificate
  readonly keys: webcrypto.CryptoKeyPair
  readonly der: Buffer
  readonly pem: string
  readonly keyPem: () => Promise<string>
}

export interface IssueOptions {
  readonly subject: string
  /** Null signs itself. */
  readonly issuer: Issued | null
  readonly authority?: boolean
  /** Whose key it certifies; a new one where absent. */
  readonly key?: Issued
  readonly names?: readonly string[]
  readonly notBefore?: number
  readonly notAfter?: number
  readonly extensions?: readonly x509.Extension[]
  /** RSA with this modulus instead of P-256, signed with SHA-1 when it says so. */
  readonly rsa?: number
  readonly hash?: 'SHA-256' | 'SHA-1'
}

export const issue = async (options: IssueOptions): Promise<Issued> => {
  const algorithm = options.rsa === undefined ? EC : rsa(options.rsa, options.hash ?? 'SHA-256')
  const keys = options.key?.keys ?? (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']))
  const signer = options.issuer
  const names = (options.names ?? []).map((value) => ({ type: 'dns' as const, value }))
  const certificate = await x509.X509CertificateGenerator.create({
    subject: options.subject,
    issuer: signer?.certificate.subject ?? options.subject,
    notBefore: new Date(options.notBefore ?? Date.now() - DAY),
    notAfter: new Date(options.notAfter ?? Date.now() + 60 * DAY),
    signingAlgorithm: { ...(signer?.keys.privateKey.algorithm ?? algorithm), hash: options.hash ?? 'SHA-256' },
    signingKey: (signer?.keys ?? keys).privateKey,
    publicKey: keys.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(options.authority ?? false, undefined, true),
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
      ...(options.extensions ?? []),
    ],
  })
  return {
    certificate,
    keys,
    der: Buffer.from(certificate.rawData),
    pem: `${certificate.toString('pem')}\n`,
    keyPem: async () =>
      x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY'),
  }
}

export const extension = (oid: string, value: Buffer): x509.Extension => new x509.Extension(oid, false, value)

export const extendedUsage = (oid: string): x509.Extension => new x509.ExtendedKeyUsageExtension([oid])

const rsa = (modulusLength: number, hash: string) => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash,
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength,
})
