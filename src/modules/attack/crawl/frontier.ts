/** The addresses still to be asked for: within scope and bounds, the most telling first, each once. */

import { extensionOf, isOfExtension } from '../../../page/extensions.ts'
import { inOneForm, kindOf, withoutHash } from '../../../page/shape.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { EXCLUDED } from '../../../safety/policy.ts'
import { harmOfAddress, harmOfLink, isHandbook } from '../../../safety/safety.ts'
import { isDocument, isHandedOut } from '../insertion-points/documents.ts'
import type { ReachRow, Source } from './facts.ts'
import { fileNameOf, isStoredFile, makerOf } from './files.ts'
import { createSampling, type News, type Place, type Sampling } from './sampling.ts'
import type { Scope } from './scope.ts'
import { createTold } from './told.ts'

/** Against sites without end; time and the run's requests end a crawl long before. */
export interface Limits {
  /** Folders in one another. */
  readonly nested: number
  readonly urls: number
}

export const LIMITS: Limits = { nested: 40, urls: 10_000 }

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
  /** A page has a file out of this folder: where that is an extension's, what is called as it comes first. */
  readonly sawFolder: (folder: string) => void
  /** A page that was read, and what it brought: see `sampling.ts`. */
  readonly saw: (address: string, news: News) => void
  /** Known already, for example fetched by another module. */
  readonly mark: (address: string) => void
  /** Why an address must not be asked for, by the links that lead to it and to others like it. */
  readonly harmOf: (address: string) => string | null
  readonly leftOut: () => Readonly<Record<string, number>>
  /** Takes all that is still waiting from the list, since the crawl has ended for this reason. */
  readonly cut: (reason: string) => void
  readonly otherHosts: () => readonly string[]
}

const LONGEST = 2_000
const LINKED: readonly Source[] = ['link', 'browser']
const NO_PAGE = 'a file that is no page'
const MADE_ALIKE = 'a file that is made of the same values as another'
/** So many files that one program makes of the same values are asked for; the others are like them. */
const OF_A_MAKER = 3
/** As of pages that lie two links nearer. */
const OF_EXTENSION = 20
const MOST_EXTENSIONS = 50
/** Folders of which one document is asked for, and one picture, however large it is: its beginning is read. */
const MOST_FOLDERS = 10

interface Waiting extends Candidate {
  /** Its address in one form. */
  readonly form: string
  readonly place: Place
  /** The page that made it up, if one did: where the site itself leads on to is no invention. */
  readonly from: string | null
}

/** Told of what becomes of addresses, and asked about them. */
export interface FrontierNotes {
  /** An address that is left alone because it would do harm. */
  readonly left: (address: string, harm: string, source: Source, on: string | null) => void
  readonly note: (row: ReachRow) => void
  /** Why an address is not followed, beside what the links to it tell. */
  readonly judge: (address: string, told: string | null) => string | null
}

const UNTOLD: FrontierNotes = {
  left: () => undefined,
  note: () => undefined,
  judge: (address, harm) => harmOfAddress(address) ?? harm,
}

export const createFrontier = (
  scope: Scope,
  limits: Limits = LIMITS,
  excludes: (url: string) => boolean = () => false,
  { left, note, judge }: FrontierNotes = UNTOLD,
): Frontier => {
  const [known, others] = [new Set<string>(), new Set<string>()]
  const waiting: Waiting[] = []
  const sampling = createSampling()
  const told = createTold()
  const firstAlike = createFirstAlike()
  const added = createAdded()
  const isFirstOfFolder = createFirstOfFolders()
  let accepted = 0
  const { refuse, leftOut } = createRefusals(note)

  /** Takes an address that waits from the list: a link to it has told what it does. */
  const withdraw = (key: string, harm: string, source: Source, on: string | null): false => {
    const at = indexOf(waiting, inOneForm(key))
    if (at < 0) return false
    waiting.splice(at, 1)
    left(key, harm, source, on)
    return refuse(key, harm)
  }

  /** Of an address that nobody has met before: whether it is asked for. */
  const enlist = (url: URL, { depth, source, on }: Omit<Candidate, 'url'>): boolean => {
    const key = withoutHash(url.href)
    if (isStoredFile(url) && !(LINKED.includes(source) && isFirstOfFolder(url))) return refuse(key, NO_PAGE)
    if (excludes(key)) return refuse(key, EXCLUDED)
    const harm = judge(key, told.harmOf(key))
    if (harm !== null) {
      left(key, harm, source, on)
      return refuse(key, harm)
    }
    if (url.pathname.split('/').length - 1 > limits.nested)
      return refuse(key, `more than ${limits.nested} folders deep`)
    if (accepted >= limits.urls) return refuse(key, `more than ${limits.urls} addresses`)
    const alike = firstAlike(url, key)
    if (alike !== null) {
      note({ kind: 'address', method: 'GET', url: key, fate: 'merged', reason: MADE_ALIKE, with: alike, holds: true })
      return false
    }
    const place = sampling.placeOf(key)
    const from = source === 'redirect' ? null : on
    const ending = sampling.ending(place, from)
    if (ending !== null) return refuse(key, ending)
    accepted += 1
    waiting.push({ url: key, form: inOneForm(key), depth, source, on, place, from })
    return true
  }

  return {
    mark: (address) => {
      const same = inOneForm(withoutHash(address))
      known.add(same)
      const at = indexOf(waiting, same)
      if (at >= 0) waiting.splice(at, 1)
      note({ kind: 'address', method: 'GET', url: withoutHash(address), fate: 'asked', reason: null, holds: true })
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
      const harm = given ?? (isHandbook(url) ? null : harmOfLink(label))
      told.note(key, label, harm)
      const name = isMended(key, source, on) ? `redirect to ${key}` : inOneForm(key)
      if (known.has(name)) return harm === null ? false : withdraw(key, harm, source, on)
      known.add(name)
      return enlist(url, { depth, source, on })
    },
    next: () => {
      for (let taken = first(waiting, sampling, added); taken !== null; taken = first(waiting, sampling, added)) {
        // Seen without a label first; a link like it has told since what it does.
        const harm = told.harmOf(taken.url)
        if (harm !== null) left(taken.url, harm, taken.source, taken.on)
        const reason = harm ?? sampling.ending(taken.place, taken.from)
        if (reason !== null) {
          refuse(taken.url, reason)
          continue
        }
        sampling.took(taken.place)
        return { url: taken.url, depth: taken.depth, source: taken.source, on: taken.on }
      }
      return null
    },
    sawFolder: added.sawFolder,
    saw: (address, news) => sampling.saw(address, news),
    cut: (reason) => {
      for (const { url } of waiting.splice(0)) refuse(url, reason, 'cut_off')
    },
    leftOut,
    otherHosts: () => [...others].toSorted(),
  }
}

/** What is an extension's, by the names that folders have shown; each address is looked at once for as many as are known. */
const createAdded = () => {
  const names = new Set<string>()
  const known = new WeakMap<Waiting, { readonly is: boolean; readonly of: number }>()
  return {
    sawFolder: (folder: string): void => {
      const name = extensionOf(folder)
      if (name !== null && names.size < MOST_EXTENSIONS) names.add(name)
    },
    has: (one: Waiting): boolean => {
      const before = known.get(one)
      if (before?.is === true || before?.of === names.size) return before.is
      const is = isOfExtension(one.url, names)
      known.set(one, { is, of: names.size })
      return is
    },
  }
}

/** Says why addresses are not asked for, and counts them by that. */
const createRefusals = (note: FrontierNotes['note']) => {
  const counts = new Map<string, number>()
  return {
    refuse: (url: string, reason: string, fate: 'left_out' | 'cut_off' = 'left_out'): false => {
      const holds = reason !== NO_PAGE && reason !== ENDS_SESSION
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
      note({ kind: 'address', method: 'GET', url, fate, reason, holds })
      return false
    },
    leftOut: () => Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Of many files that differ by their names alone, as a person's pictures do, the first one stands for the others: that one, or null. */
const createFirstAlike = (): ((url: URL, key: string) => string | null) => {
  const made = new Map<string, string[]>()
  return (url, key) => {
    const maker = makerOf(url)
    if (maker === null) return null
    const alike = made.get(maker) ?? []
    made.set(maker, alike)
    if (alike.length >= OF_A_MAKER) return alike[0] ?? null
    alike.push(key)
    return null
  }
}

/** What hands out the files of a folder may be a program: the first one that is shown is asked for. At the root lie files. */
const createFirstOfFolders = (): ((url: URL) => boolean) => {
  /** Folders of which a document, and a picture, is asked for. */
  const [documents, pictures] = [new Set<string>(), new Set<string>()]
  return (url) => {
    const name = fileNameOf(url)
    if (!isHandedOut(name) || url.pathname.lastIndexOf('/') === 0) return false
    const folder = kindOf(new URL('.', url).href)
    const folders = isDocument(name) ? documents : pictures
    if (folders.has(folder) || folders.size >= MOST_FOLDERS) return false
    folders.add(folder)
    return true
  }
}

/** A redirect that normalises how an address is written leads to the page itself. */
const isMended = (key: string, source: Source, on: string | null): boolean =>
  source === 'redirect' && on !== null && on !== key && inOneForm(on) === inOneForm(key)

const indexOf = (waiting: readonly Waiting[], form: string): number => waiting.findIndex((one) => one.form === form)

/** Takes the most telling one. */
const first = (waiting: Waiting[], sampling: Sampling, added: ReturnType<typeof createAdded>): Waiting | null => {
  let best = -1
  let lowest = Number.POSITIVE_INFINITY
  for (const [index, one] of waiting.entries()) {
    const rank = sampling.rank(one.place, one.depth) - (added.has(one) ? OF_EXTENSION : 0)
    if (rank < lowest) [best, lowest] = [index, rank]
  }
  return best < 0 ? null : (waiting.splice(best, 1)[0] ?? null)
}
