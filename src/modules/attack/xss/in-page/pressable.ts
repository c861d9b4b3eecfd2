/** What can be pressed on a page, or one thing of it by its key. */
import type { Pressable } from '../browser/pressable.ts'
import { pressableAt, pressables, told } from './pressables.ts'

/** With a key the element of it, or null; without one the list. */
export function main(wanted: string | null): Element | null | readonly Pressable[] {
  return wanted === null ? pressables().map(told) : pressableAt(wanted)
}
