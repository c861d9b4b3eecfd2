/**
 * NTLM as far as the challenge (MS-NLMP 2.2.1): the client's first message names nobody, and the server's answer tells
 * its names and version. It is answered in nobody's name alone.
 */

const SIGNATURE = 'NTLMSSP\0'
/** Unicode, target wanted, NTLM, always sign, extended session security, version, 128 and 56 bits. */
const FLAGS = 0xa2088205

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

/** NEGOTIATE_MESSAGE without domain and workstation. */
const NEGOTIATE = Buffer.concat([
  Buffer.from(SIGNATURE, 'latin1'),
  number(1),
  number(FLAGS),
  Buffer.alloc(16),
  Buffer.from([10, 0, 0, 0, 0, 0, 0, 15]),
])

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag, body.length), body])
}

/** In the wrapping of SPNEGO (RFC 4178, 4.2.1): NTLM is the one mechanism. */
export const SPNEGO_NEGOTIATE = der(
  0x60,
  Buffer.from('06062b0601050502', 'hex'),
  der(
    0xa0,
    der(0x30, der(0xa0, der(0x30, Buffer.from('060a2b06010401823702020a', 'hex'))), der(0xa2, der(0x04, NEGOTIATE))),
  ),
)

/** AUTHENTICATE_MESSAGE of nobody (MS-NLMP 2.2.1.3, 3.2.5.1.2): no names, an LM response of one octet of nought. */
const ANONYMOUS = ((): Buffer => {
  const head = Buffer.alloc(64)
  head.write(SIGNATURE, 0, 'latin1')
  head.writeUInt32LE(3, 8)
  head.writeUInt16LE(1, 12)
  head.writeUInt16LE(1, 14)
  for (const at of [16, 24, 32, 40, 48, 56]) head.writeUInt32LE(64, at)
  // Unicode, target wanted, NTLM, anonymous, extended session security, 128 and 56 bits.
  head.writeUInt32LE(0xa008_0a05, 60)
  return Buffer.concat([head, Buffer.alloc(1)])
})()

/** The second token of SPNEGO with it (RFC 4178, 4.2.2). */
export const SPNEGO_ANONYMOUS = der(0xa1, der(0x30, der(0xa2, der(0x04, ANONYMOUS))))

export interface Challenge {
  readonly os: string
  readonly names: ReadonlyMap<number, string>
}

/** Ids of MS-NLMP 2.2.2.1. */
export const NAME = { computer: 1, domain: 2, dnsComputer: 3, dnsDomain: 4, dnsForest: 5 } as const

/** The CHALLENGE_MESSAGE somewhere in an answer; null where there is none. Every offset is checked. */
export const readChallenge = (bytes: Buffer): Challenge | null => {
  const at = bytes.indexOf(`${SIGNATURE}\x02\0\0\0`, 0, 'latin1')
  if (at < 0 || bytes.length < at + 56) return null
  const message = bytes.subarray(at)
  const length = message.readUInt16LE(40)
  const offset = message.readUInt32LE(44)
  const info = offset + length <= message.length ? message.subarray(offset, offset + length) : Buffer.alloc(0)
  const names = new Map<number, string>()
  for (let from = 0; from + 4 <= info.length && names.size < 16; ) {
    const id = info.readUInt16LE(from)
    const size = info.readUInt16LE(from + 2)
    if (id === 0 || from + 4 + size > info.length) break
    names.set(id, info.toString('utf16le', from + 4, from + 4 + size).slice(0, 255))
    from += 4 + size
  }
  const hasVersion = (message.readUInt32LE(20) & 0x02000000) !== 0
  return { os: hasVersion ? `${message[48]}.${message[49]}.${message.readUInt16LE(50)}` : '', names }
}
