/**
 * Takes the run's credentials out of everything that leaves egress, also where a target echoes them in another
 * coding: percent (once or repeatedly), HTML references, JSON and JavaScript escapes, hexadecimal, and base64 at any
 * alignment, and where it echoes only the beginning of a long one.
 */
import { formsOf, type SecretForm } from './secret-forms.ts'

export interface Redactor {
  /** False when there is nothing to hide; everything then passes untouched. */
  readonly active: boolean
  readonly text: (text: string) => string
  /** Bytes in any ASCII-compatible coding. Gives the same object back when nothing was found. */
  readonly bytes: (bytes: Buffer) => Buffer
  /** A JSON value, keys included. Buffers are treated as bytes. */
  readonly value: <T>(value: T) => T
}

export const REDACTED = '[redacted]'

/** Shorter values would take half of every page with them, and protect nothing. */
const SHORTEST = 6

export const createRedactor = (credentials: {
  readonly cookie: string | null
  readonly header: string | null
}): Redactor => {
  const secrets = secretsOf(credentials)
  if (secrets.length === 0) return { active: false, text: same, bytes: same, value: same }
  const finders = finderGroups(secrets)
  const text = (input: string) => finders.reduce(hide, input)
  const bytes = (input: Buffer) => {
    // latin1 keeps every byte as one character, so nothing but the secret changes.
    const before = input.toString('latin1')
    const after = text(before)
    return after === before ? input : Buffer.from(after, 'latin1')
  }
  return { active: true, text, bytes, value: (value) => visitAll(value, text, bytes) }
}

/**
 * What must not be seen: the values within the credentials, longest first. The whole line is a secret of its own only
 * where no value in it is long enough to be one: names and attributes stay readable.
 */
export const secretsOf = (credentials: {
  readonly cookie: string | null
  readonly header: string | null
}): string[] => {
  const found = new Set([...cookieSecrets(credentials.cookie ?? ''), ...headerSecrets(credentials.header ?? '')])
  return [...found].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length)
}

const cookieSecrets = (line: string): string[] => {
  const values = line
    .split(';')
    .map((part) => part.slice(part.indexOf('=') + 1).trim())
    .map((value) => value.replace(/^"(.*)"$/, '$1'))
  const whole = values.every((value) => value.length < SHORTEST) ? [line.trim()] : []
  return [...whole, ...values, ...values.map(percentDecoded)]
}

const headerSecrets = (line: string): string[] => {
  const value = line.slice(line.indexOf(':') + 1).trim()
  if (value.length < SHORTEST) return [line.trim()]
  const [, scheme = '', token = ''] = /^([\w-]+)\s+(\S.*)$/.exec(value) ?? []
  if (token.length < SHORTEST) return [value, percentDecoded(value)]
  // Of Digest and its like the quoted parameters, too.
  const quoted = [...token.matchAll(/="([^"]*)"/g)].map(([, parameter = '']) => parameter)
  if (scheme.toLowerCase() !== 'basic') return [token, percentDecoded(token), ...quoted]
  const pair = Buffer.from(token, 'base64').toString('latin1')
  return [token, pair, pair.slice(pair.indexOf(':') + 1)]
}

interface Finder {
  readonly expression: RegExp
  /** By the number of the expression's group. */
  readonly forms: readonly SecretForm[]
}

/** An expression over more than this many secrets could be too large to compile. */
const GROUP = 16

const finderGroups = (secrets: readonly string[]): Finder[] => {
  const groups: Finder[] = []
  for (let at = 0; at < secrets.length; at += GROUP) {
    const forms = secrets.slice(at, at + GROUP).flatMap((secret) => formsOf(secret, SHORTEST))
    groups.push({ expression: new RegExp(forms.map(({ head }) => `(${head})`).join('|'), 'g'), forms })
  }
  return groups
}

const hide = (input: string, { expression, forms }: Finder): string => {
  let output = ''
  let at = 0
  expression.lastIndex = 0
  for (let match = expression.exec(input); match; match = expression.exec(input)) {
    const form = forms[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]
    output += input.slice(at, match.index) + REDACTED
    at = form ? form.extend(input, expression.lastIndex) : expression.lastIndex
    expression.lastIndex = at
  }
  return at === 0 ? input : output + input.slice(at)
}

const same = <T>(value: T): T => value

/** The text itself when it is not percent-coded. */
const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

const visitAll = <T>(value: T, text: (input: string) => string, bytes: (input: Buffer) => Buffer): T => {
  const visit = (item: unknown): unknown => {
    if (typeof item === 'string') return text(item)
    if (Buffer.isBuffer(item)) return bytes(item)
    if (item instanceof Uint8Array)
      return new Uint8Array(bytes(Buffer.from(item.buffer, item.byteOffset, item.byteLength)))
    if (Array.isArray(item)) return item.map(visit)
    if (item === null || typeof item !== 'object' || item instanceof Date) return item
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [text(key), visit(inner)]))
  }
  return visit(value) as T
}
