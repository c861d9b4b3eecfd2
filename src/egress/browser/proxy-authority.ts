/**
 * The certificate that the browser proxy shows in place of every site's own. Made in memory, once for a run; the
 * browser is told its key's hash and trusts nothing else by it. One certificate serves all names: with that hash
 * listed, Chromium looks no further.
 */
import 'reflect-metadata'
import { createHash, webcrypto } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import * as x509 from '@peculiar/x509'

export interface ProxyAuthority {
  readonly context: SecureContext
  /** SHA-256 of the SubjectPublicKeyInfo, base64: the value for `--ignore-certificate-errors-spki-list`. */
  readonly spki: string
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY = 86_400_000

export const createProxyAuthority = async (): Promise<ProxyAuthority> => {
  const keys = (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Sonde browser proxy',
    notBefore: new Date(Date.now() - DAY),
    notAfter: new Date(Date.now() + 2 * DAY),
    signingAlgorithm: ALGORITHM,
    keys,
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const publicKey = Buffer.from(await webcrypto.subtle.exportKey('spki', keys.publicKey))
  return {
    context: createSecureContext({
      cert: certificate.toString('pem'),
      key: `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
    }),
    spki: createHash('sha256').update(publicKey).digest('base64'),
  }
}
