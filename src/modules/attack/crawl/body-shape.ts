/**
 * What tells two bodies to one address apart, whatever values they carry: their names, and values by which a program chooses what it does,
 * as in JSON-RPC (https://www.jsonrpc.org/specification, 4) or one script for all that a page asks for.
 */

import { jsonOf } from '../../../page/json.ts'
import { nameShape, segmentShape } from '../../../page/shape.ts'
import { doneByComponents } from '../insertion-points/components.ts'
import { isDispatching } from '../insertion-points/procedure.ts'
import type { Encoding } from './facts.ts'

/** Depth, and names of one body. */
const DEEPEST = 5
const MOST_NAMES = 80
/** Entries of a list that are looked at: they are mostly alike. */
const MOST_ENTRIES = 5

/** Of a JSON body the names at its top: what a script was read to send says no more of it for certain. */
export const bodyShape = (encoding: Encoding, body: string | null): unknown => {
  if (encoding === 'xml') return [...(body ?? '').matchAll(/<([\w:.-]{1,100})/g)].slice(0, 60).map((match) => match[1])
  if (encoding !== 'json' || body === null) return encoding === 'none' ? null : (body ?? '').slice(0, 40)
  const value = jsonOf(body)
  if (value === undefined) return 'broken'
  if (typeof value !== 'object' || value === null) return typeof value
  const query = (value as { query?: unknown }).query
  const names = Object.entries(value).map(([key, one]) => nameOf(key, one))
  return [names.toSorted(), typeof query === 'string' ? query : null]
}

/**
 * Of what a page has sent, the names at every depth: `{a: {b: 1}, list: [{c: 2}]}` → `a`, `a.b`, `list`, `list[].c`;
 * `{method: 'search'}` → `method=search`. '' for other bodies.
 */
export const deepShape = (encoding: Encoding, body: string | null): string => {
  const value = encoding === 'json' && body !== null ? jsonOf(body) : null
  if (typeof value !== 'object' || value === null) return ''
  return [...namesIn(value), ...doneByComponents(value).map((done) => `done=${done}`)].toSorted().join(' ')
}

const nameOf = (key: string, value: unknown): string => {
  const name = segmentShape(nameShape(key))
  return typeof value === 'string' && isDispatching(key, value) ? `${name}=${value}` : name
}

const namesIn = (whole: object): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return
    if (Array.isArray(value)) {
      for (const one of value.slice(0, MOST_ENTRIES)) visit(one, `${path}[]`, depth + 1)
      return
    }
    for (const [key, one] of Object.entries(value)) {
      if (names.size >= MOST_NAMES) return
      const name = `${path === '' ? '' : `${path}.`}${depth <= 2 ? nameOf(key, one) : segmentShape(nameShape(key))}`
      names.add(name)
      visit(one, name, depth + 1)
    }
  }
  visit(whole, '', 1)
  return names
}
