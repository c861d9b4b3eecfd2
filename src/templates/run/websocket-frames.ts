/** Frames of the WebSocket protocol: RFC 6455, 5.2. */
import { createHash, randomBytes } from 'node:crypto'

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** What a server has to answer to a key: RFC 6455, 4.2.2. */
export const acceptOf = (key: string): string =>
  createHash('sha1')
    .update(key + KEY_SUFFIX)
    .digest('base64')

/** A whole message in one frame, masked as a client's have to be. */
export const frameOf = (opcode: number, payload: Buffer): Buffer => {
  const mask = randomBytes(4)
  const masked = Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
  return Buffer.concat([headOf(opcode, payload.length), mask, masked])
}

const headOf = (opcode: number, length: number): Buffer => {
  if (length < 126) return Buffer.from([0x80 | opcode, 0x80 | length])
  const head = Buffer.alloc(length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = 0x80 | (length < 65_536 ? 126 : 127)
  if (length < 65_536) head.writeUInt16BE(length, 2)
  else head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

export interface Frame {
  readonly opcode: number
  readonly final: boolean
  readonly payload: Buffer
  /** The frame as it came. */
  readonly raw: Buffer
}

/** Frames that are complete, and the bytes behind them. One that names more than 64 KiB ends the reading. */
export const readFrames = (bytes: Buffer): { readonly frames: readonly Frame[]; readonly rest: Buffer } => {
  const frames: Frame[] = []
  let offset = 0
  for (;;) {
    const frame = readFrame(bytes.subarray(offset))
    if (frame === null) return { frames, rest: bytes.subarray(offset) }
    frames.push(frame)
    offset += frame.raw.length
  }
}

const MOST_BYTES = 65_536n

const readFrame = (bytes: Buffer): Frame | null => {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return null
  const short = second & 0x7f
  const size = short === 126 ? 2 : short === 127 ? 8 : 0
  if (bytes.length < 2 + size) return null
  const length = size === 0 ? BigInt(short) : size === 2 ? BigInt(bytes.readUInt16BE(2)) : bytes.readBigUInt64BE(2)
  const masked = (second & 0x80) !== 0
  const start = 2 + size + (masked ? 4 : 0)
  if (length > MOST_BYTES || bytes.length < start + Number(length)) return null
  const mask = bytes.subarray(2 + size, start)
  const payload = bytes.subarray(start, start + Number(length))
  return {
    opcode: first & 0x0f,
    final: (first & 0x80) !== 0,
    payload: masked ? Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))) : payload,
    raw: bytes.subarray(0, start + Number(length)),
  }
}
