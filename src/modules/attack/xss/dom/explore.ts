/**
 * What the scripts of pages do with what an attacker can put before them: address, fragment, referrer, name of the window,
 * messages of another site, storage, cookies. A word shows where each goes; then a payload has to run, or nothing is said.
 */

import { hashRouteOf, kindOf, viewOf } from '../../../../page/shape.ts'
import { faultReason } from '../../../faults.ts'
import { OutOfTime } from '../../insertion-points/times.ts'
import type { DomFacts, DomHit, ReadAtPassword } from '../facts.ts'
import type { Prover } from '../proving.ts'
import { type Asked, type Asking, askMore, namesOf, UNPRESSED } from './asking.ts'
import { triesOf, waysInto } from './pollution.ts'
import { type Lead, leadsOf, MOST_PLACES, pagesOf, prove } from './prove.ts'
import { createRows, type RowMemory } from './rows.ts'
import { createShell, type Shell } from './shell.ts'
import { cookieSource, everything, outerSources, plain, wordsOf } from './sources.ts'
import { besideOf } from './views.ts'
import { openWatcher, type Presses, type Watched, type Watcher } from './watching.ts'

const PAGES_AT_ONCE = 6
const PART = 12
const MOST_COOKIES = 8
/** Views that are pressed before all others, so that these know what stands on all. */
const HEADS = 2

export interface ExploreDom {
  /** Pages that run scripts, the most telling first. */
  readonly pages: readonly string[]
  readonly prover: Prover
  readonly excludes: (url: string) => boolean
  /** As `heldBeside`: a fault of ours costs its page alone. @throws what ends the module */
  readonly held: <Value>(
    work: () => Promise<Value>,
  ) => Promise<{ readonly value: Value } | { readonly fault: string } | { readonly spent: true }>
  /** False ends it: the session is lost, or the time or the budget is over. */
  readonly mayContinue: () => Promise<boolean>
  /** True for good: not even a page under way is opened once more, and nothing is proven; by default never. What was found is told. */
  readonly isOver?: () => boolean
  /** Pages that may be open at once, at most; default 6. Asked before each step. */
  readonly atOnce?: () => number
  /** `beside`: what is done with the pages that were looked at, where that takes long. */
  readonly progress: (done: number, beside: string) => void
  /** Is given once what tells, at any time from then on, what was found by then. */
  readonly soFar?: (facts: () => DomFacts) => void
}

export const exploreDom = async (given: ExploreDom): Promise<DomFacts> => {
  const { pages, prover } = given
  if (pages.length === 0) return { pages: 0, left: 0, hits: [] }
  const undrawn = new Set<string>()
  const watcher = inTime(await openWatcher(prover, (page) => undrawn.add(page)), given.isOver)
  const urls = pages.map(viewOf)
  const known = knownOf(urls, undrawn)
  const parts = { ...given, mayContinue: async () => !known.isSpent && (await given.mayContinue()) }
  let seen = 0
  const facts = (): DomFacts => factsOf(known, urls, seen)
  given.soFar?.(facts)
  try {
    // A part is done to the end before the next begins: what the time leaves out are pages, and no proofs.
    for (let at = 0; at < urls.length && (await parts.mayContinue()); at += PART)
      seen += await explorePart(urls.slice(at, at + PART), seen, watcher, known, parts)
    for (const page of undrawn) fallsShort(known, UNDRAWN, page)
    for (const page of known.shell.left()) fallsShort(known, UNPRESSED, page)
    return facts()
  } finally {
    await watcher.close()
  }
}

const factsOf = (known: Known, urls: readonly string[], seen: number): DomFacts => {
  const short = [...groupBy([...known.short.values()], (reason) => reason)].map(([reason, { length: count }]) => ({
    reason,
    count,
  }))
  const proven = [...known.proven.values()].filter((one) => one !== null)
  const hits = together(proven.toSorted((a, b) => urls.indexOf(a.hit.page) - urls.indexOf(b.hit.page)))
  const atPassword = [...known.atPassword.values()]
  return {
    ...{ pages: seen, left: urls.length - seen },
    ...(short.length > 0 ? { short } : {}),
    ...(atPassword.length > 0 ? { atPassword } : {}),
    hits,
  }
}

/** What pages before have shown. */
interface Known {
  /** The budget is over: nothing more is asked. */
  isSpent: boolean
  /** Scripts, with the names that they read, that have been asked more. */
  readonly asked: Set<string>
  /** By source and scripts; null where nothing ran. */
  readonly proven: Map<string, Proven | null>
  /** Pages that were not asked in full, each with the first reason for it. */
  readonly short: Map<string, string>
  /** Pages that were not done with drawing themselves when their time was over. */
  readonly undrawn: Set<string>
  /** Parameters that are read on pages with a field for a password, by name and path. */
  readonly atPassword: Map<string, ReadAtPassword>
  /** On how many pages each key of storage was asked. */
  readonly keys: Map<string, number>
  /** Addresses that several pages share, and that were asked. */
  readonly addresses: Set<string>
  readonly shell: Shell
  /** Whether an address is of a kind that is looked at by itself. */
  readonly isPage: (url: string) => boolean
  /** Those that come first of their kind. */
  readonly firsts: ReadonlySet<string>
  readonly besideOf: (url: string) => readonly string[]
}

const knownOf = (urls: readonly string[], undrawn: Set<string>): Known => {
  const kinds = new Map(urls.toReversed().map((url) => [kindOf(url), url]))
  return {
    ...{
      isSpent: false,
      asked: new Set(),
      proven: new Map(),
      short: new Map(),
      undrawn,
      atPassword: new Map(),
      keys: new Map(),
      addresses: new Set(),
    },
    shell: createShell(),
    isPage: (url) => kinds.has(kindOf(url)),
    firsts: new Set(kinds.values()),
    besideOf: besideOf(urls),
  }
}

interface Proven {
  readonly hit: DomHit
  /** The scripts that did it, on whichever page. */
  readonly scripts: string
}

/**
 * What the scripts of an application that one document draws do on several of its pages is one hit, each of them proven; so is what one place in a file
 * does on pages that hold other scripts besides.
 */
const together = (list: readonly Proven[]): readonly DomHit[] =>
  merged(
    merged(list, ({ scripts }) => scripts),
    ({ hit, scripts }) => hit.by ?? scripts,
  ).map(({ hit }) => hit)

const merged = (list: readonly Proven[], codeOf: (one: Proven) => string): readonly Proven[] =>
  [
    ...groupBy(list, (one) => {
      const { kind, source, name, sink, ran } = one.hit
      return JSON.stringify([codeOf(one), kind, source, name, sink, ran])
    }),
  ].flatMap(([, [first, ...others]]) => {
    if (first === undefined) return []
    const also = [...first.hit.alsoOn, ...others.flatMap(({ hit }) => [hit.page, ...hit.alsoOn])]
    return [{ ...first, hit: { ...first.hit, alsoOn: also.slice(0, MOST_PLACES) } }]
  })

/** An application that one document draws runs other parts of its scripts on each kind of page. */
const partOf = (url: string, { notes }: Watched): string =>
  notes.drawn || hashRouteOf(url) !== null ? kindOf(url) : ''

/** How many pages of the part were looked at. */
const explorePart = async (
  urls: readonly string[],
  before: number,
  watcher: Watcher,
  known: Known,
  parts: ExploreDom,
): Promise<number> => {
  let done = before
  const looked = await inTurns(urls, known, parts, async (url) => {
    const seen = await heldOn([url], known, parts, () => look(url, watcher, known))
    done += 1
    parts.progress(done, '')
    return seen
  })
  const first = looked.filter((seen) => seen !== null)
  // Pages with the same scripts that read the same names do the same: one of them is asked more.
  const asked = first.filter(({ url, watched }) => {
    const key = JSON.stringify([watched.notes.scripts, partOf(url, watched), namesOf(url, watched)])
    if (watched.notes.scripts === '' || isElsewhere(url, watched, known) || known.asked.has(key)) return false
    known.asked.add(key)
    return true
  })
  let more = 0
  const second = await concurrently(asked, parts, async (seen) => {
    more += 1
    parts.progress(done, `, asking ${more} of ${asked.length} more`)
    const heard = hearing(watcher)
    const leads = await heldOn([seen.url], known, parts, () =>
      askMore(askedOf(seen, heard.watcher, known, parts), seen.leads),
    )
    // It answered once, and was asked all else in vain.
    if (heard.isSilent()) fallsShort(known, UNOPENED, seen.url)
    return leads === null ? seen : { ...seen, leads }
  })
  const reading = asked.filter(({ watched }) => watched.notes.cookies.length > 0)
  const third = await withCookies(reading, known, parts)
  const leads = [...first, ...second, ...third].flatMap(({ url, watched, leads: list }) =>
    // A page that went away before it could be read is like no other.
    list.map((lead) => ({ ...lead, page: url, scripts: watched.notes.scripts || url, part: partOf(url, watched) })),
  )
  const places = groupBy(leads, ({ source, scripts, part }) =>
    JSON.stringify([source.kind, source.name, scripts, part]),
  )
  let proving = 0
  const prover = provingInTime(parts.prover, parts.isOver)
  // What was found is proven, though no page is begun any more.
  const { isOver } = parts
  const mayProve = async (): Promise<boolean> => !known.isSpent && (isOver ? !isOver() : parts.mayContinue())
  const tried = await concurrently([...places], { ...parts, mayContinue: mayProve }, async ([key, list]) => {
    proving += 1
    parts.progress(done, `, proving ${proving} of ${places.size}`)
    const { hit = null, scripts = list[0]?.scripts ?? '' } = known.proven.get(key) ?? {}
    const now = hit
      ? { ...hit, alsoOn: [...hit.alsoOn, ...pagesOf(list)].slice(0, MOST_PLACES) }
      : await heldOn(pagesOf(list), known, parts, () => prove(list, prover))
    known.proven.set(key, now && { hit: now, scripts })
  })
  const unproven = [...places.values()].slice(tried.length).flatMap(pagesOf)
  const unasked = [...asked.slice(second.length), ...reading.slice(third.length)].map(({ url }) => url)
  for (const page of [...unproven, ...unasked]) fallsShort(known, UNFINISHED, page)
  return looked.length
}

const heldOn = async <Value>(
  pages: readonly string[],
  known: Known,
  { held }: ExploreDom,
  work: () => Promise<Value>,
): Promise<Value | null> => {
  const ended = await held(work)
  if ('value' in ended) return ended.value
  known.isSpent ||= 'spent' in ended
  for (const page of pages) fallsShort(known, 'fault' in ended ? faultReason(ended.fault) : UNFINISHED, page)
  return null
}

/** Views that others can be compared with come first, so that these know what stands on all of them. */
const inTurns = async (
  urls: readonly string[],
  { shell, besideOf: besides }: Known,
  how: Pick<ExploreDom, 'mayContinue' | 'atOnce'>,
  work: (url: string) => Promise<Seen | null>,
): Promise<readonly (Seen | null)[]> => {
  const heads = urls.filter((url) => besides(url).length > 0).slice(0, shell.isNew() ? HEADS : 0)
  const others = urls.filter((url) => !heads.includes(url))
  const seen = [...(await concurrently(heads, how, work)), ...(await concurrently(others, how, work))]
  const placeOf = (one: Seen | null): number => (one === null ? urls.length : urls.indexOf(one.url))
  return seen.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** A view of an application is pressed at once, where it was sent no messages, and no other of its kind comes before it. */
const look = async (url: string, watcher: Watcher, known: Known): Promise<Seen> => {
  const outer = outerSources(url, watcher)
  const rows = createRows()
  const watched = await watcher.watch(everything(url, outer), wordsOf(outer), {
    message: outer.message.word,
    routed: true,
    beside: known.besideOf(url),
    ways: (seen) => triesOf(url, waysInto(namesOf(url, seen))),
    presses: ({ messages, frame, shown }) =>
      frame !== null && messages.length === 0 && known.firsts.has(url) && !isElsewhere(url, { shown }, known)
        ? pressesOf({ url, rows }, frame, known, 'page')
        : null,
  })
  if (!watched.isThere) fallsShort(known, UNOPENED, url)
  if (watched.notes.password) noteAtPassword(url, watched, known)
  return { url, watched, rows, leads: leadsOf(Object.values(outer), watched) }
}

/** What is read only once somebody has signed in no look at the page shows. */
const noteAtPassword = (url: string, { notes, shown, queried }: Watched, { atPassword }: Known): void => {
  const { pathname: path } = new URL(shown ?? url)
  for (const name of new Set([...notes.names, ...queried])) atPassword.set(`${name} ${path}`, { name, path })
}

/** It leads on to a view that is looked at by itself, and takes nothing of ours there. */
const isElsewhere = (url: string, { shown }: Pick<Watched, 'shown'>, { isPage }: Known): boolean =>
  shown !== null && kindOf(shown) !== kindOf(url) && isPage(shown)

/** What a page under way would still open once the time is over costs that page alone what is not known of it yet. */
const inTime = (watcher: Watcher, isOver?: ExploreDom['isOver']): Watcher => ({
  ...watcher,
  watch: unlessOver(watcher.watch, isOver),
})

/** The same of what proves it: one lead may take a dozen visits. */
const provingInTime = (prover: Prover, isOver?: ExploreDom['isOver']): Prover => ({
  ...prover,
  prove: unlessOver(prover.prove, isOver),
  takes: unlessOver(prover.takes, isOver),
  leadsTo: unlessOver(prover.leadsTo, isOver),
  stranger: async (how) => provingInTime(await prover.stranger(how), isOver),
})

/** @throws OutOfTime in place of a visit once it is over */
const unlessOver =
  <Given extends readonly unknown[], Answer>(
    visit: (...given: Given) => Promise<Answer>,
    isOver: () => boolean = () => false,
  ): ((...given: Given) => Promise<Answer>) =>
  async (...given) => {
    if (isOver()) throw new OutOfTime('the time for the scripts of pages is over')
    return visit(...given)
  }

/** `isSilent`: the last look at the page got no answer. */
const hearing = (watcher: Watcher): { readonly watcher: Watcher; readonly isSilent: () => boolean } => {
  let silent = false
  const watch: Watcher['watch'] = async (...how) => {
    const watched = await watcher.watch(...how)
    silent = !watched.isThere
    return watched
  }
  return { watcher: { ...watcher, watch }, isSilent: () => silent }
}

const pressesOf = (
  { url, rows }: Pick<Seen, 'url' | 'rows'>,
  frame: Watched['frame'],
  { isPage, shell }: Known,
  asking: Asking,
): Presses => ({
  isPage,
  rows: asking === 'page' ? rows.noting : rows.sparing,
  ...(frame === null ? {} : { shell: shell.walk(frame, asking, url) }),
})

const askedOf = (seen: Seen, watcher: Watcher, known: Known, { excludes }: ExploreDom): Asked => {
  const { url, watched } = seen
  return {
    ...{ url, watched, watcher, excludes, keys: known.keys },
    presses: (asking) => (watched.notes.pressable ? pressesOf(seen, watched.frame, known, asking) : null),
    fallsShort: (reason) => fallsShort(known, reason, url),
    isNew: (address) => !known.addresses.has(address) && known.addresses.add(address) !== null,
  }
}

type Visited = { readonly url: string; readonly watched: Watched }
type Told = Visited & { readonly leads: readonly Lead[] }
type Seen = Told & { readonly rows: RowMemory }

/** One page after another in a profile of its own: cookies are there for every page of it. */
const withCookies = async (asked: readonly Visited[], known: Known, parts: ExploreDom): Promise<readonly Told[]> => {
  const { prover, mayContinue } = parts
  if (asked.length === 0) return []
  const watcher = inTime(await openWatcher(prover, (page) => known.undrawn.add(page)), parts.isOver)
  const found: Told[] = []
  try {
    for (const { url, watched } of asked) {
      if (!(await mayContinue())) break
      const sources = watched.notes.cookies
        .slice(0, MOST_COOKIES)
        .map((name) => cookieSource(url, name, watcher.word()))
      const cookies = Object.fromEntries(sources.map(({ name, word }) => [name ?? '', word]))
      const seen = await heldOn([url], known, parts, () => watcher.watch({ ...plain(url), cookies }, wordsOf(sources)))
      found.push({ url, watched, leads: seen === null ? [] : leadsOf(sources, seen) })
    }
    return found
  } finally {
    await watcher.close()
  }
}

/** Some at once, results in the order of the list; what comes after the end is left out. */
const concurrently = async <Item, Result>(
  items: readonly Item[],
  { mayContinue, atOnce = () => PAGES_AT_ONCE }: Pick<ExploreDom, 'mayContinue' | 'atOnce'>,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const done = new Map<number, Result>()
  const waiting = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next && (await mayContinue()); next = waiting.shift())
      done.set(next[0], await work(next[1]))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce(), PAGES_AT_ONCE) }, worker))
  return [...done].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}

const groupBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> =>
  Map.groupBy(items, keyOf)

/** A page counts once, whatever keeps it. */
const fallsShort = ({ short }: Known, reason: string, page: string): void => {
  if (!short.has(page)) short.set(page, reason)
}

/** In words that follow the number of pages. */
const UNOPENED = 'that gave the browser no answer'
const UNDRAWN = 'still at work on what they show when their time was over'
const UNFINISHED = 'not asked to the end before the time was over'
