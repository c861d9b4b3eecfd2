/** Looks into values of which nothing is known. */

export type Json = Readonly<Record<string, unknown>>

export const object = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Texts alone; long ones are cut. */
export const string = (value: unknown, most = 2_000): string | null =>
  typeof value === 'string' ? value.slice(0, most) : null

/** Text of a scalar as it stands in an address or a form. */
export const plain = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

export const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** A key as it stands in a JSON Pointer (RFC 6901). */
export const pointerKey = (key: string): string => key.replace(/~/g, '~0').replace(/\//g, '~1')
