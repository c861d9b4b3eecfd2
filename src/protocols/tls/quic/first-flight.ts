/**
 * What a QUIC server answers to one Initial packet: its certificate stands in the first flight, of which it may send three times what it
 * got before the client's address is proven (RFC 9000, 8.1). Nothing is sent after it, and no connection comes about.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createShare } from '../session/exchange.ts'
import { hkdfExpandLabel, hkdfExtract } from '../session/keys.ts'
import { reader, u8, WireError } from '../wire/bytes.ts'
import { parseExtensions, parseServerHello } from '../wire/flight.ts'
import { buildHello, EXTENSION, extension } from '../wire/hello.ts'
import { HANDSHAKE, VERSION } from '../wire/record.ts'
import {
  framesIn,
  initialKeys,
  initialPacket,
  inOrder,
  type LongPacket,
  openPacket,
  type PacketKeys,
  packetKeys,
  packetsIn,
  QUIC_V1,
  variable,
} from './packets.ts'

/** Octets of the one datagram: what browsers send, so three times as much comes back. */
const DATAGRAM = 1_350
const TRANSPORT_PARAMETERS = 0x39
const SUITES: Readonly<Record<number, readonly [algorithm: PacketKeys['algorithm'], hash: string]>> = {
  4865: ['aes-128-gcm', 'sha256'],
  4866: ['aes-256-gcm', 'sha384'],
  4867: ['chacha20-poly1305', 'sha256'],
}
/** ECDSA, RSA-PSS, EdDSA, RSA with SHA-256 and more. */
const SCHEMES = [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601, 0x0807]

export interface QuicQuestion {
  readonly payload: Buffer
  /** Reads the datagrams of an answer; null where none of them is QUIC's. */
  readonly read: (replies: readonly Buffer[]) => QuicAnswer | null
}

/**
 * handshake: the server went along · refused: it ended the connection, with `code` and `reason` · retry: it wants the address proven
 * first · versions: it speaks others than version 1.
 */
export interface QuicAnswer {
  readonly state: 'handshake' | 'refused' | 'retry' | 'versions'
  readonly versions: readonly number[]
  readonly code: number | null
  readonly reason: string
  /** Chosen for what comes after the handshake: "h3". */
  readonly alpn: string | null
  /** DER, the leaf first, as far as they came whole. */
  readonly certificates: readonly Buffer[]
}

/** @param servername of the site, for SNI */
export const askFirstFlight = (servername: string, alpn: readonly string[] = ['h3']): QuicQuestion => {
  const destination = randomBytes(8)
  const source = randomBytes(8)
  const shares = [29, 23].flatMap((group) => createShare(group) ?? [])
  const hello = buildHello({
    version: VERSION.tls12,
    suites: Object.keys(SUITES).map(Number),
    servername,
    groups: shares.map(({ group }) => group),
    schemes: SCHEMES,
    supportedVersions: [VERSION.tls13],
    keyShares: shares,
    alpn,
    more: [extension(TRANSPORT_PARAMETERS, parameters(source))],
  })
  const keys = initialKeys(destination)
  const frame = Buffer.concat([u8(0x06), variable(0), variable(hello.length), hello])
  return {
    payload: initialPacket(keys.client, { destination, source }, frame, DATAGRAM),
    read: (replies) => readReplies(replies, keys.server, hello, shares),
  }
}

/** RFC 9000, 18.2: room for one flight, and the connection id that the packet has. */
const parameters = (source: Buffer): Buffer => {
  const one = (id: number, value: Buffer) => Buffer.concat([variable(id), variable(value.length), value])
  return Buffer.concat([
    ...[one(0x01, variable(10_000)), one(0x04, variable(65_536)), one(0x05, variable(16_384))],
    ...[one(0x06, variable(16_384)), one(0x07, variable(16_384)), one(0x08, variable(3)), one(0x09, variable(3))],
    one(0x0f, source),
  ])
}

type Shares = readonly NonNullable<ReturnType<typeof createShare>>[]

const readReplies = (
  replies: readonly Buffer[],
  initial: PacketKeys,
  hello: Buffer,
  shares: Shares,
): QuicAnswer | null => {
  const packets = replies.flatMap((datagram) => attempt(() => packetsIn(datagram)) ?? [])
  const nothing = { versions: [], code: null, reason: '', alpn: null, certificates: [] }
  const listed = packets.find(({ kind }) => kind === 'versions')?.versions
  if (listed !== undefined) return { ...nothing, state: 'versions', versions: listed }
  if (packets.some(({ kind }) => kind === 'retry')) return { ...nothing, state: 'retry' }
  const first = opened(packets, 'initial', initial)
  if (first === null) return null
  const message = firstMessage(inOrder(first.crypto))
  const spoken = { ...nothing, versions: [QUIC_V1] }
  const keys = message && handshakeKeys(message, hello, shares)
  if (!keys) {
    if (first.closed === null && message === null) return null
    return {
      ...spoken,
      state: 'refused',
      code: first.closed?.code ?? null,
      reason: first.closed?.reason ?? 'no key that both have',
    }
  }
  const second = opened(packets, 'handshake', keys) ?? { crypto: [], closed: null }
  const closed = first.closed ?? second.closed
  const flight = inOrder(second.crypto)
  if (closed !== null && flight.length === 0)
    return { ...spoken, state: 'refused', code: closed.code, reason: closed.reason }
  return { ...spoken, state: 'handshake', ...readFlight(flight) }
}

/** Frames of all packets of a kind that verify; null where none does. */
const opened = (packets: readonly LongPacket[], kind: LongPacket['kind'], keys: PacketKeys) => {
  const frames = packets
    .filter((packet) => packet.kind === kind)
    .flatMap((packet) => attempt(() => framesIn(openPacket(keys, packet))) ?? [])
  return frames.length === 0
    ? null
    : {
        crypto: frames.flatMap(({ crypto }) => crypto),
        closed: frames.find((one) => one.closed !== null)?.closed ?? null,
      }
}

const firstMessage = (bytes: Buffer): Buffer | null =>
  bytes.length >= 4 && bytes.length >= 4 + bytes.readUIntBE(1, 3) ? bytes.subarray(0, 4 + bytes.readUIntBE(1, 3)) : null

/** The server's, of the level Handshake (RFC 8446, 7.1); null where it chose what was not offered. */
const handshakeKeys = (message: Buffer, hello: Buffer, shares: Shares): PacketKeys | null =>
  attempt(() => {
    const server = parseServerHello(message.subarray(4))
    const theirs = server.extensions.get(EXTENSION.keyShare)
    const parts = SUITES[server.suite]
    if (server.retry || !theirs || theirs.length < 5 || !parts) return null
    const share = shares.find(({ group }) => group === theirs.readUInt16BE(0))
    if (!share) return null
    const [algorithm, hash] = parts
    const none = createHash(hash).digest()
    const zero = Buffer.alloc(none.length)
    const derive = (secret: Buffer, label: string, context: Buffer) =>
      hkdfExpandLabel(hash, secret, label, context, none.length)
    const early = hkdfExtract(hash, zero, zero)
    const secret = hkdfExtract(hash, derive(early, 'derived', none), share.agree(theirs.subarray(4)))
    const transcript = createHash(hash).update(hello).update(message).digest()
    return packetKeys(algorithm, hash, derive(secret, 's hs traffic', transcript))
  })

/** EncryptedExtensions and Certificate, the last of them as far as it came. */
const readFlight = (flight: Buffer): Pick<QuicAnswer, 'alpn' | 'certificates'> => {
  let alpn: string | null = null
  let certificates: readonly Buffer[] = []
  for (let at = 0; at + 4 <= flight.length; ) {
    const length = flight.readUIntBE(at + 1, 3)
    const body = flight.subarray(at + 4, at + 4 + length)
    if (flight[at] === HANDSHAKE.encryptedExtensions) alpn = attempt(() => alpnOf(body)) ?? alpn
    if (flight[at] === HANDSHAKE.certificate) certificates = chainOf(body)
    at += 4 + length
  }
  return { alpn, certificates }
}

const alpnOf = (body: Buffer): string | null => {
  const chosen = parseExtensions(reader(reader(body).vector(2))).get(EXTENSION.alpn)
  return chosen ? reader(reader(chosen).vector(2)).vector(1).toString('latin1').slice(0, 32) : null
}

const chainOf = (body: Buffer): readonly Buffer[] => {
  const chain: Buffer[] = []
  attempt(() => {
    const input = reader(body)
    input.vector(1)
    input.take(3)
    while (input.left() > 0 && chain.length < 16) {
      chain.push(Buffer.from(input.vector(3)))
      input.vector(2)
    }
    return null
  })
  return chain
}

/** Null for what breaks the grammar, does not verify, or is no point of its curve. */
const attempt = <T>(work: () => T): T | null => {
  try {
    return work()
  } catch (error) {
    if (error instanceof WireError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}
