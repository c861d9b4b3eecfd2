/** A piece of an answer with what was found out about it, so that a thousand templates ask it once. */
import { lowerBytes, textOfBytes } from '../bytes.ts'
import { type HtmlNode, parseHtml } from './html-tree.ts'
import type { WordIndex } from './words.ts'

/** Questions after which one pass for all words is cheaper than a search for each. */
const PATIENCE = 24

/** The words of a catalogue: as written, and those compared without case (in lower case). */
export interface Vocabulary {
  readonly exact: WordIndex
  readonly lower: WordIndex
}

export interface Text {
  /** Byte string. */
  readonly bytes: string
  readonly lower: () => string
  readonly has: (word: string) => boolean
  /** The word in lower case. */
  readonly hasInLower: (word: string) => boolean
  /** Parsed as HTML, at most the first MiB. */
  readonly html: () => HtmlNode
  /** Parsed as JSON; undefined when it is none. */
  readonly json: () => unknown
}

export const createText = (bytes: string, vocabulary: Vocabulary | null = null): Text => {
  let lower: string | null = null
  let html: HtmlNode | null = null
  let json: { readonly value: unknown } | null = null
  const lowered = (): string => {
    lower ??= lowerBytes(bytes)
    return lower
  }
  const exact = finder(
    () => bytes,
    () => vocabulary?.exact ?? null,
  )
  const inLower = finder(lowered, () => vocabulary?.lower ?? null)
  return {
    bytes,
    lower: lowered,
    has: exact,
    hasInLower: inLower,
    html: () => {
      html ??= parseHtml(textOfBytes(bytes.slice(0, LARGEST_TREE)))
      return html
    },
    json: () => {
      json ??= { value: parseJson(bytes) }
      return json.value
    },
  }
}

const LARGEST_TREE = 1024 * 1024

const finder = (text: () => string, vocabulary: () => WordIndex | null) => {
  let asked = 0
  let index: WordIndex | null = null
  let found: Uint8Array | null = null
  return (word: string): boolean => {
    if (word === '') return true
    if (found === null && ++asked > PATIENCE) {
      index = vocabulary()
      found = index?.scan(text()) ?? new Uint8Array(0)
    }
    const id = index?.idOf(word)
    return found === null || id === undefined ? text().includes(word) : found[id] === 1
  }
}

const parseJson = (bytes: string): unknown => {
  try {
    return JSON.parse(textOfBytes(bytes))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
