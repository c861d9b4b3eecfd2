/** Octets of TLS: vectors with their lengths in front, and a reader that never runs past its end. */
export class WireError extends Error {
  override readonly name = 'WireError'
}

export const u8 = (value: number): Buffer => Buffer.from([value & 0xff])
export const u16 = (value: number): Buffer => Buffer.from([(value >> 8) & 0xff, value & 0xff])
export const u24 = (value: number): Buffer => Buffer.from([(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff])
export const u16s = (values: readonly number[]): Buffer => Buffer.concat(values.map(u16))

/** A vector with its length in one, two or three octets before it (RFC 8446, 3.4). */
export const vector = (octets: 1 | 2 | 3, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  const length = octets === 1 ? u8(body.length) : octets === 2 ? u16(body.length) : u24(body.length)
  return Buffer.concat([length, body])
}

export const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((octet, index) => octet ^ (b[index] ?? 0)))

export interface Reader {
  readonly left: () => number
  /** @throws WireError when fewer octets are left */
  readonly take: (octets: number) => Buffer
  readonly number: (octets: 1 | 2 | 3) => number
  readonly vector: (octets: 1 | 2 | 3) => Buffer
}

export const reader = (input: Buffer): Reader => {
  let at = 0
  const take = (octets: number): Buffer => {
    if (at + octets > input.length) throw new WireError(`needs ${octets} octets, has ${input.length - at}`)
    at += octets
    return input.subarray(at - octets, at)
  }
  const number = (octets: 1 | 2 | 3): number => take(octets).readUIntBE(0, octets)
  return { left: () => input.length - at, take, number, vector: (octets) => take(number(octets)) }
}
