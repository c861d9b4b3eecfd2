/** Payloads for each place in which a word came out, chosen by what comes back there, until one runs. */
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { Part } from '../../insertion-points/plan.ts'
import type { Reply } from '../../insertion-points/prober.ts'
import { Blocked, type Probe, Unsendable } from '../../insertion-points/prober.ts'
import type { Reflection } from '../contexts.ts'
import type { Context, ReflectedHit } from '../facts.ts'
import { type Candidate, candidatesFor, type Dress, isLinked } from '../payloads/candidates.ts'
import { filterProfileOf, UNFILTERED } from '../payloads/filter-profile.ts'
import { newNonce } from '../proving.ts'
import { type Ask, askSurvival, type Came, CHARACTERS, formsOf, isSeenIn } from '../survival.ts'

/** In all, and for one place in one dress; where each may stay on the site, fewer. */
const MOST = { reads: 40, others: 16, place: 16 }
/** Once more is known of what passes, where it only reads. */
const MORE = 16
/** About characters, before the first payload. */
const MOST_QUESTIONS = { reads: 14, others: 4 }
/** Payloads where many places are to be asked each something. */
const MOST_OF_FIRST = 4
/** How often a browser is asked about one insertion point, and how often a policy may refuse. */
const MOST_PROOFS = 10
const MOST_REFUSED = 2

/**
 * Lines end a header. Of a file's name programs keep what is behind the last slash: all that stands before it, in a question or in a payload,
 * would be gone, and with it what is known of a closing bracket, which is never sent without a slash that keeps shells from writing.
 */
const UNASKED: Readonly<Partial<Record<ProbePoint['place'], Came>>> = {
  header: new Map([
    ['\n', null],
    ['\t', null],
  ]),
  'file-name': new Map([
    ['/', null],
    ['\\', null],
    ['>', '>'],
  ]),
}

/** A place in which the word came out, with what passes there. */
interface Spot {
  readonly context: Context
  readonly came: Came
  readonly steady: boolean
}

/** How a value travels: behind what a page answers to, or encoded as its own value is. */
export type Carrier = (value: string) => string

export interface Search {
  readonly probe: Probe
  readonly carried: Carrier
  readonly word: string
  readonly first: Reply
  readonly reflections: readonly Reflection[]
  readonly part: Part
  /** What becomes of a payload that was sent: null where it stands in no code. */
  readonly judge: (
    candidate: Candidate & { readonly sent: string },
    context: Context,
    nonce: number,
    reply: Reply,
  ) => Promise<ReflectedHit | null>
}

export interface Searched {
  readonly hit: ReflectedHit | null
  /** By place, for what else is asked of it. */
  readonly spots: readonly Spot[]
  /** Of a first part: characters did not come back as they were, or were not told, and what could be done about it is left. */
  readonly more?: true
}

export const search = async (parts: Search): Promise<Searched> => {
  const { probe, word, first, reflections } = parts
  const state = stateOf(probe)
  const ask: Ask = async (value) => (await answerTo(state, probe, parts.carried(value)))?.text ?? null
  const unasked = UNASKED[probe.point.place] ?? new Map()
  const tokens = CHARACTERS.filter((char) => !unasked.has(char))
  const came = await askSurvival(ask, word, reflections.length, tokens, {
    most: parts.part === 'first' ? 1 : MOST_QUESTIONS[reads(probe) ? 'reads' : 'others'],
    vital: reflections.every(({ context }) => BY_ELEMENTS.has(context.kind)) ? '<' : null,
    unasked,
  })
  const steady = reflections.map(({ at }) => first.text.startsWith(word, at))
  const spots = distinct(
    reflections.map(({ context }, index) => ({
      context,
      came: came[index] ?? new Map(),
      steady: steady[index] ?? true,
    })),
  )
  const { most } = state
  if (parts.part === 'first') state.most = MOST_OF_FIRST
  const hit = await tryAll(parts, state, spots, [])
  if (parts.part === 'first' && hit === null) return { hit, spots, more: true }
  state.most = most
  const isEnd = (hit !== null && settled(state, hit)) || state.proofs >= MOST_PROOFS || state.refused >= MOST_REFUSED
  if (isEnd) return { hit, spots }
  const dead = tokens.filter((char) => spots.every((spot) => spot.came.get(char) !== char))
  const worth = dead.filter((char) => WORTH.includes(char))
  if (!reads(probe) || (worth.length === 0 && !state.altered)) return ended(state, hit, spots)
  state.most += MORE
  if (worth.length === 0) {
    // Each comes back, and together they do not.
    const placed = await tryElsewhere(parts, state, { ask, tokens, unasked, worth: WORTH, spots })
    return ended(state, better(hit, placed), spots)
  }
  const forms = await askForms(ask, word, reflections.length, worth)
  const formed = await tryAll(parts, state, spots, forms)
  if (formed !== null && settled(state, formed)) return { hit: formed, spots }
  const placed = await tryElsewhere(parts, state, { ask, tokens, unasked, worth, spots })
  return ended(state, better(better(hit, formed), placed ?? (await tryRefused(parts, state))), spots)
}

/** What refuses a payload, or fails of it, may repeat it as it came, though the page itself writes values well. */
const tryRefused = async (parts: Search, state: State): Promise<ReflectedHit | null> => {
  const context = { kind: 'text', tag: 'body', attribute: null, quote: '' } as const
  const making = { context, ways: UNFILTERED, nonce: PLACEHOLDER, dress: 'plain', lost: state.lost } as const
  const [first] = candidatesFor(making)
  return first && !state.tried.has(first.payload) ? tryOne(parts, state, first, context) : null
}

/** Where nothing runs but what begins with an element. */
const BY_ELEMENTS: ReadonlySet<Context['kind']> = new Set(['text', 'raw-text', 'comment'])

interface Elsewhere {
  readonly ask: Ask
  readonly tokens: readonly string[]
  readonly unasked: Came
  /** Those that do not come back right behind the word, in a long value. */
  readonly worth: readonly string[]
  readonly spots: readonly Spot[]
}

/**
 * A page that writes each sign as HTML does looks at no value before: what would be written in another place of it, or of a short
 * one, is so as well.
 */
const isEncoded = ({ worth, spots }: Pick<Elsewhere, 'worth' | 'spots'>): boolean =>
  worth.length > 0 && spots.every(({ came }) => worth.every((char) => /^&(?:#?\w{1,8});$/.test(came.get(char) ?? '')))

/** Some filters look at the beginning of a value alone, some let short ones through. */
const tryElsewhere = async (
  parts: Search,
  state: State,
  { ask, tokens, unasked, worth, spots }: Elsewhere,
): Promise<ReflectedHit | null> => {
  if (isEncoded({ worth, spots })) return null
  const places = parts.reflections.length
  const behind: Ask = (value) => ask(`${FILLER}${value}`)
  const spotsOf = (came: readonly Came[]): readonly Spot[] =>
    spots.map((spot, index) => ({ ...spot, came: came[index] ?? came[0] ?? spot.came }))
  const comes = (came: readonly Came[]): boolean => came.some((one) => worth.some((char) => one.get(char) === char))
  const { word, carried } = parts
  if (comes(await askSurvival(behind, word, places, worth, { most: 1 }))) {
    const came = await askSurvival(behind, word, places, tokens, { unasked })
    return tryAll({ ...parts, carried: (value) => carried(`${FILLER}${value}`) }, state, spotsOf(came), [])
  }
  const few = worth.filter((char) => spots.every((spot) => spot.came.get(char) !== char)).slice(0, FEW)
  if (few.length === 0 || !comes(await askSurvival(ask, word, places, few, { most: 1 }))) return null
  const came: Map<string, string | null>[] = spots.map(() => new Map(unasked))
  for (let at = 0; at < tokens.length; at += FEW) {
    const some = await askSurvival(ask, word, places, tokens.slice(at, at + FEW), { most: 1 })
    for (const [index, one] of some.entries()) for (const [char, back] of one) came[index]?.set(char, back)
  }
  return tryAll(parts, state, spotsOf(came), [])
}
export const FILLER = 'a'.repeat(120)
/** Characters that make a short value. */
const FEW = 5

/** All in one request; where that is refused, one for each way to write a character: filters look for ways. */
const askForms = async (ask: Ask, word: string, places: number, chars: readonly string[]): Promise<readonly Came[]> => {
  const all = chars.map((char) => formsOf(char))
  const together = await askSurvival(ask, word, places, all.flat(), { most: 1 })
  if (together.some((one) => [...one.values()].some((back) => back !== null))) return together
  const known: Map<string, string | null>[] = Array.from({ length: places }, () => new Map())
  for (const way of all[0]?.keys() ?? []) {
    const tokens = all.flatMap((forms) => forms[way] ?? [])
    const came = await askSurvival(ask, word, places, tokens, { most: 1 })
    for (const [index, one] of came.entries()) for (const [token, back] of one) known[index]?.set(token, back)
  }
  return known
}

/** Those without which nothing can be left. */
const WORTH: readonly string[] = ['<', '>', '"', "'", '(', ')', '`']

interface State {
  sent: number
  /** Elements whose names did not come back in the present dress. */
  tagsGone: number
  proofs: number
  refused: number
  blocked: Blocked | null
  /** Something in a payload did not come back as it was sent. */
  altered: boolean
  most: number
  isLinkAsked: boolean
  /** Names that do not come back as they are; 'on' for every event. */
  readonly lost: Set<string>
  /** Those that do not come back in the present dress. */
  readonly gone: Set<string>
  readonly tried: Set<string>
}

const reads = ({ request }: Probe): boolean => request.effect === 'reads'

const stateOf = (probe: Probe): State => ({
  ...{ sent: 0, tagsGone: 0, proofs: 0, refused: 0, blocked: null, altered: false, isLinkAsked: false },
  most: reads(probe) ? MOST.reads : MOST.others,
  ...{ lost: new Set(), gone: new Set(), tried: new Set() },
})

const settled = (state: State, hit: ReflectedHit | null): boolean =>
  hit?.ran === 'load' || (hit !== null && hit.unproven !== null) || isOver(state)

const isOver = ({ sent, most, proofs, refused }: State): boolean =>
  sent >= most || proofs >= MOST_PROOFS || refused >= MOST_REFUSED

/** @throws Blocked where something in front kept payloads away and nothing was found */
const ended = (state: State, hit: ReflectedHit | null, spots: readonly Spot[]): Searched => {
  if (hit === null && state.blocked) throw state.blocked
  return { hit, spots }
}

const distinct = (spots: readonly Spot[]): readonly Spot[] => [
  ...new Map(
    spots.map((spot) => [
      JSON.stringify([spot.context, spot.steady, [...spot.came].filter(([a, b]) => a !== b)]),
      spot,
    ]),
  ).values(),
]

/** Null where it is refused; what a page that refuses says may run all the same. */
const answerTo = async (state: State, probe: Probe, value: string): Promise<Reply | null> => {
  try {
    return await probe.send(value, { language: 'markup' })
  } catch (error) {
    if (error instanceof Unsendable) return null
    if (!(error instanceof Blocked)) throw error
    state.blocked ??= error
    return error.reply.status === 0 ? null : error.reply
  }
}

const DRESSES: readonly Dress[] = ['plain', 'mixed', 'open', 'nested', 'wrapped']

const tryAll = async (
  parts: Search,
  state: State,
  spots: readonly Spot[],
  forms: readonly Came[],
): Promise<ReflectedHit | null> => {
  let best: ReflectedHit | null = null
  for (const dress of DRESSES) {
    if (dress !== 'plain' && !state.altered) break
    if (dress === 'mixed') for (const name of state.gone) state.lost.add(name)
    state.gone.clear()
    state.tagsGone = 0
    if (dress === 'open') for (const name of state.lost) state.gone.add(name)
    for (const [index, spot] of spots.entries()) {
      const ways = filterProfileOf(spot.came, spot.steady, forms[index] ?? forms[0])
      const making = { context: spot.context, ways, nonce: PLACEHOLDER, dress, lost: state.lost }
      let here = 0
      for (const made of candidatesFor(making)) {
        if (isOver(state) || here >= MOST.place) break
        const candidate = { ...made, payload: ways.written(made.payload) }
        if (!worth(state, candidate, best)) continue
        // Of few requests one asks whether the page makes links of a text.
        if (isLinked(candidate) && !reads(parts.probe) && state.isLinkAsked) continue
        state.isLinkAsked ||= isLinked(candidate)
        here += 1
        const hit = await tryOne(parts, state, candidate, spot.context, isSeenIn(spot.came, candidate.payload))
        best = better(best, hit)
        if (settled(state, best)) return best
      }
    }
  }
  return best
}

/** So many names of a kind that do not come back speak for all. */
const ENOUGH = 3
const PLACEHOLDER = 100_000

const worth = (
  { gone, tried, tagsGone }: State,
  { payload, tag, event, ends, itself }: Candidate,
  best: ReflectedHit | null,
): boolean =>
  !tried.has(payload) &&
  !(tag !== null && tagsGone > ENOUGH + 1) &&
  !namesOf(tag, event, ends).some((name) => gone.has(name) || (gone.has('on') && name.startsWith('on'))) &&
  (itself || best?.ran !== 'click')

const namesOf = (tag: string | null, event: string | null, ends?: string): readonly string[] =>
  [tag?.split('>')[0], event?.replace(/:$/, ''), ends].filter((name) => name !== undefined)

const better = (a: ReflectedHit | null, b: ReflectedHit | null): ReflectedHit | null => {
  if (!a || !b) return a ?? b
  return a.ran === null && b.ran !== null ? b : a
}

const tryOne = async (
  { probe, carried, judge }: Search,
  state: State,
  made: Candidate,
  context: Context,
  isSeen = true,
): Promise<ReflectedHit | null> => {
  state.tried.add(made.payload)
  state.sent += 1
  // Where what it needs has come back as it was sent.
  if (isSeen) probe.pursue()
  else probe.pursue('sign')
  const nonce = newNonce()
  const fresh = (text: string): string => text.replaceAll(String(PLACEHOLDER), String(nonce))
  const candidate = { ...made, payload: fresh(made.payload), code: fresh(made.code) }
  const sent = carried(candidate.payload)
  const reply = await answerTo(state, probe, sent)
  const hit = reply && (await judge({ ...candidate, sent }, made.becomes ?? context, nonce, reply))
  if (hit) {
    state.proofs += 1
    if (hit.refused && hit.ran === null) state.refused += 1
  } else learn(state, candidate, nonce, reply)
  return hit
}

/** Names that did not come back are not sent again as they are. */
const learn = (state: State, { payload, tag, event, ends }: Candidate, nonce: number, reply: Reply | null): void => {
  const text = reply?.text ?? ''
  if (text.includes(payload)) return
  state.altered = true
  const at = text.indexOf(String(nonce))
  if (at < 0) return
  const around = text.slice(Math.max(0, at - payload.length - 40), at + payload.length + 40).toLowerCase()
  for (const name of namesOf(tag, event, ends)) if (!around.includes(name)) state.gone.add(name)
  if ([...state.gone].filter((name) => name.startsWith('on')).length >= ENOUGH) state.gone.add('on')
  if (tag !== null && !around.includes(namesOf(tag, null)[0] ?? '')) state.tagsGone += 1
}
