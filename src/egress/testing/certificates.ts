/** Certificates for TLS servers of the tests, made on the spot. */
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

export interface Issued {
  readonly certificate: x509.X509Certificate
  readonly keys: webcrypto.CryptoKeyPair
  readonly pem: string
  readonly keyPem: string
  readonly der: Buffer
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Issued by `issuer`, or by itself. */
export const issue = async (name: string, issuer: Issued | null = null): Promise<Issued> => {
  const keys = (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: Buffer.from(`01${Buffer.from(name).toString('hex').slice(0, 30)}`, 'hex').toString('hex'),
    subject: `CN=${name}`,
    issuer: issuer ? issuer.certificate.subject : `CN=${name}`,
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: issuer ? issuer.keys.privateKey : keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(!name.includes('.'), undefined, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
    ],
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  return {
    certificate,
    keys,
    pem: certificate.toString('pem'),
    keyPem: `-----BEGIN PRIVATE KEY-----\n${key.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
    der: Buffer.from(certificate.rawData),
  }
}
