/**
 * What may be told of an answer to a sign-in: which cookies it sets, and how. Nothing of what was sent, of the query or of the body, and
 * the values are others of their kind: whoever looks whether they could be guessed sees the same.
 */
import { randomInt } from 'node:crypto'
import type { HttpExchange } from '../door/egress.ts'

export const ofSignIn = (answer: HttpExchange): HttpExchange => {
  const { method, url } = answer.request
  return {
    ...answer,
    request: { method, url: url.replace(/[?#].*$/s, ''), headers: [], body: null },
    headers: answer.headers.flatMap(([name, line]) =>
      name.toLowerCase() === 'set-cookie' ? [[name, withOtherValue(line)] as const] : [],
    ),
    body: Buffer.alloc(0),
  }
}

/** RFC 6265, 4.1.1: the value ends with the first semicolon. */
const withOtherValue = (line: string): string =>
  line.replace(
    /^([^=;]*=)([^;]*)/,
    (_whole, name: string, value: string) =>
      `${name}${value.replace(PART, (part) => (part.length > 1 ? part : other(part)))}`,
  )

/** A sign that is encoded for a cookie (RFC 3986, 2.1) stays as a plain one does: it tells settings, written as data, from a key. */
const PART = /%(?:2[0-9A-F]|3[A-F]|40|5[B-F]|60|7[B-E])|./gis

const KINDS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const

/** Hexadecimal values become others that are not: what counts is how many there are. */
const other = (character: string): string => {
  const kind = KINDS.find((one) => one.includes(character))
  return kind === undefined ? character : kind.charAt(randomInt(kind.length))
}
