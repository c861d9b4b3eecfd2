/**
 * Signatures as the program minisign makes and checks them (jedisct1.github.io/minisign): Ed25519 over the BLAKE2b-512 of a
 * file, with a comment that is signed as well. So whoever is given a file can check it without this product.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Octets of an id of a key, of a public key, and of a signature. */
const ID = 8
const KEY = 32
const SIGNATURE = 64
/** `Ed` names keys, `ED` signatures over a hash. */
const OF_KEYS = 'Ed'
const OF_HASHES = 'ED'
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

export class SignatureError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SignatureError'
  }
}

export const newSigningKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

const rawKey = (key: KeyObject): Buffer =>
  createPublicKey(key.export({ format: 'pem', type: 'pkcs8' }))
    .export({ format: 'der', type: 'spki' })
    .subarray(-KEY)

/** It has to tell keys apart and nothing more. */
const idOf = (raw: Buffer): Buffer => createHash('sha256').update(raw).digest().subarray(0, ID)

/** One line, as `minisign -P` takes it. @param pem of the private key */
export const publicKeyOf = (pem: string): string => {
  const raw = rawKey(createPrivateKey(pem))
  return Buffer.concat([Buffer.from(OF_KEYS), idOf(raw), raw]).toString('base64')
}

const hashOf = async (path: string): Promise<Buffer> => {
  const hash = createHash('blake2b512')
  await pipeline(createReadStream(path), hash)
  return hash.digest()
}

/** The text of a .minisig file. @param comment one line that is signed with the file */
export const signFile = async (path: string, pem: string, comment: string): Promise<string> => {
  const key = createPrivateKey(pem)
  const signature = sign(null, await hashOf(path), key)
  const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key)
  const line = Buffer.concat([Buffer.from(OF_HASHES), idOf(rawKey(key)), signature]).toString('base64')
  return `untrusted comment: signature of sonde\n${line}\ntrusted comment: ${comment}\n${whole.toString('base64')}\n`
}

/**
 * The signed comment of a file whose signature holds.
 * @param publicKey one line, as minisign prints it
 * @throws SignatureError
 */
export const checkFile = async (path: string, minisig: string, publicKey: string): Promise<string> => {
  const [, line = '', trusted = '', global = ''] = minisig.split(/\r?\n/)
  const signed = Buffer.from(line, 'base64')
  const given = Buffer.from(publicKey.trim(), 'base64')
  if (given.length !== 2 + ID + KEY || given.toString('latin1', 0, 2) !== OF_KEYS)
    throw new SignatureError('this is no public key of minisign: it begins with RW and has 56 characters')
  if (signed.length !== 2 + ID + SIGNATURE || signed.toString('latin1', 0, 2) !== OF_HASHES)
    throw new SignatureError('this is no signature of minisign over a hash')
  const [theirs, ours] = [signed.subarray(2, 2 + ID), given.subarray(2, 2 + ID)]
  if (!theirs.equals(ours))
    throw new SignatureError(`it is signed by the key ${nameOf(theirs)}, and not by ${nameOf(ours)}`)
  const key = createPublicKey({ key: Buffer.concat([SPKI, given.subarray(-KEY)]), format: 'der', type: 'spki' })
  const signature = signed.subarray(2 + ID)
  const comment = trusted.replace(/^trusted comment: /, '')
  const holds =
    verify(null, await hashOf(path), key, signature) &&
    verify(null, Buffer.concat([signature, Buffer.from(comment)]), key, Buffer.from(global, 'base64'))
  if (!holds) throw new SignatureError('its signature does not hold: the file was changed, or is not whole')
  return comment
}

/** As minisign writes it: the octets the other way round. */
export const signerOf = (minisig: string): string =>
  nameOf(Buffer.from(minisig.split(/\r?\n/)[1] ?? '', 'base64').subarray(2, 2 + ID))

const nameOf = (id: Buffer): string => Buffer.from(id).reverse().toString('hex').toUpperCase()
