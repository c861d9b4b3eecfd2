/** Notes which elements listen to what, before the page's own code runs. Runs in pages that are watched and in those of proofs. */
import { type Heard, hearFor } from './heard.ts'

export function main(): void {
  if (window !== window.parent) return // Nothing is pressed in a frame.
  const heard: Heard = { on: new WeakMap(), pressed: false }
  hearFor(heard)
  const own = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (
    this: EventTarget,
    ...given: Parameters<typeof own>
  ): ReturnType<typeof own> {
    if (this instanceof Element) {
      const type = String(given[0])
      heard.pressed ||= /^(?:click|mouse|pointer|key|touch)/.test(type)
      heard.on.set(this, (heard.on.get(this) ?? new Set()).add(type))
    }
    return own.apply(this, given)
  }
}
