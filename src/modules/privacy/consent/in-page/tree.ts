/** The tree as a person sees it: through open shadow roots, and out of closed ones. */

const MOST_ELEMENTS = 20_000

/** All elements below a node, with those in open shadow roots. */
export const elementsOf = (node: ParentNode, into: Element[] = []): Element[] => {
  for (const element of node.querySelectorAll('*')) {
    if (into.length >= MOST_ELEMENTS) return into
    into.push(element)
    if (element.shadowRoot) elementsOf(element.shadowRoot, into)
  }
  return into
}

export const parentOf = (element: Element): Element | null =>
  element.parentElement || (element.getRootNode() as Partial<ShadowRoot>).host || null

export const innerTextOf = (element: Element): string => (element as Partial<HTMLElement>).innerText || ''

/** Text of an element with all that is slotted or shadowed inside; `root` is the tree that is searched. */
export const deepTextOf = (element: Element, root: Document | ShadowRoot): string => {
  const shadows = [...element.querySelectorAll('*'), element].flatMap(({ shadowRoot }) => shadowRoot ?? [])
  if ('host' in root && element.contains(root.host)) shadows.push(root)
  return [innerTextOf(element), ...shadows.map(shadowTextOf)].join(' ').replace(/\s+/g, ' ').trim()
}

const shadowTextOf = (shadow: ShadowRoot): string => [...shadow.children].map(innerTextOf).join(' ')

export const isVisible = (element: Element): boolean => {
  const { width, height } = element.getBoundingClientRect()
  return width >= 2 && height >= 2 && element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
}

export const selectorOf = (element: Element): string => {
  const parts: string[] = []
  for (let one: Element | null = element; one && parts.length < 5; one = parentOf(one)) {
    if (one.id) {
      parts.unshift(`#${one.id}`)
      break
    }
    // In SVG it is no text.
    const names: unknown = one.className
    const name = (typeof names === 'string' && names.trim().split(/\s+/)[0]) || ''
    parts.unshift(one.tagName.toLowerCase() + (name ? `.${name}` : ''))
  }
  return parts.join(' > ').slice(0, 300)
}
