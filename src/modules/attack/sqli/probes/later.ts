/**
 * Values that are stored by one page and put into a statement by another. Each place that stores is given quotes; a page
 * that shows a database's error afterwards may show what another stored value computes, too.
 */

import { randomInt } from 'node:crypto'
import { withoutEntities } from '../../../../page/entities.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { areEqual } from '../../effects/reads.ts'
import { BEYOND, pageAt, pagesAfter, storingOf } from '../../insertion-points/elsewhere.ts'
import { groupOf } from '../../insertion-points/groups.ts'
import { type ProbePoint, slotOf } from '../../insertion-points/inventory.ts'
import { type OtherPages, otherPages, SOME_PAGES } from '../../insertion-points/other-pages.ts'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { unlessRefused } from '../../insertion-points/techniques.ts'
import { isToken } from '../../insertion-points/tokens.ts'
import { around } from '../../insertion-points/verdict.ts'
import { breakOut, controlValue } from '../../insertion-points/word.ts'
import type { Computed, LaterAnswersHit, LaterHit } from '../facts.ts'
import { databaseMessage } from '../messages.ts'
import { WRITTEN } from '../payloads.ts'
import { waysFor } from './error.ts'
import { fitsOf } from './fits.ts'
import { askLaterAnswers } from './later-answers.ts'
import { createNewRecords } from './new-records.ts'
import type { OwnHit } from './own-statement.ts'

export interface Later {
  readonly point: ProbePoint
  readonly hit: LaterHit | LaterAnswersHit | OwnHit
}

/**
 * Each place that may store is given one value with quotes, and its pages are asked for: an error there tells the most. Where there is
 * none, a condition is stored, which tells where another statement reads it, and a sum, which shows worked out where the value is written
 * into its own. Places that are too many are left, and so are those that were seen to read: see `askLaterOfReading`. `until`: for want of
 * time the rest is left; other questions wait for these.
 */
export const askLater = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  { found, until }: Telling,
): Promise<void> => {
  const isOver = (): boolean => performance.now() > until
  const { beyond, ...places } = storingOf(ofEachProgram(points))
  const asked = places.asked.filter((point) => !reads(point))
  for (const point of beyond) at(point).leave('later', BEYOND)
  const store = () => storeAll(asked.filter(isFilled), at)
  const others = asked.length > 0 ? await otherPages(ctx, crawl, store, until) : null
  const seen: LastSeen = { said: new Map() }
  for (const point of asked) {
    const hit = isOver() ? null : await askPlace({ ctx, crawl, others, seen }, at(point))
    if (hit) found({ point, hit })
    else if (isOver()) at(point).leave('later', OUT_OF_TIME)
    else if (others?.isShort) at(point).leave('later', SOME_PAGES)
  }
}

interface Telling {
  readonly found: (later: Later) => void
  /** By performance.now(): nothing is begun any more. */
  readonly until: number
}

/**
 * What posts and was seen to read may store all the same, where none of its pages tells. It promises little and takes none of the few
 * requests of a form, so it comes behind all places; `until`: for want of time the rest is left.
 */
export const askLaterOfReading = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  { found, until }: Telling,
): Promise<void> => {
  const isOver = (): boolean => performance.now() > until
  const seen: LastSeen = { said: new Map() }
  for (const point of storingOf(ofEachProgram(points)).asked.filter(reads)) {
    const hit = isOver() ? null : await askPlace({ ctx, crawl, others: null, seen }, at(point))
    if (hit) found({ point, hit })
    else if (isOver()) at(point).leave('later', OUT_OF_TIME)
  }
}

/** In words that follow the number of places. */
const OUT_OF_TIME = 'whose values were looked for on other pages until the time for it was over'

const reads = ({ request }: ProbePoint): boolean => request.effect === 'reads'

/** What one program stores it stores for all of its records, of whatever make their pages are: so many of its forms stand for the others. */
const OF_A_PROGRAM = 2

/** Exported for its test. */
export const ofEachProgram = (points: readonly ProbePoint[]): readonly ProbePoint[] => {
  const before = new Map<string, number>()
  return points.filter((point) => {
    const { method, program, route, effect } = point.request
    if (program === undefined) return true
    const place = [method, program, route ?? '', effect, slotOf(point)].join(' ')
    before.set(place, (before.get(place) ?? 0) + 1)
    return (before.get(place) ?? 0) <= OF_A_PROGRAM
  })
}

/** What people fill, tokens aside. */
const isFilled = ({ role, name, value }: ProbePoint): boolean => role === undefined && !isToken(name, value)

/** Quotes in all fields of each form at once; gives what was sent. */
const storeAll = async (
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
): Promise<readonly string[]> => {
  const forms = Map.groupBy(points, ({ request, place }) => `${request.id} ${place}`)
  const sent: string[] = []
  for (const members of forms.values()) {
    const group = groupOf(members)
    const reply = await unlessRefused(() => at(group).anew('broken'))
    if (reply) sent.push(...members.map(({ value }) => breakOut(value)))
  }
  return sent
}

/** What pages said behind the last value of the place before, where nothing of it showed: what they say before the next need not be asked. */
interface LastSeen {
  said: ReadonlyMap<string, PageSaid>
}

interface Looking {
  readonly ctx: CollectContext
  readonly crawl: CrawlFacts
  readonly others: OtherPages | null
  readonly seen: LastSeen
}

/** Nobody else stores anything in between: a page may show what was stored last. */
const askPlace = async (looking: Looking, probe: Probe): Promise<Later['hit'] | null> => {
  const usual = await unlessRefused(probe.baseline)
  return usual && probe.alone(() => askAlone(looking, probe, usual))
}

const askAlone = async (
  { ctx, crawl, others, seen }: Looking,
  probe: Probe,
  usual: readonly [Reply, Reply],
): Promise<Later['hit'] | null> => {
  const { point } = probe
  const before = await readAll(ctx, pagesOf(crawl, point, usual[0], others), seen.said)
  seen.said = new Map()
  const broken = await unlessRefused(() => probe.anew('broken'))
  if (!broken) return null
  const records = createNewRecords(point.request.url, usual[0], crawl)
  const pages = [...pagesOf(crawl, point, broken, others), ...records.kindsOf(broken)]
  const read: ReadBehind = async (page, stored) => {
    const address = records.at(page, stored)
    return address === null ? { status: 0, text: '', address: page } : { ...(await pageAt(ctx, address)), address }
  }
  const said = new Map<string, PageSaid>()
  for (const page of pages) {
    const now = await read(page, broken)
    said.set(page, now)
    const message = databaseMessage(now.text)
    const hit = message ? await askThrough(read, probe, page, message.dbms) : null
    if (hit) return hit
  }
  const still = new Set([...said].flatMap(([page, now]) => (isAsWas(before.get(page), now) ? [page] : [])))
  if (still.size === said.size) {
    const control = await storeOther(probe, said)
    const after = control && control.status < 400 ? await readAll(ctx, pages) : null
    const isSilent = after !== null && areAsWere(said, after)
    if (isSilent) seen.said = after
    if (control === null || isSilent) return null
  }
  const asked = await askLaterAnswers(probe, said, broken, {
    store: async (value) => {
      const stored = await sendTo(probe, value)
      if (stored) records.kindsOf(stored)
      return stored
    },
    read,
    still,
  })
  if (asked) return asked
  // An answer that leads to a list is another one each time.
  const isTaken = broken.status === usual[0].status
  return isTaken && isKeptWhole(before, said, broken.value) ? null : askSum(read, probe, pages)
}

/** A value that no statement minds, and another than what another module may have left there: only what is new shows that it was kept. Exported for its test. */
export const storeOther = (probe: Probe, said: ReadonlyMap<string, PageSaid>): Promise<Reply | null> => {
  const other = controlValue(probe.point.value)
  const isThere = [...said.values()].some(({ text }) => withoutEntities(text).includes(other))
  return isThere ? sendTo(probe, `${other}${randomInt(100, 1_000)}`) : unlessRefused(() => probe.anew('control'))
}

type PageSaid = Awaited<ReturnType<typeof pageAt>>

/** What a page says behind an answer; `address`: of the page, which may be one that came about with it. */
type ReadBehind = (page: string, stored: Reply) => Promise<PageSaid & { readonly address: string }>

const pagesOf = (crawl: CrawlFacts, point: ProbePoint, reply: Reply, others: OtherPages | null): readonly string[] => [
  ...new Set([...pagesAfter(crawl, point, reply), ...(others?.pages ?? [])]),
]

const readAll = async (
  ctx: CollectContext,
  pages: readonly string[],
  known: ReadonlyMap<string, PageSaid> = new Map(),
): Promise<ReadonlyMap<string, PageSaid>> =>
  new Map(await Promise.all(pages.map(async (page) => [page, known.get(page) ?? (await pageAt(ctx, page))] as const)))

/**
 * All pages say what they said. Where they do behind quotes, and behind a value that no statement minds as well, what is stored there
 * comes to no statement of theirs and shows on none: neither a condition nor a sum would tell.
 */
const areAsWere = (before: ReadonlyMap<string, PageSaid>, after: ReadonlyMap<string, PageSaid>): boolean =>
  [...after].every(([page, now]) => isAsWas(before.get(page), now))

const isAsWas = (was: PageSaid | undefined, now: PageSaid): boolean =>
  was?.status === now.status && areEqual(was.text, now.text)

/** A page shows the value once more than before, with all of its quotes: the statement that wrote it minds none. Exported for its test. */
export const isKeptWhole = (
  before: ReadonlyMap<string, PageSaid>,
  after: ReadonlyMap<string, PageSaid>,
  value: string,
): boolean => {
  const times = (said: PageSaid | undefined): number =>
    said === undefined ? 0 : withoutEntities(said.text).split(value).length - 1
  return [...after].some(([page, now]) => times(now) > times(before.get(page)))
}

const askThrough = async (read: ReadBehind, probe: Probe, page: string, dbms: string): Promise<LaterHit | null> => {
  probe.pursue()
  const { value } = probe.point
  for (const { way, splice } of waysFor(probe, dbms)) {
    const hit = await askTwice(way.dbms, (a, b) =>
      compute(read, probe, [page], a * b, splice.with(value, way.expression(a, b))),
    )
    if (hit !== 'unseen') return hit
  }
  return null
}

/** A number that the statement itself works out while it is written. */
const askSum = async (read: ReadBehind, probe: Probe, pages: readonly string[]): Promise<LaterHit | null> => {
  const fits = fitsOf(probe.point)
  for (const way of WRITTEN.filter((one) => fits.includes(one.fits))) {
    const hit = await askTwice('The database', (a, b) => compute(read, probe, pages, a * b, way.with(a, b)))
    if (hit !== 'unseen') return hit && { ...hit, written: true }
  }
  return null
}

type Shown = Computed & { readonly page: string }

/** Null where the place takes no probes any more. */
const askTwice = async (
  dbms: string,
  ask: (a: number, b: number) => Promise<Shown | null>,
): Promise<LaterHit | null | 'unseen'> => {
  const once = (): Promise<Shown | null> => ask(randomInt(2_000, 9_000), randomInt(2_000, 9_000))
  const first = await once()
  if (first === null) return null
  if (!first.seen) return 'unseen'
  const second = await once()
  if (!second?.seen) return 'unseen'
  const computed = [first, second].map(({ page: _, ...one }) => one)
  return { technique: 'later', dbms, page: first.page, computed }
}

/** Null where the place takes no probes. */
const compute = async (
  read: ReadBehind,
  probe: Probe,
  pages: readonly string[],
  product: number,
  payload: string,
): Promise<Shown | null> => {
  const expected = String(product)
  const sent = await sendTo(probe, payload)
  if (!sent) return null
  for (const page of pages) {
    const { text, address } = await read(page, sent)
    if (!text.includes(expected)) continue
    probe.pursue()
    const replay = `${sent.replay}\ncurl -isk '${address}'`
    return { payload, expected, seen: true, excerpt: around(text, expected), replay, page }
  }
  return { payload, expected, seen: false, excerpt: '', replay: sent.replay, page: '' }
}

const sendTo = (probe: Probe, payload: string): Promise<Reply | null> =>
  unlessRefused(() => probe.send(payload, { language: 'sql' }))
