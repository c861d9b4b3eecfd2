/** What was sent once and comes out elsewhere: every word that a probe sent is looked for in pages that are asked for anew. */
import { isSafe } from '../../../../safety/effect.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { compose, isAdded } from '../../insertion-points/compose.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { programsKnown } from '../../insertion-points/stand-ins.ts'
import type { StoredFacts, StoredHit } from '../facts.ts'
import type { Prover } from '../proving.ts'
import { eachAlone } from './alone.ts'
import { createNewPages } from './new-pages.ts'
import {
  add,
  type Feed,
  isNear,
  lookAt,
  MOST_PLACES,
  MOST_SHOWN,
  mayStore,
  nearOf,
  type Place,
  type Planted,
  placesOf,
  readAgain,
  type Seen,
  type SeenSoFar,
  showsOwn,
  someOfEach,
} from './stored-pages.ts'
import { MOST_SENT, sendOnce, tryStored } from './stored-proofs.ts'
import type { Visits } from './visits.ts'

/** How often words are sent anew, one a request. */
const MOST_ROUNDS = 4
/** Places that are asked for again for words that are sent anew, beside those of their forms. */
const MOST_AGAIN = 600

/**
 * The word on the pages that show what its form stores. On test systems a page that repeats a header is asked for without it, too:
 * where it shows it still, it keeps a log.
 */
export const lookAtOnce = async (ctx: CollectContext, one: Planted, answer: string): Promise<Planted> => {
  const { request, point } = one.probe
  const keeps = isAdded(point) && ctx.target.environment === 'test' && answer.includes(one.word)
  if (request.effect === 'reads' ? !keeps : point.members !== undefined) return one
  const shows = request.effect === 'reads' ? [request.url] : (request.shownOn ?? [])
  const pages = shows.filter((url) => !ctx.egress.excludes(url)).slice(0, MOST_SHOWN)
  const places = pages.map((url) => ({ url, drawnOn: null }))
  const shown = (await lookAt(ctx, places, [one])).get(one)
  return shown ? { ...one, shown } : one
}

export interface StoredTime {
  /** There was no time for all places: pages are read again by some of each kind. */
  readonly isShort: boolean
  /** By performance.now(): nothing is begun after it. */
  readonly until: number
}

/** Of the time that is left once all was read, so much at most is for words that are sent anew: what was seen wants to be tried. */
const OF_ANEW = 0.5

export const askStored = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  planted: readonly Planted[],
  prover: Prover | string,
  { at, visits }: { readonly at: (point: ProbePoint) => Probe; readonly visits: Visits },
  { isShort, until }: StoredTime,
): Promise<StoredFacts> => {
  const isOver = (): boolean => performance.now() > until
  const writing = planted.filter(mayStore)
  // What only seems to read may keep what it is given, too: on test systems its words are looked for all the same.
  const looked = ctx.target.environment === 'test' ? planted : writing
  if (looked.length === 0) return { planted: 0, pages: 0, hits: [] }
  const likely = [...new Set([...writing, ...looked.filter(({ probe }) => !isSafe(probe.request.method))])]
  const programOf = await programsKnown(ctx, crawl)
  const { places, pages, left } = placesOf(crawl, likely, programOf, ctx.egress.excludes)
  const records = createNewPages(ctx, crawl)
  const own = new Set<string>()
  const first = await lookAt(
    ctx,
    places,
    looked,
    (page) => {
      records.heard(page)
      visits.heard(page)
      if (showsOwn(page)) own.add(page.url)
    },
    isOver,
  )
  for (const [one, shown] of await lookAt(ctx, records.take(), looked, undefined, isOver)) add(first, one, shown)
  // What stands there still was looked for everywhere; what another value has replaced since, where it stood at once alone.
  const settled = new Set(first.keys())
  for (const one of looked) if (one.shown && !first.has(one)) first.set(one, one.shown)
  for (const [one, shown] of await visits.ask(ctx, isOver)) first.set(one, shown)
  const seen = await eachAlone(ctx, first, at)
  const hits = new Map<Planted, StoredHit>()
  const tried = new Map<Planted, Set<string>>()
  /** What has to be pressed comes once all pages were opened: it takes as long as many of them. */
  let pressing: { readonly one: Planted; readonly press: () => Promise<StoredHit | null> }[] = []
  const pressEach = async (): Promise<void> => {
    const due = pressing
    pressing = []
    for (const { one, press } of due) {
      ctx.signal.throwIfAborted()
      if (isOver()) return
      const hit = hits.has(one) ? null : await press()
      if (hit) hits.set(one, hit)
    }
  }
  const tryEach = async (most: number, some = [...seen]): Promise<void> => {
    for (const [one, shown] of some.slice(0, MOST_PLACES)) {
      ctx.signal.throwIfAborted()
      if (isOver()) return
      const before = tried.get(one) ?? new Set()
      tried.set(one, before)
      const later = (press: () => Promise<StoredHit | null>): void => void pressing.push({ one, press })
      const hit = hits.has(one) ? null : await tryStored({ ctx, prover, records, later }, one, shown, before, most)
      one.probe.end()
      if (hit) hits.set(one, hit)
    }
  }
  // Of each form one that shows comes before what might: to read everything again for words that are sent anew may take all the time.
  await tryEach(1, [...new Map([...seen].toReversed().map((one) => [one[0].probe.request.id, one])).values()])
  await pressEach()
  const all = readAgain(places, programOf, own)
  const again = isShort ? someOfEach(all, own) : all
  const anewUntil = performance.now() + (until - performance.now()) * OF_ANEW
  const anew = { ctx, at, places, again, settled, isOver: () => performance.now() > anewUntil }
  const sent = await sendAnew(anew, writing, seen)
  // One each in turn: of the few requests of a form the first place would take all.
  for (const most of [1, 2, 3, MOST_SENT]) {
    await tryEach(most)
    await pressEach()
  }
  return {
    ...{ planted: new Set([...writing, ...seen.keys()]).size, pages, hits: [...hits.values()] },
    left: left + all.length - again.length + sent.unseen,
    ...(sent.isCut || isOver() ? { isCut: true } : {}),
    untried: Math.max(0, seen.size - MOST_PLACES),
  }
}

interface Anew {
  readonly ctx: CollectContext
  readonly at: (point: ProbePoint) => Probe
  readonly places: readonly (Place | Feed)[]
  /** Those that are read wherever a form stands. */
  readonly again: readonly (Place | Feed)[]
  /** Those that need not be sent for it. */
  readonly settled: ReadonlySet<Planted>
  readonly isOver: () => boolean
}

/**
 * A field that keeps one value alone has another by now, and fields of one request would replace one another: one of each request at
 * a time is sent anew, what people fill first, and looked for on every page, as a profile shows on others than its own. `unseen`: how many
 * places were too many for that.
 */
const sendAnew = async (
  { ctx, at, places, again: everywhere, settled, isOver }: Anew,
  writing: readonly Planted[],
  seen: SeenSoFar,
): Promise<{ readonly unseen: number; readonly isCut: boolean }> => {
  const again = new Map(writing.map((one) => [one, rankOf(one)]))
  let [spare, unseen] = [MOST_AGAIN, 0]
  for (const one of settled) again.delete(one)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const together = round === 0 ? togetherOf(again) : []
    const taken = new Set(together.flat().map(({ probe }) => probe.request.id))
    const alone = turnOf(again).filter(({ probe }) => !taken.has(probe.request.id))
    const turn = [...together.flat(), ...alone]
    if (turn.length === 0 || ctx.signal.aborted) break
    for (const some of [...together, ...alone.map((one) => [one])]) {
      if (isOver()) return { unseen, isCut: true }
      for (const one of some) again.delete(one)
      await sendTogether(some)
    }
    // What another of the same name replaced shows where that one did.
    const near = new Set([...turn.flatMap(nearOf), ...[...seen.values()].flat().map(({ url }) => url)])
    const far = everywhere.filter((one) => !isNear(one, near))
    const others = far.slice(0, spare)
    spare -= others.length
    unseen = Math.max(unseen, far.length - others.length)
    const found = await lookAt(ctx, [...places.filter((one) => isNear(one, near)), ...others], turn, undefined, isOver)
    for (const one of replacedBy(turn, found)) again.set(one, REPLACED)
    for (const [one, where] of await eachAlone(ctx, found, at)) add(seen, one, where)
  }
  return { unseen, isCut: isOver() }
}

/** Fields of one form that each were taken and shown at once: one request sends them all, each with its own word. Exported for its test. */
export const togetherOf = (again: ReadonlyMap<Planted, number>): readonly (readonly Planted[])[] => {
  const taken = [...again.keys()].filter(
    ({ shown, probe: { point } }) => shown !== undefined && point.place === 'form' && !point.members && !point.within,
  )
  return [...Map.groupBy(taken, ({ probe }) => probe.request.id).values()].filter(({ length }) => length > 1)
}

export const sendTogether = async ([first, ...others]: readonly Planted[]): Promise<void> => {
  if (first === undefined) return
  await sendOnce(first.probe, first.word, (request) => {
    let body = String(request.body ?? '')
    for (const { word, probe } of others) {
      const asked = { ...probe.point.request, url: request.url, body }
      body = String(compose({ ...probe.point, request: asked }, word)?.body ?? body)
    }
    return { ...request, body }
  })
}

/** What another replaced comes last in its turn; what is no field, or filled by the page itself, waits for what people fill. */
const [BESIDE, PUT_IN, FILLED, REPLACED] = [0, 1, 2, 3]

const rankOf = ({ probe: { point } }: Planted): number => {
  const fields = (point.members ?? [point]).filter((one) => FIELDS.has(one.place) && one.guessed === undefined)
  if (fields.length === 0) return BESIDE
  // What is posted stands in the body: a query beside it, or instead of it, sent later would put back what a body has brought.
  const isFilled = ({ role, place, request }: ProbePoint): boolean =>
    role === undefined && !(place === 'query' && request.method !== 'GET')
  return fields.some(isFilled) ? FILLED : PUT_IN
}

const FIELDS: ReadonlySet<ProbePoint['place']> = new Set(['query', 'form', 'multipart', 'json', 'xml'])

/** Of each request the one of the highest rank, and that of the highest of all last. */
const turnOf = (again: ReadonlyMap<Planted, number>): readonly Planted[] => {
  const turn = new Map<string, Planted>()
  for (const [one] of [...again].toSorted(([, a], [, b]) => a - b)) {
    turn.delete(one.probe.request.id)
    turn.set(one.probe.request.id, one)
  }
  return [...turn.values()]
}

/** Words of a turn that do not show, where one that was sent after them in a field of that name does: both may write one record. */
const replacedBy = (turn: readonly Planted[], found: Seen): readonly Planted[] =>
  turn.filter((one, at) => {
    const later = turn.slice(at + 1).filter((other) => found.has(other))
    return !found.has(one) && later.some((other) => namesOf(other).some((name) => namesOf(one).includes(name)))
  })

const namesOf = ({ probe: { point } }: Planted): readonly string[] => (point.members ?? [point]).map(({ name }) => name)
