/**
 * Values between a script and what it is lent, as JSON: no handle of one side is ever held by the other, and texts may hold
 * any character. Octets travel in hexadecimal. `in-sandbox/plain.ts` is the other side.
 */

/** @throws SyntaxError for what is no JSON */
export const readPlain = (json: string): unknown =>
  JSON.parse(json, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$octets' in value)) return value
    return typeof value.$octets === 'string' ? new Uint8Array(Buffer.from(value.$octets, 'hex')) : value
  })

export const writePlain = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key, one: unknown) {
    // A Buffer has been turned into an object of numbers when it comes here.
    const held = this[key]
    if (held instanceof Uint8Array) return { $octets: Buffer.from(held).toString('hex') }
    return typeof one === 'bigint' ? Number(one) : one
  }) ?? 'null'

/** As scripts turn a value into text: octets one character each, lists with commas. */
export const stringOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (Array.isArray(value))
    return value.map((item) => (item === null || item === undefined ? '' : stringOf(item))).join(',')
  return String(value)
}

/** NaN for what is no number. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
    ? Number(value)
    : value === null
      ? 0
      : Number.NaN

export const octetsOf = (value: unknown): Buffer => {
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (Array.isArray(value)) return Buffer.from(value.map(numberOf))
  return Buffer.from(stringOf(value), 'latin1')
}
