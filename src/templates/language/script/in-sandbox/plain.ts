/** The sandbox's side of `plain.ts`: values as JSON, octets in hexadecimal. */

const octetsOfHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))

export const hexOf = (octets: Uint8Array): string =>
  Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('')

/** `$also` are names by which a member can be read, but is not written out. */
export const readJson = (json: string): unknown =>
  JSON.parse(json, (_, value) => {
    if (typeof value !== 'object' || value === null) return value
    if (typeof value.$octets === 'string') return octetsOfHex(value.$octets)
    const also: Record<string, string> = value.$also ?? {}
    delete value.$also
    for (const [name, member] of Object.entries(also)) {
      Object.defineProperty(value, name, { value: value[member], enumerable: false })
    }
    return value
  })

/** For what is lent: octets stay octets. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (one instanceof Uint8Array ? { $octets: hexOf(one) } : one)) ?? 'null'

export const textOf = (value: unknown): string => {
  if (value instanceof Uint8Array) return Array.from(value, (octet) => String.fromCharCode(octet)).join('')
  return String(value)
}

/** For people and matchers: octets are texts of one character each. */
export const writeText = (value: unknown, indent?: number): string | undefined =>
  JSON.stringify(value, (_, one) => (one instanceof Uint8Array ? textOf(one) : one), indent)

export const octetsOf = (value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value
  if (Array.isArray(value)) return Uint8Array.from(value, Number)
  return Uint8Array.from(textOf(value), (character) => character.charCodeAt(0))
}
