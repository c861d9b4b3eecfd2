/** What a page is asked beyond one look at it: parameters that it reads, parts of its route, its storage, and what is pressed there. */
import { hashRouteOf } from '../../../../page/shape.ts'
import {
  pathSegments,
  routeParameters,
  routeSegments,
  withDocumentQuery,
  withFragment,
  withParts,
  withPathSegment,
} from './addresses.ts'
import { askCodeNames, askMovedNames } from './code-named.ts'
import { messagesFor, originsFor, withPayload } from './messages.ts'
import { askPollution } from './polluting.ts'
import { type Lead, leadsOf } from './prove.ts'
import {
  anchoredSource,
  everything,
  inFragment,
  messageFrom,
  movedSource,
  outerSources,
  partSource,
  pathSource,
  plain,
  querySource,
  type Source,
  segmentSource,
  storageSource,
  wordsOf,
} from './sources.ts'
import type { Looked, Presses, Reached, Watched, Watcher } from './watching.ts'

export const MOST_NAMES = 8
const MOST_CODED = 3
/** Pages on which one key of storage is asked. */
const KEY_ON = 2
const SESSION = /sess|auth|token|csrf|xsrf/i

/** What is in its address while it is pressed: nothing but values of ours beside its own, values of names, addresses, parts of its route. */
export type Asking = 'page' | 'names' | 'addresses' | 'segments'

/** A page that is asked more. */
export interface Asked {
  readonly url: string
  readonly watched: Watched
  readonly watcher: Watcher
  /** Null where there is nothing to press. */
  readonly presses: (asking: Asking) => Presses | null
  readonly excludes: (url: string) => boolean
  /** Hears why it could not be asked in full. */
  readonly fallsShort: (reason: string) => void
  /** On how many pages each key of storage was asked. */
  readonly keys: Map<string, number>
  /** True once for each address: what several pages of an application share is asked once. */
  readonly isNew: (address: string) => boolean
}

/** `first`: what its first visit has shown. */
export const askMore = async (page: Asked, first: readonly Lead[]): Promise<readonly Lead[]> => {
  const { url, watched, watcher } = page
  const pressed = await askPressed(page)
  const names = [...new Set([...namesOf(url, watched), ...pressed.names])].slice(0, MOST_NAMES)
  const { leads: named, keeping } = await askNames(page, names)
  const stored = await askStorage(page)
  const nested = await askNested(page)
  const routed = [
    ...(await askSegments(page)),
    ...(await askPath(page)),
    ...(await askMoved(page, names)),
    ...(await askAnchored(page)),
  ]
  const known = await askCodeNames(page, names)
  const sent = await askOrigins(page)
  const plainly = [...first, ...named, ...stored, ...known]
  const encoded = await askBase64(plainly, watcher)
  return [
    ...pressed.leads,
    ...named,
    ...(watched.notes.moves ? await askMoves(page, keeping) : []),
    ...stored,
    ...nested,
    ...routed,
    ...sent,
    ...(await askPollution(page, keeping, (left) => page.fallsShort(left ? UNFILLED : UNUSED))),
    ...known,
    ...encoded,
    ...(await askJson(watched.notes.code, [...plainly, ...encoded], watcher)),
  ]
}

/** In words that follow the number of pages. */
const HELD = 'with something that must not be pressed'
export const UNPRESSED = 'with more to press than was'
const UNUSED = 'whose objects an address fills, and no script was seen to use that'
const UNFILLED = 'whose objects an address fills, with more members than were tried'

interface Pressed {
  readonly leads: readonly Lead[]
  /** What is pressed may read other parameters than the page has so far. */
  readonly names: readonly string[]
}

/** All that can be pressed on the page as it is. */
const askPressed = async ({ url, watched, watcher, presses, fallsShort }: Asked): Promise<Pressed> => {
  // The first look has done it, and told its leads.
  if (watched.unpressed !== null) return pressedBy(watched, [], fallsShort)

  const hand = presses('page')
  if (hand === null) return { leads: [], names: [] }
  const outer = outerSources(url, watcher)
  const pressed = await watcher.watch(everything(url, outer), wordsOf(outer), { presses: hand })
  return pressedBy(pressed, leadsOf(Object.values(outer), pressed), fallsShort)
}

const pressedBy = ({ unpressed, names }: Watched, leads: readonly Lead[], fallsShort: Asked['fallsShort']): Pressed => {
  const { left = 0, held = 0 } = unpressed ?? {}
  const reason = held > 0 ? HELD : left > 0 ? UNPRESSED : null
  if (reason !== null) fallsShort(reason)
  return { leads, names }
}

interface Named {
  readonly leads: readonly Lead[]
  /** Those with which the page stays what it is. */
  readonly keeping: readonly string[]
}

/** All at once; where that leads to another page, as one of them chooses it or names what it shows, each alone. */
const askNames = async (page: Asked, names: readonly string[]): Promise<Named> => {
  const allowed = names.filter((name) => !page.excludes(withDocumentQuery(page.url, name, 'x')))
  if (allowed.length === 0) return { leads: [], keeping: [] }
  const together = await askTogether(page, allowed, page.presses('names'))
  if (allowed.length === 1 || together.stays) return { leads: together.leads, keeping: allowed }
  const leads: Lead[] = [...together.leads]
  const keeping: string[] = []
  for (const name of allowed) {
    const isOwn = new URL(page.url).searchParams.has(name)
    const alone = await askTogether(page, [name], isOwn ? null : page.presses('names'))
    leads.push(...alone.leads)
    if (alone.stays) keeping.push(name)
  }
  return { leads, keeping: keeping.length === 0 ? allowed : keeping }
}

const askTogether = async (
  { url, watcher, watched }: Asked,
  names: readonly string[],
  presses: Presses | null,
): Promise<{ readonly leads: readonly Lead[]; readonly stays: boolean }> => {
  const queries = names.map((name) => querySource(url, name, watcher.word()))
  const fragments = names.map((name) => partSource(url, name, watcher.word()))
  const asked = queries.reduce((so, { name, word }) => withDocumentQuery(so, name ?? '', word), url)
  const address = withParts(
    asked,
    fragments.map(({ name, word }) => [name ?? '', word] as const),
  )
  const sources = [...queries, ...fragments]
  const seen = await watcher.watch(plain(address), wordsOf(sources), { presses })
  return { leads: leadsOf(sources, seen), stays: seen.isThere && seen.notes.scripts === watched.notes.scripts }
}

/** Parts of the path behind the #: each alone, as the others choose what is shown. */
const askSegments = async ({ url, watcher, presses }: Asked): Promise<readonly Lead[]> => {
  const hand = presses('segments')
  const sources = routeSegments(url)
    .slice(0, MOST_NAMES)
    .map((index) => segmentSource(url, index, watcher.word()))
  const leads = await Promise.all(
    sources.map(async (one) => leadsOf([one], await watcher.watch(one.with(one.word), [one.word], { presses: hand }))),
  )
  return leads.flat()
}

/** Scripts that read the path of their address. Files of scripts may. */
const READS_PATH =
  /\bpathname\b|location\s*\.\s*href|document\s*\.\s*(?:URL|documentURI|baseURI)|\blocation\s*\+|String\(\s*location/
/** From the end: what names a thing stands there. */
const MOST_PARTS = 2

/** Parts of the path, each alone: where the server knows no such page, its own page for that may have scripts as well. */
const askPath = async ({ url, watched, watcher, excludes, isNew }: Asked): Promise<readonly Lead[]> => {
  if (!watched.notes.files && !READS_PATH.test(watched.notes.code)) return []
  const leads: Lead[] = []
  for (const index of pathSegments(url).slice(-MOST_PARTS)) {
    const place = withPathSegment(url, index, '*')
    if (excludes(withPathSegment(url, index, 'x')) || !isNew(place)) continue
    const source = pathSource(url, index, watcher.word())
    leads.push(...leadsOf([source], await watcher.watch(source.with(source.word), [source.word])))
  }
  return leads
}

/** What hears of another part behind the # may look at none when it is opened. */
const askMoved = async (page: Asked, names: readonly string[]): Promise<readonly Lead[]> => {
  const { url, watched, watcher } = page
  if (!watched.notes.follows) return []
  const source = movedSource(url, watcher.word())
  const whole = leadsOf([source], await watcher.watch(source.with(source.word), [source.word]))
  return [...whole, ...(await askMovedNames(page, names))]
}

/** What stands behind words that choose a part of the page: with others the page may do nothing. */
const askAnchored = async ({ url, watched, watcher }: Asked): Promise<readonly Lead[]> => {
  const leads: Lead[] = []
  for (const start of hashRouteOf(url) === null ? watched.notes.anchors : []) {
    const source = anchoredSource(url, start, watcher.word())
    leads.push(...leadsOf([source], await watcher.watch(source.with(source.word), [source.word])))
  }
  return leads
}

/** A listener that looks at a part of the sender's origin takes in a site whose name has that part. */
const askOrigins = async ({ url, watched: { notes, reached }, watcher }: Asked): Promise<readonly Lead[]> => {
  if (reached.some(({ message }) => message !== null)) return []
  for (const origin of originsFor(notes.listeners, url)) {
    const source = messageFrom(url, origin, watcher.word())
    const leads = leadsOf([source], await watcher.watch(source.with(''), [], { message: source.word }))
    if (leads.length > 0) return leads
  }
  return []
}

/** A value that holds parameters of its own: the last of them. */
const askNested = async ({ url, watcher }: Asked): Promise<readonly Lead[]> => {
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
  { url, watcher, presses, excludes }: Asked,
  names: readonly string[],
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
  const leads = leadsOf(sources, await watcher.watch(asked, wordsOf(sources), { presses: presses('addresses') }))
  return leads.filter(({ reached }) => reached.sink === 'location' || reached.sink === 'script')
}

/** Each alone: many applications read one of them before they show anything, and end where they cannot. */
const askStorage = async ({ url, watched, watcher, keys }: Asked): Promise<readonly Lead[]> => {
  const leads: Lead[] = []
  for (const name of keysOf(watched, keys)) {
    const source = storageSource(url, name, watcher.word())
    leads.push(...leadsOf([source], await watcher.watch(source.with(source.word), [source.word])))
  }
  return leads
}

/** Of what every page reads, the first pages tell what becomes of it; without what holds its session a page shows little. */
const keysOf = ({ notes }: Watched, keys: Map<string, number>): readonly string[] =>
  notes.keys
    .filter((name) => !SESSION.test(name) && (keys.get(name) ?? 0) < KEY_ON)
    .slice(0, MOST_NAMES)
    .map((name) => {
      keys.set(name, (keys.get(name) ?? 0) + 1)
      return name
    })

/** Parameters of the address, and those that its scripts asked for. */
export const namesOf = (url: string, { notes, routed }: Pick<Looked, 'notes' | 'routed'>): readonly string[] =>
  [...new Set([...new URL(url).searchParams.keys(), ...routeParameters(url), ...notes.names, ...routed])]
    .filter((name) => name !== 'qx')
    .slice(0, MOST_NAMES)
