/**
 * One message over a WebSocket (RFC 6455): the handshake, what the server says by itself, the message, and what is said after it. Of
 * Engine.IO (https://socket.io/docs/v4/engine-io-protocol/) the packets around it, of Action Cable the subscription before it.
 */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { EgressError, type HeaderPairs, type HttpRequest } from '../door/egress.ts'
import { socketError } from '../sockets/errors.ts'
import { NoAnswer, type RawExchange } from './exchange.ts'
import { createResponseParser, type ParsedResponse } from './response-parser.ts'

/** Milliseconds without a byte after which the server has said what it had to say, and the longest that it is listened to by itself. */
const QUIET = 150
const LONGEST_GREETING = 900
/** Milliseconds until the first byte of an answer, beside those that the request itself asks for. */
const PATIENCE = 1_500
const LONGEST_ANSWER = 2_000
/** How often it is looked whether something came. */
const STEP = 15

/** The request as its handshake: from a page of the site, unless it says otherwise. */
export const handshakeOf = (request: HttpRequest, url: URL): HttpRequest => {
  const { body: _, ...rest } = request
  const own = (request.headers ?? []).filter(
    ([name]) => !/^(?:content-.*|upgrade|connection|sec-websocket-(?:key|version))$/i.test(name),
  )
  const from: HeaderPairs = own.some(([name]) => name.toLowerCase() === 'origin') ? [] : [['Origin', url.origin]]
  return {
    ...rest,
    headers: [
      ...own,
      ...from,
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Key', randomBytes(16).toString('base64')],
    ],
  }
}

export interface Saying {
  /** Of the handshake. */
  readonly bytes: Buffer
  readonly url: URL
  readonly message: string
  readonly maxBody: number
  /** Milliseconds that the message asks the server to wait. */
  readonly waits: number
  readonly what: string
}

/**
 * The answer to the handshake where that is refused; else its head with what was said after the message as body, one message a line. The
 * caller destroys the socket. @throws EgressError
 */
export const say = async (socket: Socket, saying: Saying, signal: AbortSignal): Promise<RawExchange> => {
  const parser = createResponseParser({ method: 'GET', maxBody: saying.maxBody + MOST_GREETING, upgrades: true })
  let received = 0
  let last = performance.now()
  let firstByteAt = 0
  let failed: EgressError | null = null
  let isWhole = false
  const push = (chunk: Buffer): void => {
    try {
      if (firstByteAt === 0) firstByteAt = performance.now()
      last = performance.now()
      received += chunk.length
      isWhole ||= parser.push(chunk)
    } catch (error) {
      failed ??= error instanceof EgressError ? error : socketError(error, saying.what)
    }
  }
  const fail = (error: Error) => {
    failed ??= socketError(error, saying.what)
  }
  const end = () => {
    isWhole = true
    if (!parser.started()) failed ??= new NoAnswer('protocol', `${saying.what}: closed without an answer`)
  }
  socket.on('data', push).on('error', fail).on('end', end).on('close', end)
  /** Until something holds, the other side has left, or so long. */
  const until = async (holds: () => boolean, most: number): Promise<void> => {
    const over = performance.now() + most
    while (!holds() && !isWhole && performance.now() < over) {
      if (signal.aborted && (!parser.started() || !isTimeout(signal.reason))) throw stopped(signal, saying.what)
      if (signal.aborted) return
      if (failed !== null && !parser.started()) throw failed
      if (failed !== null) return
      await sleep(STEP)
    }
    if (failed !== null && !parser.started()) throw failed
  }
  const isQuiet = () => performance.now() - last >= QUIET
  try {
    socket.resume()
    socket.write(saying.bytes)
    await until(() => parser.started(), Number.POSITIVE_INFINITY)
    const { status } = parser.response()
    if (status !== 101) {
      await until(() => isWhole, Number.POSITIVE_INFINITY)
      return { response: parser.response(), firstByteAt, received }
    }
    last = performance.now()
    await until(isQuiet, LONGEST_GREETING)
    const isEngine = saying.url.searchParams.has('EIO')
    const first = isEngine ? CONNECT : subscriptionFor(saying.message)
    if (first !== null) {
      const greeted = received
      socket.write(frameOf(first))
      last = performance.now()
      if (!isEngine) await until(() => received > greeted, PATIENCE)
      await until(isQuiet, LONGEST_GREETING)
    }
    const before = textsIn(parser.response().body).length
    const came = received
    socket.write(frameOf(isEngine ? `${EVENT}${saying.message}` : saying.message))
    await until(() => received > came, PATIENCE + saying.waits)
    // As long as it was asked to wait it was listened to: its silence would pass for a server that did.
    if (saying.waits > 0 && received === came && !isWhole)
      throw new EgressError('timeout', `${saying.what}: nothing was said, beyond the time that it was asked to wait`)
    firstByteAt = last
    await until(isQuiet, LONGEST_ANSWER)
    const texts = textsIn(parser.response().body)
      .slice(before)
      .filter((text) => !PING.test(text))
    return { response: saidIn(parser.response(), texts, saying.maxBody), firstByteAt, received }
  } finally {
    socket.off('data', push).off('error', fail).off('end', end).off('close', end)
  }
}

/** What is said before the message counts apart. Bytes. */
const MOST_GREETING = 1024 * 1024

/** Engine.IO: a message (4) of Socket.IO that connects (0), or is an event (2). */
const CONNECT = '40'
const EVENT = '42'

/** Action Cable (https://docs.anycable.io/misc/action_cable_protocol): a channel hears whoever has subscribed to it. Null for any other message. */
const subscriptionFor = (message: string): string | null => {
  if (!/"command"\s*:\s*"message"/.test(message) || !isJson(message)) return null
  const { command, identifier } = Object(JSON.parse(message))
  return command === 'message' && typeof identifier === 'string'
    ? JSON.stringify({ command: 'subscribe', identifier })
    : null
}
/** Said every three seconds, whatever was asked. */
const PING = /^\{"type":"ping"[,}]/

const isTimeout = (reason: unknown): boolean => reason instanceof EgressError && reason.code === 'timeout'

const stopped = ({ reason }: AbortSignal, what: string): EgressError =>
  reason instanceof EgressError ? reason : new EgressError('aborted', `${what}: stopped`)

/** What the server said, in place of the frames; its media type is told by what it is. */
const saidIn = (response: ParsedResponse, texts: readonly string[], most: number): ParsedResponse => {
  const body = Buffer.from(texts.join('\n'))
  const type = texts.length > 0 && texts.every(isJson) ? 'application/json' : 'text/plain'
  return {
    ...response,
    headers: [...response.headers.filter(([name]) => name.toLowerCase() !== 'content-type'), ['Content-Type', type]],
    body: body.subarray(0, most),
    truncated: body.length > most,
    reusable: false,
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** A text in one frame, masked as those of clients are (5.3). */
export const frameOf = (text: string): Buffer => {
  const payload = Buffer.from(text)
  const mask = randomBytes(4)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : payload.length < 65_536
        ? Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 0xff])
        : Buffer.concat([Buffer.from([0x81, 0xff]), longLength(payload.length)])
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))])
}

const longLength = (length: number): Buffer => {
  const eight = Buffer.alloc(8)
  eight.writeBigUInt64BE(BigInt(length))
  return eight
}

/** Texts of whole frames that a server sends, which are not masked (5.2); a text in several frames is one. */
export const textsIn = (bytes: Buffer): readonly string[] => {
  const texts: string[] = []
  let parts: Buffer[] = []
  let at = 0
  while (at + 2 <= bytes.length) {
    const first = bytes[at] ?? 0
    const short = (bytes[at + 1] ?? 0) & 0x7f
    const head = short === 126 ? 4 : short === 127 ? 10 : 2
    if (at + head > bytes.length) break
    const length =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short
    if (at + head + length > bytes.length) break
    const opcode = first & 0x0f
    if (opcode === 1) parts = []
    if (opcode <= 1) {
      parts.push(bytes.subarray(at + head, at + head + length))
      if ((first & 0x80) !== 0) texts.push(Buffer.concat(parts).toString('utf8'))
    }
    at += head + length
  }
  return texts
}
