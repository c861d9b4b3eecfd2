/**
 * What pages hand to their scripts: `var ajaxurl = '/ajax.php'`, `window.settings = {"api": "\/v1\/"}`. Files of the page use such names without
 * having them.
 */
import { MAX_ENTRIES, text, type Value } from './value.ts'

const MAX_CODE = 200_000
const MAX_NAMES = 400
const DEEPEST = 4
const LONGEST_DATA = 60_000
/** A name of the page's own at the beginning of a statement. */
const GIVEN =
  /(?:^|[;{}>\n])\s*(?:(?:var|let|const)\s+|window\.)?([A-Za-z_$][\w$]{1,60})\s*=\s*(?:(["'])((?:https?:\\?\/\\?\/|\\?\/)[^"'\s<>]{0,300})\2|(?=\{))/g

export type Globals = Map<string, Value>

/** Adds what the code of a page gives; what was given first stays. */
export const learnGlobals = (globals: Globals, code: string): void => {
  const given = code.slice(0, MAX_CODE)
  for (const match of given.matchAll(GIVEN)) {
    const [whole, name = '', , address] = match
    if (globals.size >= MAX_NAMES) return
    if (globals.has(name)) continue
    const value =
      address === undefined ? dataAt(given, match.index + whole.length) : text(address.replaceAll('\\/', '/'))
    if (value !== null) globals.set(name, value)
  }
}

/** A document of JSON that stands in the code; null where it is an object of the language. */
const dataAt = (code: string, start: number): Value | null => {
  const end = endOfData(code, start, LONGEST_DATA)
  if (end === null) return null
  try {
    return valueOfData(JSON.parse(code.slice(start, end)), 0)
  } catch (error) {
    if (error instanceof SyntaxError) return null // Written by hand: names without quotes, functions.
    throw error
  }
}

/** Where the object or list ends that begins there, of so many characters at most; null where it does not. */
export const endOfData = (code: string, start: number, longest: number): number | null => {
  let depth = 0
  let quoted = false
  const last = Math.min(code.length, start + longest)
  for (let at = start; at < last; at += 1) {
    const sign = code[at]
    if (quoted && sign === '\\') at += 1
    else if (sign === '"') quoted = !quoted
    else if (!quoted && (sign === '{' || sign === '[')) depth += 1
    else if (!quoted && (sign === '}' || sign === ']')) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return null
}

const valueOfData = (data: unknown, depth: number): Value => {
  if (typeof data === 'string') return text(data)
  if (typeof data === 'number' || typeof data === 'boolean' || data === null) return { kind: 'data', value: data }
  if (typeof data !== 'object' || depth >= DEEPEST) return { kind: 'unknown', name: '' }
  if (Array.isArray(data)) return { kind: 'list', items: data.slice(0, 10).map((one) => valueOfData(one, depth + 1)) }
  const entries = Object.entries(data)
    .slice(0, MAX_ENTRIES)
    .map(([name, one]) => [name, valueOfData(one, depth + 1)] as const)
  return { kind: 'object', entries, rest: [] }
}
