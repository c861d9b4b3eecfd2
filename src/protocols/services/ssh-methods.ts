/**
 * Which ways to sign in an SSH server names. It says so only behind the key exchange, to a request of the method "none"
 * (RFC 4252, 5.2), so the transport of RFC 4253 is set up as far as that. No password and no key is ever sent.
 */
import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHash,
  createHmac,
  createPublicKey,
  type Decipheriv,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
} from 'node:crypto'
import { payloadsOf } from './ssh-exchange.ts'
import type { Talk } from './talk.ts'

const VERSION = 'SSH-2.0-Sonde'
const MESSAGE = {
  serviceRequest: 5,
  kexInit: 20,
  newKeys: 21,
  init: 30,
  reply: 31,
  request: 50,
  failure: 51,
  success: 52,
}
const USER = 'sonde'
const BLOCK = 16
const LONGEST_PACKET = 35_000
const MOST_PACKETS = 12

const text = (bytes: Buffer | string): Buffer => {
  const body = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}
const mpint = (number: Buffer): Buffer => {
  const start = number.findIndex((octet) => octet !== 0)
  const short = start < 0 ? Buffer.alloc(0) : number.subarray(start)
  return text((short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), short]) : short)
}
const sha256 = (...parts: readonly Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()

interface Exchange {
  readonly value: Buffer
  readonly secret: (server: Buffer) => Buffer
}

/** What an X25519 key has before its 32 octets as SubjectPublicKeyInfo (RFC 8410). */
const X25519 = Buffer.from('302a300506032b656e032100', 'hex')

const curve25519 = (): Exchange => {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return {
    value: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32),
    secret: (server) => {
      const key = createPublicKey({ key: Buffer.concat([X25519, server]), format: 'der', type: 'spki' })
      return diffieHellman({ privateKey, publicKey: key })
    },
  }
}

const EXCHANGES: Readonly<Record<string, () => Exchange>> = {
  'curve25519-sha256': curve25519,
  'curve25519-sha256@libssh.org': curve25519,
  'ecdh-sha2-nistp256': () => {
    const ecdh = createECDH('prime256v1')
    return { value: ecdh.generateKeys(), secret: (server) => ecdh.computeSecret(server) }
  },
}
const CIPHERS: Readonly<Record<string, number>> = { 'aes128-ctr': 16, 'aes192-ctr': 24, 'aes256-ctr': 32 }
const MACS: Readonly<Record<string, { readonly hash: string; readonly size: number; readonly after: boolean }>> = {
  'hmac-sha2-256': { hash: 'sha256', size: 32, after: false },
  'hmac-sha2-512': { hash: 'sha512', size: 64, after: false },
  'hmac-sha1': { hash: 'sha1', size: 20, after: false },
  'hmac-sha2-256-etm@openssh.com': { hash: 'sha256', size: 32, after: true },
  'hmac-sha2-512-etm@openssh.com': { hash: 'sha512', size: 64, after: true },
}

/** Names of the methods; null where the server shares no algorithm with us, or ends the conversation. */
export const signInMethods = async (talk: Talk): Promise<readonly string[] | null> => {
  talk.send(`${VERSION}\r\n`)
  const first = await talk.read((bytes) => kexInitOf(bytes) !== null)
  const banner = /^SSH-[^\r\n]{1,255}/m.exec(first.toString('latin1'))?.[0]
  const theirs = kexInitOf(first)
  if (banner === undefined || theirs === null) return null
  const chosen = chosenOf(theirs)
  if (chosen === null) return null
  const exchange = EXCHANGES[chosen.kex]?.()
  const mac = MACS[chosen.mac]
  const keySize = CIPHERS[chosen.cipher]
  if (!exchange || !mac || keySize === undefined) return null
  const ours = initOf(chosen)
  talk.send(Buffer.concat([packet(ours, 8), packet(Buffer.concat([Buffer.of(MESSAGE.init), text(exchange.value)]), 8)]))
  const octets = await talk.read((bytes) => payloadsOf(bytes).some(([type]) => type === MESSAGE.newKeys))
  const reply = payloadsOf(octets).find(([type]) => type === MESSAGE.reply)
  const [hostKey, server] = reply ? stringsOf(reply.subarray(1)) : []
  if (!hostKey || !server) return null
  const secret = mpint(exchange.secret(server))
  const hash = sha256(...[VERSION, banner, ours, theirs, hostKey, exchange.value, server].map(text), secret)
  const key = (letter: string, size: number): Buffer => derived(secret, hash, letter, size)
  const out = createCipheriv(chosen.cipher.replace(/^aes(\d+)-ctr$/, 'aes-$1-ctr'), key('C', keySize), key('A', BLOCK))
  const into = createDecipheriv(
    chosen.cipher.replace(/^aes(\d+)-ctr$/, 'aes-$1-ctr'),
    key('D', keySize),
    key('B', BLOCK),
  )
  const macKey = key('E', mac.size)
  talk.send(packet(Buffer.of(MESSAGE.newKeys), 8))
  // KEXINIT, the exchange and NEWKEYS were the packets 0 to 2.
  const sealed = (number: number, payload: Buffer): Buffer => seal(out, mac, macKey, number, payload)
  talk.send(sealed(3, Buffer.concat([Buffer.of(MESSAGE.serviceRequest), text('ssh-userauth')])))
  talk.send(sealed(4, Buffer.concat([Buffer.of(MESSAGE.request), text(USER), text('ssh-connection'), text('none')])))
  return readMethods(talk, into, mac)
}

/** The payload of the server's KEXINIT, which stands behind its banner. */
const kexInitOf = (bytes: Buffer): Buffer | null => {
  const line = bytes.indexOf(0x0a, Math.max(0, bytes.indexOf('SSH-')))
  const [payload] = line < 0 ? [] : payloadsOf(bytes.subarray(line + 1))
  return payload?.[0] === MESSAGE.kexInit ? payload : null
}

const stringsOf = (bytes: Buffer): readonly Buffer[] => {
  const found: Buffer[] = []
  for (let at = 0; at + 4 <= bytes.length && found.length < 16; ) {
    const size = bytes.readUInt32BE(at)
    if (at + 4 + size > bytes.length) break
    found.push(bytes.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return found
}

interface Chosen {
  readonly kex: string
  readonly key: string
  readonly cipher: string
  readonly mac: string
}

const chosenOf = (init: Buffer): Chosen | null => {
  const lists = stringsOf(init.subarray(17)).map((list) => list.toString('latin1').split(','))
  const shared = (known: readonly string[], ...at: readonly number[]): string | undefined =>
    known.find((name) => at.every((index) => lists[index]?.includes(name)))
  const kex = shared(Object.keys(EXCHANGES), 0)
  const key = lists[1]?.[0]
  const cipher = shared(Object.keys(CIPHERS), 2, 3)
  const mac = shared(Object.keys(MACS), 4, 5)
  return kex && key && cipher && mac && lists[6]?.includes('none') ? { kex, key, cipher, mac } : null
}

const initOf = ({ kex, key, cipher, mac }: Chosen): Buffer =>
  Buffer.concat([
    Buffer.of(MESSAGE.kexInit),
    randomBytes(16),
    ...[kex, key, cipher, cipher, mac, mac, 'none', 'none', '', ''].map(text),
    Buffer.alloc(5),
  ])

/** Padded to the block, at least four octets of padding. `bare` leaves the length out of the block (RFC 4253, 6). */
const packet = (payload: Buffer, block: number, bare = false): Buffer => {
  const rest = ((bare ? 1 : 5) + payload.length) % block
  const size = block - rest < 4 ? 2 * block - rest : block - rest
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + size)
  head[4] = size
  return Buffer.concat([head, payload, Buffer.alloc(size)])
}

/** RFC 4253, 7.2. */
const derived = (secret: Buffer, hash: Buffer, letter: string, size: number): Buffer => {
  let made = sha256(secret, hash, Buffer.from(letter), hash)
  while (made.length < size) made = Buffer.concat([made, sha256(secret, hash, made)])
  return made.subarray(0, size)
}

type Mac = NonNullable<(typeof MACS)[string]>

const seal = (cipher: Cipheriv, mac: Mac, key: Buffer, number: number, payload: Buffer): Buffer => {
  const plain = packet(payload, BLOCK, mac.after)
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(number)
  const body = mac.after
    ? Buffer.concat([plain.subarray(0, 4), cipher.update(plain.subarray(4))])
    : cipher.update(plain)
  const tag = createHmac(mac.hash, key)
    .update(counter)
    .update(mac.after ? body : plain)
    .digest()
  return Buffer.concat([body, tag])
}

/** The server's packets until it says how one could sign in. Their authentication codes are passed over. */
const readMethods = async (talk: Talk, decipher: Decipheriv, mac: Mac): Promise<readonly string[] | null> => {
  let waiting = Buffer.alloc(0)
  const take = async (size: number): Promise<Buffer | null> => {
    if (waiting.length < size) {
      const before = waiting
      waiting = Buffer.concat([before, await talk.read((bytes) => before.length + bytes.length >= size)])
    }
    if (waiting.length < size) return null
    const bytes = waiting.subarray(0, size)
    waiting = waiting.subarray(size)
    return bytes
  }
  for (let count = 0; count < MOST_PACKETS; count += 1) {
    const start = await take(mac.after ? 4 : BLOCK)
    if (start === null) return null
    const open = mac.after ? start : decipher.update(start)
    const length = open.readUInt32BE(0)
    if (length < 2 || length > LONGEST_PACKET) return null
    const rest = await take(4 + length - start.length + mac.size)
    if (rest === null) return null
    const body = Buffer.concat([open.subarray(4), decipher.update(rest.subarray(0, rest.length - mac.size))])
    const payload = body.subarray(1, body.length - (body[0] ?? 0))
    if (payload[0] === MESSAGE.success) return ['none']
    if (payload[0] === MESSAGE.failure) {
      const [names] = stringsOf(payload.subarray(1))
      return (names?.toString('latin1') ?? '').split(',').filter((name) => /^[\x21-\x7e]{1,64}$/.test(name))
    }
  }
  return null
}
