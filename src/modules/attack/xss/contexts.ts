/** Every context in which a word stands in a page, by the HTML standard's own parsing rules. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5'
import { parseBounded } from '../../../page/html.ts'
import type { Context } from './facts.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const URLS: ReadonlySet<string> = new Set(['href', 'src', 'action', 'formaction', 'data', 'xlink:href', 'poster'])
const RAW: ReadonlySet<string> = new Set([
  'title',
  'textarea',
  'style',
  'iframe',
  'noscript',
  'noembed',
  'xmp',
  'noframes',
])

/** Document order, each kind of place once. */
export const contextsOf = (html: string, word: string): readonly Context[] => {
  const found: Context[] = []
  for (const node of nodesOf(parseBounded(html).document)) {
    if (defaultTreeAdapter.isCommentNode(node)) {
      if (node.data.includes(word)) found.push({ kind: 'comment', tag: '', attribute: null, quote: '' })
    } else if (defaultTreeAdapter.isTextNode(node)) {
      if (node.value.includes(word)) found.push(ofText(node.value, node.parentNode, word))
    } else if (defaultTreeAdapter.isElementNode(node)) found.push(...ofAttributes(node, word, html))
  }
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()]
}

export const nodesOf = function* (root: Node): Generator<Node> {
  const stack: Node[] = [root]
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node
    const inner = 'content' in node ? [node.content as Node] : []
    if ('childNodes' in node) stack.push(...node.childNodes.toReversed(), ...inner)
  }
}

const ofText = (text: string, parent: Node | null, word: string): Context => {
  const tag = parent && defaultTreeAdapter.isElementNode(parent) ? parent.tagName : ''
  if (tag === 'script') return { kind: 'script', tag, attribute: null, quote: quoteAt(text, text.indexOf(word)) }
  return { kind: RAW.has(tag) ? 'raw-text' : 'text', tag, attribute: null, quote: '' }
}

const ofAttributes = ({ tagName, attrs }: Element, word: string, html: string): readonly Context[] =>
  attrs
    .filter(({ value }) => value.includes(word))
    .map(({ name, value }) => {
      if (/^on[a-z]/.test(name)) {
        return { kind: 'handler', tag: tagName, attribute: name, quote: quoteAt(value, value.indexOf(word)) } as const
      }
      const whole = URLS.has(name) && value.trim().startsWith(word)
      return {
        kind: whole ? 'url' : 'attribute',
        tag: tagName,
        attribute: name,
        quote: quoteOf(html, name, word),
      } as const
    })

const quoteOf = (html: string, name: string, word: string): Context['quote'] => {
  const before = new RegExp(`\\s${name.replace(/[^\w-]/g, '.')}\\s*=\\s*(["']?)[^<>]{0,4096}?${word}`, 'i').exec(html)
  return before?.[1] === '"' || before?.[1] === "'" ? before[1] : ''
}

/** What surrounds a place in JavaScript: a text, a template, a comment, or code. */
export const quoteAt = (code: string, place: number): Context['quote'] => {
  let open: Context['quote'] = ''
  for (let at = 0; at < place; at += 1) {
    const char = code[at] ?? ''
    const pair = code.slice(at, at + 2)
    if (open === '') {
      if (char === '"' || char === "'" || char === '`') open = char
      else if (pair === '//' || pair === '/*') open = pair
    } else if (open === '//') {
      if (char === '\n') open = ''
    } else if (open === '/*') {
      if (pair === '*/') open = ''
    } else if (char === '\\') at += 1
    else if (char === open || (char === '\n' && open !== '`')) open = ''
  }
  return open
}
