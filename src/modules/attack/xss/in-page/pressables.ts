/** What somebody can press or type into on a page, open shadow trees included, and how to find it again at the next visit. */

import type { Pressable } from '../browser/pressable.ts'
import { heardOf } from './heard.ts'

const MOST_ELEMENTS = 10_000
/** Fields that take what is typed. */
const TYPED = ['', 'text', 'search', 'email', 'url', 'tel', 'number', 'password']
const ROLES = /^(?:button|tab|menuitem|menuitemcheckbox|menuitemradio|option|switch|treeitem|checkbox|radio)$/
const HEARD =
  /^(?:click|dblclick|mouse(?:down|up|over|enter|move)|pointer(?:down|up|over|enter|move)|touchstart|touchend|key(?:down|up|press)|focus|focusin|contextmenu)$/
/** Lies over all else until it is closed. */
const OVER_ALL = 'dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]'
const CHROME = 'nav, header, footer, [role=navigation], [role=banner], [role=contentinfo]'

/** In the order of the document, but dialogs first, and what belongs to the page itself before what is on all. At most 200. */
export const pressables = (): readonly Element[] => {
  const list = elements(document, []).filter((one) => isShown(one) && (isField(one) || isPressed(one)))
  const inner = list.filter((one) => !isField(one) && list.some((other) => other !== one && one.contains(other)))
  return list
    .filter((one) => !inner.includes(one) || isNative(one))
    .toSorted((a, b) => turnOf(a) - turnOf(b))
    .slice(0, 200)
}

const turnOf = (element: Element): number =>
  element.closest(OVER_ALL) !== null ? 0 : element.closest(CHROME) === null ? 1 : 2

export const told = (element: Element): Pressable => ({
  key: keyOf(element),
  label: labelOf(element),
  names: `${element.id} ${element.getAttribute('class') ?? ''} ${element.getAttribute('name') ?? ''}`,
  asks:
    /\bconfirm\s*\(/.test(element.getAttribute('onclick') ?? '') ||
    element.hasAttribute('data-confirm') ||
    element.hasAttribute('hx-confirm'),
  field: isField(element) ? typeOf(element) : null,
})

const elements = (root: Document | ShadowRoot, list: Element[]): Element[] => {
  for (const element of root.querySelectorAll('*')) {
    if (list.length >= MOST_ELEMENTS) return list
    list.push(element)
    if (element.shadowRoot !== null) elements(element.shadowRoot, list)
  }
  return list
}

const isShown = (element: Element): boolean => {
  const { width, height } = element.getBoundingClientRect()
  // What keeps the focus in a dialog nobody sees, and nobody presses.
  if (element.getAttribute('aria-hidden') === 'true' && Math.min(width, height) <= 1) return false
  return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden'
}

const typeOf = (element: Element): string =>
  element.tagName === 'TEXTAREA'
    ? 'textarea'
    : element.tagName === 'SELECT'
      ? 'select'
      : (element as HTMLInputElement).type

const isField = (element: Element): boolean => {
  if (element.tagName === 'TEXTAREA' || element.tagName === 'SELECT') return isUsable(element)
  return element.tagName === 'INPUT' && TYPED.includes(typeOf(element)) && isUsable(element)
}

const isUsable = (element: Element): boolean => {
  const { disabled = false, readOnly = false } = element as Partial<HTMLInputElement>
  return !disabled && !readOnly
}

/** What leads to another page is a link, and nothing to press. */
const isLink = (element: Element): boolean =>
  element.tagName === 'A' &&
  element.hasAttribute('href') &&
  !/^\s*(?:#|javascript:|$)/i.test(element.getAttribute('href') ?? '')

const isNative = (element: Element): boolean =>
  element.tagName === 'BUTTON' ||
  element.tagName === 'SUMMARY' ||
  (element.tagName === 'A' && element.hasAttribute('href')) ||
  (element.tagName === 'INPUT' && /^(?:button|submit|image|checkbox|radio)$/.test(typeOf(element))) ||
  ROLES.test(element.getAttribute('role') ?? '')

const isPressed = (element: Element): boolean => {
  if (element === document.body || element === document.documentElement) return false
  if (!isUsable(element) || /^(?:file|reset)$/.test((element as Partial<HTMLInputElement>).type ?? '')) return false
  const heard = isHeard(element)
  if (isLink(element) || element.closest('a[href]') !== null)
    return heard && !isLink(element.closest('a[href]') ?? element)
  if (isNative(element) || heard) return true
  const { parentElement } = element
  const points = (one: Element): boolean => getComputedStyle(one).cursor === 'pointer'
  return points(element) && (parentElement === null || !points(parentElement))
}

/** It has a handler of its own: an attribute, a property, a listener, or one that React keeps. */
const isHeard = (element: Element): boolean => {
  if (element.getAttributeNames().some((name) => /^(?:on|@|x-on:|v-on:|hx-on)/.test(name) || name === 'ng-click'))
    return true
  const noted = heardOf()?.on.get(element)
  if (noted !== undefined && [...noted].some((type) => HEARD.test(type))) return true
  const own = element as unknown as Record<string, unknown>
  if (typeof own.onclick === 'function' || typeof own.onmousedown === 'function' || typeof own.onkeydown === 'function')
    return true
  const react = Object.keys(element).find((name) => name.startsWith('__reactProps$'))
  return (
    react !== undefined &&
    Object.keys(own[react] ?? {}).some((name) => /^on(?:Click|Double|Mouse|Pointer|Touch|Key|Focus)/.test(name))
  )
}

const labelOf = (element: Element): string => {
  const { innerText, title = '', type = '', value } = element as Partial<HTMLInputElement>
  const own = innerText || (/^(?:button|submit)$/.test(type) ? value : '') || ''
  const pictures = [...element.querySelectorAll('img[alt], svg[aria-label], [title]')]
    .slice(0, 5)
    .map((one) => one.getAttribute('alt') ?? one.getAttribute('aria-label') ?? one.getAttribute('title') ?? '')
  return [own, element.getAttribute('aria-label') ?? '', title, element.getAttribute('placeholder') ?? '', ...pictures]
    .map((one) => one.replace(/\s+/g, ' ').trim())
    .filter((one) => one !== '')
    .join('\n')
    .slice(0, 400)
}

/** No text of the element: that is where values of an address may stand. */
const keyOf = (element: Element): string => {
  const steps: string[] = []
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const { parentNode, tagName } = one
    const alike = parentNode === null ? [] : [...parentNode.children].filter((other) => other.tagName === tagName)
    steps.unshift(`${CSS.escape(tagName.toLowerCase())}:nth-of-type(${alike.indexOf(one) + 1})`)
  }
  const root = element.getRootNode()
  const path = steps.join(' > ')
  return root instanceof ShadowRoot ? `${keyOf(root.host)}\n${path}` : path
}

export const pressableAt = (key: string): Element | null => {
  let root: Document | ShadowRoot | null = document
  let element: Element | null = null
  for (const path of key.split('\n')) {
    element = root?.querySelector(path) ?? null
    root = element?.shadowRoot ?? null
  }
  return element
}
