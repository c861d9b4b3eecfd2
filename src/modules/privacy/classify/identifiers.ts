/** Which values that a browser keeps tell one visitor from another, and where they are sent. */

import { percentDecoded } from '../../../page/percent.ts'
import type { RawState } from '../visit/states.ts'

export interface HeldValue {
  /** `cookie:_ga`, `localStorage:uid`, `indexedDB:db/store/key`. */
  readonly label: string
  readonly value: string
  /** Parts of it that identify on their own. */
  readonly needles: readonly string[]
}

/** Bits below which a value is taken for a setting. */
const IDENTIFYING_BITS = 64

/** Values that are long enough to be one visitor's alone. */
export const identifyingParts = (value: string): readonly string[] => {
  const plain = percentDecoded(value).slice(0, 4_096)
  const parts = new Set<string>()
  for (const [token] of plain.matchAll(/[A-Za-z0-9_-]{11,}/g)) if (bitsOf(token) >= IDENTIFYING_BITS) parts.add(token)
  // Client ids of analytics: a random number, a dot, a time.
  for (const [token] of plain.matchAll(/\d{6,10}\.\d{9,10}/g)) parts.add(token)
  return [...parts].slice(0, 5)
}

/** Upper bound of the information in a token: its length in digits of the smallest alphabet that writes it. */
const bitsOf = (token: string): number => {
  if (new Set(token).size < 5) return 0
  const plain = token.replace(/-/g, '')
  if (/^\d+$/.test(plain)) return plain.length * Math.log2(10)
  if (/^[0-9a-f]+$/i.test(plain) && /\d/.test(plain)) return plain.length * 4
  // Words of a language have no digits among the letters.
  if (!/\d/.test(plain) && !/[a-z][A-Z].*[a-z][A-Z]/.test(plain)) return 0
  return plain.length * (/[A-Z]/.test(plain) && /[a-z]/.test(plain) ? 5.9 : 5.1)
}

/** What the profiles of all states hold, by label: the same place with another value in another profile is an identifier. */
export const uniqueValues = (states: readonly RawState[]): ReadonlyMap<RawState, readonly HeldValue[]> => {
  const held = states.map((state) => ({ state, values: valuesOf(state) }))
  return new Map(
    held.map(({ state, values }) => [
      state,
      values.flatMap((one) => {
        const elsewhere = held.flatMap((other) =>
          other.state === state ? [] : other.values.filter(({ label }) => label === one.label),
        )
        // One profile alone cannot tell a visitor's value from the site's: long random parts count then.
        const needles = one.needles.filter(
          (needle) => !elsewhere.some(({ value }) => percentDecoded(value).includes(needle)),
        )
        return needles.length === 0 ? [] : [{ ...one, needles }]
      }),
    ]),
  )
}

const valuesOf = ({ holdings, profile }: RawState): readonly HeldValue[] => {
  const value = (label: string, text: string): HeldValue => ({ label, value: text, needles: identifyingParts(text) })
  return [
    ...[...holdings.cookies.values()].map((cookie) => value(`cookie:${cookie.name}@${cookie.domain}`, cookie.value)),
    ...[...holdings.items.values()].map((item) => value(`${item.kind}:${item.key}@${item.origin}`, item.value)),
    ...profile.told.flatMap((one) =>
      one.kind === 'storage' && one.store === 'indexedDB' ? [value(`indexedDB:${one.key}@`, one.value)] : [],
    ),
  ]
}

/** Labels of the held values that a text carries. */
export const sentIn = (text: string, values: readonly HeldValue[]): readonly string[] => {
  if (text === '') return []
  const plain = `${text} ${percentDecoded(text)}`
  return values.filter(({ needles }) => needles.some((needle) => plain.includes(needle))).map(({ label }) => label)
}
