/**
 * What the run stores and another identity of it is shown: a message, a ticket, a name in a list of staff. Pages of theirs are read for the words that
 * were sent; only where one shows is a payload sent.
 */
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import type { StoredFacts, StoredHit } from '../facts.ts'
import type { Prover } from '../proving.ts'
import { eachAlone } from './alone.ts'
import { createNewPages } from './new-pages.ts'
import {
  add,
  answerAt,
  lookAt,
  mayStore,
  type Place,
  type Planted,
  pagesOf,
  type SeenSoFar,
  type Shown,
} from './stored-pages.ts'
import { sendOnce, tryStored } from './stored-proofs.ts'
import { type Viewer, viewersOf } from './viewers.ts'
import { createVisits } from './visits.ts'

/** Pages that the run knows, which this one is asked for. */
const MOST_PAGES = 80
/** Steps from them to pages that only this one is led to. */
const STEPS = 2
const MOST_PLACES = 12

interface Parts {
  readonly ctx: CollectContext
  readonly crawl: CrawlFacts
  readonly prover: Prover | string
  readonly at: (point: ProbePoint) => Probe
  /** Those of the run, one of each place. */
  readonly probes: readonly Probe[]
}

/** `own`: what was proven in pages of one's own; where another is shown the same, that one is told in its place. `isOver`: nothing is begun any more. */
export const askStoredForOthers = async (
  parts: Parts,
  all: readonly Planted[],
  own: readonly StoredHit[],
  isOver: () => boolean = () => false,
): Promise<Pick<StoredFacts, 'hits' | 'absent' | 'isCut'>> => {
  const isAsked = all.length > 0 && parts.ctx.target.environment === 'test'
  const { viewers, absent } = isAsked ? await viewersOf(parts.ctx) : { viewers: [], absent: [] }
  let hits = own
  for (const viewer of viewers) {
    parts.ctx.signal.throwIfAborted()
    // One after the other: fields of one record would replace one another.
    const seen: StoredHit[] = []
    for (const hit of hits) seen.push(isOver() ? hit : await asSeenBy(viewer, hit, all))
    hits = seen
    hits = [...hits, ...(await storedFor(parts, viewer, all, { known: hits, isOver }))]
  }
  const isCut = viewers.length > 0 && isOver()
  return { hits, ...(absent.length > 0 ? { absent } : {}), ...(isCut ? { isCut } : {}) }
}

/** In the account alone: who is shown it, too, runs it, too. What keeps one value has another by now, and is sent it anew. */
const asSeenBy = async ({ ctx, name }: Viewer, hit: StoredHit, planted: readonly Planted[]): Promise<StoredHit> => {
  if (hit.seenBy !== 'account' || !hit.ran) return hit
  const isShown = async (): Promise<boolean> =>
    (await answerAt(ctx, { url: hit.page, drawnOn: null }, true))?.includes(hit.payload) === true
  const isSentAnew = async (): Promise<boolean> => {
    const place = JSON.stringify(hit.at)
    const probe = planted.find((one) => JSON.stringify(placeOf(one.probe.point)) === place)?.probe
    probe?.pursue()
    return probe !== undefined && (await sendOnce(probe, hit.payload)) !== null
  }
  const isTheirs = (await isShown()) || ((await isSentAnew()) && (await isShown()))
  return isTheirs ? { ...hit, seenBy: 'other', viewer: name } : hit
}

const storedFor = async (
  { crawl, prover, at, probes }: Parts,
  { ctx, name, begins }: Viewer,
  planted: readonly Planted[],
  { known, isOver }: { readonly known: readonly StoredHit[]; readonly isOver: () => boolean },
): Promise<readonly StoredHit[]> => {
  const found = new Set(known.map((hit) => JSON.stringify(hit.at)))
  const isNew = ({ probe: { point } }: Planted): boolean => !found.has(JSON.stringify(placeOf(point)))
  // What only seems to read may keep what it is given, too.
  const looked = planted.filter(isNew)
  const records = createNewPages(ctx, crawl)
  const visits = createVisits(probes, at)
  const seen: SeenSoFar = new Map()
  const asked = new Set<string>()
  const heard = (page: Shown): void => {
    records.heard(page)
    visits.heard(page)
  }
  let pages: readonly Place[] = [...new Set([...begins, ...pagesOf(crawl, looked.filter(mayStore))])]
    .filter((url) => !ctx.egress.excludes(url))
    .slice(0, MOST_PAGES)
    .map((url) => ({ url, drawnOn: null }))
  for (let step = 0; step <= STEPS && pages.length > 0 && !isOver(); step += 1) {
    for (const { url } of pages) asked.add(url)
    for (const [one, shown] of await lookAt(ctx, pages, looked, heard, isOver)) add(seen, one, shown)
    pages = records.take().filter(({ url }) => !asked.has(url))
  }
  for (const [one, shown] of await visits.ask(ctx, isOver)) if (isNew(one)) add(seen, one, shown)
  const hits: StoredHit[] = []
  for (const [one, shown] of [...(await eachAlone(ctx, seen, at))].slice(0, MOST_PLACES)) {
    ctx.signal.throwIfAborted()
    if (isOver()) break
    const hit = await tryStored({ ctx, prover, records, viewer: name }, one, shown)
    if (hit) hits.push(hit)
  }
  return hits
}
