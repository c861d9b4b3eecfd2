/**
 * Values that pages have in their fields, for what scripts send under the same names: `{ harbour: form.harbour.value }` is about the harbour that
 * stands there, and about none with an example in its place.
 */
import { ownName, PASSWORD_NAME } from '../../../page/names.ts'
import { parametersOf } from '../../../page/segments.ts'
import { DELETES, DELETES_ACCOUNTS } from '../../../safety/deeds.ts'
import { harmOf } from '../../../safety/safety.ts'
import { isToken } from '../insertion-points/tokens.ts'
import { MADE_UP } from './facts.ts'
import type { Draft } from './requests.ts'
import { EXAMPLE } from './scripts/endpoint.ts'
import type { Endpoint } from './scripts.ts'

const MOST_NAMES = 1_000
const LONGEST = 100
const DEEPEST = 8
/** What a person fills or chooses, or what a page keeps of its record. */
const TYPES: ReadonlySet<string> = new Set([
  '',
  'text',
  'search',
  'number',
  'email',
  'url',
  'tel',
  'date',
  'select',
  'hidden',
])

export interface PageValues {
  /** The forms of a page. */
  readonly saw: (forms: readonly Draft[]) => void
  /** With what pages have there in place of examples. */
  readonly filled: (endpoint: Endpoint) => Endpoint
}

export const createPageValues = (): PageValues => {
  const values = new Map<string, string>()
  const valueFor = (name: string, example: unknown): string | number | null => {
    const seen = values.get(ownName(name))
    if (seen === undefined) return null
    if (example === Number(EXAMPLE)) return /^\d{1,9}$/.test(seen) ? Number(seen) : null
    return example === EXAMPLE || example === MADE_UP ? seen : null
  }
  const within = (value: unknown, name: string, depth = 0): unknown => {
    if (depth > DEEPEST) return value
    if (Array.isArray(value)) return value.map((one) => within(one, name, depth + 1))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, within(one, key, depth + 1)]))
    return valueFor(name, value) ?? value
  }
  return {
    saw: (forms) => {
      for (const [name, value] of forms.flatMap(shownIn)) {
        const own = ownName(name)
        const isOne = value !== '' && value !== MADE_UP && value.length <= LONGEST
        if (!isOne || values.size >= MOST_NAMES || values.has(own)) continue
        if (!PASSWORD_NAME.test(own) && !isToken(name, value)) values.set(own, value)
      }
    },
    filled: (endpoint) => {
      const { body } = endpoint
      if (values.size === 0 || body === null || removes(endpoint)) return endpoint
      const fields = Object.fromEntries(
        Object.entries(body.fields).map(([name, value]) => [name, String(valueFor(name, value) ?? value)]),
      )
      const json = body.json === undefined ? {} : { json: JSON.stringify(within(JSON.parse(body.json), '')) }
      return { ...endpoint, body: { ...body, fields, ...json } }
    },
  }
}

/** What removes things is asked about with a value that names none. */
const removes = ({ method, address, body }: Endpoint): boolean =>
  method === 'DELETE' ||
  [address, ...Object.values(body?.fields ?? {})].some((text) => REMOVING.has(harmOf(text.replaceAll(/[/_.-]/g, ' '))))
const REMOVING: ReadonlySet<string | null> = new Set([DELETES, DELETES_ACCOUNTS])

/** Names and values of its fields; those of a form that asks stand in its address. */
const shownIn = ({ url, fields = [] }: Draft): readonly (readonly [name: string, value: string])[] => [
  ...fields.flatMap(({ name, value, type }) => (TYPES.has(type) ? [[name, value] as const] : [])),
  ...parametersOf(url),
]
