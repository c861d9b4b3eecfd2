/** SSL 2.0, as much as shows whether a server speaks it (the specification of 1995, 5.5 and 5.6). */
import { randomBytes } from 'node:crypto'
import { SSLV2_CIPHERS } from '../../../knowledge/tls/suites.ts'
import { reader, u8, u16, u24, vector, WireError } from './bytes.ts'
import { type Channel, isEnded } from './channel.ts'

export interface Sslv2Facts {
  readonly state: 'offered' | 'refused' | 'unknown'
  /** Names of the cipher kinds. */
  readonly ciphers: readonly string[]
  /** DER in base64; the key that DROWN attacks. */
  readonly certificate: string | null
}

const SERVER_HELLO = 4
const REFUSED: Sslv2Facts = { state: 'refused', ciphers: [], certificate: null }

export const sslv2Hello = (): Buffer => {
  const ciphers = Buffer.concat(Object.keys(SSLV2_CIPHERS).map((code) => u24(Number(code))))
  const challenge = randomBytes(16)
  const body = Buffer.concat([u8(1), u16(2), u16(ciphers.length), u16(0), u16(challenge.length), ciphers, challenge])
  const framed = vector(2, body)
  framed[0] = (framed[0] ?? 0) | 0x80
  return framed
}

export const askSslv2 = async (channel: Channel, until: number): Promise<Sslv2Facts> => {
  channel.write(sslv2Hello())
  const got = await channel.take((input) => {
    if (input.length < 3) return null
    // Two octets of length with the high bit set, then the message; anything else is an alert or another protocol.
    return ((input[0] ?? 0) & 0x80) === 0 ? 3 : 2 + (input.readUInt16BE(0) & 0x7fff)
  }, until)
  if (isEnded(got)) return got.kind === 'timeout' ? { ...REFUSED, state: 'unknown' } : REFUSED
  return parseSslv2(got)
}

export const parseSslv2 = (framed: Buffer): Sslv2Facts => {
  if (((framed[0] ?? 0) & 0x80) === 0) return REFUSED
  try {
    const input = reader(framed.subarray(2))
    if (input.number(1) !== SERVER_HELLO) return REFUSED
    input.take(2) // session id hit, certificate type
    if (input.number(2) !== 2) return REFUSED
    const [certificate, ciphers] = [input.number(2), input.number(2)]
    input.take(2)
    const der = input.take(certificate)
    const list = input.take(ciphers - (ciphers % 3))
    const codes = Array.from({ length: list.length / 3 }, (_, index) => list.readUIntBE(index * 3, 3))
    return {
      state: 'offered',
      ciphers: codes.map((code) => SSLV2_CIPHERS[code] ?? `0x${code.toString(16).padStart(6, '0')}`),
      certificate: der.length > 0 ? der.toString('base64') : null,
    }
  } catch (error) {
    if (error instanceof WireError) return REFUSED
    throw error
  }
}
