/** Where what was stored may come out: pages, and what their scripts ask for, read anew for the words that were sent. */
import type { HttpExchange, HttpRequest } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import { isScriptFile, kindOf, viewOf, withoutHash } from '../../../../page/shape.ts'
import { isHtml, mediaTypeOf, textOf } from '../../../../page/text.ts'
import { effectOf, isSafe } from '../../../../safety/effect.ts'
import type { CollectContext } from '../../../module.ts'
import { hasOwnWord } from '../../../own-words.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { requestOf } from '../../insertion-points/inventory.ts'
import { recordsLast } from '../../insertion-points/other-pages.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { folderKindOf, turnsOf } from '../../insertion-points/turns-of-kinds.ts'
import { askedByStored, valuesBeside } from './feed-values.ts'

const MOST_PAGES = 300
const MOST_FEEDS = 80
/** Places of one word, and of one part of the site: what one encodes another may not. */
export const MOST_SHOWN = 6
/** Words that came out and are tried. */
export const MOST_PLACES = 40
const MOST_OF_A_PART = 2
/** Pages on which a script may draw it. */
export const MOST_DRAWN = 4
const AT_ONCE = 6
const WORDS = /qx[0-9a-f]{10}/gi

/** A word, and where it was sent. */
export interface Planted {
  readonly word: string
  readonly probe: Probe
  /** Where the answer led. */
  readonly location: string
  /** Pages that showed it at once: a list of the latest has others by the time that all was asked. */
  readonly shown?: readonly Shown[]
}

/** Its request may keep what it is sent. */
export const mayStore = ({ probe: { request } }: Planted): boolean =>
  request.effect !== 'reads' || request.bound !== undefined

/** Where a word comes out: in a page, or in what a page's script asks for and draws there. */
export interface Place {
  readonly url: string
  /** Null where it is the page itself. */
  readonly drawnOn: string | null
  /** Other pages that ask for the same. */
  readonly alsoOn?: readonly string[]
  /** How it is asked for, where that is another method than GET. */
  readonly asks?: Pick<HttpRequest, 'method' | 'headers' | 'body'>
}
export type Shown = Place & {
  readonly text: string
  /** The page that links to it, where the crawl did not know it yet: what is stored next has another of its own. */
  readonly listedOn?: string
}
export type Seen = ReadonlyMap<Planted, readonly Shown[]>
export type SeenSoFar = Map<Planted, readonly Shown[]>

export const add = (seen: SeenSoFar, one: Planted, shown: readonly Shown[]): void => {
  const kept = [...(seen.get(one) ?? [])]
  for (const place of shown) {
    if (kept.some(({ url, drawnOn }) => url === place.url && drawnOn === place.drawnOn)) continue
    const part = partOf(place)
    const alike = kept.filter((other) => partOf(other) === part).length
    if (kept.length < MOST_SHOWN && alike < MOST_OF_A_PART) kept.push(place)
  }
  seen.set(one, kept)
}

/** Of an address what its code is told by: names, and words that choose; a number is a record. */
const partOf = ({ url, drawnOn }: Place): string => {
  const chosen = [...new URL(url).searchParams].map(([name, value]) =>
    /^[a-z][\w.-]{0,40}$/i.test(value) ? `${name}=${value}` : name,
  )
  return `${kindOf(url)}?${chosen.join('&')}${drawnOn === null ? '' : ' drawn'}`
}

/** Words that stand there now, each with the first places that show it. Nothing more is asked once `isOver`. */
export const lookAt = async (
  ctx: CollectContext,
  places: readonly (Place & Pick<Shown, 'listedOn'>)[],
  planted: readonly Planted[],
  heard: (page: Shown) => void = () => undefined,
  isOver: () => boolean = () => false,
): Promise<SeenSoFar> => {
  const byWord = new Map(planted.map((one) => [one.word, one]))
  const seen: SeenSoFar = new Map()
  for (let at = 0; at < places.length && !isOver(); at += AT_ONCE) {
    const batch = await Promise.all(
      places.slice(at, at + AT_ONCE).map(async (one) => ({ ...one, text: (await answerAt(ctx, one, true)) ?? '' })),
    )
    for (const shown of batch) {
      heard(shown)
      const words = new Set([...shown.text.matchAll(WORDS)].map(([word]) => word.toLowerCase()))
      for (const word of words) {
        const one = byWord.get(word)
        if (one) add(seen, one, [shown])
      }
    }
  }
  return seen
}

/** Of records of one program, and of addresses that values alone tell apart, so many are read again. */
const MOST_OF_A_KIND = 3

/** Whether a page shows anything that the run has stored. */
export const showsOwn = ({ text }: Pick<Shown, 'text'>): boolean => hasOwnWord(text)

/**
 * What is read for words that are sent anew, once all was read for all words: of many records that one program shows alike, and of pages that are asked
 * for with the same names, a few, and those that show something of the run, by their addresses.
 */
export const readAgain = <One extends Place>(
  places: readonly One[],
  programOf: (url: string) => string | undefined,
  own: ReadonlySet<string>,
): readonly One[] => {
  const before = new Map<string, number>()
  return places.filter(({ url }) => {
    const kind = programOf(url) ?? namedBy(url)
    if (kind === undefined || own.has(url)) return true
    before.set(kind, (before.get(kind) ?? 0) + 1)
    return (before.get(kind) ?? 0) <= MOST_OF_A_KIND
  })
}

/** Of the pages of a folder, numbers aside, so many, and those that show something of the run. */
export const someOfEach = <One extends Place>(places: readonly One[], own: ReadonlySet<string>): readonly One[] => {
  const turns = turnsOf(places, ({ url }) => folderKindOf(url))
  return places.filter((one) => own.has(one.url) || (turns.get(one) ?? 0) < MOST_OF_A_FOLDER)
}
const MOST_OF_A_FOLDER = 20

/** Its path and the names it is asked for with, words among their values, which may choose; undefined without any. */
const namedBy = (url: string): string | undefined =>
  new URL(url).search === '' ? undefined : partOf({ url, drawnOn: null })

/** What so many pages ask for, more than are noted, all of them may. */
export const isNear = ({ url, drawnOn, alsoOn = [] }: Place, near: ReadonlySet<string>): boolean =>
  drawnOn === null
    ? near.has(url)
    : alsoOn.length >= MOST_DRAWN - 1 || [drawnOn, ...alsoOn].some((page) => near.has(page))

/** Where its form stands, and where its answer leads. */
export const nearOf = ({ probe: { request }, location }: Planted): readonly string[] =>
  [...request.seenOn, ...ledTo(request.url, location)].flatMap((url) => [withoutHash(url), viewOf(url)])

const ledTo = (from: string, location: string): readonly string[] => {
  const url = location === '' ? null : URL.parse(location, from)
  return url && url.host === new URL(from).host ? [url.href] : []
}

/** Pages that show forms first, then those that answers led to, then all others. */
export const pagesOf = ({ urls, requests }: CrawlFacts, planted: readonly Planted[]): readonly string[] => {
  // What a form of the page does is done by posting it, at the address that shows it as well.
  const harmful = new Set(requests.filter(({ method, harm }) => isSafe(method) && harm !== null).map(({ url }) => url))
  const answered = urls
    .filter(({ status, contentType }) => status === 200 && /html|^$/.test(contentType))
    .map(({ url }) => url)
  const led = planted.flatMap(({ probe, location }) => ledTo(probe.request.url, location))
  const all = [...planted.flatMap(({ probe }) => probe.request.seenOn), ...led, ...answered]
  return [...new Set(all.map(withoutHash))].filter((url) => !harmful.has(url))
}

export type Feed = Place & { readonly drawnOn: string; readonly alsoOn: readonly string[] }

/**
 * What scripts of pages ask for: seen in the browser, or named by a page and no page itself; by POST what was seen to read. What pages of these forms
 * ask for comes first.
 */
export const feedsOf = ({ urls, requests, others = [] }: CrawlFacts, planted: readonly Planted[]): readonly Feed[] => {
  const near = new Set(planted.flatMap(nearOf))
  const stored = valuesBeside(planted.flatMap(({ probe: { point } }) => point ?? []))
  const types = new Map(urls.map(({ url, contentType }) => [url, contentType]))
  const isData = (url: string): boolean => /json|xml$|text\/plain/.test(types.get(url) ?? '')
  return [...requests, ...others.flatMap((one) => one.requests)]
    .filter(({ sent, harm }) => sent && harm === null)
    .filter((one) => (one.method === 'GET' ? one.source === 'browser' || isData(one.url) : isFetched(one)))
    .flatMap((request) => {
      const { url, seenOn, method } = request
      const pages = seenOn.filter((one) => /html|^$/.test(types.get(one) ?? '') && !isScriptFile(one))
      if (pages[0] === undefined) return []
      const feed = { url, drawnOn: pages[0], alsoOn: pages.slice(1, MOST_DRAWN) }
      if (method === 'GET') return [feed]
      const { headers, body } = requestOf(request)
      return [{ ...feed, asks: { method, headers, ...(body === null ? {} : { body }) } }]
    })
    .flatMap((feed): readonly Feed[] => askedByStored(feed, stored))
    .toSorted((a, b) => Number(isNear(b, near)) - Number(isNear(a, near)))
}

/**
 * Where words are looked for, records of a program that are like many others last; `pages`: how many of them are pages, `left`: how many more there
 * were than are read.
 */
export const placesOf = (
  crawl: CrawlFacts,
  planted: readonly Planted[],
  programOf: (url: string) => string | undefined,
  excludes: (url: string) => boolean,
): { readonly places: readonly (Place | Feed)[]; readonly pages: number; readonly left: number } => {
  const near = new Set(planted.flatMap(nearOf))
  const known = pagesOf(crawl, planted).filter((url) => !excludes(url))
  const all = recordsLast(known, (url) => (near.has(url) ? undefined : programOf(url)))
  const pages = all.slice(0, MOST_PAGES).map((url): Place => ({ url, drawnOn: null }))
  const fed = feedsOf(crawl, planted).filter(({ url, drawnOn }) => ![url, drawnOn].some(excludes))
  const feeds = fed.slice(0, MOST_FEEDS)
  const left = all.length - pages.length + fed.length - feeds.length
  return { places: [...pages, ...feeds], pages: pages.length, left }
}

/** A list that is asked for with a body: what it takes to ask for it again stores nothing. */
const isFetched = (request: CrawlFacts['requests'][number]): boolean =>
  request.method === 'POST' &&
  request.source === 'browser' &&
  effectOf(request) === 'reads' &&
  request.bound === undefined

/** Null where nothing answers, and for a page that is none. */
export const answerAt = async (
  ctx: CollectContext,
  { url, drawnOn, asks = {} }: Place,
  authenticated: boolean,
): Promise<string | null> => {
  let exchange: HttpExchange
  try {
    exchange = await ctx.egress.http({ ...pageRequest(url, { authenticated }), ...asks })
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (targetFailure(error) === null) throw error
    return null
  }
  const text = textOf(exchange)
  return drawnOn !== null || isHtml(mediaTypeOf(exchange), text) ? text : null
}
