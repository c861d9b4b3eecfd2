/**
 * Takes the run's credentials out of everything that leaves egress, also where a target echoes them in another
 * coding: percent (once or repeatedly), HTML references, JSON and JavaScript escapes, hexadecimal, and base64 at any
 * alignment. One expression per secret matches any mixture of the codings, character by character.
 */

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
  const expression = new RegExp(secrets.flatMap(forms).join('|'), 'g')
  const text = (input: string) => input.replace(expression, REDACTED)
  const bytes = (input: Buffer) => {
    // latin1 keeps every byte as one character, so nothing but the secret changes.
    const before = input.toString('latin1')
    const after = text(before)
    return after === before ? input : Buffer.from(after, 'latin1')
  }
  return { active: true, text, bytes, value: (value) => walk(value, text, bytes) }
}

/** Longest first, so that a whole header goes before the token within it. */
export const secretsOf = (credentials: {
  readonly cookie: string | null
  readonly header: string | null
}): string[] => {
  const found = new Set<string>()
  const add = (secret: string | undefined) => {
    if (secret !== undefined && secret.length >= SHORTEST) found.add(secret)
  }
  if (credentials.cookie !== null) {
    const cookie = credentials.cookie.trim()
    add(cookie)
    for (const part of cookie.split(';')) {
      const value = part.slice(part.indexOf('=') + 1).trim()
      add(value)
      add(value.replace(/^"(.*)"$/, '$1'))
      add(percentDecoded(value))
    }
  }
  if (credentials.header !== null) {
    const line = credentials.header.trim()
    add(line)
    const value = line.slice(line.indexOf(':') + 1).trim()
    add(value)
    const [, scheme = '', token = ''] = /^([\w-]+)\s+(\S.*)$/.exec(value) ?? []
    add(token)
    if (scheme.toLowerCase() === 'basic') {
      const pair = Buffer.from(token, 'base64').toString('latin1')
      add(pair)
      add(pair.slice(pair.indexOf(':') + 1))
    }
    // Digest-like parameters: name="value".
    for (const [, quoted] of token.matchAll(/="([^"]*)"/g)) add(quoted)
  }
  return [...found].sort((a, b) => b.length - a.length)
}

const same = <T>(value: T): T => value

const forms = (secret: string): string[] => [
  [...Buffer.from(secret, 'utf8')].map(codedByte).join(''),
  hexadecimal(secret),
  ...base64(secret),
]

const NAMED: Readonly<Record<string, string>> = {
  '"': 'quot|QUOT',
  '&': 'amp|AMP',
  "'": 'apos',
  '<': 'lt|LT',
  '>': 'gt|GT',
  '=': 'equals',
  '+': 'plus',
  '/': 'sol',
  '%': 'percnt',
  ':': 'colon',
  ';': 'semi',
  '.': 'period',
  ',': 'comma',
  _: 'lowbar',
  '-': 'hyphen|dash',
  '!': 'excl',
  '#': 'num',
  $: 'dollar',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb|lbrack',
  ']': 'rsqb|rbrack',
  '\\': 'bsol',
  '^': 'Hat',
  '`': 'grave',
  '{': 'lcub|lbrace',
  '|': 'vert|verbar|VerticalLine',
  '}': 'rcub|rbrace',
  '~': 'tilde',
  '\t': 'Tab',
  ' ': 'nbsp',
}

/** One byte, raw or in any coding. Single characters stay outside the group so that the engine can scan for them. */
const codedByte = (code: number): string => {
  const character = String.fromCharCode(code)
  const hex = anyCase(code.toString(16).padStart(2, '0'))
  const named = NAMED[character]
  const html = `&(?:amp;)*(?:#0*${code}|#[xX]0*${anyCase(code.toString(16))}${named ? `|${named}` : ''});`
  // A backslash before the character itself: JSON's \/ and \", JavaScript's \'.
  const escaped = `\\\\+(?:[uU]00${hex}|[uU]\\{0*${anyCase(code.toString(16))}\\}|[xX]${hex}|${literal(character)})`
  const space = character === ' ' ? '|\\+' : ''
  return `(?:${literal(character)}|%(?:25)*${hex}|${html}|${escaped}${space})`
}

const hexadecimal = (secret: string): string =>
  [...Buffer.from(secret, 'utf8')].map((code) => anyCase(code.toString(16).padStart(2, '0'))).join('[ :]?')

/**
 * The characters of the coded text that depend on the secret alone, for each of the three places a secret can begin
 * in a longer text, in both alphabets, each character possibly percent-coded in turn.
 */
const base64 = (secret: string): string[] => {
  const bytes = Buffer.from(secret, 'utf8')
  return [0, 1, 2].flatMap((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(2)]).toString('base64')
    const core = coded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
    if (core.length < SHORTEST) return []
    return [`${[...core].map(base64Character).join('')}[\\w+/-]?={0,2}`]
  })
}

const base64Character = (character: string): string => {
  if (character === '+') return '(?:[+-]|%(?:25)*2[bB]|&#43;|&#[xX]2[bB];|&plus;|\\\\u002[bB])'
  if (character === '/') return '(?:[/_]|%(?:25)*2[fF]|\\\\/|&#47;|&#[xX]2[fF];|&sol;|\\\\u002[fF])'
  return character
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)

const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch (error) {
    // Not percent-coded at all: the raw value is the only one.
    if (error instanceof URIError) return undefined
    throw error
  }
}

const walk = <T>(value: T, text: (input: string) => string, bytes: (input: Buffer) => Buffer): T => {
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
