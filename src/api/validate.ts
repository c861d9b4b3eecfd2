/** Reads what a request carries: JSON of bounded depth, then validation that names every bad field, not only the first. */
import type { z } from 'zod'
import { type FieldErrors, fieldErrors } from '../contract/field-errors.ts'
import { badRequest } from './problems.ts'

export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: FieldErrors }

/** `place` names the whole where no field does: 'body' or 'query'. */
export const check = (schema: z.ZodType, value: unknown, place: string): Checked => {
  const nul = pathOfNul(value)
  if (nul !== null) return { ok: false, errors: [{ path: nul, message: 'must not contain the NUL character' }] }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, errors: fieldErrors(parsed.error.issues, value, place) }
}

/** PostgreSQL's text cannot hold U+0000, and nothing that we take has a use for it. */
const pathOfNul = (value: unknown, path = ''): string | null => {
  if (typeof value === 'string') return value.includes('\0') ? path || 'body' : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const found = pathOfNul(inner, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found.replaceAll('\0', '�')
  }
  return null
}

/** Levels of objects and arrays in a body; what we take has at most six. */
const MAX_DEPTH = 64

/** Throws validation_failed; RFC 8259, 8.1: JSON between systems is UTF-8. */
export const parseJson = (body: Buffer): unknown => {
  if (body.length === 0) return undefined
  return parse(decode(body))
}

/** Throws validation_failed for what is not UTF-8. */
export const decode = (body: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw badRequest('is not UTF-8', cause, 'body')
  }
}

const parse = (text: string): unknown => {
  // First, and by a loop: whoever looks into the value later may recurse.
  if (isDeeperThan(MAX_DEPTH, text)) throw badRequest(`is nested deeper than ${MAX_DEPTH} levels`, undefined, 'body')
  try {
    const value: unknown = JSON.parse(text)
    // An absent body is an empty object; null is not absent.
    if (value === null) throw badRequest('must be an object', undefined, 'body')
    return value
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof RangeError)) throw cause
    throw badRequest(`is not JSON: ${shorten(cause.message)}`, cause, 'body')
  }
}

/** Counts brackets outside of strings; of a text that is no JSON it may say either, since that is refused anyway. */
const isDeeperThan = (most: number, text: string): boolean => {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (quoted) {
      if (character === BACKSLASH) at += 1
      else if (character === QUOTE) quoted = false
    } else if (character === QUOTE) quoted = true
    else if (character === BRACKET || character === BRACE) {
      depth += 1
      if (depth > most) return true
    } else if (character === BRACKET + 2 || character === BRACE + 2) depth -= 1
  }
  return false
}
const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b
const BRACE = 0x7b

/** V8 quotes the text around the mistake, which may hold a credential: only what is wrong and where is said. */
const shorten = (message: string): string => {
  const [, what, where] = /^([^"'`,]*?)(?: token)?(?: ["'`].*)?(?:(at position \d+).*)?$/s.exec(message) ?? []
  return [what?.trim() || 'syntax error', where].filter(Boolean).join(' ')
}
