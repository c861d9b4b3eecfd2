/** What stands around the pages of somebody: the bar, the menu, the name of who is signed in. It says nothing of what one page is about. */
import { isHtml, mediaTypeOf } from '../../../page/text.ts'
import type { Answer } from './answers.ts'
import type { Operation } from './operations.ts'
import { type Asked, isGranted, type Party } from './parties.ts'
import { sameness } from './telling.ts'

/** Pages from which on it is seen what stands around all of them. */
const FEWEST_PAGES = 3

const isPage = ({ exchange, text }: Answer): boolean => isHtml(mediaTypeOf(exchange), text)

/** By party, for as many operations as it had then. */
const known = new WeakMap<Party, { readonly of: number; readonly values: ReadonlySet<string> }>()

const frameOf = (party: Party): ReadonlySet<string> => {
  const before = known.get(party)
  if (before?.of === party.own.size) return before.values
  const pages = [...party.own.values()].flatMap(({ first }) => (isGranted(first) && isPage(first) ? [first] : []))
  const counts = new Map<string, number>()
  for (const { values } of pages) for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const values = new Set([...counts].flatMap(([value, count]) => (2 * count > pages.length ? [value] : [])))
  const found = pages.length < FEWEST_PAGES ? NOTHING : values
  known.set(party, { of: party.own.size, values: found })
  return found
}
const NOTHING: ReadonlySet<string> = new Set()

/** Whether a value of this answer stands on most pages that its owner was shown. */
export const isAround = (answer: Answer, owner: Party): ((value: string) => boolean) => {
  const frame = isPage(answer) ? frameOf(owner) : NOTHING
  return (value) => frame.has(value)
}

/** Sameness of what the page is about; of all of it where nothing else stands on it. */
export const samenessBeyond = (answer: Answer, [first, second]: readonly [Answer, Answer], owner: Party): number => {
  const around = isAround(first, owner)
  const values = new Set([...first.values].filter((value) => !around(value)))
  return sameness(answer, values.size === 0 ? [first, second] : [{ ...first, values }, second])
}

/** What the same page says of an object of the other's own, it says of any: its title, the names of its parts. */
export const shownOfItsOwn = (operation: Operation, asked: Asked, other: Party): ReadonlySet<string> => {
  const own = operation.slots.length === 0 ? undefined : other.own.get(operation)
  return own !== undefined && own.request.url !== asked.request.url && isGranted(own.first) ? own.first.values : NOTHING
}
