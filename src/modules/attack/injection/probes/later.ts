/** Templates that one page stores and another renders: each place that stores is given most engines' syntax at once. */
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { BEYOND, pageAt, pagesAfter, storingOf } from '../../insertion-points/elsewhere.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { ComputedHit } from '../facts.ts'
import { ENGINES, type Engine } from '../templates.ts'
import { factor, shown } from './arithmetic.ts'

type Computed = ComputedHit['computed'][number]

/** In words that follow the number of places. */
const OUT_OF_TIME = 'whose values were looked for on other pages until the time for it was over'

/** Where a page shows a product, or breaks, two more are stored in the syntax of one engine alone. `isOver`: for want of time the rest is left. */
export const askTemplatesLater = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  isOver: () => boolean = () => false,
): Promise<readonly { readonly point: ProbePoint; readonly hit: ComputedHit }[]> => {
  const found: { point: ProbePoint; hit: ComputedHit }[] = []
  const { asked, beyond } = storingOf(points)
  for (const point of beyond) at(point).leave('template', BEYOND)
  for (const point of asked) {
    const hit = isOver() ? null : await askPlace(ctx, crawl, at(point))
    if (hit) found.push({ point, hit })
    else if (isOver()) at(point).leave('template', OUT_OF_TIME)
  }
  return found
}

const askPlace = async (ctx: CollectContext, crawl: CrawlFacts, probe: Probe): Promise<ComputedHit | null> => {
  const tried = ENGINES.filter(({ asked }) => asked === 'first').map((engine) => ({ engine, a: factor(), b: factor() }))
  const sent = await sendTo(probe, tried.map(({ engine, a, b }) => engine.with('', a, b)).join(' '))
  // What the answer itself shows was judged at the place.
  if (!sent || tried.some(({ engine, a, b }) => shown(sent.text, engine.expected(a, b)) !== null)) return null
  for (const page of pagesAfter(crawl, probe.point, sent)) {
    const { status, text } = await pageAt(ctx, page)
    const worked = tried.filter(({ engine, a, b }) => shown(text, engine.expected(a, b)) !== null)
    if (status >= 500 || worked.length > 0) probe.pursue()
    // An engine that stumbles over the syntax of another breaks the page.
    for (const engine of status >= 500 ? ENGINES : worked.map((one) => one.engine)) {
      const hit = await confirm(ctx, probe, page, engine)
      if (hit) return hit
    }
  }
  return null
}

const confirm = async (
  ctx: CollectContext,
  probe: Probe,
  page: string,
  engine: Engine,
): Promise<ComputedHit | null> => {
  const computed: Computed[] = []
  for (let round = 0; round < 2; round += 1) {
    const [a, b] = [factor(), factor()]
    const sent = await sendTo(probe, engine.with('', a, b))
    if (!sent) return null
    const { text } = await pageAt(ctx, page)
    const mark = shown(text, engine.expected(a, b))
    if (mark === null) return null
    const replay = `${sent.replay}\ncurl -isk '${page}'`
    computed.push({ payload: sent.value, expected: mark, seen: true, excerpt: around(text, mark), replay })
  }
  const flavour = `${engine.flavour}, shown by ${new URL(page).pathname}`
  return { kind: 'template', proof: 'computed', flavour, computed }
}

/** Null where the place takes no probes. */
const sendTo = async (probe: Probe, value: string): Promise<Reply | null> => {
  try {
    return await probe.send(value)
  } catch (error) {
    if (error instanceof Blocked || error instanceof Unsendable) return null
    throw error
  }
}
