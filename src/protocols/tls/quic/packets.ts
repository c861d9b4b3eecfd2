/** QUIC version 1 as far as the first flight: packets of the kinds Initial and Handshake, their keys and frames (RFC 9000, RFC 9001). */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { hkdfExpandLabel, hkdfExtract } from '../session/keys.ts'
import { u8, u16, WireError, xor } from '../wire/bytes.ts'

export const QUIC_V1 = 1
/** RFC 9001, 5.2. */
const SALT = Buffer.from('38762cf7f55934b34d179ae6a4c80cadccbb7f0a', 'hex')
const TAG = 16
/** Octets of a datagram that carries an Initial packet, at least (RFC 9000, 14.1). */
export const SMALLEST_DATAGRAM = 1_200

export interface PacketKeys {
  readonly algorithm: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305'
  readonly key: Buffer
  readonly iv: Buffer
  readonly header: Buffer
}

const LENGTHS = { 'aes-128-gcm': 16, 'aes-256-gcm': 32, 'chacha20-poly1305': 32 } as const

/** Keys of one direction and level out of its secret (RFC 9001, 5.1). */
export const packetKeys = (algorithm: PacketKeys['algorithm'], hash: string, secret: Buffer): PacketKeys => {
  const none = Buffer.alloc(0)
  const length = LENGTHS[algorithm]
  return {
    algorithm,
    key: hkdfExpandLabel(hash, secret, 'quic key', none, length),
    iv: hkdfExpandLabel(hash, secret, 'quic iv', none, 12),
    header: hkdfExpandLabel(hash, secret, 'quic hp', none, length),
  }
}

/** Of the level Initial, by the connection id that the client chose for the server. */
export const initialKeys = (destination: Buffer): { readonly client: PacketKeys; readonly server: PacketKeys } => {
  const initial = hkdfExtract('sha256', SALT, destination)
  const of = (label: string) =>
    packetKeys('aes-128-gcm', 'sha256', hkdfExpandLabel('sha256', initial, label, Buffer.alloc(0), 32))
  return { client: of('client in'), server: of('server in') }
}

/** A number of one, two, four or eight octets (RFC 9000, 16). */
export const variable = (value: number): Buffer => {
  if (value < 0x40) return u8(value)
  if (value < 0x4000) return u16(value | 0x4000)
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE((value | 0x8000_0000) >>> 0)
  return bytes
}

export interface Octets {
  readonly left: () => number
  readonly at: () => number
  /** @throws WireError when fewer octets are left */
  readonly take: (count: number) => Buffer
  readonly variable: () => number
}

export const octets = (input: Buffer): Octets => {
  let at = 0
  const take = (count: number): Buffer => {
    if (count < 0 || at + count > input.length) throw new WireError(`needs ${count} octets, has ${input.length - at}`)
    at += count
    return input.subarray(at - count, at)
  }
  return {
    left: () => input.length - at,
    at: () => at,
    take,
    variable: () => {
      const [first = 0] = take(1)
      let value = first & 0x3f
      for (const octet of take((1 << (first >> 6)) - 1)) value = value * 256 + octet
      return value
    },
  }
}

const nonceOf = (iv: Buffer, number: number): Buffer => {
  const count = Buffer.alloc(12)
  count.writeUInt32BE(number, 8)
  return xor(iv, count)
}

/** Five octets over the first of a header and its packet number (RFC 9001, 5.4). */
const maskOf = ({ algorithm, header }: PacketKeys, sample: Buffer): Buffer => {
  const cipher =
    algorithm === 'chacha20-poly1305'
      ? createCipheriv('chacha20', header, sample)
      : createCipheriv(algorithm === 'aes-128-gcm' ? 'aes-128-ecb' : 'aes-256-ecb', header, null)
  return cipher.update(algorithm === 'chacha20-poly1305' ? Buffer.alloc(5) : sample).subarray(0, 5)
}

/** One Initial packet of number 0 that holds the frames and padding up to `size` octets. */
export const initialPacket = (
  keys: PacketKeys,
  ids: { readonly destination: Buffer; readonly source: Buffer; readonly token?: Buffer },
  frames: Buffer,
  size: number,
): Buffer => {
  const { destination, source, token = Buffer.alloc(0) } = ids
  const start = Buffer.concat([
    ...[u8(0xc3), Buffer.from([0, 0, 0, QUIC_V1]), u8(destination.length), destination, u8(source.length), source],
    ...[variable(token.length), token],
  ])
  // Two octets of length, four of the packet number.
  const room = size - start.length - 2 - 4 - TAG
  const plain = Buffer.concat([frames, Buffer.alloc(Math.max(0, room - frames.length))])
  const header = Buffer.concat([start, u16((4 + plain.length + TAG) | 0x4000), Buffer.alloc(4)])
  const cipher = createCipheriv(keys.algorithm as 'aes-128-gcm', keys.key, nonceOf(keys.iv, 0), { authTagLength: TAG })
  cipher.setAAD(header)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  const packet = Buffer.concat([header, sealed])
  const at = header.length - 4
  const mask = maskOf(keys, packet.subarray(at + 4, at + 20))
  packet[0] = (packet[0] ?? 0) ^ ((mask[0] ?? 0) & 0x0f)
  for (let index = 0; index < 4; index += 1) packet[at + index] = (packet[at + index] ?? 0) ^ (mask[index + 1] ?? 0)
  return packet
}

export interface LongPacket {
  readonly kind: 'initial' | 'handshake' | 'retry' | 'versions' | 'other'
  /** Of an answer to version negotiation: what the server speaks. */
  readonly versions: readonly number[]
  /** The packet from its first octet to its last. */
  readonly bytes: Buffer
  /** Where the packet number begins. */
  readonly numberAt: number
}

const KINDS = ['initial', 'other', 'handshake', 'retry'] as const

/** The packets of a datagram that have long headers; what comes after a short one cannot be told apart. @throws WireError */
export const packetsIn = (datagram: Buffer): readonly LongPacket[] => {
  const packets: LongPacket[] = []
  for (let from = 0; from < datagram.length && packets.length < 16; ) {
    const rest = datagram.subarray(from)
    if (((rest[0] ?? 0) & 0x80) === 0) break
    const input = octets(rest)
    const [first = 0] = input.take(1)
    const version = input.take(4).readUInt32BE(0)
    input.take(input.take(1)[0] ?? 0)
    input.take(input.take(1)[0] ?? 0)
    const whole = { versions: [], bytes: rest, numberAt: 0 }
    if (version === 0) {
      const versions: number[] = []
      while (input.left() >= 4 && versions.length < 32) versions.push(input.take(4).readUInt32BE(0))
      packets.push({ ...whole, kind: 'versions', versions })
      break
    }
    const kind = KINDS[(first >> 4) & 3] ?? 'other'
    if (kind === 'retry') {
      packets.push({ ...whole, kind })
      break
    }
    if (kind === 'initial') input.take(input.variable())
    const length = input.variable()
    const numberAt = input.at()
    input.take(length)
    packets.push({ kind, versions: [], bytes: rest.subarray(0, input.at()), numberAt })
    from += input.at()
  }
  return packets
}

/** Frames of a packet, its protection taken off. @throws WireError where it does not verify */
export const openPacket = (keys: PacketKeys, { bytes, numberAt }: LongPacket): Buffer => {
  const packet = Buffer.from(bytes)
  if (packet.length < numberAt + 20) throw new WireError('packet is shorter than its sample')
  const mask = maskOf(keys, packet.subarray(numberAt + 4, numberAt + 20))
  packet[0] = (packet[0] ?? 0) ^ ((mask[0] ?? 0) & 0x0f)
  const length = ((packet[0] ?? 0) & 3) + 1
  for (let index = 0; index < length; index += 1)
    packet[numberAt + index] = (packet[numberAt + index] ?? 0) ^ (mask[index + 1] ?? 0)
  const header = packet.subarray(0, numberAt + length)
  const number = packet.readUIntBE(numberAt, length)
  const decipher = createDecipheriv(keys.algorithm as 'aes-128-gcm', keys.key, nonceOf(keys.iv, number), {
    authTagLength: TAG,
  })
  decipher.setAAD(header)
  decipher.setAuthTag(packet.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(packet.subarray(header.length, packet.length - TAG)), decipher.final()])
  } catch (cause) {
    throw new WireError('packet does not verify', { cause })
  }
}

export interface Frames {
  readonly crypto: readonly { readonly offset: number; readonly data: Buffer }[]
  /** Code and words of the server's refusal (CONNECTION_CLOSE). */
  readonly closed: { readonly code: number; readonly reason: string } | null
}

/** Frames that may stand in Initial and Handshake packets (RFC 9000, 12.4). @throws WireError */
export const framesIn = (plain: Buffer): Frames => {
  const input = octets(plain)
  const crypto: { offset: number; data: Buffer }[] = []
  let closed: Frames['closed'] = null
  while (input.left() > 0) {
    const type = input.variable()
    if (type === 0x02 || type === 0x03) skipAck(input, type)
    else if (type === 0x06) crypto.push({ offset: input.variable(), data: input.take(input.variable()) })
    else if (type === 0x1c || type === 0x1d) {
      const code = input.variable()
      if (type === 0x1c) input.variable()
      closed = { code, reason: input.take(input.variable()).toString('utf8').slice(0, 200) }
    } else if (type > 0x01) throw new WireError(`a frame of type ${type} where none may stand`)
  }
  return { crypto, closed }
}

const skipAck = (input: Octets, type: number): void => {
  input.variable()
  input.variable()
  const ranges = input.variable()
  input.variable()
  for (let index = 0; index < ranges; index += 1) {
    input.variable()
    input.variable()
  }
  if (type === 0x03) for (let index = 0; index < 3; index += 1) input.variable()
}

/** Octets from offset 0 as far as they came without a gap. */
export const inOrder = (parts: Frames['crypto']): Buffer => {
  const whole: Buffer[] = []
  let end = 0
  for (const { offset, data } of parts.toSorted((a, b) => a.offset - b.offset)) {
    if (offset > end) break
    if (offset + data.length <= end) continue
    whole.push(data.subarray(end - offset))
    end = offset + data.length
  }
  return Buffer.concat(whole)
}
