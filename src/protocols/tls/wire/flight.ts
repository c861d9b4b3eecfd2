/** What a server answers to a hello, as far as it goes in clear: its first flight, or why there is none. */
import { suiteOf } from '../../../knowledge/tls/suites.ts'
import { type Reader, reader, WireError } from './bytes.ts'
import { type Channel, type Ended, isEnded } from './channel.ts'
import { EXTENSION } from './hello.ts'
import { HANDSHAKE, RECORD, VERSION } from './record.ts'

export interface ServerHello {
  /** The version agreed on, supported_versions taken into account. */
  readonly version: number
  readonly random: Buffer
  readonly sessionId: Buffer
  readonly suite: number
  readonly compression: number
  /** True for HelloRetryRequest (RFC 8446, 4.1.4). */
  readonly retry: boolean
  /** The group of key_share, in TLS 1.3. */
  readonly group: number | null
  readonly extensions: ReadonlyMap<number, Buffer>
}

export interface KeyExchange {
  readonly kind: 'ecdhe' | 'dhe' | 'other'
  /** Named curve of ECDHE. */
  readonly group: number | null
  readonly prime: Buffer | null
  readonly generator: Buffer | null
  /** The server's public value. */
  readonly share: Buffer
  /** Signature scheme, from TLS 1.2 on. */
  readonly scheme: number | null
}

export type End =
  | Ended
  | { readonly kind: 'alert'; readonly level: number; readonly description: number }
  | { readonly kind: 'done' }

export interface Flight {
  readonly hello: ServerHello | null
  /** DER, as sent. */
  readonly certificates: readonly Buffer[]
  readonly keyExchange: KeyExchange | null
  readonly certificateRequested: boolean
  readonly staple: Buffer | null
  /** Handshake messages as they came, for a transcript. */
  readonly messages: readonly Buffer[]
  readonly end: End
}

export interface Message {
  readonly kind: 'message'
  readonly type: number
  readonly body: Buffer
  readonly whole: Buffer
}

const RETRY_RANDOM = 'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c'
const LONGEST_MESSAGE = 128 * 1024
const MOST_MESSAGES = 64
/** Warnings (unrecognized_name) may precede the hello; a server that sends nothing else is no server. */
const MOST_WARNINGS = 4

/** Handshake messages out of records. Alerts of level warning are passed over, change_cipher_spec is given as it is. */
export const createMessages = (next: (until: number) => ReturnType<Channel['record']>) => {
  let pending = Buffer.alloc(0)
  let warnings = 0
  const message = async (
    until: number,
  ): Promise<Message | End | { readonly kind: 'other'; readonly type: number; readonly payload: Buffer }> => {
    for (;;) {
      if (pending.length >= 4) {
        const length = pending.readUIntBE(1, 3)
        if (length > LONGEST_MESSAGE) return { kind: 'garbage', start: Buffer.from(pending.subarray(0, 64)) }
        if (pending.length >= 4 + length) {
          const whole = Buffer.from(pending.subarray(0, 4 + length))
          pending = Buffer.from(pending.subarray(4 + length))
          return { kind: 'message', type: whole[0] ?? 0, body: whole.subarray(4), whole }
        }
      }
      const got = await next(until)
      if (isEnded(got)) return got
      if (got.type === RECORD.handshake) pending = Buffer.concat([pending, got.payload])
      else if (got.type === RECORD.alert && got.payload.length === 2) {
        const [level = 2, description = 0] = got.payload
        // Level 1 in SSL 3.0 and TLS up to 1.2 may be passed over, but for the end of the connection.
        if (level !== 1 || description === 0 || warnings++ >= MOST_WARNINGS)
          return { kind: 'alert', level, description }
      } else return { kind: 'other', type: got.type, payload: got.payload }
    }
  }
  return { message }
}

/** Reads to the server's hello, or on to the end of its flight where one comes in clear (up to TLS 1.2). */
export const readFlight = async (channel: Channel, until: number, whole: boolean): Promise<Flight> => {
  const { message } = createMessages(channel.record)
  const flight: {
    -readonly [Key in keyof Omit<Flight, 'end' | 'messages'>]: Flight[Key]
  } = { hello: null, certificates: [], keyExchange: null, certificateRequested: false, staple: null }
  const messages: Buffer[] = []
  const finish = (end: End): Flight => ({ ...flight, messages, end })
  try {
    while (messages.length < MOST_MESSAGES) {
      const got = await message(until)
      if (got.kind === 'other') return finish({ kind: 'garbage', start: got.payload.subarray(0, 64) })
      if (got.kind !== 'message') return finish(got)
      messages.push(got.whole)
      const { hello } = flight
      if (got.type === HANDSHAKE.serverHello) {
        flight.hello = parseServerHello(got.body)
        if (!whole || flight.hello.version >= VERSION.tls13) return finish({ kind: 'done' })
      } else if (hello === null) return finish({ kind: 'garbage', start: got.whole.subarray(0, 64) })
      else if (got.type === HANDSHAKE.certificate) flight.certificates = parseCertificates(got.body)
      else if (got.type === HANDSHAKE.serverKeyExchange) flight.keyExchange = parseKeyExchange(got.body, hello)
      else if (got.type === HANDSHAKE.certificateRequest) flight.certificateRequested = true
      else if (got.type === HANDSHAKE.certificateStatus) flight.staple = parseStaple(got.body)
      else if (got.type === HANDSHAKE.serverHelloDone) return finish({ kind: 'done' })
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error
  }
  return finish({ kind: 'garbage', start: (messages.at(-1) ?? Buffer.alloc(0)).subarray(0, 64) })
}

/** @throws WireError */
export const parseServerHello = (body: Buffer): ServerHello => {
  const input = reader(body)
  const legacy = input.number(2)
  const random = input.take(32)
  const sessionId = input.vector(1)
  const suite = input.number(2)
  const compression = input.number(1)
  const extensions = input.left() > 0 ? parseExtensions(reader(input.vector(2))) : new Map<number, Buffer>()
  const chosen = extensions.get(EXTENSION.supportedVersions)
  const share = extensions.get(EXTENSION.keyShare)
  return {
    version: chosen?.length === 2 ? chosen.readUInt16BE(0) : legacy,
    random,
    sessionId,
    suite,
    compression,
    retry: random.toString('hex') === RETRY_RANDOM,
    group: share && share.length >= 2 ? share.readUInt16BE(0) : null,
    extensions,
  }
}

export const parseExtensions = (input: Reader): Map<number, Buffer> => {
  const found = new Map<number, Buffer>()
  while (input.left() > 0) found.set(input.number(2), input.vector(2))
  return found
}

/** Certificates of TLS up to 1.2. */
const parseCertificates = (body: Buffer): Buffer[] => {
  const list = reader(reader(body).vector(3))
  const found: Buffer[] = []
  while (list.left() > 0 && found.length < 16) found.push(list.vector(3))
  return found
}

const parseStaple = (body: Buffer): Buffer | null => {
  const input = reader(body)
  return input.number(1) === 1 ? input.vector(3) : null
}

/** ECDHE: RFC 8422, 5.4. DHE: RFC 5246, 7.4.3. Which of the two it is follows from the suite. */
const parseKeyExchange = (body: Buffer, hello: ServerHello): KeyExchange => {
  const kind = exchangeOf(hello.suite)
  const input = reader(body)
  const none = { prime: null, generator: null, group: null, scheme: null }
  if (kind === 'other') return { ...none, kind, share: Buffer.alloc(0) }
  const schemeAfter = () => (hello.version >= VERSION.tls12 && input.left() >= 4 ? input.number(2) : null)
  if (kind === 'ecdhe') {
    if (input.number(1) !== 3) return { ...none, kind: 'other', share: Buffer.alloc(0) }
    const group = input.number(2)
    const share = input.vector(1)
    return { ...none, kind, group, share, scheme: schemeAfter() }
  }
  const [prime, generator, share] = [input.vector(2), input.vector(2), input.vector(2)]
  return { ...none, kind, prime, generator, share, scheme: schemeAfter() }
}

const exchangeOf = (code: number): KeyExchange['kind'] => {
  const { exchange, authentication } = suiteOf(code)
  // Export RSA sends a short RSA key here, and PSK a hint before the values.
  if (exchange === 'ECDHE' || (exchange === 'ECDH' && authentication === 'anon')) return 'ecdhe'
  return exchange === 'DHE' || (exchange === 'DH' && authentication === 'anon') ? 'dhe' : 'other'
}
