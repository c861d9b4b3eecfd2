/**
 * What of a page stays as it is while the application shows another view: the same elements, and so their listeners. What is only made
 * anew, alike as it may look, does not.
 */
import type { Pressable, Standing, Stood } from '../browser/pressable.ts'
import { memoryOf } from './memory.ts'
import { pressables, told } from './pressables.ts'

const MOST_MARKED = 10_000

interface Marked {
  readonly things: ReadonlyMap<Element, Pressable>
  readonly all: readonly Element[]
}

/** First notes what stands there; then, on another view, tells what of that still does. */
export function main(): Standing | null {
  const marks = window as unknown as { __sondeStanding?: Marked }
  const before = marks.__sondeStanding
  const all = [...((document.body as HTMLElement | null)?.querySelectorAll('*') ?? [])].slice(0, MOST_MARKED)
  const list = pressables().map((element) => ({ element, now: told(element) }))
  if (before === undefined) {
    const things = new Map(list.map(({ element, now }) => [element, now]))
    Object.defineProperty(window, '__sondeStanding', { value: { things, all } })
    return null
  }
  const stood = list.flatMap(({ element, now }): readonly Stood[] => {
    const then = before.things.get(element)
    return then === undefined ? [] : [{ then, now }]
  })
  const known = new Set(before.all)
  const left = before.all.some((one) => !one.isConnected)
  const came = all.some((one) => !known.has(one))
  const scripts = (memoryOf()?.scripts ?? []).map(({ src }) => src || 'inline')
  return { application: scripts.join(' '), isAnother: left && came, stood }
}
