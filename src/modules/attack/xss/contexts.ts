/** Every context in which a word stands in a page, by the HTML standard's own parsing rules. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5'
import { parseBounded } from '../../../page/html.ts'
import type { Context } from './facts.ts'
import { codeAt } from './scripts.ts'
import { inTag } from './tags.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** Attributes that hold one address. */
const URLS: ReadonlySet<string> = new Set([
  ...['href', 'src', 'action', 'formaction', 'data', 'xlink:href', 'poster', 'to', 'from', 'values'],
])
/** Elements whose content is text alone. Where scripts run, `<noscript>` is one of them. */
const RAW: ReadonlySet<string> = new Set(
  'title textarea style iframe noscript noembed xmp noframes plaintext'.split(' '),
)
/** Elements that keep most elements out, or keep what is in them from running. */
const CLOSED: ReadonlySet<string> = new Set(['template', 'select', 'option', 'optgroup'])
/**
 * Attributes whose values libraries take for code as they draw the page: those of Alpine and Vue with their short forms, Livewire's, htmx's.
 * Without the library they are text.
 */
const DIRECTIVE =
  /^(?:x-(?:bind|data|effect|for|html|id|if|init|intersect|model|on|show|text)|v-(?:bind|else-if|for|html|if|model|on|show|text)|hx-on)(?![a-z])|^(?:wire:|[@:])[a-z]/
const DATA_SCRIPT = /json|template|x-handlebars|text\/(?:plain|html|x-)|importmap|speculationrules/i

/** Where one occurrence of the word stands. */
export interface Reflection {
  /** Index in the text of the answer. */
  readonly at: number
  readonly context: Context
}

/** Each occurrence of the word, whatever case it came back in, in the order of the text. */
export const reflectionsOf = (html: string, word: string): readonly Reflection[] => {
  const known = read(html)
  return placesOf(html, word).map((at) => ({ at, context: contextAt(html, at, word, known) }))
}

/** Whether a library alone may run what the attribute holds. */
export const isDirective = (attribute: string | null): boolean => attribute !== null && DIRECTIVE.test(attribute)

/** Document order, each kind of place once. */
export const contextsOf = (html: string, word: string): readonly Context[] => {
  const found = reflectionsOf(html, word).map(({ context }) => context)
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
}

export const placesOf = (text: string, word: string): readonly number[] =>
  [...text.toLowerCase().matchAll(new RegExp(word.toLowerCase(), 'g'))].map(({ index }) => index)

export const nodesOf = function* (root: Node): Generator<Node> {
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node
    const inner = 'content' in node ? [node.content as Node] : []
    if ('childNodes' in node) stack.push(...node.childNodes.toReversed(), ...inner)
  }
}

interface Span {
  readonly start: number
  readonly end: number
  readonly kind: 'start-tag' | 'end-tag' | 'comment' | 'text'
  readonly node: Node
}

interface Range {
  readonly start: number
  readonly end: number
  readonly tag: string
}

interface Read {
  readonly spans: readonly Span[]
  /** Elements that keep others out, from their start to their end. */
  readonly closed: readonly Range[]
}

const read = (html: string): Read => {
  const closed: Range[] = []
  const spans: Span[] = []
  const add = (
    kind: Span['kind'],
    node: Node,
    where: { startOffset: number; endOffset: number } | null | undefined,
  ) => {
    if (where) spans.push({ start: where.startOffset, end: where.endOffset, kind, node })
  }
  for (const node of nodesOf(parseBounded(html, { located: true }).document)) {
    if (defaultTreeAdapter.isElementNode(node)) {
      const where = node.sourceCodeLocation
      if (where && CLOSED.has(node.tagName))
        closed.push({ start: where.startOffset, end: where.endOffset, tag: node.tagName })
      add('start-tag', node, where && ('startTag' in where && where.startTag ? where.startTag : where))
      add('end-tag', node, where && 'endTag' in where ? where.endTag : null)
    } else if (defaultTreeAdapter.isCommentNode(node)) add('comment', node, node.sourceCodeLocation)
    else if (defaultTreeAdapter.isTextNode(node)) add('text', node, node.sourceCodeLocation)
  }
  return { spans, closed }
}

const contextAt = (html: string, at: number, word: string, { spans, closed }: Read): Context => {
  const over = spans.filter(({ start, end }) => start <= at && at < end)
  const [span] = over.toSorted(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || a.end - a.start - (b.end - b.start),
  )
  if (!span) return { kind: 'dropped', tag: '', attribute: null, quote: '' }
  const { node } = span
  if (span.kind === 'comment') return ofComment(html.slice(span.start, at))
  if (span.kind === 'text') {
    const around = closed.filter(({ start, end }) => start < at && at < end)
    const outer = around.find(({ tag }) => tag === 'template') ?? around[0]
    return ofText(node, html.slice(span.start, span.end), at - span.start, outer?.tag)
  }
  if (span.kind === 'end-tag') return { kind: 'end-tag', tag: tagOf(node), attribute: null, quote: '' }
  return ofTag(node as Element, html.slice(span.start, span.end), at - span.start, word)
}
const ORDER: readonly Span['kind'][] = ['start-tag', 'end-tag', 'comment', 'text']

/** What is no comment by its beginning ends at the first bracket. */
const ofComment = (before: string): Context => {
  const bogus = !before.startsWith('<!--') || before === '<!--'
  return { kind: 'comment', tag: bogus ? '!' : '', attribute: null, quote: '' }
}

const tagOf = (node: Node | null): string => (node && defaultTreeAdapter.isElementNode(node) ? node.tagName : '')

const ofText = (node: Node, raw: string, at: number, closed: string | undefined): Context => {
  const parent = 'parentNode' in node ? node.parentNode : null
  const tag = tagOf(parent)
  if (tag === 'script' && parent) {
    const type = (parent as Element).attrs.find(({ name }) => name === 'type')?.value ?? ''
    if (DATA_SCRIPT.test(type)) return { kind: 'raw-text', tag, attribute: null, quote: '' }
    return { kind: 'script', tag, attribute: null, quote: codeAt(raw, at) }
  }
  if (RAW.has(tag)) return { kind: 'raw-text', tag, attribute: null, quote: '' }
  if (closed !== undefined) return { kind: 'raw-text', tag: closed, attribute: null, quote: '' }
  return { kind: 'text', tag, attribute: null, quote: '' }
}

const ofTag = ({ tagName: tag, attrs }: Element, raw: string, at: number, word: string): Context => {
  const place = inTag(raw, at)
  if (place.kind !== 'value') return { kind: place.kind, tag, attribute: null, quote: '' }
  const { name: attribute, quote } = place
  const value = attrs.find(({ name }) => name === attribute)?.value ?? place.before
  const within = Math.max(0, value.toLowerCase().indexOf(word.toLowerCase()))
  if (/^on[a-z]/.test(attribute) || isDirective(attribute))
    return { kind: 'handler', tag, attribute, quote: codeAt(value, within), outer: quote }
  if (attribute === 'srcdoc') {
    const [inner] = contextsOf(value, word)
    return { kind: 'srcdoc', tag, attribute, quote, ...(inner ? { inner } : {}) }
  }
  if (!URLS.has(attribute)) return { kind: 'attribute', tag, attribute, quote }
  const start = value.slice(0, within)
  if (/^\s*javascript:/i.test(start))
    return {
      kind: 'script-url',
      tag,
      attribute,
      quote: codeAt(start.replace(/^\s*javascript:/i, ''), start.length),
      outer: quote,
    }
  return { kind: start.trim() === '' ? 'url' : 'attribute', tag, attribute, quote }
}
