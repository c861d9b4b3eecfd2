/** Notes which elements listen to what, before the page's own code runs. Runs in pages that are watched and in those of proofs. */
import { type Heard, hearFor } from './heard.ts'

export function main(): void {
  if (window !== window.parent) return // Nothing is pressed in a frame.
  const heard: Heard = { on: new WeakMap(), pressed: false, scrolled: false, follows: false }
  hearFor(heard)
  const own = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (
    this: EventTarget,
    ...given: Parameters<typeof own>
  ): ReturnType<typeof own> {
    const type = String(given[0])
    heard.scrolled ||= /^(?:scroll|scrollend|wheel)$/.test(type)
    heard.follows ||= /^(?:hashchange|popstate)$/.test(type)
    if (this instanceof Element) {
      heard.pressed ||= /^(?:click|mouse|pointer|key|touch)/.test(type)
      heard.on.set(this, (heard.on.get(this) ?? new Set()).add(type))
    }
    return own.apply(this, given)
  }
  // What is drawn once it comes into view.
  const { observe } = IntersectionObserver.prototype
  IntersectionObserver.prototype.observe = function (element: Element): void {
    heard.scrolled = true
    observe.call(this, element)
  }
}
