/**
 * A whole handshake of TLS 1.0 to 1.2 as a client. It trusts nobody and proves nothing: it exists to see how a server
 * behaves behind its handshake.
 */
import { randomBytes } from 'node:crypto'
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import { vector, WireError } from '../wire/bytes.ts'
import { type Channel, isEnded } from '../wire/channel.ts'
import { createMessages, type Flight, parseServerHello, readFlight, type ServerHello } from '../wire/flight.ts'
import { buildHello, type Hello } from '../wire/hello.ts'
import { HANDSHAKE, handshake, RECORD, type RecordEvent, record } from '../wire/record.ts'
import { answerExchange } from './exchange.ts'
import { prf, prfHashOf, transcriptHash } from './keys.ts'
import { type CipherParts, createProtection, type Protection, partsOf } from './protection.ts'

export interface Ticket {
  /** Seconds, as the server hints; 0 where it says nothing. */
  readonly lifetime: number
  readonly ticket: Buffer
}

export interface Session {
  readonly hello: ServerHello
  readonly parts: CipherParts
  readonly flight: Flight
  readonly master: Buffer
  readonly ticket: Ticket | null
  readonly resumed: boolean
  /** verify_data of both sides, for renegotiation_info. */
  readonly verify: { readonly client: Buffer; readonly server: Buffer }
  readonly write: Protection
  /** Sends a record of this type, protected. */
  readonly send: (type: number, plain: Buffer) => void
  /** Sends octets as a protected record's body, encrypted as they are. */
  readonly sendRaw: (type: number, octets: Buffer) => void
  /** The next record, opened. What does not verify is 'garbage'. */
  readonly next: (until: number) => ReturnType<Channel['record']>
}

export interface Resume {
  readonly master: Buffer
}

/** Null where the handshake does not come to its end. @param resume of the session that the hello names */
export const openSession = async (
  channel: Channel,
  offer: Hello,
  until: number,
  resume: Resume | null = null,
): Promise<Session | null> => {
  const random = offer.random ?? randomBytes(32)
  const clientHello = buildHello({ ...offer, random })
  channel.write(record(RECORD.handshake, Math.min(offer.version, 0x0301), clientHello))
  return resume === null
    ? fullHandshake(channel, offer, random, clientHello, until)
    : resumedHandshake(channel, random, clientHello, until, resume)
}

export interface Keys {
  readonly write: Protection
  readonly read: Protection
}

/** Keys of the records of both directions. @param master secret; an empty one makes keys that everybody knows */
export const keysFrom = (master: Buffer, random: Buffer, hello: ServerHello, parts: CipherParts): Keys => {
  const hash = prfHashOf(hello.version, suiteOf(hello.suite).name)
  const { macLength: m, keyLength: k, ivLength: v } = parts
  const block = prf(hash, master, 'key expansion', Buffer.concat([hello.random, random]), 2 * (m + k + v))
  const cut = (at: number, length: number) => block.subarray(at, at + length)
  const side = (n: 0 | 1) => ({
    mac: cut(n * m, m),
    key: cut(2 * m + n * k, k),
    iv: cut(2 * (m + k) + n * v, v),
  })
  return {
    write: createProtection(hello.version, parts, side(0)),
    read: createProtection(hello.version, parts, side(1)),
  }
}

const fullHandshake = async (
  channel: Channel,
  offer: Hello,
  random: Buffer,
  clientHello: Buffer,
  until: number,
): Promise<Session | null> => {
  const flight = await readFlight(channel, until, true)
  const { hello, end } = flight
  if (hello === null || end.kind !== 'done' || hello.version > 0x0303 || hello.version < 0x0301) return null
  const suite = suiteOf(hello.suite)
  const parts = partsOf(suite)
  const exchange = attempt(() => answerExchange(flight, offer.version))
  if (parts === null || exchange === null) return null
  const hash = prfHashOf(hello.version, suite.name)
  const master = prf(hash, exchange.premaster, 'master secret', Buffer.concat([random, hello.random]), 48)
  const keys = keysFrom(master, random, hello, parts)
  const sent = [
    ...(flight.certificateRequested ? [handshake(HANDSHAKE.certificate, vector(3))] : []),
    handshake(HANDSHAKE.clientKeyExchange, exchange.message),
  ]
  const before = Buffer.concat([clientHello, ...flight.messages, ...sent])
  const client = prf(hash, master, 'client finished', transcriptHash(hash, before), 12)
  const finished = handshake(HANDSHAKE.finished, client)
  channel.write(
    Buffer.concat([
      ...sent.map((message) => record(RECORD.handshake, hello.version, message)),
      record(RECORD.changeCipherSpec, hello.version, Buffer.from([1])),
      record(RECORD.handshake, hello.version, keys.write.seal(RECORD.handshake, finished)),
    ]),
  )
  const ending = await readEnding(channel, keys.read, until)
  if (ending === null) return null
  const transcript = Buffer.concat([before, finished, ...ending.clear])
  const server = prf(hash, master, 'server finished', transcriptHash(hash, transcript), 12)
  if (!server.equals(ending.verify)) return null
  return sessionOf({
    channel,
    flight,
    hello,
    parts,
    master,
    keys,
    ticket: ending.ticket,
    verify: { client, server },
    resumed: false,
  })
}

const resumedHandshake = async (
  channel: Channel,
  random: Buffer,
  clientHello: Buffer,
  until: number,
  resume: Resume,
): Promise<Session | null> => {
  const { message } = createMessages(channel.record)
  const first = await message(until)
  if (first.kind !== 'message' || first.type !== HANDSHAKE.serverHello) return null
  const hello = attempt(() => parseServerHello(first.body))
  const parts = hello === null ? null : partsOf(suiteOf(hello.suite))
  if (hello === null || parts === null) return null
  const keys = keysFrom(resume.master, random, hello, parts)
  const second = await message(until)
  const clear: Buffer[] = []
  let switched = second
  if (second.kind === 'message' && second.type === HANDSHAKE.newSessionTicket) {
    clear.push(second.whole)
    switched = await message(until)
  }
  if (switched.kind !== 'other' || switched.type !== RECORD.changeCipherSpec) return null
  const ending = await readFinished(channel, keys.read, until)
  if (ending === null) return null
  const hash = prfHashOf(hello.version, suiteOf(hello.suite).name)
  const transcript = Buffer.concat([clientHello, first.whole, ...clear])
  const server = prf(hash, resume.master, 'server finished', transcriptHash(hash, transcript), 12)
  if (!server.equals(ending)) return null
  const after = Buffer.concat([transcript, handshake(HANDSHAKE.finished, server)])
  const client = prf(hash, resume.master, 'client finished', transcriptHash(hash, after), 12)
  channel.write(
    Buffer.concat([
      record(RECORD.changeCipherSpec, hello.version, Buffer.from([1])),
      record(RECORD.handshake, hello.version, keys.write.seal(RECORD.handshake, handshake(HANDSHAKE.finished, client))),
    ]),
  )
  const flight: Flight = {
    hello,
    certificates: [],
    keyExchange: null,
    certificateRequested: false,
    staple: null,
    messages: [first.whole],
    end: { kind: 'done' },
  }
  return sessionOf({
    channel,
    flight,
    hello,
    parts,
    master: resume.master,
    keys,
    ticket: null,
    verify: { client, server },
    resumed: true,
  })
}

interface Ending {
  readonly ticket: Ticket | null
  /** Messages between our Finished and the server's. */
  readonly clear: readonly Buffer[]
  readonly verify: Buffer
}

/** NewSessionTicket in clear, change_cipher_spec, Finished. */
export const readEnding = async (channel: Channel, read: Protection, until: number): Promise<Ending | null> => {
  const { message } = createMessages(channel.record)
  const clear: Buffer[] = []
  let ticket: Ticket | null = null
  for (let count = 0; count < 4; count++) {
    const got = await message(until)
    if (got.kind === 'message') {
      clear.push(got.whole)
      if (got.type === HANDSHAKE.newSessionTicket) ticket = parseTicket(got.body)
      continue
    }
    if (got.kind !== 'other' || got.type !== RECORD.changeCipherSpec) return null
    const verify = await readFinished(channel, read, until)
    return verify === null ? null : { ticket, clear, verify }
  }
  return null
}

const readFinished = async (channel: Channel, read: Protection, until: number): Promise<Buffer | null> => {
  const got = await channel.record(until)
  if (isEnded(got) || got.type !== RECORD.handshake) return null
  const plain = attempt(() => read.open(RECORD.handshake, got.payload))
  return plain !== null && plain[0] === HANDSHAKE.finished && plain.length === 16 ? plain.subarray(4) : null
}

const parseTicket = (body: Buffer): Ticket | null =>
  body.length < 6
    ? null
    : { lifetime: body.readUInt32BE(0), ticket: Buffer.from(body.subarray(6, 6 + body.readUInt16BE(4))) }

const sessionOf = (
  made: Omit<Session, 'send' | 'sendRaw' | 'next' | 'write'> & { channel: Channel; keys: Keys },
): Session => {
  const { channel, keys, ...rest } = made
  const { version } = made.hello
  const opened = (got: RecordEvent): RecordEvent | { kind: 'garbage'; start: Buffer } => {
    const plain = attempt(() => keys.read.open(got.type, got.payload))
    return plain === null ? { kind: 'garbage', start: got.payload.subarray(0, 64) } : { ...got, payload: plain }
  }
  return {
    ...rest,
    write: keys.write,
    send: (type, plain) => channel.write(record(type, version, keys.write.seal(type, plain))),
    sendRaw: (type, octets) => channel.write(record(type, version, keys.write.sealRaw(octets))),
    next: async (until) => {
      const got = await channel.record(until)
      return isEnded(got) ? got : opened(got)
    },
  }
}

/** Null for what breaks the grammar or what the library refuses: a point off its curve, a modulus of 8 bits. */
const attempt = <T>(work: () => T): T | null => {
  try {
    return work()
  } catch (error) {
    if (error instanceof WireError || isCryptoError(error)) return null
    throw error
  }
}

const isCryptoError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^ERR_(OSSL|CRYPTO|OUT_OF_RANGE|INVALID_ARG)/.test(error.code)
