/** Tokens that the listener knows without a list: random bytes and their keyed hash, in letters that a DNS label may have. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const RANDOM = 8
const MAC = 8
/** RFC 4648 base32 in lower case: DNS does not keep the case of letters. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
export const TOKEN = /(?<![a-z2-7])[a-z2-7]{26}(?![a-z2-7])/g

export const newKey = (): Buffer => randomBytes(32)

export const newToken = (key: Buffer): string => {
  const random = randomBytes(RANDOM)
  return base32(Buffer.concat([random, macOf(key, random)]))
}

export const isTokenOf = (key: Buffer, token: string): boolean => {
  const bytes = fromBase32(token)
  return bytes !== null && timingSafeEqual(bytes.subarray(RANDOM), macOf(key, bytes.subarray(0, RANDOM)))
}

const macOf = (key: Buffer, random: Buffer): Buffer =>
  createHmac('sha256', key).update(random).digest().subarray(0, MAC)

const base32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** Null for what is no token: another length, another letter, bits left over. */
const fromBase32 = (text: string): Buffer | null => {
  if (!/^[a-z2-7]{26}$/.test(text)) return null
  const bits = [...text].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, '0')).join('')
  const whole = bits.slice(0, (RANDOM + MAC) * 8)
  if (bits.slice(whole.length).includes('1')) return null
  return Buffer.from((whole.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
