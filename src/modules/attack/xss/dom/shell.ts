/**
 * What stands on every view of an application that one document draws: its bar, its menus, and what they bring. It is the same element
 * that stays while views come and go, so it is pressed until two views agree in what it did: on two mostly, on all where each differs.
 */
import type { Pressable } from '../browser/pressable.ts'
import type { Frame } from '../browser/views.ts'
import { plainLabel, type ShellWalk } from '../browser/walking.ts'

/** Views that have to agree. */
const VIEWS = 2

export interface Shell {
  /** Of `page`. `asking`: what it is given; what was pressed with other values is no answer. */
  readonly walk: (frame: Frame, asking: string, page: string) => ShellWalk
  /** Nothing was pressed so far. */
  readonly isNew: () => boolean
  /** Pages that are short of it: what was pressed on no view, or is pressed on every one and was left there. */
  readonly left: () => ReadonlySet<string>
}

interface Known {
  /** On how many views, by how it was asked. */
  readonly begun: Map<string, number>
  isLink: boolean
  /** What it did, and on how many views, by how it was asked. */
  readonly effects: Map<string, Map<string, number>>
}

const namesOf = ({ application, view, stood }: Frame): ReadonlyMap<string, string> =>
  new Map(stood.map(({ here, there }) => [placeOf(here), JSON.stringify([application, view, placeOf(there)])]))

const placeOf = ({ key, label }: Pressable): string => `${key} ${plainLabel(label)}`

export const createShell = (): Shell => {
  const known = new Map<string, Known>()
  let ended = Promise.withResolvers<void>()
  const tellEnd = (): void => {
    ended.resolve()
    ended = Promise.withResolvers()
  }
  /** Pages on which something was left, by asking. */
  const left: { readonly of: Known; readonly asking: string; readonly page: string }[] = []
  return {
    isNew: () => known.size === 0,
    left: () =>
      new Set(
        left.filter(({ of, asking }) => differs(of) || (of.begun.get(asking) ?? 0) === 0).map(({ page }) => page),
      ),
    walk: (frame, asking, page) => {
      const names = namesOf(frame)
      const of = (id: string): Known => {
        const one = known.get(id) ?? { begun: new Map(), isLink: false, effects: new Map() }
        known.set(id, one)
        return one
      }
      const doneOf = (id: string): number =>
        [...(of(id).effects.get(asking)?.values() ?? [])].reduce((sum, views) => sum + views, 0)
      const begunOf = (id: string): number => of(id).begun.get(asking) ?? 0
      return {
        idOf: (one, opener) => names.get(placeOf(one)) ?? (opener === null ? null : `${opener} ${placeOf(one)}`),
        isDue: (id) => {
          if (begunOf(id) < VIEWS) return !(of(id).isLink && begunOf(id) > 0)
          return differs(of(id)) && begunOf(id) === doneOf(id)
        },
        begin: (id) => void of(id).begun.set(asking, begunOf(id) + 1),
        missed: (id) => {
          of(id).begun.set(asking, begunOf(id) - 1)
          tellEnd()
        },
        done: (id, { effect, led }) => {
          const one = of(id)
          one.isLink ||= led
          const effects = one.effects.get(asking) ?? new Map<string, number>()
          one.effects.set(asking, effects.set(effect, (effects.get(effect) ?? 0) + 1))
          tellEnd()
        },
        under: (id) => (!of(id).isLink && begunOf(id) >= VIEWS && begunOf(id) > doneOf(id) ? ended.promise : null),
        left: (id) => void left.push({ of: of(id), asking, page }),
      }
    },
  }
}

/** Of the views that it was pressed on no two agree. */
const differs = ({ effects, isLink }: Known): boolean =>
  !isLink && [...effects.values()].some((seen) => seen.size > 1 && Math.max(...seen.values()) < VIEWS)
