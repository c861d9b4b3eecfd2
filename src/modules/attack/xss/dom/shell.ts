/**
 * What stands on every view of an application that one document draws: its bar, its menus, and what they bring. It is the same element
 * that stays while views come and go, so it is pressed on two views, and on all only where it did something else on the second.
 */
import type { Pressable } from '../browser/pressable.ts'
import type { Frame } from '../browser/views.ts'
import { plainLabel, type ShellWalk } from '../browser/walking.ts'

/** Views on which one thing is pressed. */
const VIEWS = 2

export interface Shell {
  /** `asking`: what the page is given; what was pressed with other values is no answer. */
  readonly walk: (frame: Frame, asking: string) => ShellWalk
  /** Nothing was pressed so far. */
  readonly isNew: () => boolean
  /** What was pressed on no view at all, each once for each way of asking. */
  readonly left: () => number
}

interface Known {
  begun: number
  isLink: boolean
  readonly effects: Set<string>
}

const namesOf = ({ application, view, stood }: Frame): ReadonlyMap<string, string> =>
  new Map(stood.map(({ here, there }) => [placeOf(here), JSON.stringify([application, view, placeOf(there)])]))

const placeOf = ({ key, label }: Pressable): string => `${key} ${plainLabel(label)}`

export const createShell = (): Shell => {
  const known = new Map<string, Known>()
  const left = new Set<string>()
  return {
    isNew: () => known.size === 0,
    left: () => left.size,
    walk: (frame, asking) => {
      const names = namesOf(frame)
      const of = (id: string): Known => {
        const name = `${asking} ${id}`
        const one = known.get(name) ?? { begun: 0, isLink: false, effects: new Set<string>() }
        known.set(name, one)
        return one
      }
      const differs = ({ effects, isLink }: Known): boolean => !isLink && effects.size > 1
      return {
        idOf: (one, opener) => names.get(placeOf(one)) ?? (opener === null ? null : `${opener} ${placeOf(one)}`),
        isDue: (id) => !of(id).isLink && (of(id).begun < VIEWS || differs(of(id))),
        begin: (id) => {
          of(id).begun += 1
          left.delete(`${asking} ${id}`)
        },
        done: (id, { effect, led }) => {
          of(id).isLink ||= led
          of(id).effects.add(effect)
        },
        left: (id) => {
          if (of(id).begun === 0) left.add(`${asking} ${id}`)
          return differs(of(id))
        },
      }
    },
  }
}
