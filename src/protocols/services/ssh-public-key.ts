/** Public keys as SSH writes them (RFC 4253, 6.6; RFC 5656, 3.1; RFC 8709, 4). */
import { createPublicKey, type KeyObject } from 'node:crypto'

const CURVES: Readonly<Record<string, readonly [name: string, octets: number]>> = {
  'ecdsa-sha2-nistp256': ['P-256', 32],
  'ecdsa-sha2-nistp384': ['P-384', 48],
  'ecdsa-sha2-nistp521': ['P-521', 66],
}
const EDWARDS: Readonly<Record<string, string>> = { 'ssh-ed25519': 'Ed25519', 'ssh-ed448': 'Ed448' }

/** Null for kinds without a form here, and for octets that are no key. */
export const sshPublicKey = (octets: Buffer): KeyObject | null => {
  const [kind, first, second] = strings(octets)
  const type = kind?.toString('latin1') ?? ''
  if (first === undefined) return null
  if (type === 'ssh-rsa' && second !== undefined) return keyOf({ kty: 'RSA', n: number(second), e: number(first) })
  const curve = CURVES[type]
  if (curve !== undefined && second !== undefined) {
    const [crv, size] = curve
    // An uncompressed point: 4, x, y.
    if (second.length !== 1 + 2 * size || second[0] !== 4) return null
    const [x, y] = [second.subarray(1, 1 + size), second.subarray(1 + size)]
    return keyOf({ kty: 'EC', crv, x: x.toString('base64url'), y: y.toString('base64url') })
  }
  const edwards = EDWARDS[type]
  return edwards === undefined ? null : keyOf({ kty: 'OKP', crv: edwards, x: first.toString('base64url') })
}

const keyOf = (key: Readonly<Record<string, string>>): KeyObject | null => {
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch (error) {
    // A point that lies on no curve, a modulus of no size.
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

const number = (octets: Buffer): string => {
  const start = octets.findIndex((octet) => octet !== 0)
  return octets.subarray(Math.max(0, start)).toString('base64url')
}

/** At most four, each with its length before it; what is cut off ends them. */
const strings = (octets: Buffer): readonly Buffer[] => {
  const found: Buffer[] = []
  for (let at = 0; at + 4 <= octets.length && found.length < 4; ) {
    const end = at + 4 + octets.readUInt32BE(at)
    if (end > octets.length) break
    found.push(octets.subarray(at + 4, end))
    at = end
  }
  return found
}
