/**
 * What the scripts of pages do with what an attacker can put before them: address, fragment, referrer, name of the window,
 * messages of another site, storage, cookies. A word shows where each goes; then a payload has to run, or nothing is said.
 */
import { randomBytes } from 'node:crypto'
import { withQuery } from '../../insertion-points/compose.ts'
import type { Approach } from '../browser/approach.ts'
import type { DomFacts, DomHit } from '../facts.ts'
import { newNonce, type Prover } from '../proving.ts'
import { type Message, messagesFor, withPayload } from './messages.ts'
import { domPayloads } from './payloads.ts'
import { pollutingVisits } from './pollution.ts'
import {
  cookieSource,
  everything,
  outerSources,
  partSource,
  plain,
  querySource,
  type Source,
  storageSource,
  wordsOf,
} from './sources.ts'
import { openWatcher, type Reached, type Watched, type Watcher } from './watching.ts'

const PAGES_AT_ONCE = 6
const PART = 24
/** Of one flaw. */
const MOST_PLACES = 9
const MOST_NAMES = 8
const MOST_CODED = 3
/** Payloads that are written into an address otherwise, too. */
const MOST_WRITTEN = 2

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
  const watcher = await openWatcher(prover.browser)
  const urls = pages.map((address) => address.split('#')[0] ?? address)
  const known: Known = { asked: new Set(), proven: new Map() }
  let seen = 0
  try {
    // A part is done to the end before the next begins: what the time leaves out are pages, and no proofs.
    for (let at = 0; at < urls.length && (await parts.mayContinue()); at += PART)
      seen += await explorePart(urls.slice(at, at + PART), seen, watcher, known, parts)
    const hits = [...known.proven.values()].filter((hit) => hit !== null)
    return { pages: seen, left: pages.length - seen, hits }
  } finally {
    await watcher.close()
  }
}

/** What pages before have shown. */
interface Known {
  /** Scripts, with the names that they read, that have been asked more. */
  readonly asked: Set<string>
  /** By source and scripts; null where nothing ran. */
  readonly proven: Map<string, DomHit | null>
}

/** How many pages of the part were looked at. */
const explorePart = async (
  urls: readonly string[],
  before: number,
  watcher: Watcher,
  known: Known,
  parts: ExploreDom,
): Promise<number> => {
  const { prover, excludes } = parts
  let done = before
  const first = await concurrently(urls, parts.mayContinue, async (url) => {
    const outer = outerSources(url, watcher)
    const watched = await watcher.watch(everything(url, outer), wordsOf(outer), outer.message.word)
    done += 1
    parts.progress(done)
    return { url, watched, leads: leadsOf(Object.values(outer), watched) }
  })
  // Pages with the same scripts that read the same names do the same: one of them is asked more.
  const asked = first.filter(({ url, watched }) => {
    const key = JSON.stringify([watched.notes.scripts, namesOf(url, watched)])
    if (watched.notes.scripts === '' || known.asked.has(key)) return false
    known.asked.add(key)
    return true
  })
  const second = await concurrently(asked, parts.mayContinue, async ({ url, watched, leads: seen }) => {
    const names = namesOf(url, watched)
    const named = await askNames(url, names, watcher, excludes)
    const stored = await askStorage(url, watched.notes.keys.slice(0, MOST_NAMES), watcher)
    const nested = await askNested(url, watcher)
    const encoded = await askBase64([...seen, ...named, ...stored], watcher)
    const leads = [
      ...named,
      ...(watched.notes.moves ? await askMoves(url, names, watcher, excludes) : []),
      ...stored,
      ...nested,
      ...(await askPollution(url, watched.notes.code, names, watcher)),
      ...encoded,
      ...(await askJson(watched.notes.code, [...seen, ...named, ...stored, ...encoded], watcher)),
    ]
    return { url, watched, leads }
  })
  const third = await withCookies(
    asked.filter(({ watched }) => watched.notes.cookies.length > 0),
    parts,
  )
  const leads = [...first, ...second, ...third].flatMap(({ url, watched, leads: list }) =>
    // A page that went away before it could be read is like no other.
    list.map((lead) => ({ ...lead, page: url, scripts: watched.notes.scripts || url })),
  )
  const places = groupBy(leads, ({ source, scripts }) => JSON.stringify([source.kind, source.name, scripts]))
  await concurrently([...places], parts.mayContinue, async ([key, list]) => {
    const hit = known.proven.get(key)
    if (!hit) known.proven.set(key, await prove(list, prover))
    else known.proven.set(key, { ...hit, alsoOn: [...hit.alsoOn, ...pagesOf(list)].slice(0, MOST_PLACES) })
  })
  return first.length
}

type Visited = { readonly url: string; readonly watched: Watched }

/** One page after another in a profile of its own: cookies are there for every page of it. */
const withCookies = async (
  asked: readonly Visited[],
  { prover, mayContinue }: ExploreDom,
): Promise<readonly (Visited & { readonly leads: readonly Lead[] })[]> => {
  if (asked.length === 0) return []
  const watcher = await openWatcher(prover.browser)
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

/** A source whose word has reached a sink. */
interface Lead {
  readonly source: Source
  readonly reached: Reached
  readonly messages: readonly Message[]
}

const leadsOf = (sources: readonly Source[], { reached, messages }: Watched): readonly Lead[] =>
  reached.flatMap((one) => {
    const source = sources.find(({ word }) => word === one.word)
    return source ? [{ source, reached: one, messages }] : []
  })

const askNames = async (
  url: string,
  names: readonly string[],
  watcher: Watcher,
  excludes: (url: string) => boolean,
): Promise<readonly Lead[]> => {
  const allowed = names.filter((name) => !excludes(withQuery(url, name, 'x')))
  if (allowed.length === 0) return []
  const queries = allowed.map((name) => querySource(url, name, watcher.word()))
  const fragments = allowed.map((name) => partSource(url, name, watcher.word()))
  const asked = queries.reduce((so, { name, word }) => withQuery(so, name ?? '', word), url)
  const fragment = fragments.map(({ name, word }) => `${name}=${word}`).join('&')
  const sources = [...queries, ...fragments]
  return leadsOf(sources, await watcher.watch(plain(`${asked}#${fragment}`), wordsOf(sources)))
}

/** A value that holds parameters of its own: the last of them. */
const askNested = async (url: string, watcher: Watcher): Promise<readonly Lead[]> => {
  const sources = [...new URL(url).searchParams].slice(0, MOST_NAMES).flatMap(([name, value]): readonly Source[] => {
    const head = value.slice(0, value.lastIndexOf('=') + 1)
    const inner = (text: string): string => `${head}${text.replace(/[%&+#]/g, encodeURIComponent)}`
    if (!/^\??[\w.[\]-]+=/.test(head)) return []
    return [{ ...querySource(url, name, watcher.word()), with: (text) => plain(withQuery(url, name, inner(text))) }]
  })
  const leads = await Promise.all(
    sources.map(async (one) => leadsOf([one], await watcher.watch(one.with(one.word), [one.word]))),
  )
  return leads.flat()
}

const askPollution = async (
  url: string,
  code: string,
  names: readonly string[],
  watcher: Watcher,
): Promise<readonly Lead[]> => {
  const found: Lead[] = []
  for (const { url: asked, sources } of pollutingVisits(url, code, names, watcher.word))
    found.push(...leadsOf(sources, await watcher.watch(plain(asked), wordsOf(sources))))
  // What the page does with the address as a whole is no pollution.
  return found.filter(
    ({ source, reached }) => reached.value.includes(source.word) && !reached.value.includes('__proto__'),
  )
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

/** A value that a page reads as JSON: the members that its scripts name, each with a word of its own. */
const askJson = async (code: string, leads: readonly Lead[], watcher: Watcher): Promise<readonly Lead[]> => {
  const found: Lead[] = []
  for (const source of sourcesInto('json', leads)) {
    const shapes = messagesFor([code], 'x').flatMap(({ value }) => (typeof value === 'object' ? [value] : []))
    for (const value of shapes.slice(0, MOST_CODED)) {
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
  excludes: (url: string) => boolean,
): Promise<readonly Lead[]> => {
  const written = (word: string): string => `https://${word}.example/`
  const hash = watcher.word()
  const sources: readonly Source[] = [
    { kind: 'fragment', name: null, word: hash, with: (value) => plain(`${url}#${value}`) },
    ...names
      .filter((name) => !excludes(withQuery(url, name, 'x')))
      .map((name) => querySource(url, name, watcher.word())),
  ]
  const asked = sources.reduce((so, { name, word }) => (name === null ? so : withQuery(so, name, written(word))), url)
  const leads = leadsOf(sources, await watcher.watch(plain(`${asked}#${written(hash)}`), wordsOf(sources)))
  return leads.filter(({ reached }) => reached.sink === 'location' || reached.sink === 'script')
}

const askStorage = async (url: string, keys: readonly string[], watcher: Watcher): Promise<readonly Lead[]> => {
  if (keys.length === 0) return []
  const sources = keys.map((name) => storageSource(url, name, watcher.word()))
  const storage = Object.fromEntries(sources.map(({ name, word }) => [name ?? '', word]))
  return leadsOf(sources, await watcher.watch({ ...plain(url), storage }, wordsOf(sources)))
}

/** The first lead of a source that a browser runs; other pages where its word got as far are places of the same. */
const prove = async (leads: readonly (Lead & { readonly page: string })[], prover: Prover): Promise<DomHit | null> => {
  const [first] = leads
  if (!first) return null
  if (first.source.kind === 'cookie') {
    const apart = await prover.stranger({ authenticated: true })
    return proveFirst(leads, first, apart).finally(() => apart.close())
  }
  return proveFirst(leads, first, prover)
}

const proveFirst = async (
  leads: readonly (Lead & { readonly page: string })[],
  first: Lead & { readonly page: string },
  prover: Prover,
): Promise<DomHit | null> => {
  const others = pagesOf(leads).filter((page) => page !== first.page)
  for (const lead of mostTelling(leads.filter(({ page }) => page === first.page))) {
    const hit = (await proveScript(first.page, lead, prover)) ?? (await proveRedirect(first.page, lead, prover))
    if (hit) return { ...hit, alsoOn: others.slice(0, MOST_PLACES) }
  }
  return null
}

const pagesOf = (leads: readonly { readonly page: string }[]): readonly string[] => [
  ...new Set(leads.map(({ page }) => page)),
]

/** Parameters of the address, and those that its scripts asked for. */
const namesOf = (url: string, { notes }: Watched): readonly string[] =>
  [...new Set([...new URL(url).searchParams.keys(), ...notes.names])]
    .filter((name) => name !== 'qx')
    .slice(0, MOST_NAMES)

const RANK: readonly string[] = ['html', 'code', 'script', 'location', 'address', 'window', 'selector']

const mostTelling = <One extends { readonly reached: Reached }>(list: readonly One[]): readonly One[] =>
  list.toSorted((a, b) => RANK.indexOf(a.reached.sink) - RANK.indexOf(b.reached.sink)).slice(0, 12)

const approachOf = ({ source, reached, messages }: Lead, payload: string, written = false): Approach => {
  const message = reached.message === null ? undefined : messages[reached.message]
  if (source.kind !== 'message' || !message) return ((written && source.written) || source.with)(payload)
  const sent = withPayload(message, source.word, payload)
  return { ...source.with(''), opener: { name: '', query: '', messages: [sent] } }
}

type Proven = Omit<DomHit, 'alsoOn'>

const proveScript = async (page: string, lead: Lead, prover: Prover): Promise<Proven | null> => {
  const { sink, value, word } = lead.reached
  const ways = domPayloads(sink, value, word, 0).length
  const turns = Array.from({ length: ways }, (_, way) => way)
  const written = lead.source.written ? turns.slice(0, MOST_WRITTEN) : []
  for (const [turn, way] of [...turns, ...written].entries()) {
    const nonce = newNonce()
    const payload = domPayloads(sink, value, word, nonce)[way] ?? ''
    const approach = approachOf(lead, payload, turn >= ways)
    const proof = await prover.prove(approach, nonce)
    if (proof.ran === null) continue
    return { ...hitOf(page, lead, payload, approach), kind: 'script', ran: proof.ran, screenshot: proof.screenshot }
  }
  return null
}

/** Twice, to hosts that nobody can have meant. */
const proveRedirect = async (page: string, lead: Lead, prover: Prover): Promise<Proven | null> => {
  if (lead.reached.sink !== 'location' || lead.source.kind === 'storage' || lead.source.kind === 'cookie') return null
  if (!lead.reached.value.trim().startsWith(lead.reached.word)) return null
  let hit: Proven | null = null
  for (let round = 0; round < 2; round += 1) {
    const host = `qx${randomBytes(4).toString('hex')}.example`
    const payload = `https://${host}/`
    const approach = approachOf(lead, payload)
    if (!(await prover.leadsTo(approach, host))) return null
    hit = { ...hitOf(page, lead, payload, approach), kind: 'redirect', ran: 'load', screenshot: null }
  }
  return hit
}

const hitOf = (
  page: string,
  { source, reached }: Lead,
  payload: string,
  approach: Approach,
): Omit<DomHit, 'kind' | 'ran' | 'screenshot' | 'alsoOn'> => ({
  page,
  source: source.kind,
  name: source.name,
  sink: reached.sink,
  address: approach.url,
  message: approach.opener?.messages[0] === undefined ? null : JSON.stringify(approach.opener.messages[0]),
  payload,
})
