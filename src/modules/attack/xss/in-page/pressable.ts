/** What can be pressed on a page, or one thing of it by its key. */
import type { Pressable } from '../browser/pressable.ts'
import { scrolls } from './heard.ts'
import { pressableAt, pressables, told } from './pressables.ts'

/** The page itself, as something that a hand moves. */
const SCROLL: Pressable = { key: 'html', label: '', names: '', asks: false, field: 'scroll' }

/** With a key the element of it, or null; without one the list. */
export function main(wanted: string | null): Element | null | readonly Pressable[] {
  if (wanted !== null) return pressableAt(wanted)
  return [...pressables().map(told), ...(scrolls() ? [SCROLL] : [])]
}
