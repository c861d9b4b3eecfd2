/** Learns once for a run which pages are built alike, so that one is asked in the stead of others. */
import { headerOf } from '../../../page/exchange.ts'
import { textOf } from '../../../page/text.ts'
import { heldBeside } from '../../faults.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { groupOf, isOwnField } from './groups.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import { type StandIns, standInsOf } from './likes.ts'
import { pageOrNull } from './page-or-null.ts'
import { Blocked, createProber, type Reply, Unsendable } from './prober.ts'
import { SHARED, type Shared } from './shared.ts'

/** Nothing where learning it fails on our side. */
export const standIns = async (
  ctx: CollectContext,
  shared: Shared,
  inventory: readonly ProbePoint[],
): Promise<StandIns> => {
  const prober = createProber(ctx.egress, shared, null, undefined, undefined, carefulnessOf(ctx))
  const requests = [...new Set(inventory.map(({ request }) => request))]
  const get = (request: ProbeRequest): Promise<Reply> => prober.first(request)
  const upset = async (request: ProbeRequest): Promise<Reply | null> => {
    const fields = inventory.filter((point) => point.request === request && isOwnField(point))
    if (fields.length === 0) return null
    try {
      return await prober.at(groupOf(fields)).sentinel()
    } catch (error) {
      if (error instanceof Blocked || error instanceof Unsendable) return null
      throw error
    }
  }
  const asked = new Map(requests.flatMap((request) => (request.method === 'GET' ? [[request.url, request]] : [])))
  const page = async (address: string) => {
    const known = asked.get(address)
    if (known !== undefined) return get(known)
    const exchange = await pageOrNull(ctx.egress, address)
    if (exchange === null) return null
    return { status: exchange.status, text: textOf(exchange), contentType: headerOf(exchange, 'content-type') ?? '' }
  }
  const found = await heldBeside(ctx, 'pages built alike', () =>
    shared.standIns('', () => standInsOf(requests, get, upset, page)),
  )
  return 'value' in found ? found.value : new Map()
}

/** By its address, of which program a page is one of many records, and of which make; undefined for any other. Nothing before it was learned. */
export const programsKnown = async (
  { scope }: Pick<CollectContext, 'scope'>,
  { requests }: Pick<CrawlFacts, 'requests'>,
): Promise<(url: string) => string | undefined> => {
  const learned = scope.of(SHARED).standIns.known('')
  const alike: StandIns = (await learned?.catch(() => undefined)) ?? new Map() // Whoever learned it has heard of that.
  const programs = new Map<string, string>()
  for (const { id, method, url } of requests) {
    const known = alike.get(id)
    if (method === 'GET' && known?.asked[0] !== undefined) programs.set(url, `${known.program} ${known.asked[0]}`)
  }
  return (url) => programs.get(url)
}

/**
 * Where one alone of those that stand for others was hit, each is asked itself, as pages alike may differ in their flaws. Where all were
 * hit in the same ways, the program has these flaws, and would be asked the same a hundred times over. What may be sent a few times only
 * is never asked: a thousand forms of one program would each be written to as often.
 */
export const behindHits = <Hit>(
  merged: ReadonlyMap<ProbePoint, readonly ProbePoint[]>,
  hits: (point: ProbePoint) => readonly Hit[],
  kindOf?: (hit: Hit) => string,
): readonly ProbePoint[] => {
  const differ = (others: readonly ProbePoint[]): boolean => {
    const found = others.map(hits)
    if (found.every(({ length }) => length === 0)) return false
    return kindOf === undefined || new Set(found.map((some) => kindsOf(some, kindOf))).size > 1
  }
  return [...merged].flatMap(([point, others]) => (point.request.bound === undefined && differ(others) ? [point] : []))
}

const kindsOf = <Hit>(some: readonly Hit[], kindOf: (hit: Hit) => string): string =>
  JSON.stringify([...new Set(some.map(kindOf))].toSorted())

/** How careful probes of this run are. */
export const carefulnessOf = (ctx: CollectContext) => ({
  signedIn: ctx.hasCredentials,
  careful: (ctx.target.environment ?? 'production') === 'production',
  ...(ctx.options.writes_per_form === undefined ? {} : { most: ctx.options.writes_per_form }),
})
