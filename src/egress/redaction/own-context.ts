/**
 * Values that are no secret by themselves (`theme=dark`), hidden where they stand as what they are: behind their name in
 * a cookie or a header line, behind their scheme, or behind the user of HTTP Basic. The same word elsewhere stays.
 */
import { REDACTED } from './redacted.ts'
import type { OwnValue } from './secrets-of.ts'

export interface OwnContext {
  readonly text: (text: string) => string
  /** The value of a member of this name beside others, or null where it is not one of ours. */
  readonly member: (item: Readonly<Record<string, unknown>>) => string | null
  /** The same for a header as a pair of name and value. */
  readonly pair: (item: readonly unknown[]) => readonly unknown[] | null
}

export const createOwnContext = (own: readonly OwnValue[]): OwnContext | null => {
  if (own.length === 0) return null
  const finders = own.map((one) => ({ marker: one.value, expression: expressionOf(one) }))
  const cookies = new Set(own.flatMap(({ of, name, value }) => (of === 'cookie' ? [`${name}=${value}`] : [])))
  const headers = new Set(
    own.flatMap(({ of, name, value }) => (of === 'header' ? [`${name.toLowerCase()}=${value}`] : [])),
  )
  return {
    text: (text) => {
      let cleaned = text
      for (const { marker, expression } of finders) {
        if (cleaned.includes(marker)) cleaned = cleaned.replace(expression, `$<before>${REDACTED}`)
      }
      return cleaned
    },
    member: (item) => {
      const { name, value } = item
      if (typeof name !== 'string' || typeof value !== 'string' || !OF_COOKIE.some((key) => key in item)) return null
      return cookies.has(`${name}=${value}`) ? REDACTED : null
    },
    pair: ([name, value, ...more]) =>
      more.length === 0 && typeof name === 'string' && headers.has(`${name.toLowerCase()}=${value}`)
        ? [name, REDACTED]
        : null,
  }
}

/** Members that an object has which describes a cookie, and no parameter or setting. */
const OF_COOKIE = ['domain', 'path', 'httpOnly', 'sameSite', 'hostOnly', 'maxAge', 'expires']

/** Equals sign, colon and slash as they are, or in the codings of addresses, HTML and scripts. */
const EQUALS = '(?:=|%3[dD]|&#61;|&equals;|\\\\u003[dD]|\\\\x3[dD])'
const COLON = '(?::|%3[aA]|&#58;|&colon;)'
const END = '(?=$|[\\s;,"\'<>)\\]}\\\\`|]|%3[bB]|%2[02cC]|%0[aAdD]|&(?:quot|apos|lt|gt|#))'
/** Not within a longer name, and no parameter of an address or of a form: what stands there is the application's. */
const START = '(?<![\\w?&$.%/-]|&amp;)'

const expressionOf = ({ of, name, value }: OwnValue): RegExp => {
  const [left, right] = [literal(name), literal(value)]
  const quoted = `(?<before>%s"?)${right}`
  switch (of) {
    case 'cookie':
      return new RegExp(`${START}${quoted.replace('%s', () => `${left}${EQUALS}`)}${END}`, 'g')
    case 'header':
      // Names of header fields have no case (RFC 9110, 5.1).
      return new RegExp(`${START}${quoted.replace('%s', () => `${anyCase(left)}"?[:=] ?`)}${END}`, 'g')
    case 'scheme':
      return new RegExp(`${START}(?<before>${anyCase(left)}\\s+)${right}${END}`, 'g')
    case 'pair':
      return new RegExp(`(?<before>${left}${COLON})${right}(?=@|${END.slice(3, -1)})`, 'g')
  }
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const anyCase = (source: string): string =>
  source.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
