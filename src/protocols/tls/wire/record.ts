/** The record layer: RFC 8446, 5; RFC 5246, 6. */
import { u8, u16, u24 } from './bytes.ts'

export const RECORD = { changeCipherSpec: 20, alert: 21, handshake: 22, data: 23, heartbeat: 24 } as const
export const HANDSHAKE = {
  helloRequest: 0,
  clientHello: 1,
  serverHello: 2,
  newSessionTicket: 4,
  endOfEarlyData: 5,
  encryptedExtensions: 8,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  serverHelloDone: 14,
  certificateVerify: 15,
  clientKeyExchange: 16,
  finished: 20,
  certificateStatus: 22,
  messageHash: 254,
} as const

export const VERSION = { ssl3: 0x0300, tls10: 0x0301, tls11: 0x0302, tls12: 0x0303, tls13: 0x0304 } as const

/** 2^14 of plaintext and the 2048 that encryption and compression may add. */
export const LONGEST_RECORD = 16_384 + 2_048

export const record = (type: number, version: number, payload: Buffer): Buffer =>
  Buffer.concat([u8(type), u16(version), u16(payload.length), payload])

export const handshake = (type: number, body: Buffer): Buffer => Buffer.concat([u8(type), u24(body.length), body])

export interface RecordEvent {
  readonly kind: 'record'
  readonly type: number
  readonly version: number
  readonly payload: Buffer
}

/** Null until the record is whole; 'garbage' when it can be none. */
export const parseRecord = (
  input: Buffer,
): { readonly event: RecordEvent; readonly size: number } | 'garbage' | null => {
  if (input.length === 0) return null
  const type = input[0] ?? 0
  if (type < RECORD.changeCipherSpec || type > RECORD.heartbeat) return 'garbage'
  if (input.length >= 2 && input[1] !== 3) return 'garbage'
  if (input.length < 5) return null
  const length = input.readUInt16BE(3)
  if (length > LONGEST_RECORD) return 'garbage'
  if (input.length < 5 + length) return null
  const payload = Buffer.from(input.subarray(5, 5 + length))
  return { event: { kind: 'record', type, version: input.readUInt16BE(1), payload }, size: 5 + length }
}
