/** The client's half of a key exchange up to TLS 1.2: RSA, DHE, ECDHE. */
import {
  constants,
  createDiffieHellman,
  createECDH,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { groupOf } from '../../../knowledge/tls/groups.ts'
import { u16, vector } from '../wire/bytes.ts'
import type { Flight } from '../wire/flight.ts'
import { VERSION } from '../wire/record.ts'

export interface ClientExchange {
  /** Body of ClientKeyExchange. */
  readonly message: Buffer
  readonly premaster: Buffer
}

const CURVES: Readonly<Record<string, string>> = {
  secp256r1: 'prime256v1',
  secp384r1: 'secp384r1',
  secp521r1: 'secp521r1',
  secp256k1: 'secp256k1',
}

/** Null where the server asks for something that is not spoken here. @param offered version of the hello */
export const answerExchange = (flight: Flight, offered: number): ClientExchange | null => {
  const exchange = flight.keyExchange
  if (exchange === null) return rsaExchange(flight, offered)
  if (exchange.kind === 'dhe' && exchange.prime && exchange.generator) {
    const client = createDiffieHellman(exchange.prime, exchange.generator)
    const message = vector(2, client.generateKeys())
    // Leading zeros are taken off the shared value (RFC 5246, 8.1.2).
    const shared = client.computeSecret(exchange.share)
    const start = shared.findIndex((octet) => octet !== 0)
    return { message, premaster: shared.subarray(Math.max(0, start)) }
  }
  if (exchange.kind !== 'ecdhe' || exchange.group === null) return null
  const { name } = groupOf(exchange.group)
  if (name === 'x25519') {
    const share = createX25519()
    return { message: vector(1, share.key), premaster: share.agree(exchange.share) }
  }
  const curve = CURVES[name]
  if (curve === undefined) return null
  const client = createECDH(curve)
  return { message: vector(1, client.generateKeys()), premaster: client.computeSecret(exchange.share) }
}

const rsaExchange = (flight: Flight, offered: number): ClientExchange | null => {
  const key = rsaKeyOf(flight.certificates)
  if (key === null) return null
  const premaster = Buffer.concat([u16(offered), randomBytes(46)])
  const sealed = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, premaster)
  const version = flight.hello?.version ?? VERSION.tls12
  return { message: version === VERSION.ssl3 ? sealed : vector(2, sealed), premaster }
}

/** The RSA key of the leaf, null when it has another kind. */
export const rsaKeyOf = (certificates: readonly Buffer[]): KeyObject | null => {
  const [leaf] = certificates
  if (leaf === undefined) return null
  try {
    const key = new X509Certificate(leaf).publicKey
    return key.asymmetricKeyType === 'rsa' ? key : null
  } catch {
    return null
  }
}

const X25519_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')

export const createX25519 = (): { readonly key: Buffer; readonly agree: (peer: Buffer) => Buffer } => {
  const pair = generateKeyPairSync('x25519')
  return {
    key: pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
    agree: (peer) => {
      const publicKey = createPublicKey({ key: Buffer.concat([X25519_PREFIX, peer]), format: 'der', type: 'spki' })
      return diffieHellman({ privateKey: pair.privateKey, publicKey })
    },
  }
}
