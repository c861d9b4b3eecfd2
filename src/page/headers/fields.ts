/** Header values by the shared rules of RFC 9110, section 5.6. Bounded: longer values are cut. */

const MAX_LENGTH = 16_384
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export const isToken = (text: string): boolean => TOKEN.test(text)

/** Splits at a separator that is not inside a quoted string. Empty members are kept as ''. */
export const splitField = (value: string, separator: ',' | ';'): readonly string[] => {
  const members: string[] = []
  let member = ''
  let quoted = false
  const text = value.slice(0, MAX_LENGTH)
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (quoted && character === '\\') {
      member += character + text.charAt(at + 1)
      at += 1
    } else if (character === separator && !quoted) {
      members.push(member.trim())
      member = ''
    } else {
      if (character === '"') quoted = !quoted
      member += character
    }
  }
  return [...members, member.trim()]
}

export interface FieldDirective {
  /** Lower case. */
  readonly name: string
  /** Null without "="; the quotes of a quoted string removed. */
  readonly value: string | null
  /** False where name or value break the grammar. */
  readonly valid: boolean
}

/** `name`, `name=token` or `name="quoted"`. */
export const parseDirective = (text: string): FieldDirective => {
  const equals = text.indexOf('=')
  const name = (equals < 0 ? text : text.slice(0, equals)).trim()
  const raw = equals < 0 ? null : text.slice(equals + 1).trim()
  const quoted = raw !== null && /^"(?:[^"\\]|\\.)*"$/.test(raw)
  return {
    name: name.toLowerCase(),
    value: raw !== null && quoted ? raw.slice(1, -1).replace(/\\(.)/g, '$1') : raw,
    valid: isToken(name) && (raw === null || quoted || isToken(raw)),
  }
}
