import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const DAY = 86_400_000
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const rsa = (modulusLength: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-1',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength,
})

/** PEM texts as node:https takes them. */
export interface ServerIdentity {
  readonly key: string
  readonly cert: string
}

export interface Identities {
  /** Of an authority nobody knows, expired, RSA with 1024 bits, SHA-1, and sent with a foreign certificate. */
  readonly flawed: ServerIdentity
  /** Ninety days, P-256, issued by the testbed's own authority. */
  readonly fixed: ServerIdentity
  /** PEM of that authority: a scanner that is to trust the twin is given it. */
  readonly authority: string
}

/** Makes the keys and certificates of one testbed; nothing is kept. */
export const makeIdentities = async (hosts: {
  readonly flawed: string
  readonly fixed: string
  readonly now: number
}): Promise<Identities> => {
  const { now } = hosts
  const authorityKeys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Northfold Test Authority',
    notBefore: new Date(now - 400 * DAY),
    notAfter: new Date(now + 3650 * DAY),
    signingAlgorithm: EC,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  })

  const fixedKeys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])
  const fixed = await x509.X509CertificateGenerator.create({
    subject: `CN=${hosts.fixed}`,
    issuer: authority.subject,
    notBefore: new Date(now - 5 * DAY),
    notAfter: new Date(now + 85 * DAY),
    signingAlgorithm: EC,
    signingKey: authorityKeys.privateKey,
    publicKey: fixedKeys.publicKey,
    extensions: [
      ...leafExtensions([hosts.fixed, `www.${hosts.fixed}`]),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  })

  const oldKeys = await webcrypto.subtle.generateKey(rsa(2048), true, ['sign', 'verify'])
  const flawedKeys = await webcrypto.subtle.generateKey(rsa(1024), true, ['sign', 'verify'])
  const flawed = await x509.X509CertificateGenerator.create({
    subject: `CN=${hosts.flawed}`,
    issuer: 'CN=Northfold Office CA 2012',
    notBefore: new Date(now - 500 * DAY),
    notAfter: new Date(now - 20 * DAY),
    signingAlgorithm: rsa(2048),
    signingKey: oldKeys.privateKey,
    publicKey: flawedKeys.publicKey,
    extensions: leafExtensions([hosts.flawed]),
  })

  return {
    flawed: {
      key: await privatePem(flawedKeys.privateKey),
      cert: `${flawed.toString('pem')}\n${authority.toString('pem')}\n`,
    },
    fixed: { key: await privatePem(fixedKeys.privateKey), cert: `${fixed.toString('pem')}\n` },
    authority: `${authority.toString('pem')}\n`,
  }
}

const leafExtensions = (names: readonly string[]): x509.Extension[] => [
  new x509.BasicConstraintsExtension(false),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
  new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
  new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
]

const privatePem = async (key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
