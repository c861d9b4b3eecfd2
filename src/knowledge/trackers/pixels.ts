/** Requests of known pixels, read by their own grammar. Values of identifiers and contact data are never kept. */

import { GOOGLE } from './pixels/google.ts'
import { type Fields, fieldsOf, type PixelGrammar } from './pixels/grammar.ts'
import { OTHERS } from './pixels/others.ts'
import { SOCIAL } from './pixels/social.ts'
import type { PixelHit, PixelParameter } from './vendor.ts'

const GRAMMARS: readonly PixelGrammar[] = [...SOCIAL, ...GOOGLE, ...OTHERS]
const LONGEST_VALUE = 200
const MOST_PARAMETERS = 40

/** Null for every request that is none of a known pixel's. `body` as text. */
export const pixelOf = (address: string, body: string | null): PixelHit | null => {
  const url = URL.parse(address)
  const grammar = url && GRAMMARS.find(({ matches }) => matches(url))
  if (!url || !grammar) return null
  return readPixel(grammar, fieldsOf(url, body), url)
}

/** What the fields say in the words of this grammar. */
export const readPixel = (grammar: PixelGrammar, fields: Fields, url: URL): PixelHit => {
  const event = grammar.event(fields, url)
  return {
    vendor: grammar.vendor,
    event: event === null ? null : event.slice(0, LONGEST_VALUE),
    parameters: parametersOf(fields, grammar),
    identity: [...new Set([...identityOf(fields, grammar), ...(grammar.inside?.(fields) ?? [])])],
  }
}

const parametersOf = (fields: Fields, { meanings, identity }: PixelGrammar): readonly PixelParameter[] =>
  [...fields]
    .flatMap(([name, value]) => {
      const personal = meaningOf(identity, name)
      const meaning = personal ?? meaningOf(meanings, name)
      if (meaning === null || value === '') return []
      const hidden = personal !== null || meaning.startsWith('identifier')
      return [{ name, meaning, value: hidden ? shapeOf(value) : value.slice(0, LONGEST_VALUE) }]
    })
    .slice(0, MOST_PARAMETERS)

const identityOf = (fields: Fields, { identity }: PixelGrammar): readonly string[] =>
  [...fields].flatMap(([name, value]) => (value.trim() === '' ? [] : (meaningOf(identity, name) ?? [])))

const meaningOf = (table: Readonly<Record<string, string>>, name: string): string | null => {
  if (Object.hasOwn(table, name)) return table[name] ?? null
  const start = Object.keys(table).find((key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)))
  return start === undefined ? null : (table[start] ?? null)
}

/** What tells a hash from plain text, without the value. */
const shapeOf = (value: string): string => {
  const hashes: Readonly<Record<number, string>> = { 32: 'MD5', 40: 'SHA-1', 64: 'SHA-256', 128: 'SHA-512' }
  const hash = /^[0-9a-f]+$/i.test(value) ? hashes[value.length] : undefined
  return hash === undefined ? `(${value.length} characters)` : `(${hash} in hex)`
}
