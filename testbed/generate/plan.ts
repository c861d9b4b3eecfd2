/** Which application a seed makes: its places, each with a way to it, a request, a filter, a sink and a truth. */
import { ENDS, WORDS } from '../words.ts'
import { FILTERS, type Filter } from './filters.ts'
import type { Surroundings } from './large.ts'
import { type Random, randomOf } from './random.ts'
import type { Sink } from './sink.ts'
import { PAGE_SINKS } from './sinks-page.ts'
import { SERVER_SINKS } from './sinks-server.ts'

export const SINKS: readonly Sink[] = [...SERVER_SINKS, ...PAGE_SINKS]

/** How a visitor comes to the request. */
export const WAYS = [
  'link',
  'redirect',
  'form-get',
  'form-post',
  'fetch',
  'route',
  'front',
  'numbered',
  'option',
  /** A shell without content, whose script asks an interface for all of it. */
  'shell',
  /** On the third page of a list. */
  'paged',
  /** A form with a token that holds for a visitor, and one with a token that holds once. */
  'token',
  'token-once',
  /** A form whose answer leads to the page that shows it. */
  'posted',
  /** A form that stores; another page works with what is stored. */
  'kept',
  /** Likewise, of one value: the next one takes its place. */
  'replaced',
] as const
export type Way = (typeof WAYS)[number]

/** Where in the request the value stands. */
export const SPOTS = [
  ...(['query', 'urlencoded', 'json', 'multipart', 'path', 'cookie', 'header'] as const),
  /** A member of `filter[...]`; of an element of a list; of JSON in base64 in an address or a cookie. */
  ...(['array', 'json-list', 'packed', 'cookie-packed'] as const),
  ...(['json-put', 'json-patch', 'graphql', 'xml'] as const),
] as const
export type Spot = (typeof SPOTS)[number]

const SPOTS_OF: Readonly<Record<Way, readonly Spot[]>> = {
  link: ['query', 'path', 'cookie', 'header', 'array', 'packed', 'cookie-packed'],
  redirect: ['query', 'path'],
  'form-get': ['query', 'array'],
  'form-post': ['urlencoded', 'multipart'],
  fetch: ['query', 'json', 'urlencoded', 'header', 'json-list', 'json-put', 'json-patch', 'graphql', 'xml'],
  route: ['query', 'json', 'json-list', 'graphql'],
  front: ['query', 'urlencoded'],
  numbered: ['query'],
  option: ['query', 'urlencoded'],
  shell: ['query', 'path', 'json', 'json-list', 'json-put', 'json-patch', 'graphql'],
  paged: ['query', 'path'],
  token: ['urlencoded', 'multipart'],
  'token-once': ['urlencoded'],
  posted: ['urlencoded', 'multipart'],
  kept: ['urlencoded', 'multipart'],
  replaced: ['urlencoded', 'multipart'],
}

/**
 * How the page answers: with its errors, with one text for all of them, late, a little different each time, with content that
 * changes, with errors that look like success, or with 429 to who asks too often.
 */
export const ANSWERS = ['shown', 'hidden', 'slow', 'noisy', 'shuffled', 'soft', 'limited'] as const
export type Answers = (typeof ANSWERS)[number]

export interface Planted {
  /** Its number within the application. */
  readonly at: number
  readonly way: Way
  readonly spot: Spot
  readonly filter: Filter
  readonly sink: Sink
  readonly answers: Answers
  /** The answer is JSON, its errors too. */
  readonly speaksJson: boolean
  /** Only for visitors with the session. */
  readonly signedIn: boolean
  readonly vulnerable: boolean
  /** Of the application, ordinary words: where the way begins, and where the request goes. */
  readonly entry: string
  readonly path: string
  readonly input: string
}

export interface Application {
  readonly seed: number
  readonly title: string
  /** Cookie header of a visitor who is signed in; null where there is nothing to sign in to. */
  readonly cookie: string | null
  readonly places: readonly Planted[]
  /** Of a large one; otherwise the navigation leads to all places. */
  readonly around?: Surroundings
}

const NAMES = ['Northfold', 'Alder & Co', 'Moss Library', 'Harbour Hall', 'Riverside', 'Old Mill', 'Juniper']
export interface Wanted {
  readonly places: number
  /**
   * `both`: of each two places one is a flaw and the other its safe twin. `split`: half of the classes are careless everywhere,
   * the others nowhere, so that an application has checks that have to fail and checks that have to pass. Default `both`.
   */
  readonly truth?: 'both' | 'split'
  /** Classes of sinks; by default all. */
  readonly classes?: readonly string[]
  /** By default all; one that is named twice comes twice as often. */
  readonly ways?: readonly Way[]
  /** By default all. */
  readonly answers?: readonly Answers[]
}

export const planApplication = (seed: number, wanted: Wanted): Application => {
  const { places, truth = 'both', classes } = wanted
  const random = randomOf(seed)
  const sinks = SINKS.filter((sink) => classes === undefined || classes.includes(sink.class))
  const words = random.shuffled(WORDS)
  const guarded = random.below(3) === 0
  const known = random.shuffled([...new Set(sinks.map((sink) => sink.class))])
  const careless = known.slice(0, Math.ceil(known.length / 2))
  const drafts = Array.from({ length: truth === 'both' ? places / 2 : places }, () =>
    draftOf(random, sinks, guarded, wanted),
  )
  const planted = drafts.flatMap((draft) =>
    truth === 'both'
      ? [true, false].map((vulnerable) => ({ ...draft, vulnerable }))
      : [{ ...draft, vulnerable: careless.includes(draft.sink.class) }],
  )
  return {
    seed,
    title: random.pick(NAMES),
    cookie: guarded ? `visitor=${1_000 + random.below(9_000)}` : null,
    places: random.shuffled(planted).map((place, at) => named(place, at, words, random)),
  }
}

type Draft = Omit<Planted, 'at' | 'entry' | 'path' | 'input' | 'vulnerable'>

/** Of another site's making is no JSON, no header and no cookie: what only a visitor's browser suffers is no flaw there. */
const FORGED: readonly Spot[] = ['query', 'urlencoded', 'multipart', 'path', 'array', 'packed']
const BROWSERS_OWN = ['xss', 'redirect', 'header']

/** Ways that have many kinds of requests come more often. */
const MANIFOLD: readonly Way[] = ['fetch', 'fetch', 'shell']

/** Ways on which a value that came once is used later, by the visitor who sent it or by others: not for what is told in the head of an answer. */
const LATER: readonly Way[] = ['posted', 'kept', 'replaced']
const OF_THE_HEAD = ['redirect', 'header']

const fits = (sink: Sink, way: Way, spot: Spot): boolean => {
  if (LATER.includes(way) && OF_THE_HEAD.includes(sink.class)) return false
  if (BROWSERS_OWN.includes(sink.class)) return FORGED.includes(spot) && !way.startsWith('token')
  return spot !== 'header' || way === 'fetch' || sink.free === true
}

const draftOf = (
  random: Random,
  sinks: readonly Sink[],
  guarded: boolean,
  { ways = [...WAYS, ...MANIFOLD], answers = ANSWERS }: Wanted,
): Draft => {
  // By class first: there are many contexts of a page, and one shell.
  const name = random.pick([...new Set(sinks.map((sink) => sink.class))])
  const sink = random.pick(sinks.filter((one) => one.class === name))
  const way = random.pick(ways.filter((one) => SPOTS_OF[one].some((spot) => fits(sink, one, spot))))
  const filter = random.pick(['none', 'none', ...FILTERS.filter((one) => sink.witness(one) !== null)] as const)
  const api = ['fetch', 'route', 'shell'].includes(way) && !BROWSERS_OWN.includes(sink.class)
  return {
    ...{ way, filter, sink },
    spot: random.pick(SPOTS_OF[way].filter((spot) => fits(sink, way, spot))),
    answers: random.pick(answers),
    speaksJson: api && random.below(2) === 0,
    signedIn: guarded && random.below(2) === 0,
  }
}

const named = (
  draft: Draft & Pick<Planted, 'vulnerable'>,
  at: number,
  words: readonly string[],
  random: Random,
): Planted => {
  const word = words[at % words.length] ?? 'pages'
  const path =
    draft.way === 'front'
      ? '/index'
      : draft.way === 'numbered'
        ? `/${words.at(-1) ?? 'notes'}/part-${at + 1}`
        : `/${word}/${random.pick(ENDS)}`
  const input = draft.spot === 'header' ? headerOf(draft.way, random) : draft.sink.input
  return { ...draft, at, entry: `/${word}`, path, input }
}

/** One that the page's own script sends, and those that every browser does. */
const headerOf = (way: Way, random: Random): string =>
  way === 'fetch' ? 'X-Region' : random.pick(['User-Agent', 'Referer'])
