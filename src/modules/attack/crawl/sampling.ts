/**
 * In which order addresses are asked for, and which are not asked for any more. Nothing is dropped for its number: what
 * brings no news waits behind what may. Only addresses that pages keep making out of themselves come to an end: a calendar,
 * a list that is narrowed by whatever can be combined.
 */
import { segmentsOf } from '../../../page/segments.ts'
import { folderOf, kindOf, withoutHash } from '../../../page/shape.ts'
import { distance } from '../../../page/similarity.ts'

/** What one page brought that none before had. */
export interface News {
  /** That it is built as no page of its kind, has a form or a parameter that is new, or leads to addresses of other kinds. */
  readonly any: boolean
  readonly words: readonly [number, number]
}

/** Where an address lies: with others of its kind, in a folder. */
export interface Place {
  readonly path: string
  readonly kind: Family
  readonly folder: Family
}

export interface Sampling {
  readonly placeOf: (address: string) => Place
  /** Tells of an address that will be asked for. */
  readonly took: (place: Place) => void
  /** Lower comes first. */
  readonly rank: (place: Place, depth: number) => number
  readonly saw: (address: string, news: News) => void
  /** Why an address there, found on the page `on`, is not asked for; null where it is. */
  readonly ending: (place: Place, on: string | null) => string | null
}

/** Pages of one kind, or in one folder. */
interface Family {
  taken: number
  /** Pages in a row without news. */
  stale: number
  /** Pages in a row without news that say the same. */
  same: number
  words: readonly [number, number] | null
}

/** Words of two pages that differ in so few bits are the same but for their numbers. */
const SAME_BITS = 3
/** Pages in a row without news after which what they lead to is not followed: where they say the same, differ in their query only, or in a number or name of their path. */
const SAME = 8
const NARROWED = 30
const COUNTED = 250

export const ALIKE = 'pages lead to more of their own kind, and the last ones were all alike'

export const createSampling = (): Sampling => {
  const families = new Map<string, Family>()
  /** Pages that brought no news. */
  const dull = new Map<string, Place>()
  const familyOf = (key: string): Family => {
    const family = families.get(key) ?? { taken: 0, stale: 0, same: 0, words: null }
    families.set(key, family)
    return family
  }
  const placeOf = (address: string): Place => {
    const kind = kindOf(address)
    return { path: segmentsOf(address).join('/'), kind: familyOf(kind), folder: familyOf(`${folderOf(kind)}*`) }
  }
  return {
    placeOf,
    took: ({ kind, folder }) => {
      kind.taken += 1
      folder.taken += 1
    },
    rank: ({ kind, folder }, depth) =>
      depth * 10 + Math.min(kind.taken * 3, 60) + Math.min(kind.stale * 3, 100) + Math.min(folder.taken, 100) / 10,
    saw: (address, { any, words }) => {
      const place = placeOf(address)
      if (!any) dull.set(withoutHash(address), place)
      for (const family of [place.kind, place.folder]) {
        family.stale = any ? 0 : family.stale + 1
        family.same = !any && family.words && distance(family.words, words) <= SAME_BITS ? family.same + 1 : 0
        family.words = words
      }
    },
    ending: ({ path, kind, folder }, on) => {
      // What a page with news lists is no invention of its kind.
      const from = on === null ? undefined : dull.get(withoutHash(on))
      if (!from || from.folder !== folder) return null
      const own = from.kind === kind
      const { stale, same } = own ? kind : folder
      const ended = stale >= COUNTED || (own && same >= SAME) || (own && from.path === path && stale >= NARROWED)
      return ended ? ALIKE : null
    },
  }
}
