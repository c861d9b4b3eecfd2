/**
 * A small server of SSL 2.0 to TLS 1.2 that keeps to the protocol in all but the one flaw that a test asks for.
 * RSA key exchange with AES in CBC mode; a hello with any other of its suites is answered, but goes no further.
 */
import { constants, privateDecrypt, randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { suiteOf } from '../../../../knowledge/tls/suites.ts'
import { prf, prfHashOf, transcriptHash } from '../../../../protocols/tls/session/keys.ts'
import {
  type CipherParts,
  createProtection,
  type DirectionKeys,
  partsOf,
} from '../../../../protocols/tls/session/protection.ts'
import { reader, u8, u16, u24, vector, WireError } from '../../../../protocols/tls/wire/bytes.ts'
import { type Channel, createChannel, isEnded } from '../../../../protocols/tls/wire/channel.ts'
import { parseExtensions } from '../../../../protocols/tls/wire/flight.ts'
import { EXTENSION } from '../../../../protocols/tls/wire/hello.ts'
import { HANDSHAKE, handshake, RECORD, record } from '../../../../protocols/tls/wire/record.ts'
import { leniently, type PaddingFlaw, type Secured } from './lenient-records.ts'

export interface Flaws {
  /** Version codes; default TLS 1.0 to 1.2. 2 is SSL 2.0. */
  readonly versions?: readonly number[]
  readonly suites?: readonly number[]
  /** Answers under 4,096 octets stay in the server, as OpenSSL's do during a handshake. */
  readonly heartbeat?: 'sound' | 'bleeds' | 'silent' | 'closes' | 'dies'
  /** Taken early, with keys that nobody has; or as OpenSSL before and since 1.0.1, with those of an empty master secret. */
  readonly ccs?: 'taken' | 'empty keys before 1.0.1' | 'empty keys' | 'closes' | 'dies'
  /** Silent: drops what it cannot read without a word. */
  readonly robot?: 'strong' | 'weak' | 'silent'
  readonly ticket?: 'sound' | 'bleeds'
  readonly padding?: PaddingFlaw
  readonly renegotiation?: 'legacy' | 'client' | 'passed over' | 'silent'
  readonly compression?: boolean
  readonly fallback?: 'ignored'
  /** Prime of DHE, hexadecimal. */
  readonly prime?: string
  /** Answers every hello with this version. */
  readonly stuckAt?: number
  /** Drops hellos with what it does not know. */
  readonly intolerant?: boolean
}

export interface FakePair {
  readonly keyPem: string
  readonly certPem: string
}

export interface FakeServer {
  readonly port: number
  /** It was asked what it dies of, and answers nothing more. */
  readonly isDead: () => boolean
  readonly close: () => Promise<void>
}

const WAIT = 10_000
const HELD_BACK = 4_096
const SUITES = [0x2f, 0x35, 0x3c, 0x0a]

export const startFake = async (address: string, pair: FakePair, flaws: Flaws): Promise<FakeServer> => {
  const sockets = new Set<Socket>()
  const der = new X509Certificate(pair.certPem).raw
  let dead = false
  const die = () => {
    dead = true
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((socket) => {
    if (dead) return void socket.destroy()
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    void serve(createChannel(socket), { ...pair, der }, flaws, die).finally(() => socket.end())
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    isDead: () => dead,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface ClientHello {
  readonly version: number
  readonly random: Buffer
  readonly sessionId: Buffer
  readonly suites: readonly number[]
  readonly compression: readonly number[]
  readonly extensions: ReadonlyMap<number, Buffer>
}

const parseClientHello = (body: Buffer): ClientHello => {
  const input = reader(body)
  const version = input.number(2)
  const random = input.take(32)
  const sessionId = input.vector(1)
  const list = input.vector(2)
  const suites = Array.from({ length: list.length / 2 }, (_, index) => list.readUInt16BE(index * 2))
  const compression = [...input.vector(1)]
  const extensions = input.left() > 0 ? parseExtensions(reader(input.vector(2))) : new Map<number, Buffer>()
  return { version, random, sessionId, suites, compression, extensions }
}

const alert = (version: number, description: number, level = 2): Buffer =>
  record(RECORD.alert, version, Buffer.from([level, description]))

const serve = async (
  channel: Channel,
  pair: FakePair & { der: Buffer },
  flaws: Flaws,
  die: () => void,
): Promise<void> => {
  const until = performance.now() + WAIT
  const versions = flaws.versions ?? [0x0301, 0x0302, 0x0303]
  const start = await channel.take((input) => (input.length < 3 ? null : 0), until)
  if (isEnded(start)) return
  const peek = await channel.take(
    (input) => (input.length < 3 ? null : (input[0] ?? 0) & 0x80 ? 2 + (input.readUInt16BE(0) & 0x7fff) : 0),
    until,
  )
  if (!isEnded(peek) && peek.length > 0) {
    if (versions.includes(2)) channel.write(sslv2ServerHello(pair.der))
    return
  }
  const first = await channel.record(until)
  if (isEnded(first) || first.type !== RECORD.handshake) return
  const clientHello = first.payload
  const hello = parseClientHello(clientHello.subarray(4))
  const version = flaws.stuckAt ?? versions.filter((one) => one > 2 && one <= hello.version).at(-1)
  if (version === undefined) return channel.write(alert(0x0301, 70))
  const isIntolerable = hello.suites.some((suite) => (suite & 0x0f0f) === 0x0a0a) || hello.version > 0x0303
  if (flaws.intolerant && isIntolerable) return
  if (hello.suites.includes(0x5600) && flaws.fallback !== 'ignored' && version < (versions.at(-1) ?? 0)) {
    return channel.write(alert(version, 86))
  }
  const suite = (flaws.suites ?? SUITES).find((one) => hello.suites.includes(one))
  if (suite === undefined) return channel.write(alert(version, 40))
  const resumed = flaws.ticket && (hello.extensions.get(EXTENSION.sessionTicket)?.length ?? 0) > 0
  const sessionId = resumed
    ? Buffer.concat([
        hello.sessionId,
        flaws.ticket === 'bleeds' ? randomBytes(32 - hello.sessionId.length) : Buffer.alloc(0),
      ])
    : Buffer.alloc(0)
  const random = randomBytes(32)
  const method = flaws.compression && hello.compression.includes(1) ? 1 : 0
  const extensions = version === 0x0300 ? Buffer.alloc(0) : serverExtensions(hello, flaws)
  const serverHello = handshake(
    HANDSHAKE.serverHello,
    Buffer.concat([u16(version), random, vector(1, sessionId), u16(suite), u8(method), extensions]),
  )
  if (resumed) return channel.write(record(RECORD.handshake, version, serverHello))
  const messages = [
    serverHello,
    handshake(HANDSHAKE.certificate, vector(3, vector(3, pair.der))),
    ...(/^DH/.test(suiteOf(suite).exchange) ? [dheExchange(flaws.prime ?? 'ff', version)] : []),
    handshake(HANDSHAKE.serverHelloDone, Buffer.alloc(0)),
  ]
  channel.write(record(RECORD.handshake, version, Buffer.concat(messages)))
  await afterHello(channel, pair, flaws, {
    hello,
    version,
    suite,
    random,
    transcript: Buffer.concat([clientHello, ...messages]),
    until,
    die,
  })
}

const serverExtensions = (hello: ClientHello, flaws: Flaws): Buffer => {
  const offered = (type: number) => hello.extensions.has(type)
  const list: Buffer[] = []
  const add = (type: number, body: Buffer) => list.push(Buffer.concat([u16(type), vector(2, body)]))
  if (flaws.renegotiation !== 'legacy' && (offered(EXTENSION.renegotiation) || hello.suites.includes(0xff))) {
    add(EXTENSION.renegotiation, u8(0))
  }
  if (flaws.heartbeat && offered(EXTENSION.heartbeat)) add(EXTENSION.heartbeat, u8(1))
  if (flaws.ticket && offered(EXTENSION.sessionTicket)) add(EXTENSION.sessionTicket, Buffer.alloc(0))
  return list.length === 0 ? Buffer.alloc(0) : vector(2, ...list)
}

/** The signature is none: no probe verifies it. */
const dheExchange = (prime: string, version: number): Buffer => {
  const p = Buffer.from(prime, 'hex')
  const signature =
    version >= 0x0303 ? Buffer.concat([u16(0x0201), vector(2, randomBytes(64))]) : vector(2, randomBytes(64))
  return handshake(
    HANDSHAKE.serverKeyExchange,
    Buffer.concat([vector(2, p), vector(2, u8(2)), vector(2, randomBytes(p.length)), signature]),
  )
}

const sslv2ServerHello = (der: Buffer): Buffer => {
  const ciphers = Buffer.concat([u24(0x010080), u24(0x020080)])
  const lengths = [der.length, ciphers.length, 16].map((length) => u16(length))
  const body = Buffer.concat([Buffer.from([4, 0, 1]), u16(2), ...lengths, der, ciphers, randomBytes(16)])
  const framed = vector(2, body)
  framed[0] = (framed[0] ?? 0) | 0x80
  return framed
}

interface State {
  readonly hello: ClientHello
  readonly version: number
  readonly suite: number
  readonly random: Buffer
  readonly transcript: Buffer
  readonly until: number
  readonly die: () => void
}

const afterHello = async (channel: Channel, pair: FakePair, flaws: Flaws, state: State): Promise<void> => {
  const { version, until } = state
  let transcript = state.transcript
  let premaster: Buffer | null = null
  let switched = false
  for (;;) {
    const got = await channel.record(until)
    if (isEnded(got)) return
    if (got.type === RECORD.heartbeat) {
      if (flaws.heartbeat === 'closes') return
      if (flaws.heartbeat === 'dies') return state.die()
      const isTrue = got.payload.readUInt16BE(1) + 19 <= got.payload.length
      const answer = heartbeatAnswer(got.payload, version)
      if ((flaws.heartbeat === 'bleeds' || (flaws.heartbeat === 'sound' && isTrue)) && answer.length >= HELD_BACK)
        channel.write(answer)
      continue
    }
    if (got.type === RECORD.changeCipherSpec) {
      if (premaster === null && flaws.ccs === 'closes') return
      if (premaster === null && flaws.ccs === 'dies') return state.die()
      if (premaster === null && flaws.ccs === undefined) return channel.write(alert(version, 10))
      if (premaster === null && flaws.ccs !== 'taken') return finishUnderEmptyKeys(channel, pair, flaws, state)
      switched = true
      if (premaster !== null) break
      continue
    }
    if (got.type !== RECORD.handshake) return
    if (switched) return channel.write(alert(version, 20))
    if (got.payload[0] === HANDSHAKE.clientKeyExchange) {
      const decided = decryptPremaster(pair.keyPem, got.payload.subarray(6), flaws, version)
      if (typeof decided === 'number') return channel.write(alert(version, decided))
      premaster = decided
    }
    transcript = Buffer.concat([transcript, got.payload])
  }
  const parts = partsOf(suiteOf(state.suite))
  if (parts === null || premaster === null) return
  await finish(channel, flaws, { ...state, transcript }, premaster, parts)
}

/** Says how long it is by what the client claims, whatever it sent. */
const heartbeatAnswer = (request: Buffer, version: number): Buffer => {
  const claimed = request.readUInt16BE(1)
  const memory = Buffer.concat([request.subarray(3), randomBytes(claimed)]).subarray(0, claimed)
  return record(RECORD.heartbeat, version, Buffer.concat([u8(2), u16(claimed), memory, randomBytes(16)]))
}

/** The premaster secret, a random one where the padding is wrong, or the alert that gives it away. */
const decryptPremaster = (keyPem: string, sealed: Buffer, flaws: Flaws, version: number): Buffer | number => {
  const block = privateDecrypt({ key: keyPem, padding: constants.RSA_NO_PADDING }, sealed)
  const zero = block.indexOf(0, 2)
  const starts = block[0] === 0 && block[1] === 2
  const right = starts && zero === block.length - 49 && block.readUInt16BE(zero + 1) === version
  if (right) return block.subarray(zero + 1)
  if (flaws.robot === 'weak') return 40
  if (flaws.robot === 'strong') return starts ? 47 : 51
  return randomBytes(48)
}

const directions = ({ version, hello, random, suite }: State, master: Buffer, parts: CipherParts) => {
  const { macLength: m, keyLength: k, ivLength: v } = parts
  const seed = Buffer.concat([random, hello.random])
  const block = prf(prfHashOf(version, suiteOf(suite).name), master, 'key expansion', seed, 2 * (m + k + v))
  const side = (n: number): DirectionKeys => ({
    mac: block.subarray(n * m, (n + 1) * m),
    key: block.subarray(2 * m + n * k, 2 * m + (n + 1) * k),
    iv: block.subarray(2 * (m + k) + n * v, 2 * (m + k) + (n + 1) * v),
  })
  const [client, server] = [side(0), side(1)]
  return {
    ...{ read: createProtection(version, parts, client), write: createProtection(version, parts, server) },
    key: client.key,
  }
}

const finishUnderEmptyKeys = async (channel: Channel, pair: FakePair, flaws: Flaws, state: State): Promise<void> => {
  const { version, hello, random, suite, transcript, until } = state
  const parts = partsOf(suiteOf(suite))
  if (parts === null) return
  const { read, write } = directions(state, Buffer.alloc(0), parts)
  const next = async (): Promise<Buffer | null> => {
    const got = await channel.record(until)
    return isEnded(got) ? null : opened(() => read.open(RECORD.handshake, got.payload))
  }
  const exchange = await next()
  if (exchange === null) return channel.write(alert(version, 20))
  const premaster = decryptPremaster(pair.keyPem, exchange.subarray(6), flaws, version)
  const finished = await next()
  if (typeof premaster === 'number' || finished === null) return
  const hash = prfHashOf(version, suiteOf(suite).name)
  const master = prf(hash, premaster, 'master secret', Buffer.concat([hello.random, random]), 48)
  const before = Buffer.concat([transcript, exchange])
  const [secret, seen] = flaws.ccs === 'empty keys' ? [master, before] : [Buffer.alloc(0), transcript]
  const due = prf(hash, secret, 'client finished', transcriptHash(hash, seen), 12)
  if (!finished.subarray(4).equals(due)) return channel.write(alert(version, 51))
  const all = transcriptHash(hash, Buffer.concat([before, finished]))
  const verify = handshake(HANDSHAKE.finished, prf(hash, master, 'server finished', all, 12))
  channel.write(record(RECORD.changeCipherSpec, version, u8(1)))
  channel.write(record(RECORD.handshake, version, write.seal(RECORD.handshake, verify)))
}

const finish = async (
  channel: Channel,
  flaws: Flaws,
  state: State,
  premaster: Buffer,
  parts: CipherParts,
): Promise<void> => {
  const { version, hello, random, until } = state
  const hash = prfHashOf(version, suiteOf(state.suite).name)
  const master = prf(hash, premaster, 'master secret', Buffer.concat([hello.random, random]), 48)
  const { read, write, key } = directions(state, master, parts)
  const sealed = await channel.record(until)
  if (isEnded(sealed)) return
  const finished = opened(() => read.open(RECORD.handshake, sealed.payload))
  if (finished === null && flaws.robot === 'silent') return void (await channel.record(until))
  if (finished === null) return channel.write(alert(version, 20))
  let transcript = Buffer.concat([state.transcript, finished])
  if (flaws.ticket && hello.extensions.has(EXTENSION.sessionTicket)) {
    const ticket = handshake(
      HANDSHAKE.newSessionTicket,
      Buffer.concat([Buffer.from([0, 0, 2, 88]), vector(2, randomBytes(48))]),
    )
    transcript = Buffer.concat([transcript, ticket])
    channel.write(record(RECORD.handshake, version, ticket))
  }
  const verify = prf(hash, master, 'server finished', transcriptHash(hash, transcript), 12)
  channel.write(record(RECORD.changeCipherSpec, version, u8(1)))
  channel.write(record(RECORD.handshake, version, write.seal(RECORD.handshake, handshake(HANDSHAKE.finished, verify))))
  await conversation(channel, flaws, { version, until, parts, read, write, key, die: state.die })
}

const conversation = async (channel: Channel, flaws: Flaws, secured: Secured): Promise<void> => {
  const { version, read, write, until } = secured
  const say = (type: number, plain: Buffer) => channel.write(record(type, version, write.seal(type, plain)))
  const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  for (;;) {
    const got = await channel.record(until)
    if (isEnded(got)) return
    const verdict = flaws.padding && got.type === RECORD.data ? leniently(got.payload, flaws.padding, secured) : null
    if (verdict === 'accept') return say(RECORD.data, answer)
    if (verdict === 'drop') return
    if (verdict === 'die') return secured.die()
    if (verdict !== null) return say(RECORD.alert, Buffer.from([2, verdict]))
    const plain = opened(() => read.open(got.type, got.payload))
    if (plain === null && flaws.padding === 'silent') continue
    if (plain === null) return say(RECORD.alert, Buffer.from([2, 20]))
    if (got.type === RECORD.data && flaws.renegotiation === 'silent') continue
    if (got.type === RECORD.data) return say(RECORD.data, answer)
    if (got.type === RECORD.handshake && plain[0] === HANDSHAKE.clientHello) {
      if (flaws.renegotiation === 'passed over' || flaws.renegotiation === 'silent') continue
      if (!flaws.renegotiation) say(RECORD.alert, Buffer.from([1, 100]))
      else
        say(
          RECORD.handshake,
          handshake(HANDSHAKE.serverHello, Buffer.concat([u16(version), randomBytes(32), u8(0), u16(0x2f), u8(0)])),
        )
    }
  }
}

const opened = (work: () => Buffer): Buffer | null => {
  try {
    return work()
  } catch (error) {
    if (error instanceof WireError) return null
    throw error
  }
}
