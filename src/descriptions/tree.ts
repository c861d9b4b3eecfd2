/** JSON and YAML as values, with the line on which each part stands. */
import { isMap, isNode, LineCounter, parseDocument } from 'yaml'
import { Unreadable } from './operation.ts'

export type Path = readonly (string | number)[]

export interface Tree {
  readonly value: unknown
  /** From 1; null for what the text does not have. */
  readonly lineOf: (path: Path) => number | null
}

/** Aliases that a document may use, each counted with what it stands for: more of them is a bomb. */
const MOST_ALIASES = 100
const TOO_DEEP = 'It is nested too deeply to be read.'

/** @throws Unreadable where the text is neither */
export const readTree = (text: string): Tree => {
  const plain = text.replace(/^\uFEFF/, '')
  try {
    return /^\s*[[{]/.test(plain) ? readJson(plain) : readYaml(plain)
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable(TOO_DEEP)
    throw error
  }
}

const readJson = (text: string): Tree => {
  try {
    const value: unknown = JSON.parse(text)
    return { value, lineOf: linesIn(text) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // A comma too many, a comment: YAML takes these, and says where what it does not take stands.
    return readYaml(text)
  }
}

/** Each object and list is read once, however often is asked. The text is known to be JSON. */
const linesIn = (text: string): Tree['lineOf'] => {
  const known = new Map<number, ReadonlyMap<string, Part>>()
  let ends: readonly number[] | null = null
  const partsAt = (at: number): ReadonlyMap<string, Part> => {
    const parts = known.get(at) ?? partsOf(text, at)
    known.set(at, parts)
    return parts
  }
  return (path) => {
    let part: Part = { at: gap(text, 0), value: gap(text, 0) }
    for (const key of path) {
      const next = partsAt(part.value).get(String(key))
      if (!next) return null
      part = next
    }
    ends ??= [...text.matchAll(/\n/g)].map(({ index }) => index)
    return lineAt(ends, part.at)
  }
}

interface Part {
  /** Offset of the key, or of the item of a list. */
  readonly at: number
  readonly value: number
}

const lineAt = (ends: readonly number[], offset: number): number => {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low + 1
}

/** By key, or by index; nothing of what holds nothing. */
const partsOf = (text: string, open: number): ReadonlyMap<string, Part> => {
  const parts = new Map<string, Part>()
  const isObject = text[open] === '{'
  if (!isObject && text[open] !== '[') return parts
  let at = gap(text, open + 1)
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const end = isObject ? afterString(text, at) : at
    const value = isObject ? gap(text, gap(text, end) + 1) : at
    const key = isObject ? String(JSON.parse(text.slice(at, end))) : String(parts.size)
    parts.set(key, { at, value })
    at = gap(text, afterValue(text, value))
    if (text[at] !== ',') break
    at = gap(text, at + 1)
  }
  return parts
}

const gap = (text: string, from: number): number => {
  let at = from
  while (' \t\r\n'.includes(text[at] ?? 'x')) at += 1
  return at
}

const afterString = (text: string, from: number): number => {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

const afterValue = (text: string, from: number): number => {
  let depth = 0
  let at = from
  do {
    const sign = text[at]
    if (sign === '"') {
      at = afterString(text, at)
      continue
    }
    if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    else if (depth === 0) {
      while (at < text.length && !',]} \t\r\n'.includes(text[at] ?? ',')) at += 1
      return at
    }
    at += 1
  } while (depth > 0 && at < text.length)
  return at
}

const readYaml = (text: string): Tree => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true, uniqueKeys: false, logLevel: 'silent' })
  const [error] = document.errors
  if (error)
    throw new Unreadable(
      /^\s*[[{]/.test(text) ? 'It begins as JSON and is none.' : 'It is no valid YAML.',
      error.linePos?.[0].line ?? null,
    )
  return {
    value: plainOf(document),
    lineOf: (path) => {
      const holder = path.length === 0 ? null : document.getIn(path.slice(0, -1), true)
      const key = isMap(holder) ? holder.items.find((pair) => named(pair.key) === String(path.at(-1)))?.key : null
      const node = isNode(key) ? key : document.getIn(path, true)
      const range = isNode(node) ? node.range : null
      return range ? lines.linePos(range[0]).line : null
    },
  }
}

const plainOf = (document: ReturnType<typeof parseDocument>): unknown => {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (error) {
    // Too many aliases, or one of an anchor that is nowhere.
    if (error instanceof ReferenceError) throw new Unreadable('Its YAML aliases name too much, or nothing.')
    throw error
  }
}

const named = (key: unknown): string => {
  const value = typeof key === 'object' && key !== null && 'value' in key ? key.value : key
  return typeof value === 'string' ? value : JSON.stringify(value)
}
