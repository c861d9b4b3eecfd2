/** What a visitor does, and what other windows say. In pages alone. */
import { textOf } from '../../in-page/text.ts'
import { drawnOn } from './canvas.ts'
import { wrap } from './natives.ts'
import { excerptOf } from './storage.ts'
import { quietly, type Tell } from './tell.ts'
import type { Uses } from './uses.ts'

const KEYS: ReadonlySet<unknown> = new Set(['keydown', 'keyup', 'keypress', 'input', 'beforeinput', 'change'])

export const watchVisitor = (tell: Tell, { used, flush }: Uses): void => {
  blockWindows()
  wrap(EventTarget.prototype, 'addEventListener', (self, [type]) => {
    if (self instanceof HTMLCanvasElement) drawnOn(self).interactive = true
    if (KEYS.has(type))
      used((use) => {
        use.keys += 1
        return true
      })
  })
  const listen = addEventListener.bind(globalThis)
  listen('click', (event) => quietly(() => tellClick(event, tell)), true)
  listen('message', ({ origin, data }) => {
    if (origin && origin !== location.origin && origin !== 'null')
      quietly(() => tell({ kind: 'message', origin, length: excerptOf(data).length, excerpt: excerptOf(data) }))
  })
  listen('pagehide', flush)
}

/** A visitor's browser blocks windows that nobody clicked for; this one would not. */
const blockWindows = (): void => {
  globalThis.open = new Proxy(globalThis.open, {
    apply: (target, self, given) => (navigator.userActivation?.isActive ? Reflect.apply(target, self, given) : null),
  })
}

const tellClick = (event: MouseEvent, tell: Tell): void => {
  const [target] = event.composedPath()
  if (target === undefined || !isElement(target)) return
  const { x, y, width, height } = target.getBoundingClientRect()
  tell({ kind: 'click', text: textOf(target).slice(0, 100), selector: selectorOf(target), x, y, width, height })
}

/** By what it can do: an element of another window is none of this window's Element. */
const isElement = (target: EventTarget): target is Element => 'getBoundingClientRect' in target

const selectorOf = (element: Element): string => {
  const parts: string[] = []
  for (let one: Element | null = element; one?.nodeType === 1 && parts.length < 5; one = one.parentElement) {
    if (one.id) {
      parts.unshift(`#${one.id}`)
      break
    }
    const { tagName, parentElement } = one
    const twins = [...(parentElement?.children ?? [])].filter((other) => other.tagName === tagName)
    const tag = tagName.toLowerCase()
    parts.unshift(twins.length > 1 ? `${tag}:nth-of-type(${twins.indexOf(one) + 1})` : tag)
  }
  return parts.join(' > ').slice(0, 300)
}
