/** Runs a websocket step (RFC 6455): the handshake, texts out, and what comes back. */
import { randomBytes } from 'node:crypto'
import { openTalk, type Talk } from '../../protocols/services/talk.ts'
import type { Value } from '../language/expression/value.ts'
import type { WebsocketStep } from '../language/template.ts'
import { answerOf, type Executor, type StepRun, StepSkipped } from './executor.ts'
import { placeOf } from './own-host.ts'
import { acceptOf, frameOf, OPCODE, readFrames } from './websocket-frames.ts'

/** Milliseconds for one answer. */
const ANSWER_WAIT = 3_000

export const runWebsocket: Executor<WebsocketStep> = async (step, run) => {
  let matched = false
  for (const combination of run.combinations(step.payloads, step.attack)) {
    run.signal.throwIfAborted()
    const extra = (name: string): Value | undefined => combination.get(name)
    if (await converse(step, run, extra)) matched = true
    if (matched && run.template.stopAtFirstMatch) break
  }
  return matched
}

const converse = async (
  step: WebsocketStep,
  run: StepRun,
  extra: (name: string) => Value | undefined,
): Promise<boolean> => {
  const address = run.fill(step.address, extra)
  const { place, secure, path } = addressOf(run, address)
  const talk = await openTalk(run.egress, { ...place, secure })
  try {
    const handshake = handshakeOf(place, secure, path, step, run, extra)
    talk.send(handshake.text)
    const head = await talk.read((bytes) => bytes.includes('\r\n\r\n'), ANSWER_WAIT)
    const end = head.indexOf('\r\n\r\n')
    const reply = head.subarray(0, end < 0 ? head.length : end).toString('latin1')
    const success = /^HTTP\/1\.1 101\b/.test(reply) && headerOf(reply, 'sec-websocket-accept') === handshake.accept
    const spoken = success
      ? await speak(step, run, talk, head.subarray(end + 4), extra)
      : { sent: '', received: '', parts: {} }
    const response = spoken.received === '' ? reply : spoken.received
    const request = `${handshake.text}${spoken.sent}`
    const seen = answerOf(
      { ...spoken.parts, success, response, request, host: place.host, matched: address, type: 'websocket' },
      run.text,
      { body: 'response', all: 'response', raw: 'response', data: 'response' },
    )
    return run.judge(step.operators, seen, { at: { url: address }, request, response }, extra).matched
  } finally {
    talk.end()
  }
}

/** `wss://host:port/path`; http and https mean the same here. @throws StepSkipped */
const addressOf = (run: StepRun, address: string) => {
  const [, scheme, authority, path] = /^(wss?|https?):\/\/([^/?#]+)([^#]*)/i.exec(address) ?? []
  if (scheme === undefined || authority === undefined)
    throw new StepSkipped('its address is none of a websocket', 'target')
  const secure = /^(?:wss|https)$/i.test(scheme)
  const place = placeOf(run, authority, secure ? 443 : 80)
  return { place, secure, path: path?.startsWith('/') ? path : `/${path ?? ''}` }
}

const handshakeOf = (
  { host, port }: { readonly host: string; readonly port: number },
  secure: boolean,
  path: string,
  step: WebsocketStep,
  run: StepRun,
  extra: (name: string) => Value | undefined,
) => {
  const key = randomBytes(16).toString('base64')
  const name = host.includes(':') ? `[${host}]` : host
  const own = [
    ['Host', port === (secure ? 443 : 80) ? name : `${name}:${port}`],
    ['Upgrade', 'websocket'],
    ['Connection', 'Upgrade'],
    ['Sec-WebSocket-Key', key],
    ['Sec-WebSocket-Version', '13'],
  ] as const
  const given = step.headers
    .map(([header, value]) => [header, run.fill(value, extra)] as const)
    .filter(([header]) => !own.some(([ours]) => ours.toLowerCase() === header.toLowerCase()))
  if ([path, ...given.flat()].some((text) => /[\r\n\0]/.test(text)))
    throw new StepSkipped('a header with a line break', 'defect')
  const lines = [...own, ...given].map(([header, value]) => `${header}: ${value}\r\n`).join('')
  return { text: `GET ${path.replaceAll(' ', '%20')} HTTP/1.1\r\n${lines}\r\n`, accept: acceptOf(key) }
}

const headerOf = (head: string, name: string): string | null =>
  head
    .split('\r\n')
    .map((line) => /^([^:]+):\s*(.*?)\s*$/.exec(line))
    .find((match) => match?.[1]?.toLowerCase() === name)?.[2] ?? null

const speak = async (
  step: WebsocketStep,
  run: StepRun,
  talk: Talk,
  first: Buffer,
  extra: (name: string) => Value | undefined,
) => {
  const parts: Record<string, string> = {}
  let sent = ''
  let received = ''
  let rest = first
  for (const input of step.inputs) {
    const data = run.fill(input.data, extra)
    sent += data
    talk.send(frameOf(OPCODE.text, Buffer.from(data, 'latin1')))
    const message = await nextMessage(talk, rest)
    rest = message.rest
    received += message.text
    if (input.name !== null) parts[input.name] = message.text
    if (message.closed) break
  }
  return { sent, received, parts }
}

/** The next text or binary message, whole; pings are answered. */
const nextMessage = async (talk: Talk, before: Buffer) => {
  const until = performance.now() + ANSWER_WAIT
  let bytes = before
  let text = ''
  for (;;) {
    const { frames, rest } = readFrames(bytes)
    bytes = rest
    for (const [index, { opcode, payload, final }] of frames.entries()) {
      if (opcode === OPCODE.ping) talk.send(frameOf(OPCODE.pong, payload))
      if (opcode === OPCODE.close) return { text, rest: bytes, closed: true }
      if (opcode > OPCODE.binary) continue
      text += payload.toString('latin1')
      // Frames behind it belong to the next message: they are put back as they came.
      if (final)
        return { text, rest: Buffer.concat([...frames.slice(index + 1).map(({ raw }) => raw), bytes]), closed: false }
    }
    const left = until - performance.now()
    if (left <= 0) return { text, rest: bytes, closed: false }
    const more = await talk.read((chunk) => chunk.length > 0, left)
    if (more.length === 0) return { text, rest: bytes, closed: true }
    bytes = Buffer.concat([bytes, more])
  }
}
