/** Payload values by the attack: which go out together. */
import { bytesOfText } from '../language/bytes.ts'
import type { Value } from '../language/expression/value.ts'
import type { Attack } from '../language/template.ts'

type Lists = readonly (readonly [name: string, values: readonly string[]])[]
type Combination = ReadonlyMap<string, Value>

/** One empty combination without lists. */
export function* combine(lists: Lists, attack: Attack): Generator<Combination> {
  if (lists.length === 0) {
    yield new Map()
    return
  }
  const value = (list: readonly string[], at: number): string => bytesOfText(list[at] ?? '')
  if (attack === 'batteringram') {
    for (const [name, list] of lists) for (const at of list.keys()) yield new Map([[name, value(list, at)]])
    return
  }
  if (attack === 'pitchfork') {
    const shortest = Math.min(...lists.map(([, list]) => list.length))
    for (let at = 0; at < shortest; at += 1) yield new Map(lists.map(([name, list]) => [name, value(list, at)]))
    return
  }
  const total = lists.reduce((product, [, list]) => product * list.length, 1)
  for (let number = 0; number < total; number += 1) {
    let rest = number
    const combination = new Map<string, Value>()
    // The last list turns fastest.
    for (const [name, list] of lists.toReversed()) {
      combination.set(name, value(list, rest % list.length))
      rest = Math.floor(rest / list.length)
    }
    yield combination
  }
}
