/** The addresses still to be asked for: within scope and bounds, the most telling first, each once. */

import { folderOf, shapeOf, singleSlashes, withoutHash } from '../../../page/shape.ts'
import { distance, simhash } from '../../../page/similarity.ts'
import { EXCLUDED } from '../../../safety/policy.ts'
import { harmOfAddress, harmOfLink, isHandbook } from '../../../safety/safety.ts'
import type { Source } from './facts.ts'
import type { Scope } from './scope.ts'
import { createTold } from './told.ts'

export interface Limits {
  readonly depth: number
  readonly urls: number
  readonly perShape: number
  readonly perFolder: number
}

export const LIMITS: Limits = { depth: 5, urls: 500, perShape: 10, perFolder: 40 }

export interface Candidate {
  readonly url: string
  readonly depth: number
  readonly source: Source
  readonly on: string | null
}

export interface Frontier {
  /**
   * `label` is how the link is called, `harm` why it must not be followed where its page says so. True when the address is new
   * and will be asked for.
   */
  readonly add: (
    address: string,
    depth: number,
    source: Source,
    on: string | null,
    label?: string,
    harm?: string | null,
  ) => boolean
  readonly next: () => Candidate | null
  /** A page that was read: shapes whose pages all say the same are not followed further. */
  readonly saw: (address: string, html: string) => void
  /** Known already, for example fetched by another module. */
  readonly mark: (address: string) => void
  /** Why an address must not be asked for, by the links that lead to it and to others like it. */
  readonly harmOf: (address: string) => string | null
  readonly leftOut: () => Readonly<Record<string, number>>
  readonly otherHosts: () => readonly string[]
}

const FILE =
  /\.(?:pdf|zip|gz|tgz|rar|7z|exe|dmg|iso|apk|jpe?g|png|gif|webp|avif|svg|ico|css|mp[34]|webm|ogg|woff2?|ttf|eot|otf|docx?|xlsx?|pptx?|ics|vcf)$/i
const LONGEST = 2_000
/** Pages of one shape that are this alike, so many times in a row, are one page. */
const ALIKE_BITS = 3
const ALIKE_PAGES = 4

export const createFrontier = (
  scope: Scope,
  limits: Limits = LIMITS,
  excludes: (url: string) => boolean = () => false,
  /** Told of every address that is left alone because it would do harm. */
  left: (address: string, harm: string, source: Source, on: string | null) => void = () => undefined,
  /** Why an address is not followed, beside what the links to it tell. */
  judge: (address: string, told: string | null) => string | null = (address, harm) => harmOfAddress(address) ?? harm,
): Frontier => {
  const known = new Set<string>()
  const waiting: (Candidate & { readonly rank: number })[] = []
  const shapes = new Map<string, number>()
  const folders = new Map<string, number>()
  const looks = new Map<string, { last: readonly [number, number]; alike: number }>()
  const leftOut = new Map<string, number>()
  const others = new Set<string>()
  const told = createTold()
  let accepted = 0

  const refuse = (reason: string): false => {
    leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
    return false
  }

  const next = (): Candidate | null => frontier.next()
  const frontier: Frontier = {
    mark: (address) => {
      known.add(singleSlashes(withoutHash(address)))
    },
    harmOf: (address) => told.harmOf(withoutHash(address)),
    add: (address, depth, source, on, label = '', given = null) => {
      const url = URL.parse(address)
      if (!url || address.length > LONGEST) return false
      if (!scope.holds(url)) {
        if (scope.isRelative(url)) others.add(url.host)
        return false
      }
      const key = withoutHash(url.href)
      const same = singleSlashes(key)
      const labelled = given ?? (isHandbook(url) ? null : harmOfLink(label))
      told.note(key, label, labelled)
      if (known.has(same)) {
        const at = labelled === null ? -1 : waiting.findIndex((one) => singleSlashes(one.url) === same)
        if (labelled === null || at < 0) return false
        waiting.splice(at, 1)
        left(key, labelled, source, on)
        return refuse(labelled)
      }
      known.add(same)
      if (FILE.test(url.pathname)) return refuse('a file that is no page')
      if (excludes(key)) return refuse(EXCLUDED)
      const harm = judge(key, told.harmOf(key))
      if (harm !== null) {
        left(key, harm, source, on)
        return refuse(harm)
      }
      if (depth > limits.depth) return refuse(`deeper than ${limits.depth} links`)
      const shape = shapeOf(key)
      const count = shapes.get(shape) ?? 0
      if (count >= limits.perShape) return refuse(`more than ${limits.perShape} addresses of one shape`)
      if ((looks.get(shape)?.alike ?? 0) >= ALIKE_PAGES) return refuse('pages of its shape are all alike')
      const folder = folderOf(shape)
      const siblings = folders.get(folder) ?? 0
      if (siblings >= limits.perFolder * (new URL(folder).pathname === '/' ? 3 : 1))
        return refuse(`more than ${limits.perFolder} addresses in one folder`)
      if (accepted >= limits.urls) return refuse(`more than ${limits.urls} addresses`)
      shapes.set(shape, count + 1)
      folders.set(folder, siblings + 1)
      accepted += 1
      waiting.push({ url: key, depth, source, on, rank: depth * 10 + count * 5 + Math.min(siblings, 40) / 10 })
      return true
    },
    next: () => {
      let best = -1
      for (const [index, { rank }] of waiting.entries()) {
        if (best < 0 || rank < (waiting[best]?.rank ?? 0)) best = index
      }
      const candidate = best < 0 ? null : (waiting.splice(best, 1)[0] ?? null)
      const harm = candidate && told.harmOf(candidate.url)
      if (candidate === null || harm === null) return candidate
      // Seen without a label first; a link like it has told since what it does.
      left(candidate.url, harm, candidate.source, candidate.on)
      refuse(harm)
      return next()
    },
    saw: (address, html) => {
      const shape = shapeOf(address)
      const look = simhash(html)
      const before = looks.get(shape)
      const alike = before && distance(before.last, look) <= ALIKE_BITS ? before.alike + 1 : 0
      looks.set(shape, { last: look, alike })
      if (alike < ALIKE_PAGES) return
      for (let index = waiting.length - 1; index >= 0; index -= 1) {
        if (shapeOf(waiting[index]?.url ?? address) !== shape) continue
        waiting.splice(index, 1)
        refuse('pages of its shape are all alike')
      }
    },
    leftOut: () => Object.fromEntries([...leftOut].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    otherHosts: () => [...others].toSorted(),
  }
  return frontier
}
