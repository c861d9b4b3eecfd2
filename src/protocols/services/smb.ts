/**
 * SMB: what a server says of itself before anybody signs in (MS-SMB2 2.2.3 to 2.2.6, MS-SMB for version 1).
 */
import { type Challenge, readChallenge, SPNEGO_NEGOTIATE } from './ntlm.ts'
import type { Talk } from './talk.ts'

const DIALECTS = [0x0202, 0x0210, 0x0300, 0x0302]
const SMB2 = '\xfeSMB'
const SMB1 = '\xffSMB'
export const whole = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.length >= 4 + bytes.readUIntBE(1, 3)

/** With the length in front that TCP needs (MS-SMB2 2.1). */
export const framed = (...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(4)
  head.writeUIntBE(body.length, 1, 3)
  return Buffer.concat([head, body])
}

export const header2 = (command: number, message: number): Buffer => {
  const head = Buffer.alloc(64)
  head.write(SMB2, 0, 'latin1')
  head.writeUInt16LE(64, 4)
  head.writeUInt16LE(command, 12)
  head.writeUInt16LE(1, 14)
  head.writeUInt32LE(message, 24)
  return head
}

const negotiate2 = (): Buffer => {
  const body = Buffer.alloc(36 + DIALECTS.length * 2)
  body.writeUInt16LE(36, 0)
  body.writeUInt16LE(DIALECTS.length, 2)
  body.writeUInt16LE(1, 4)
  // A server names a capability only to a client that has it.
  body.writeUInt32LE(0x7f, 8)
  body.write('sonde-metadata-1', 12, 'latin1')
  for (const [index, dialect] of DIALECTS.entries()) body.writeUInt16LE(dialect, 36 + index * 2)
  return framed(header2(0, 0), body)
}

const setup2 = (): Buffer => {
  const body = Buffer.alloc(24)
  body.writeUInt16LE(25, 0)
  body[3] = 1
  body.writeUInt32LE(1, 4)
  body.writeUInt16LE(64 + 24, 12)
  body.writeUInt16LE(SPNEGO_NEGOTIATE.length, 14)
  return framed(header2(1, 1), body, SPNEGO_NEGOTIATE)
}

/** What a server of version 2 or 3 answers to a negotiation (MS-SMB2 2.2.4) and to the first half of NTLM. */
export interface SmbNegotiated {
  readonly dialect: number
  readonly securityMode: number
  readonly capabilities: number
  readonly guid: string
  /** Seconds since the epoch; 0 where the server keeps it to itself. */
  readonly systemTime: number
  readonly startTime: number
  readonly challenge: Challenge | null
  /** Id of the session that was begun; null where the server wants no NTLM. */
  readonly session: Buffer | null
}

/** 100 nanoseconds since 1601. */
const secondsOf = (ticks: bigint): number => (ticks === 0n ? 0 : Number(ticks / 10_000_000n - 11_644_473_600n))

/** Null where the server speaks no version from 2 on. @throws EgressError */
export const negotiateSmb2 = async (talk: Talk): Promise<SmbNegotiated | null> => {
  talk.send(negotiate2())
  const reply = await talk.read(whole)
  const message = reply.subarray(4)
  if (message.length < 64 + 64 || message.toString('latin1', 0, 4) !== SMB2 || message.readUInt32LE(8) !== 0)
    return null
  const body = message.subarray(64)
  talk.send(setup2())
  const answer = await talk.read(whole)
  return {
    dialect: body.readUInt16LE(4),
    securityMode: body.readUInt16LE(2),
    capabilities: body.readUInt32LE(24),
    guid: body.toString('hex', 8, 24),
    systemTime: secondsOf(body.readBigUInt64LE(40)),
    startTime: secondsOf(body.readBigUInt64LE(48)),
    challenge: readChallenge(answer),
    // STATUS_MORE_PROCESSING_REQUIRED: the other half may follow.
    session:
      answer.length >= 4 + 64 && answer.readUInt32LE(4 + 8) === 0xc000_0016
        ? Buffer.from(answer.subarray(44, 52))
        : null,
  }
}

const negotiate1 = (): Buffer => {
  const names = Buffer.from('\x02NT LM 0.12\0', 'latin1')
  const head = Buffer.alloc(32)
  head.write(`${SMB1}\x72`, 0, 'latin1')
  head[9] = 0x18
  head.writeUInt16LE(0xc853, 10)
  return framed(head, Buffer.of(0, names.length, 0), names)
}

/** Whether version 1 is taken: index 0 is "NT LM 0.12", 0xffff refuses it. @throws EgressError where the server hangs up */
export const takesSmb1 = async (talk: Talk): Promise<boolean> => {
  talk.send(negotiate1())
  const reply = (await talk.read(whole)).subarray(4)
  return reply.length >= 35 && reply.toString('latin1', 0, 4) === SMB1 && reply.readUInt16LE(33) !== 0xffff
}
