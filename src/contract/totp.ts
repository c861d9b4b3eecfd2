/** The seed of a one-time password as people have it: base32 (RFC 4648, 6), or the otpauth address behind a QR code. */
import { z } from 'zod'

export const TOTP_ALGORITHMS = ['SHA1', 'SHA256', 'SHA512'] as const
export type TotpAlgorithm = (typeof TOTP_ALGORITHMS)[number]

export interface TotpSeed {
  readonly key: Uint8Array
  readonly algorithm: TotpAlgorithm
  readonly digits: number
  /** Seconds. */
  readonly period: number
}

export const Totp = z
  .strictObject({
    secret: z.string().min(1).max(1_000).describe('The seed in base32, or the whole otpauth:// address'),
    algorithm: z.enum(TOTP_ALGORITHMS).optional().describe('SHA1 where neither this nor the address says otherwise'),
    digits: z.int().min(6).max(8).optional().describe('6 where neither this nor the address says otherwise'),
    period: z
      .int()
      .min(10)
      .max(300)
      .optional()
      .describe('Seconds; 30 where neither this nor the address says otherwise'),
  })
  .superRefine((given, { addIssue }) => {
    const read = readSeed(given)
    if (typeof read === 'string') addIssue({ code: 'custom', path: ['secret'], message: read })
  })
  .describe('One-time passwords by time (RFC 6238); their code stands for {{totp}}')
export type Totp = z.infer<typeof Totp>

/** The seed, or in words what is wrong with it; the words never hold any of it. */
export const readSeed = (given: {
  readonly secret: string
  readonly algorithm?: TotpAlgorithm | undefined
  readonly digits?: number | undefined
  readonly period?: number | undefined
}): TotpSeed | string => {
  const said = given.secret.trim().toLowerCase().startsWith('otpauth:') ? readAddress(given.secret.trim()) : null
  if (typeof said === 'string') return said
  const key = fromBase32(said?.secret ?? given.secret)
  if (key === null)
    return 'is no base32: letters A to Z and digits 2 to 7, as the application shows it beside the QR code'
  return {
    key,
    algorithm: given.algorithm ?? said?.algorithm ?? 'SHA1',
    digits: given.digits ?? said?.digits ?? 6,
    period: given.period ?? said?.period ?? 30,
  }
}

/** https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
const readAddress = (
  address: string,
): string | { secret: string; algorithm?: TotpAlgorithm; digits?: number; period?: number } => {
  const url = URL.parse(address)
  if (url === null || url.host.toLowerCase() !== 'totp')
    return 'is no otpauth://totp/ address; codes by counter are not known here'
  const secret = url.searchParams.get('secret')
  if (!secret) return 'is an otpauth address without a secret'
  const algorithm = url.searchParams.get('algorithm')?.toUpperCase().replace('-', '')
  const known = TOTP_ALGORITHMS.find((one) => one === algorithm)
  if (algorithm !== undefined && known === undefined)
    return 'is an otpauth address with another algorithm than SHA1, SHA256, SHA512'
  const [digits, period] = ['digits', 'period'].map((name) => url.searchParams.get(name))
  if (digits && !/^[678]$/.test(digits)) return 'is an otpauth address with other than 6 to 8 digits'
  if (period && !/^[1-9]\d{1,2}$/.test(period))
    return 'is an otpauth address with a period that is no number of seconds'
  return {
    secret,
    ...(known ? { algorithm: known } : {}),
    ...(digits ? { digits: Number(digits) } : {}),
    ...(period ? { period: Number(period) } : {}),
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Characters that encode no whole number of octets. */
const IMPOSSIBLE: ReadonlySet<number> = new Set([1, 3, 6])

/** Null: it is none. Case, blanks and hyphens between groups do not count, nor does padding. */
const fromBase32 = (text: string): Uint8Array | null => {
  const letters = text.replace(/[\s-]/g, '').replace(/=+$/, '').toUpperCase()
  if (letters === '' || !/^[A-Z2-7]+$/.test(letters) || IMPOSSIBLE.has(letters.length % 8)) return null
  const key = new Uint8Array(Math.floor((letters.length * 5) / 8))
  let [bits, value, at] = [0, 0, 0]
  for (const letter of letters) {
    value = ((value << 5) | ALPHABET.indexOf(letter)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    key[at] = (value >> bits) & 0xff
    at += 1
  }
  return key
}
