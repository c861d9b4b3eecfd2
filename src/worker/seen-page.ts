/** What a reader sees of an answer: its title, its words, and whether it asks for a password. */
import type { DefaultTreeAdapterTypes } from 'parse5'
import type { HttpExchange } from '../egress/door/egress.ts'
import { headerOf } from '../egress/http/response-parser.ts'
import { REDACTED } from '../egress/redaction/redacted.ts'
import { parseBounded } from '../page/html.ts'

export interface SeenPage {
  readonly title: string | null
  readonly asks: boolean
  readonly words: ReadonlySet<string>
}

/** Null when there are more elements than are read. */
export const readPage = ({ headers, body }: Pick<HttpExchange, 'headers' | 'body'>): SeenPage | null => {
  const text = body.toString()
  if (!/html/i.test(headerOf(headers, 'content-type'))) return { title: null, asks: false, words: wordsOf([text]) }
  const { document, truncated } = parseBounded(text, { elements: MAX_ELEMENTS })
  return truncated ? null : walk(document)
}

const MAX_ELEMENTS = 20_000
const MAX_WORDS = 20_000
/** Characters of a title or word that are kept. */
const LONGEST_TITLE = 120
const LONGEST_WORD = 40
/** Text of these is no text of the page. */
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'title'])

/** With a list of its own instead of recursion: a page may be nested deeper than a stack. */
const walk = (document: DefaultTreeAdapterTypes.Document): SeenPage => {
  const texts: string[] = []
  let title: string | null = null
  let asks = false
  const open: DefaultTreeAdapterTypes.ChildNode[] = document.childNodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === '#text' && 'value' in node) texts.push(node.value)
    if (!('tagName' in node)) continue
    if (node.tagName === 'title') title ??= textIn(node)
    if (node.tagName === 'input') asks ||= attribute(node, 'type') === 'password'
    if (!UNSEEN.has(node.tagName)) for (const child of node.childNodes.toReversed()) open.push(child)
  }
  return { title, asks, words: wordsOf(texts) }
}

const attribute = (element: DefaultTreeAdapterTypes.Element, name: string): string | undefined =>
  element.attrs
    .find((each) => each.name === name)
    ?.value.trim()
    .toLowerCase()

const textIn = (element: DefaultTreeAdapterTypes.Element): string | null => {
  const text = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line === '' ? null : line.slice(0, LONGEST_TITLE).toWellFormed()
}

/** A credential that the page gave back was taken out of it: what stands there instead is no word of the page. */
const wordsOf = (texts: readonly string[]): ReadonlySet<string> => {
  const words = new Set<string>()
  for (const text of texts) {
    for (const part of text.replaceAll(REDACTED, ' ').split(/[^\p{L}\p{N}]+/u)) {
      if (words.size >= MAX_WORDS) return words
      if (part !== '') words.add(part.slice(0, LONGEST_WORD).toWellFormed())
    }
  }
  return words
}
