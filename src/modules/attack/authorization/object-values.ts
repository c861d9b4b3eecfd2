/** Values by which objects are named. */
import { randomInt, randomUUID } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Of two signs alone many are words. */
const BASE64 = /^(?:[\w+/-]{3,64}={0,2}|[\w+/-]{2}==)$/
/** `42`, `invoice-42`, `user:42`. */
const NUMBERED = /^(?:[a-z][\w .:#/-]{0,24})?\d{1,18}$/i

/** The number that the value is in base64 (RFC 4648), alone or behind a word: `bill-3` of `YmlsbC0z`; null where it is none. */
export const packedNumberOf = (value: string): string | null => {
  if (!BASE64.test(value)) return null
  const text = Buffer.from(value, 'base64').toString('latin1')
  return NUMBERED.test(text) && packed(text) === plain(value) ? text : null
}

/** A value of nobody's, of the same form, and longer than what was counted up to. */
export const nobodysLike = (value: string): string => {
  if (UUID.test(value)) return randomUUID()
  const text = packedNumberOf(value)
  const more = randomInt(100_000, 1_000_000)
  return text === null ? `${value}${more}` : packed(`${text}${more}`)
}

/** Without the signs that fill it up, which readers do without. */
const packed = (text: string): string => plain(Buffer.from(text, 'latin1').toString('base64'))
const plain = (value: string): string =>
  value
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')
