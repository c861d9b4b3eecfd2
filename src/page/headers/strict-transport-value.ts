/** The value of Strict-Transport-Security by the grammar of RFC 6797, section 6.1. */
import type { HeaderPairs } from '../../egress/door/egress.ts'
import { valuesOf } from '../pages.ts'
import { parseDirective, splitField } from './fields.ts'

/** 180 days and a year, in seconds. */
export const MIN_MAX_AGE = 15_552_000
export const PRELOAD_MAX_AGE = 31_536_000

export type TransportSecurity =
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly text: string; readonly problem: string }
  | {
      readonly kind: 'valid'
      readonly text: string
      /** Seconds. */
      readonly maxAge: number
      readonly includeSubDomains: boolean
      readonly preload: boolean
    }

/** Section 8.1: a browser processes the first header of the name and no other. */
export const transportSecurityOf = (headers: HeaderPairs): TransportSecurity => {
  const [text] = valuesOf(headers, 'strict-transport-security')
  return text === undefined ? { kind: 'missing' } : parseTransportSecurity(text)
}

export const parseTransportSecurity = (text: string): TransportSecurity => {
  const invalid = (problem: string): TransportSecurity => ({ kind: 'invalid', text: text.slice(0, 500), problem })
  const directives = splitField(text, ';')
    .filter((part) => part !== '')
    .map(parseDirective)
  const broken = directives.find(({ valid }) => !valid)
  if (broken) return invalid(`the directive "${broken.name.slice(0, 60)}" is malformed`)
  const names = directives.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return invalid(`${twice} comes twice`)
  const maxAge = directives.find(({ name }) => name === 'max-age')?.value
  if (maxAge === undefined) return invalid('max-age is missing')
  if (maxAge === null || !/^\d+$/.test(maxAge)) return invalid('max-age is no number of seconds')
  const flag = directives.find(({ name, value }) => name === 'includesubdomains' && value !== null)
  if (flag) return invalid('includeSubDomains takes no value')
  return {
    kind: 'valid',
    text: text.slice(0, 500),
    maxAge: Number(maxAge),
    includeSubDomains: names.includes('includesubdomains'),
    preload: names.includes('preload'),
  }
}
