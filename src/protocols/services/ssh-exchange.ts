/**
 * One SSH key exchange as far as the server's host key (RFC 4253, 8; RFC 5656, 4; RFC 8731): the reply shows the key
 * before anybody signs in. No secret is derived and no signature checked; the connection ends there.
 */
import { createECDH, createHash, getDiffieHellman, randomBytes } from 'node:crypto'
import type { HostKeyFacts, KexFacts } from './offers.ts'

const KEXINIT = 20
const EXCHANGE_INIT = 30
export const EXCHANGE_REPLY = 31

/** The client's public value by method, as the string or mpint that the protocol wants. */
const METHODS: Readonly<Record<string, () => Buffer>> = {
  // Any 32 octets are a public key of X25519.
  'curve25519-sha256': () => text(randomBytes(32)),
  'curve25519-sha256@libssh.org': () => text(randomBytes(32)),
  'ecdh-sha2-nistp256': () => text(createECDH('prime256v1').generateKeys()),
  'ecdh-sha2-nistp384': () => text(createECDH('secp384r1').generateKeys()),
  'ecdh-sha2-nistp521': () => text(createECDH('secp521r1').generateKeys()),
  'diffie-hellman-group14-sha256': () => mpint(getDiffieHellman('modp14').generateKeys()),
  'diffie-hellman-group16-sha512': () => mpint(getDiffieHellman('modp16').generateKeys()),
  'diffie-hellman-group14-sha1': () => mpint(getDiffieHellman('modp14').generateKeys()),
  'diffie-hellman-group1-sha1': () => mpint(getDiffieHellman('modp2').generateKeys()),
}

/** The kinds of key whose size matters come first. */
const KEYS = ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa', 'ssh-dss']

/** KEXINIT and the first message of the exchange; null where we share no method with the server. */
export const exchangeFor = (server: KexFacts): Buffer | null => {
  const method = Object.keys(METHODS).find((name) => server.kex.includes(name))
  const key = [...KEYS, ...server.hostKeys].find((name) => server.hostKeys.includes(name))
  const [cipher, mac] = [server.ciphers[0], server.macs[0]]
  const compression = server.compression[0] ?? 'none'
  const value = method && METHODS[method]
  if (!value || !key || !cipher || !mac) return null
  // Our lists name what the server has, so that its guess and ours agree.
  const lists = [method, key, cipher, cipher, mac, mac, compression, compression, '', '']
  const init = Buffer.concat([
    Buffer.from([KEXINIT]),
    randomBytes(16),
    ...lists.map((list) => text(Buffer.from(list, 'latin1'))),
    Buffer.alloc(5),
  ])
  return Buffer.concat([packet(init), packet(Buffer.concat([Buffer.from([EXCHANGE_INIT]), value()]))])
}

/** Payloads of the whole packets in the octets (RFC 4253, 6), unencrypted. */
export const payloadsOf = (octets: Buffer): readonly Buffer[] => {
  const found: Buffer[] = []
  for (let at = 0; at + 5 <= octets.length && found.length < 8; ) {
    const length = octets.readUInt32BE(at)
    const padding = octets[at + 4] ?? 0
    if (length > 35_000 || at + 4 + length > octets.length || length < padding + 1) break
    found.push(octets.subarray(at + 5, at + 4 + length - padding))
    at += 4 + length
  }
  return found
}

/** The host key in the reply to our exchange; null where there is none. */
export const readHostKey = (octets: Buffer): HostKeyFacts | null => {
  const reply = payloadsOf(octets).find((payload) => payload[0] === EXCHANGE_REPLY)
  const key = reply && stringAt(reply, 1)
  const kind = key && stringAt(key, 0)
  if (!key || !kind) return null
  const type = kind.toString('latin1')
  if (!/^[\x21-\x7e]{1,64}$/.test(type)) return null
  return {
    ...{ type, bits: bitsOf(type, key), octets: key.toString('base64') },
    sha256: createHash('sha256').update(key).digest('base64').replace(/=+$/, ''),
  }
}

/** ssh-rsa: exponent and modulus; ssh-dss: the prime first (RFC 4253, 6.6). The other kinds have fixed sizes. */
const bitsOf = (type: string, key: Buffer): number | null => {
  const first = stringAt(key, 4 + type.length)
  if (type === 'ssh-dss' && first) return bitLength(first)
  if (type !== 'ssh-rsa' || !first) return { 'ssh-ed25519': 256, 'ssh-ed448': 448 }[type] ?? curveBits(type)
  const modulus = stringAt(key, 4 + type.length + 4 + first.length)
  return modulus ? bitLength(modulus) : null
}

const curveBits = (type: string): number | null => Number(/^ecdsa-sha2-nistp(\d{3})$/.exec(type)?.[1] ?? 0) || null

const bitLength = (number: Buffer): number => {
  const start = number.findIndex((octet) => octet !== 0)
  return start < 0 ? 0 : (number.length - start) * 8 - Math.clz32(number[start] ?? 0) + 24
}

const stringAt = (octets: Buffer, at: number): Buffer | null => {
  if (at + 4 > octets.length) return null
  const length = octets.readUInt32BE(at)
  return at + 4 + length > octets.length ? null : octets.subarray(at + 4, at + 4 + length)
}

const text = (octets: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(octets.length)
  return Buffer.concat([length, octets])
}

/** Without leading zeros, but for the one that keeps it positive (RFC 4251, 5). */
const mpint = (number: Buffer): Buffer => {
  const start = number.findIndex((octet) => octet !== 0)
  const short = start < 0 ? Buffer.alloc(0) : number.subarray(start)
  return text((short[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), short]) : short)
}

/** Padded to eight octets, at least four of padding (RFC 4253, 6). */
const packet = (payload: Buffer): Buffer => {
  const padding = 8 - ((5 + payload.length) % 8)
  const size = padding < 4 ? padding + 8 : padding
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + size)
  head[4] = size
  return Buffer.concat([head, payload, Buffer.alloc(size)])
}
