import { badRequest } from './problems.ts'

/** Throws validation_failed; RFC 8259, 8.1: JSON between systems is UTF-8. */
export const parseJson = (body: Buffer): unknown => {
  if (body.length === 0) return undefined
  return parse(decode(body))
}

const decode = (body: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw badRequest('is not UTF-8', cause, 'body')
  }
}

const parse = (text: string): unknown => {
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

/** V8 quotes the text around the mistake, which may hold a credential: only what is wrong and where is said. */
const shorten = (message: string): string => {
  const [, what, where] = /^([^"'`,]*?)(?: token)?(?: ["'`].*)?(?:(at position \d+).*)?$/s.exec(message) ?? []
  return [what?.trim() || 'syntax error', where].filter(Boolean).join(' ')
}
