/** What the readers of a parsed page have in common: attributes, texts and names of its elements. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter } from 'parse5'

export interface HtmlElement {
  /** Lower case; foreign elements as the standard adjusts them. */
  readonly tag: string
  /** Names in lower case; the first of a repeated attribute holds. */
  readonly attributes: Readonly<Record<string, string>>
}

export type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.Node

export const ofTag = (elements: readonly Element[], ...tags: readonly string[]): Element[] =>
  elements.filter((one) => tags.includes(one.tagName))

export const attribute = (element: Element, name: string): string | null =>
  element.attrs.find((one) => one.name === name)?.value ?? null

export const plain = (element: Element): HtmlElement => ({
  tag: element.tagName,
  attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
})

/** All text within, white space as it stands. */
export const textOf = (element: Element): string => {
  let text = ''
  const stack: Node[] = [element]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (defaultTreeAdapter.isTextNode(node)) text += node.value
    if ('childNodes' in node) stack.push(...node.childNodes.toReversed())
  }
  return text
}

/** White space collapsed, at most 200 characters. */
export const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200)

/** How an element is called (Accessible Name and Description Computation), every name apart. */
export const labelOf = (element: Element): string => {
  const names = [
    collapsed(textOf(element)),
    ...['value', 'aria-label', 'title', 'alt'].map((name) => attribute(element, name)),
  ]
  const stack: Node[] = [...element.childNodes]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!defaultTreeAdapter.isElementNode(node)) continue
    names.push(...['alt', 'aria-label', 'title'].map((name) => attribute(node as Element, name)))
    if (node.tagName === 'title') names.push(textOf(node))
    stack.push(...node.childNodes)
  }
  return [...new Set(names.map((name) => collapsed(name ?? '')).filter(Boolean))].slice(0, 10).join('\n')
}

/** Absolute, or null where it is no address. */
export const resolved = (raw: string, base: string): string | null => URL.parse(raw.trim(), base)?.href ?? null

/** Tags of each element with its two nearest ancestors, each combination once: how a page is built, whatever it says. */
export const outlineOf = (elements: readonly Element[]): ReadonlySet<string> => {
  const tagOf = (node: Node | null): string => (node && 'tagName' in node ? node.tagName : '')
  const outline = new Set<string>()
  for (const element of elements) {
    const parent = element.parentNode
    const above = parent && 'parentNode' in parent ? parent.parentNode : null
    outline.add(`${tagOf(above)}>${tagOf(parent)}>${element.tagName}`)
  }
  return outline
}
