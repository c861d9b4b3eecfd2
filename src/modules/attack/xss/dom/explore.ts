/**
 * What the scripts of pages do with what an attacker can put before them: address, fragment, referrer, name of the window,
 * messages of another site, storage, cookies. A word shows where each goes; then a payload has to run, or nothing is said.
 */

import { hashRouteOf, kindOf, viewOf } from '../../../../page/shape.ts'
import type { DomFacts, DomHit } from '../facts.ts'
import type { Prover } from '../proving.ts'
import { routeParameters, routeSegments, withDocumentQuery, withFragment, withParts } from './addresses.ts'
import { messagesFor, withPayload } from './messages.ts'
import { askPollution } from './polluting.ts'
import { type Lead, leadsOf, MOST_PLACES, pagesOf, prove } from './prove.ts'
import {
  cookieSource,
  everything,
  inFragment,
  outerSources,
  partSource,
  plain,
  querySource,
  type Source,
  segmentSource,
  storageSource,
  wordsOf,
} from './sources.ts'
import { openWatcher, type Reached, type Watched, type Watcher } from './watching.ts'

const PAGES_AT_ONCE = 6
const PART = 12
const MOST_NAMES = 8
const MOST_CODED = 3
/** Pages on which one key of storage is asked. */
const KEY_ON = 2
const SESSION = /sess|auth|token|csrf|xsrf/i

export interface ExploreDom {
  /** Pages that run scripts, the most telling first. */
  readonly pages: readonly string[]
  readonly prover: Prover
  readonly excludes: (url: string) => boolean
  /** False ends it: the session is lost, or the time is over. */
  readonly mayContinue: () => Promise<boolean>
  readonly progress: (done: number) => void
}

export const exploreDom = async (parts: ExploreDom): Promise<DomFacts> => {
  const { pages, prover } = parts
  if (pages.length === 0) return { pages: 0, left: 0, hits: [] }
  const undrawn = new Set<string>()
  const watcher = await openWatcher(prover, (page) => undrawn.add(page))
  const urls = pages.map(viewOf)
  const known: Known = { asked: new Set(), proven: new Map(), short: new Map(), undrawn, keys: new Map() }
  let seen = 0
  try {
    // A part is done to the end before the next begins: what the time leaves out are pages, and no proofs.
    for (let at = 0; at < urls.length && (await parts.mayContinue()); at += PART)
      seen += await explorePart(urls.slice(at, at + PART), seen, watcher, known, parts)
    if (undrawn.size > 0) known.short.set(UNDRAWN, undrawn.size)
    const short = [...known.short].map(([reason, count]) => ({ reason, count }))
    const proven = [...known.proven.values()].filter((one) => one !== null)
    const hits = together(proven.toSorted((a, b) => urls.indexOf(a.hit.page) - urls.indexOf(b.hit.page)))
    return { pages: seen, left: pages.length - seen, ...(short.length > 0 ? { short } : {}), hits }
  } finally {
    await watcher.close()
  }
}

/** What pages before have shown. */
interface Known {
  /** Scripts, with the names that they read, that have been asked more. */
  readonly asked: Set<string>
  /** By source and scripts; null where nothing ran. */
  readonly proven: Map<string, Proven | null>
  /** Pages that were not asked in full, by why. */
  readonly short: Map<string, number>
  /** Pages that were not done with drawing themselves when their time was over. */
  readonly undrawn: Set<string>
  /** On how many pages each key of storage was asked. */
  readonly keys: Map<string, number>
}

interface Proven {
  readonly hit: DomHit
  /** The scripts that did it, on whichever page. */
  readonly scripts: string
}

/** What the scripts of an application that one document draws do on several of its pages is one hit, each of them proven. */
const together = (list: readonly Proven[]): readonly DomHit[] =>
  [
    ...groupBy(list, ({ hit, scripts }) =>
      JSON.stringify([scripts, hit.kind, hit.source, hit.name, hit.sink, hit.ran]),
    ),
  ].flatMap(([, [first, ...others]]) => {
    if (first === undefined) return []
    const also = [...first.hit.alsoOn, ...others.flatMap(({ hit }) => [hit.page, ...hit.alsoOn])]
    return [{ ...first.hit, alsoOn: also.slice(0, MOST_PLACES) }]
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
  const first = await concurrently(urls, parts.mayContinue, async (url) => {
    const outer = outerSources(url, watcher)
    const doing = { message: outer.message.word, routed: true }
    const watched = await watcher.watch(everything(url, outer), wordsOf(outer), doing)
    done += 1
    parts.progress(done)
    return { url, watched, leads: leadsOf(Object.values(outer), watched) }
  })
  // Pages with the same scripts that read the same names do the same: one of them is asked more.
  const asked = first.filter(({ url, watched }) => {
    const key = JSON.stringify([watched.notes.scripts, partOf(url, watched), namesOf(url, watched)])
    if (watched.notes.scripts === '' || known.asked.has(key)) return false
    known.asked.add(key)
    return true
  })
  const second = await concurrently(asked, parts.mayContinue, async ({ url, watched, leads: seen }) => {
    const pressed = await askPressed(url, watched, watcher, known)
    const names = [...new Set([...namesOf(url, watched), ...pressed.names])].slice(0, MOST_NAMES)
    const named = await askNames(url, names, watcher, parts, watched.notes.pressable)
    const stored = await askStorage(url, keysOf(watched, known), watcher)
    const nested = await askNested(url, watcher)
    const routed = await askSegments(url, watcher, watched.notes.pressable)
    const encoded = await askBase64([...seen, ...named, ...stored], watcher)
    const leads = [
      ...pressed.leads,
      ...named,
      ...(watched.notes.moves ? await askMoves(url, names, watcher, parts, watched.notes.pressable) : []),
      ...stored,
      ...nested,
      ...routed,
      ...(await askPollution(url, watched.notes, names, watcher, () => fallsShort(known, UNUSED))),
      ...encoded,
      ...(await askJson(watched.notes.code, [...seen, ...named, ...stored, ...encoded], watcher)),
    ]
    return { url, watched, leads }
  })
  const third = await withCookies(
    asked.filter(({ watched }) => watched.notes.cookies.length > 0),
    known,
    parts,
  )
  const leads = [...first, ...second, ...third].flatMap(({ url, watched, leads: list }) =>
    // A page that went away before it could be read is like no other.
    list.map((lead) => ({ ...lead, page: url, scripts: watched.notes.scripts || url, part: partOf(url, watched) })),
  )
  const places = groupBy(leads, ({ source, scripts, part }) =>
    JSON.stringify([source.kind, source.name, scripts, part]),
  )
  await concurrently([...places], parts.mayContinue, async ([key, list]) => {
    const { hit = null, scripts = list[0]?.scripts ?? '' } = known.proven.get(key) ?? {}
    const now = hit
      ? { ...hit, alsoOn: [...hit.alsoOn, ...pagesOf(list)].slice(0, MOST_PLACES) }
      : await prove(list, parts.prover)
    known.proven.set(key, now && { hit: now, scripts })
  })
  return first.length
}

type Visited = { readonly url: string; readonly watched: Watched }

/** One page after another in a profile of its own: cookies are there for every page of it. */
const withCookies = async (
  asked: readonly Visited[],
  { undrawn }: Known,
  { prover, mayContinue }: ExploreDom,
): Promise<readonly (Visited & { readonly leads: readonly Lead[] })[]> => {
  if (asked.length === 0) return []
  const watcher = await openWatcher(prover, (page) => undrawn.add(page))
  const found: (Visited & { readonly leads: readonly Lead[] })[] = []
  try {
    for (const { url, watched } of asked) {
      if (!(await mayContinue())) break
      const sources = watched.notes.cookies.slice(0, MOST_NAMES).map((name) => cookieSource(url, name, watcher.word()))
      const cookies = Object.fromEntries(sources.map(({ name, word }) => [name ?? '', word]))
      found.push({
        ...{ url, watched },
        leads: leadsOf(sources, await watcher.watch({ ...plain(url), cookies }, wordsOf(sources))),
      })
    }
    return found
  } finally {
    await watcher.close()
  }
}

/** Some at once, results in the order of the list; what comes after the end is left out. */
const concurrently = async <Item, Result>(
  items: readonly Item[],
  mayContinue: () => Promise<boolean>,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const done = new Map<number, Result>()
  const waiting = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next && (await mayContinue()); next = waiting.shift())
      done.set(next[0], await work(next[1]))
  }
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, worker))
  return [...done].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}

const groupBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> =>
  Map.groupBy(items, keyOf)

/** What is pressed may read other parameters than the page has so far. */
const askPressed = async (
  url: string,
  { notes }: Watched,
  watcher: Watcher,
  known: Known,
): Promise<{ readonly leads: readonly Lead[]; readonly names: readonly string[] }> => {
  if (!notes.pressable) return { leads: [], names: [] }
  const outer = outerSources(url, watcher)
  const watched = await watcher.watch(everything(url, outer), wordsOf(outer), { presses: true })
  const { left = 0, held = 0 } = watched.unpressed ?? {}
  const reason = held > 0 ? HELD : left > 0 ? UNPRESSED : null
  if (reason !== null) fallsShort(known, reason)
  return { leads: leadsOf(Object.values(outer), watched), names: watched.notes.names }
}

const fallsShort = ({ short }: Known, reason: string): void => void short.set(reason, (short.get(reason) ?? 0) + 1)

/** In words that follow the number of pages. */
const UNDRAWN = 'still at work on what they show when their time was over'
const HELD = 'with something that must not be pressed'
const UNPRESSED = 'with more to press than was'
const UNUSED = 'whose objects an address fills, and no script was seen to use that'

const askNames = async (
  url: string,
  names: readonly string[],
  watcher: Watcher,
  { excludes }: Pick<ExploreDom, 'excludes'>,
  presses: boolean,
): Promise<readonly Lead[]> => {
  const allowed = names.filter((name) => !excludes(withDocumentQuery(url, name, 'x')))
  if (allowed.length === 0) return []
  const queries = allowed.map((name) => querySource(url, name, watcher.word()))
  const fragments = allowed.map((name) => partSource(url, name, watcher.word()))
  const asked = queries.reduce((so, { name, word }) => withDocumentQuery(so, name ?? '', word), url)
  const address = withParts(
    asked,
    fragments.map(({ name, word }) => [name ?? '', word] as const),
  )
  const sources = [...queries, ...fragments]
  return leadsOf(sources, await watcher.watch(plain(address), wordsOf(sources), { presses }))
}

/** Parts of the path behind the #: each alone, as the others choose what is shown. */
const askSegments = async (url: string, watcher: Watcher, presses: boolean): Promise<readonly Lead[]> => {
  const sources = routeSegments(url)
    .slice(0, MOST_NAMES)
    .map((index) => segmentSource(url, index, watcher.word()))
  const leads = await Promise.all(
    sources.map(async (one) => leadsOf([one], await watcher.watch(one.with(one.word), [one.word], { presses }))),
  )
  return leads.flat()
}

/** A value that holds parameters of its own: the last of them. */
const askNested = async (url: string, watcher: Watcher): Promise<readonly Lead[]> => {
  const sources = [...new URL(url).searchParams].slice(0, MOST_NAMES).flatMap(([name, value]): readonly Source[] => {
    const head = value.slice(0, value.lastIndexOf('=') + 1)
    const inner = (text: string): string => `${head}${text.replace(/[%&+#]/g, encodeURIComponent)}`
    if (!/^\??[\w.[\]-]+=/.test(head)) return []
    return [
      { ...querySource(url, name, watcher.word()), with: (text) => plain(withDocumentQuery(url, name, inner(text))) },
    ]
  })
  const leads = await Promise.all(
    sources.map(async (one) => leadsOf([one], await watcher.watch(one.with(one.word), [one.word]))),
  )
  return leads.flat()
}

const sourcesInto = (sink: Reached['sink'], leads: readonly Lead[]): readonly Source[] =>
  [
    ...new Map(
      leads.filter(({ reached }) => reached.sink === sink).map(({ source }) => [source.word, source]),
    ).values(),
  ].slice(0, MOST_CODED)

/** A value that a page decodes before it goes on. */
const askBase64 = async (leads: readonly Lead[], watcher: Watcher): Promise<readonly Lead[]> => {
  const found: Lead[] = []
  for (const source of sourcesInto('base64', leads)) {
    const word = watcher.word()
    const coded: Source = {
      ...source,
      word,
      with: (payload) => source.with(Buffer.from(payload, 'utf8').toString('base64')),
    }
    found.push(...leadsOf([coded], await watcher.watch(coded.with(word), [word])))
  }
  return found
}

/** A value that a page reads as JSON: a list of one, or the members that its scripts name. */
const askJson = async (code: string, leads: readonly Lead[], watcher: Watcher): Promise<readonly Lead[]> => {
  const found: Lead[] = []
  for (const source of sourcesInto('json', leads)) {
    const shapes = messagesFor([code], 'x').flatMap(({ value }) => (typeof value === 'object' ? [value] : []))
    for (const value of [...shapes.slice(0, MOST_CODED), ['x']]) {
      const word = watcher.word()
      const shape = { json: true, value }
      const shaped: Source = {
        ...source,
        word,
        with: (payload) => source.with(String(withPayload(shape, 'x', payload))),
      }
      found.push(...leadsOf([shaped], await watcher.watch(shaped.with(word), [word])))
    }
  }
  return found.filter(({ reached }) => reached.sink !== 'json')
}

/** Scripts that go only where something looks like an address: one is put into everything that a link can hold. */
const askMoves = async (
  url: string,
  names: readonly string[],
  watcher: Watcher,
  { excludes }: Pick<ExploreDom, 'excludes'>,
  presses: boolean,
): Promise<readonly Lead[]> => {
  const written = (word: string): string => `https://${word}.example/`
  const hash = watcher.word()
  const sources: readonly Source[] = [
    { kind: 'fragment', name: null, word: hash, with: (value) => plain(withFragment(url, inFragment(url, value))) },
    ...(hashRouteOf(url) === null ? [] : names.map((name) => partSource(url, name, watcher.word()))),
    ...names
      .filter((name) => !excludes(withDocumentQuery(url, name, 'x')))
      .map((name) => querySource(url, name, watcher.word())),
  ]
  const address = sources.reduce(
    (so, { kind, name, word }) => (kind === 'query' ? withDocumentQuery(so, name ?? '', written(word)) : so),
    url,
  )
  const parts = sources.flatMap(({ kind, name, word }) =>
    kind === 'fragment' && name !== null ? [[name, encodeURIComponent(written(word))] as const] : [],
  )
  const asked = plain(withFragment(parts.length === 0 ? address : withParts(address, parts), written(hash)))
  const leads = leadsOf(sources, await watcher.watch(asked, wordsOf(sources), { presses }))
  return leads.filter(({ reached }) => reached.sink === 'location' || reached.sink === 'script')
}

/** Each alone: many applications read one of them before they show anything, and end where they cannot. */
const askStorage = async (url: string, keys: readonly string[], watcher: Watcher): Promise<readonly Lead[]> => {
  const leads: Lead[] = []
  for (const name of keys) {
    const source = storageSource(url, name, watcher.word())
    leads.push(...leadsOf([source], await watcher.watch(source.with(source.word), [source.word])))
  }
  return leads
}

/** Of what every page reads, the first pages tell what becomes of it; without what holds its session a page shows little. */
const keysOf = ({ notes }: Watched, { keys }: Known): readonly string[] =>
  notes.keys
    .filter((name) => !SESSION.test(name) && (keys.get(name) ?? 0) < KEY_ON)
    .slice(0, MOST_NAMES)
    .map((name) => {
      keys.set(name, (keys.get(name) ?? 0) + 1)
      return name
    })

/** Parameters of the address, and those that its scripts asked for. */
const namesOf = (url: string, { notes, routed }: Watched): readonly string[] =>
  [...new Set([...new URL(url).searchParams.keys(), ...routeParameters(url), ...notes.names, ...routed])]
    .filter((name) => name !== 'qx')
    .slice(0, MOST_NAMES)
