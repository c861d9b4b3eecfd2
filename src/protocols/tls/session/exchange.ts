/** The client's half of a key exchange: RSA, DHE and ECDHE up to TLS 1.2; curves and the hybrid with ML-KEM in TLS 1.3. */
import {
  constants,
  createDiffieHellman,
  createECDH,
  createPublicKey,
  decapsulate,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  X509Certificate,
} from 'node:crypto'
import { groupOf, X25519 } from '../../../knowledge/tls/groups.ts'
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

/** A share of the key exchange of TLS 1.3, and what becomes of the server's. */
export interface Share {
  readonly group: number
  readonly key: Buffer
  /** @throws where the server's share is none of this group */
  readonly agree: (peer: Buffer) => Buffer
}

const X25519_MLKEM768 = 4588
/** Octets of the ciphertext of ML-KEM-768, and of its public key (FIPS 203, 8). */
const MLKEM768 = { ciphertext: 1_088, key: 1_184 }

/** Groups of TLS 1.3 in which a handshake can be gone through here, the usual ones first. */
export const SHARED_GROUPS: readonly number[] = [X25519, X25519_MLKEM768, 23, 24, 25]

/** Null for a group that is not spoken here. */
export const createShare = (group: number): Share | null => {
  if (group === X25519) return { group, ...createX25519() }
  if (group === X25519_MLKEM768) return { group, ...createHybrid() }
  const curve = CURVES[groupOf(group).name]
  if (curve === undefined) return null
  const client = createECDH(curve)
  return { group, key: client.generateKeys(), agree: (peer) => client.computeSecret(peer) }
}

/** draft-ietf-tls-ecdhe-mlkem, 3: ML-KEM stands first, in shares as in the secret. */
const createHybrid = (): Omit<Share, 'group'> => {
  const kem = generateKeyPairSync('ml-kem-768')
  const curve = createX25519()
  return {
    key: Buffer.concat([kem.publicKey.export({ type: 'spki', format: 'der' }).subarray(-MLKEM768.key), curve.key]),
    agree: (peer) =>
      Buffer.concat([
        decapsulate(kem.privateKey, peer.subarray(0, MLKEM768.ciphertext)),
        curve.agree(peer.subarray(MLKEM768.ciphertext)),
      ]),
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
