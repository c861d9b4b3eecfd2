/**
 * Runs inside a frame: everything that can be pressed, with the box it stands in. Elements stay in the page, by number;
 * what the words mean is decided outside.
 */
import { textOf } from '../../in-page/text.ts'
import type { Found, FoundButton, FoundTick } from '../found.ts'
import { coveredShare, type Place, placeOf } from './box.ts'
import { type Colour, colourOf, contrastOf, groundOf } from './colour.ts'
import { deepTextOf, elementsOf, innerTextOf, isVisible, selectorOf } from './tree.ts'

const CLICKABLE = 'button, a, summary, [role=button], [role=link], [onclick], input[type=button], input[type=submit]'
const TICKABLE = 'input[type=checkbox], [role=switch], [role=checkbox]'
const MOST_BOXES = 120
/** Boxes that are no dialogs, of which a page may have many: dialogs are often last in the document. */
const MOST_PLAIN_BOXES = 60
const MOST_BUTTONS = 40
const MOST_TICKS = 30

interface Box {
  readonly place: Place
  readonly text: string
  readonly ground: Colour | null
  readonly buttons: FoundButton[]
  readonly ticks: FoundTick[]
}

/** `root` is the document or a closed shadow root, `store` the name under which the page keeps the elements. */
export const main = (root: Document | ShadowRoot, store: string, subframe: boolean): Found => {
  const kept = keptUnder(store)
  const numberOf = (element: Element): number => {
    const known = kept.indexOf(element)
    return known >= 0 ? known : kept.push(element) - 1
  }
  const boxes = new Map<Element, Box>()
  const elements = elementsOf(root)
  for (const element of elements) {
    const text = isPressable(element) ? textOf(element) : ''
    if (text === '' || text.length > 90) continue
    const place = placeOf(element, subframe)
    const plain = place.position === 'flow' || place.position === 'page'
    if (boxes.size > (plain ? MOST_PLAIN_BOXES : MOST_BOXES)) continue
    const box = boxes.get(place.box) ?? boxAt(place, root)
    boxes.set(place.box, box)
    if (box.buttons.length < MOST_BUTTONS) box.buttons.push(buttonOf(element, numberOf(element), text, box.ground))
  }
  for (const element of elements) {
    if (!element.matches(TICKABLE)) continue
    const box = boxes.get(placeOf(element, subframe).box)
    if (box && box.ticks.length < MOST_TICKS) box.ticks.push(tickOf(element, numberOf(element)))
  }
  return { boxes: [...boxes.values()].map(foundOf), covered: coveredShare() }
}

const keptUnder = (store: string): Element[] => {
  const stores = globalThis as unknown as Record<string, Element[] | undefined>
  const known = stores[store]
  if (known) return known
  const kept: Element[] = []
  Object.defineProperty(globalThis, store, { value: kept, enumerable: false })
  return kept
}

const isPressable = (element: Element): boolean => {
  const clickable =
    element.matches(CLICKABLE) ||
    (element.children.length === 0 && innerTextOf(element) !== '' && getComputedStyle(element).cursor === 'pointer')
  if (!clickable || (element as Partial<HTMLButtonElement>).disabled || !isVisible(element)) return false
  return !element.parentElement?.closest('button, a, [role=button]')
}

const boxAt = (place: Place, root: Document | ShadowRoot): Box => ({
  place,
  text: deepTextOf(place.box, root).slice(0, 4_000),
  ground: groundOf(place.box),
  buttons: [],
  ticks: [],
})

const foundOf = ({ place, text, buttons, ticks }: Box): Found['boxes'][number] => ({
  position: place.position,
  text,
  box: rectOf(place.box),
  buttons,
  ticks,
})

const rectOf = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x, y, width, height }
}

const buttonOf = (element: Element, index: number, text: string, boxGround: Colour | null): FoundButton => {
  const style = getComputedStyle(element)
  const ground = groundOf(element)
  const plain = (colourOf(style.backgroundColor)?.a ?? 0) < 0.1 && Number.parseFloat(style.borderTopWidth) < 1
  // In SVG it is no text.
  const { href } = element as { readonly href?: unknown }
  return {
    index,
    text,
    href: typeof href === 'string' && href !== '' ? href.slice(0, 500) : null,
    selector: selectorOf(element),
    ...rectOf(element),
    fontSize: Number.parseFloat(style.fontSize) || 0,
    look: plain && style.backgroundImage === 'none' ? 'link' : 'button',
    contrast: contrastOf(colourOf(style.color), ground),
    prominence: contrastOf(ground, boxGround),
  }
}

const tickOf = (element: Element, index: number): FoundTick => {
  const { labels, name, checked, disabled } = element as Partial<HTMLInputElement>
  const label = labels?.[0] ?? element.closest('label') ?? element
  return {
    index,
    label: (textOf(label) || element.getAttribute('aria-label') || name || element.id || '').slice(0, 120),
    checked: checked === true || element.getAttribute('aria-checked') === 'true',
    disabled: disabled === true || element.getAttribute('aria-disabled') === 'true',
    shown: isVisible(element) || isVisible(label),
  }
}
