/** The tree that XPath walks: elements, attributes and text of an HTML or XML page. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

export interface HtmlNode {
  readonly kind: 'document' | 'element' | 'text' | 'attribute'
  /** Lower case; '' for a document and for text. */
  readonly name: string
  /** Of text and attributes. */
  readonly value: string
  readonly attributes: readonly HtmlNode[]
  readonly children: readonly HtmlNode[]
  readonly parent: HtmlNode | null
}

interface Building extends HtmlNode {
  attributes: HtmlNode[]
  children: HtmlNode[]
}

const DEEPEST = 500

export const parseHtml = (text: string): HtmlNode => {
  const root = node('document', '', '', null)
  // An XML document is not torn apart by the rules of HTML: its elements stand where they are written.
  const xml = /^\s*<\?xml[^>]*\?>/.exec(text)
  if (xml && !/<html[\s>]/i.test(text.slice(0, 2_000))) readXml(text.slice(xml[0].length), root)
  else adopt(parse(text).childNodes, root, 0)
  return root
}

const node = (kind: HtmlNode['kind'], name: string, value: string, parent: HtmlNode | null): Building => ({
  kind,
  name,
  value,
  attributes: [],
  children: [],
  parent,
})

const adopt = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[], into: Building, depth: number): void => {
  if (depth > DEEPEST) return
  for (const one of nodes) {
    if (one.nodeName === '#text' && 'value' in one) into.children.push(node('text', '', one.value, into))
    if (!('tagName' in one)) continue
    const element = node('element', one.tagName.toLowerCase(), '', into)
    for (const { name, value } of one.attrs)
      element.attributes.push(node('attribute', name.toLowerCase(), value, element))
    into.children.push(element)
    adopt('content' in one ? one.content.childNodes : one.childNodes, element, depth + 1)
  }
}

const XML =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!][^>]*>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/g
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')

const readXml = (text: string, root: Building): void => {
  const open: Building[] = [root]
  for (const [, cdata, closing, name, attributes = '', empty, plain] of text.matchAll(XML)) {
    const top = open.at(-1) ?? root
    if (cdata !== undefined) top.children.push(node('text', '', cdata, top))
    else if (plain !== undefined) top.children.push(node('text', '', unescaped(plain), top))
    else if (name === undefined) continue
    else if (closing === '/') {
      const at = open.findLastIndex((element) => element.name === name.toLowerCase())
      if (at > 0) open.length = at
    } else {
      const element = node('element', name.toLowerCase(), '', top)
      for (const [, key = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
        element.attributes.push(node('attribute', key.toLowerCase(), unescaped(double ?? single ?? ''), element))
      }
      top.children.push(element)
      if (empty !== '/' && open.length < DEEPEST) open.push(element)
    }
  }
}

export const textContent = (of: HtmlNode): string =>
  of.kind === 'text' || of.kind === 'attribute' ? of.value : of.children.map(textContent).join('')
