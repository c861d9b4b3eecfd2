/** Conversions that both engines share, so that a row is the same on each. */

/** Type numbers (pg_type.oid) that need a parser of ours. */
export const OID = { bytea: 17, int8: 20, timestamptz: 1184, numeric: 1700 } as const

/** int8 and numeric hold counts and sizes here; one beyond 2^53 would lose digits silently, so it is refused. */
export const parseNumber = (text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53`)
  return value
}

/** Text of the form `2026-01-31 12:00:00.123+00`. */
export const parseTimestamp = (text: string): Date => {
  const hours = text.charCodeAt(text.length - 3)
  return new Date(`${text.slice(0, 10)}T${text.slice(11)}${hours === PLUS || hours === MINUS ? ':00' : ''}`)
}
const PLUS = 0x2b
const MINUS = 0x2d

/** PostgreSQL refuses NUL in text with an error; what a target or a caller sent must not become one. */
export const cleanParameters = (params: readonly unknown[]): unknown[] => params.map(cleanParameter)

const cleanParameter = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
  if (Array.isArray(value)) return value.map(cleanParameter)
  return value ?? null
}
