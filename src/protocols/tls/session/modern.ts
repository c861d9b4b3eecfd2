/** A whole handshake of TLS 1.3 as a client (RFC 8446), with tickets and early data. It proves nothing and trusts nobody. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { X25519 } from '../../../knowledge/tls/groups.ts'
import { reader, u8, vector, WireError } from '../wire/bytes.ts'
import { type Channel, isEnded } from '../wire/channel.ts'
import { createMessages, parseExtensions, parseServerHello, type ServerHello } from '../wire/flight.ts'
import { buildHello, EXTENSION, extension, type Hello } from '../wire/hello.ts'
import { HANDSHAKE, handshake, RECORD, record, VERSION } from '../wire/record.ts'
import { createShare, SHARED_GROUPS, type Share } from './exchange.ts'
import { hkdfExpandLabel, hkdfExtract } from './keys.ts'
import { createModernProtection, type ModernProtection } from './protection.ts'

export interface ModernTicket {
  /** Seconds. */
  readonly lifetime: number
  readonly ageAdd: number
  readonly ticket: Buffer
  readonly psk: Buffer
  readonly hash: string
  readonly suite: number
  /** Of the key exchange of its session: the server takes it. */
  readonly group: number
  /** Octets of early data that may come with it, 0 for none. */
  readonly earlyData: number
  /** performance.now() of its arrival. */
  readonly received: number
}

export interface ModernSession {
  readonly hello: ServerHello
  readonly encryptedExtensions: ReadonlyMap<number, Buffer>
  readonly resumed: boolean
  /** None was sent: the server may end the connection for it. */
  readonly certificateRequested: boolean
  readonly send: (type: number, plain: Buffer) => void
  readonly next: (until: number) => ReturnType<Channel['record']>
  /** Tickets that come within the wait, at most two. */
  readonly tickets: (until: number) => Promise<readonly ModernTicket[]>
}

export interface PreparedHello {
  readonly bytes: Buffer
  readonly message: Buffer
  readonly share: Share
  readonly psk: Buffer | null
  /** The same hello with a share of another group, for a server that asks for it; null where it carries early data. */
  readonly again: ((share: Share, cookie: Buffer | undefined) => Buffer) | null
}

const ALGORITHMS: Readonly<Record<number, readonly [algorithm: string, hash: string, keyLength: number]>> = {
  4865: ['aes-128-gcm', 'sha256', 16],
  4866: ['aes-256-gcm', 'sha384', 32],
  4867: ['chacha20-poly1305', 'sha256', 32],
}

/** What `openModern` can speak, of what a server takes. */
export const speakable = (suites: readonly number[]): number[] => suites.filter((suite) => suite in ALGORITHMS)

/** A hello with a real share, ready to be sent; with a ticket it resumes, and carries the octets as early data. */
export const prepareHello = (
  offer: Hello,
  resume: { ticket: ModernTicket; earlyData: Buffer } | null = null,
): PreparedHello => {
  const random = offer.random ?? randomBytes(32)
  const share = createShare(resume?.ticket.group ?? X25519)
  if (share === null) throw new TypeError('a ticket of a group that is not spoken')
  const base = { ...offer, random, keyShares: [share], groups: SHARED_GROUPS }
  if (resume === null) {
    const message = buildHello(base)
    const again = (other: Share, cookie: Buffer | undefined): Buffer =>
      buildHello({
        ...base,
        keyShares: [other],
        more: [...(base.more ?? []), ...(cookie ? [extension(EXTENSION.cookie, cookie)] : [])],
      })
    return { bytes: record(RECORD.handshake, 0x0301, message), message, share, psk: null, again }
  }
  const { ticket, earlyData } = resume
  const { hash } = ticket
  const length = createHash(hash).digest().length
  const age = (Math.round(performance.now() - ticket.received) + ticket.ageAdd) >>> 0
  const ageBytes = Buffer.alloc(4)
  ageBytes.writeUInt32BE(age)
  const identity = vector(2, Buffer.concat([vector(2, ticket.ticket), ageBytes]))
  const more = (binder: Buffer) => [
    ...(base.more ?? []),
    ...(earlyData.length > 0 ? [extension(EXTENSION.earlyData)] : []),
    extension(EXTENSION.presharedKey, Buffer.concat([identity, vector(2, vector(1, binder))])),
  ]
  const draft = buildHello({ ...base, more: more(Buffer.alloc(length)) })
  // The binder covers all but the list of binders itself (RFC 8446, 4.2.11.2).
  const truncated = draft.subarray(0, draft.length - (length + 3))
  const early = hkdfExtract(hash, Buffer.alloc(length), ticket.psk)
  const binderKey = derive(hash, early, 'res binder', Buffer.alloc(0))
  const message = buildHello({ ...base, more: more(finishedMac(hash, binderKey, digest(hash, truncated))) })
  const traffic = hkdfExpandLabel(hash, early, 'c e traffic', digest(hash, message), length)
  const sealed =
    earlyData.length > 0 ? protectionOf(ticket.suite, traffic).seal(RECORD.data, earlyData) : Buffer.alloc(0)
  const bytes = Buffer.concat([record(RECORD.handshake, 0x0301, message), sealed])
  return { bytes, message, share, psk: ticket.psk, again: null }
}

interface Opening {
  readonly hello: ServerHello
  readonly hash: string
  /** Of the key exchange. */
  readonly group: number
  readonly handshakeSecret: Buffer
  readonly clientSecret: Buffer
  readonly serverSecret: Buffer
  readonly read: ModernProtection
  readonly transcript: Buffer
}

/** Sends a prepared hello and reads EncryptedExtensions: enough to see whether early data was taken. */
export const readAcceptance = async (
  channel: Channel,
  prepared: PreparedHello,
  until: number,
): Promise<boolean | null> => {
  channel.write(prepared.bytes)
  const opening = await open(channel, prepared, until)
  if (opening === null) return null
  const { message } = createMessages(encrypted(channel, opening.read))
  const got = await message(until)
  if (got.kind !== 'message' || got.type !== HANDSHAKE.encryptedExtensions) return null
  return parseEncrypted(got.body)?.has(EXTENSION.earlyData) ?? null
}

export interface ModernCertificate extends ModernAnswer {
  /** DER, as sent. */
  readonly chain: readonly Buffer[]
  /** Extensions of the first: the stapled status and the timestamps (RFC 8446, 4.4.2). */
  readonly extensions: ReadonlyMap<number, Buffer>
}

/** What comes encrypted before the certificate. */
export interface ModernAnswer {
  readonly encryptedExtensions: ReadonlyMap<number, Buffer>
  readonly certificateRequested: boolean
}

/** Sends a prepared hello and reads the Certificate message, whatever may be asked of us; null where none comes. */
export const readCertificate = async (
  channel: Channel,
  prepared: PreparedHello,
  until: number,
): Promise<ModernCertificate | null> => {
  channel.write(prepared.bytes)
  const opening = await open(channel, prepared, until)
  if (opening === null) return null
  const { message } = createMessages(encrypted(channel, opening.read))
  let encryptedExtensions: ReadonlyMap<number, Buffer> = new Map()
  let certificateRequested = false
  for (let count = 0; count < 4; count++) {
    const got = await message(until)
    if (got.kind !== 'message') return null
    if (got.type === HANDSHAKE.encryptedExtensions)
      encryptedExtensions = parseEncrypted(got.body) ?? encryptedExtensions
    if (got.type === HANDSHAKE.certificateRequest) certificateRequested = true
    if (got.type === HANDSHAKE.certificate)
      return attempt(() => ({ ...parseCertificate(got.body), encryptedExtensions, certificateRequested }))
  }
  return null
}

const parseEncrypted = (body: Buffer): ReadonlyMap<number, Buffer> | null =>
  attempt(() => parseExtensions(reader(reader(body).vector(2))))

const parseCertificate = (body: Buffer): Omit<ModernCertificate, keyof ModernAnswer> => {
  const input = reader(body)
  input.vector(1)
  const list = reader(input.vector(3))
  const chain: Buffer[] = []
  let extensions: ReadonlyMap<number, Buffer> = new Map()
  while (list.left() > 0 && chain.length < 16) {
    chain.push(list.vector(3))
    const own = parseExtensions(reader(list.vector(2)))
    if (chain.length === 1) extensions = own
  }
  return { chain, extensions }
}

/** Null where the handshake does not come to its end. */
export const openModern = async (
  channel: Channel,
  prepared: PreparedHello,
  until: number,
): Promise<ModernSession | null> => {
  channel.write(prepared.bytes)
  const opening = await open(channel, prepared, until)
  if (opening === null) return null
  const { hash, hello } = opening
  const { message } = createMessages(encrypted(channel, opening.read))
  let { transcript } = opening
  let extensions: ReadonlyMap<number, Buffer> = new Map()
  let requested: Buffer | null = null
  for (let count = 0; ; count++) {
    const got = await message(until)
    if (got.kind !== 'message' || count > 8) return null
    if (got.type === HANDSHAKE.finished) {
      const expected = finishedMac(hash, opening.serverSecret, digest(hash, transcript))
      if (!expected.equals(got.body)) return null
      transcript = Buffer.concat([transcript, got.whole])
      break
    }
    if (got.type === HANDSHAKE.encryptedExtensions) {
      extensions = parseEncrypted(got.body) ?? extensions
    }
    if (got.type === HANDSHAKE.certificateRequest) requested = attempt(() => reader(got.body).vector(1))
    transcript = Buffer.concat([transcript, got.whole])
  }
  const length = digest(hash, Buffer.alloc(0)).length
  const master = hkdfExtract(
    hash,
    derive(hash, opening.handshakeSecret, 'derived', Buffer.alloc(0)),
    Buffer.alloc(length),
  )
  const clientApp = derive(hash, master, 'c ap traffic', transcript)
  const serverApp = derive(hash, master, 's ap traffic', transcript)
  const writeHandshake = protectionOf(hello.suite, opening.clientSecret)
  const certificate =
    requested === null
      ? Buffer.alloc(0)
      : handshake(HANDSHAKE.certificate, Buffer.concat([vector(1, requested), vector(3)]))
  transcript = Buffer.concat([transcript, certificate])
  const finished = handshake(HANDSHAKE.finished, finishedMac(hash, opening.clientSecret, digest(hash, transcript)))
  transcript = Buffer.concat([transcript, finished])
  channel.write(
    Buffer.concat([
      record(RECORD.changeCipherSpec, 0x0303, u8(1)),
      writeHandshake.seal(RECORD.handshake, Buffer.concat([certificate, finished])),
    ]),
  )
  const resumption = derive(hash, master, 'res master', transcript)
  const read = protectionOf(hello.suite, serverApp)
  const write = protectionOf(hello.suite, clientApp)
  const next = encrypted(channel, read)
  return {
    hello,
    encryptedExtensions: extensions,
    resumed: hello.extensions.has(EXTENSION.presharedKey),
    certificateRequested: requested !== null,
    send: (type, plain) => channel.write(write.seal(type, plain)),
    next,
    tickets: async (until) => {
      const { message: later } = createMessages(next)
      const found: ModernTicket[] = []
      while (found.length < 2) {
        const got = await later(found.length === 0 ? until : Math.min(until, performance.now() + 50))
        if (got.kind !== 'message' || got.type !== HANDSHAKE.newSessionTicket) break
        const ticket = attempt(() => parseTicket(got.body, resumption, opening))
        if (ticket) found.push(ticket)
      }
      return found
    },
  }
}

const open = async (channel: Channel, prepared: PreparedHello, until: number): Promise<Opening | null> => {
  const { message } = createMessages(channel.record)
  const first = await message(until)
  if (first.kind !== 'message' || first.type !== HANDSHAKE.serverHello) return null
  const hello = attempt(() => parseServerHello(first.body))
  if (hello === null || hello.version !== VERSION.tls13) return null
  const { message: offered, share } = prepared
  if (!hello.retry) return agree(hello, share, Buffer.concat([offered, first.whole]), prepared.psk)
  const wanted = retryOf(hello, prepared)
  if (wanted === null) return null
  channel.write(record(RECORD.handshake, VERSION.tls12, wanted.message))
  let second = await message(until)
  // The change_cipher_spec of compatibility mode may stand before it (RFC 8446, D.4).
  if (second.kind === 'other' && second.type === RECORD.changeCipherSpec) second = await message(until)
  if (second.kind !== 'message' || second.type !== HANDSHAKE.serverHello) return null
  const { body } = second
  const answer = attempt(() => parseServerHello(body))
  const [, hash] = ALGORITHMS[hello.suite] ?? []
  if (answer === null || answer.retry || hash === undefined) return null
  // RFC 8446, 4.4.1: a hash stands for the first hello.
  const start = handshake(HANDSHAKE.messageHash, digest(hash, offered))
  return agree(answer, wanted.share, Buffer.concat([start, first.whole, wanted.message, second.whole]), null)
}

/** The second hello, with a share of the group that the server names (RFC 8446, 4.1.4). */
const retryOf = (
  { extensions }: ServerHello,
  { again, share }: PreparedHello,
): { readonly message: Buffer; readonly share: Share } | null => {
  const named = extensions.get(EXTENSION.keyShare)
  const group = named?.length === 2 ? named.readUInt16BE(0) : share.group
  const other = group === share.group ? share : createShare(group)
  const cookie = extensions.get(EXTENSION.cookie)
  return other === null || again === null ? null : { message: again(other, cookie), share: other }
}

const agree = (hello: ServerHello, share: Share, transcript: Buffer, offeredPsk: Buffer | null): Opening | null => {
  const theirs = hello.extensions.get(EXTENSION.keyShare)
  const parts = ALGORITHMS[hello.suite]
  if (!theirs || theirs.length < 4 || theirs.readUInt16BE(0) !== share.group || !parts) return null
  const shared = attempt(() => share.agree(theirs.subarray(4)))
  if (shared === null) return null
  const [, hash] = parts
  const length = digest(hash, Buffer.alloc(0)).length
  const psk = hello.extensions.has(EXTENSION.presharedKey) ? offeredPsk : null
  const early = hkdfExtract(hash, Buffer.alloc(length), psk ?? Buffer.alloc(length))
  const handshakeSecret = hkdfExtract(hash, derive(hash, early, 'derived', Buffer.alloc(0)), shared)
  const clientSecret = derive(hash, handshakeSecret, 'c hs traffic', transcript)
  const serverSecret = derive(hash, handshakeSecret, 's hs traffic', transcript)
  return {
    ...{ hello, hash, group: share.group, handshakeSecret, clientSecret, serverSecret, transcript },
    read: protectionOf(hello.suite, serverSecret),
  }
}

/** Records of encrypted content; the change_cipher_spec of compatibility mode is passed over. */
const encrypted =
  (channel: Channel, read: ModernProtection) =>
  async (until: number): ReturnType<Channel['record']> => {
    for (let passed = 0; ; passed++) {
      const got = await channel.record(until)
      if (isEnded(got)) return got
      if (got.type === RECORD.changeCipherSpec && passed < 2) continue
      if (got.type !== RECORD.data) return got
      const inner = attempt(() => read.open(got.payload))
      return inner === null
        ? { kind: 'garbage', start: got.payload.subarray(0, 64) }
        : { kind: 'record', type: inner.type, version: got.version, payload: inner.plain }
    }
  }

const parseTicket = (body: Buffer, resumption: Buffer, { hash, hello: { suite }, group }: Opening): ModernTicket => {
  const input = reader(body)
  const lifetime = input.take(4).readUInt32BE(0)
  const ageAdd = input.take(4).readUInt32BE(0)
  const nonce = input.vector(1)
  const ticket = input.vector(2)
  const early = parseExtensions(reader(input.vector(2))).get(EXTENSION.earlyData)
  const psk = hkdfExpandLabel(hash, resumption, 'resumption', nonce, digest(hash, Buffer.alloc(0)).length)
  return {
    lifetime,
    ageAdd,
    ticket,
    psk,
    hash,
    suite,
    group,
    earlyData: early?.length === 4 ? early.readUInt32BE(0) : 0,
    received: performance.now(),
  }
}

const digest = (hash: string, data: Buffer): Buffer => createHash(hash).update(data).digest()
const derive = (hash: string, secret: Buffer, label: string, transcript: Buffer): Buffer =>
  hkdfExpandLabel(hash, secret, label, digest(hash, transcript), digest(hash, transcript).length)
const finishedMac = (hash: string, secret: Buffer, transcript: Buffer): Buffer => {
  const key = hkdfExpandLabel(hash, secret, 'finished', Buffer.alloc(0), digest(hash, transcript).length)
  return createHmac(hash, key).update(transcript).digest()
}

const protectionOf = (suite: number, secret: Buffer): ModernProtection => {
  const [algorithm, hash, keyLength] = ALGORITHMS[suite] ?? ['aes-128-gcm', 'sha256', 16]
  const key = hkdfExpandLabel(hash, secret, 'key', Buffer.alloc(0), keyLength)
  return createModernProtection(algorithm, { key, iv: hkdfExpandLabel(hash, secret, 'iv', Buffer.alloc(0), 12) })
}

/** Null for what breaks the grammar, and for shares that are no points. */
const attempt = <T>(work: () => T): T | null => {
  try {
    return work()
  } catch (error) {
    if (error instanceof WireError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}
