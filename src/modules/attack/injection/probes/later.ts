/** Templates that one page stores and another renders: each place that stores is given most engines' syntax at once. */
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { filledWith } from '../../insertion-points/compose.ts'
import { BEYOND, pageAt, pagesAfter, storingOf } from '../../insertion-points/elsewhere.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { Asking, Probe, Reply } from '../../insertion-points/prober.ts'
import { firstOf, unlessRefused } from '../../insertion-points/techniques.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { ComputedHit } from '../facts.ts'
import { ENGINES, type Engine, HASH } from '../templates.ts'
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
  for (const fields of formsOf(asked)) {
    const tried = isOver() ? null : await askFields(ctx, crawl, fields.map(at))
    if (tried) found.push(...tried)
    else for (const point of fields) at(point).leave('template', OUT_OF_TIME)
  }
  return found
}

/** What is sent together, each with products of its own: fields of one body that may be sent a few times only. */
const formsOf = (points: readonly ProbePoint[]): readonly (readonly ProbePoint[])[] => {
  const isShared = ({ request, place, within }: ProbePoint): boolean =>
    request.bound !== undefined && BODIES.has(place) && within === undefined
  const shared = Map.groupBy(points.filter(isShared), ({ request, place }) => `${request.id} ${place}`)
  return [...shared.values(), ...points.filter((point) => !isShared(point)).map((point) => [point])]
}
const BODIES: ReadonlySet<ProbePoint['place']> = new Set(['form', 'multipart', 'json'])

/** A field with a product for each of the engines that are asked first. */
interface Tried {
  readonly probe: Probe
  readonly products: readonly { readonly engine: Engine; readonly a: number; readonly b: number }[]
}

const askFields = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  probes: readonly Probe[],
): Promise<readonly { readonly point: ProbePoint; readonly hit: ComputedHit }[]> => {
  const sent = await sendAll(probes.map((probe) => ({ probe, products: productsOf() })))
  const found: { point: ProbePoint; hit: ComputedHit }[] = []
  for (const { fields, reply } of sent) {
    // What the answer itself shows was judged at the place.
    const left = fields.filter((field) => worked(field, reply.text).length === 0)
    for (const page of left[0] ? pagesAfter(crawl, left[0].probe.point, reply) : []) {
      const { status, text } = await pageAt(ctx, page)
      for (const field of left) {
        const { probe } = field
        if (found.some(({ point }) => point === probe.point)) continue
        // An engine that stumbles over the syntax of another breaks the page.
        const engines = status >= 500 ? ENGINES : worked(field, text).map(({ engine }) => engine)
        if (engines.length > 0) probe.pursue()
        const hit = await firstOf(engines.map((engine) => () => confirm(ctx, probe, page, engine)))
        probe.end()
        if (hit) found.push({ point: probe.point, hit })
      }
    }
  }
  return found
}

const productsOf = (): Tried['products'] =>
  [...ENGINES.filter(({ asked }) => asked === 'first'), HASH].map((engine) => ({ engine, a: factor(), b: factor() }))

const worked = ({ products }: Tried, text: string): Tried['products'] =>
  products.filter(({ engine, a, b }) => shown(text, engine.expected(a, b)) !== null)

const textOf = ({ products }: Tried): string => products.map(({ engine, a, b }) => engine.with('', a, b)).join(' ')

/** All in one request; where that is refused, each alone. */
const sendAll = async (
  fields: readonly Tried[],
): Promise<readonly { readonly fields: readonly Tried[]; readonly reply: Reply }[]> => {
  const [first, ...others] = fields
  if (first === undefined) return []
  const rest = others.map((field) => ({ point: field.probe.point, text: textOf(field) }))
  const change = (request: HttpRequest): HttpRequest => filledWith(request, rest)
  const reply = await sendTo(first.probe, textOf(first), others.length > 0 ? { change } : {})
  if (reply && (reply.status < 400 || others.length === 0)) return [{ fields, reply }]
  if (reply === null || others.length === 0) return []
  const sent: { readonly fields: readonly Tried[]; readonly reply: Reply }[] = []
  for (const field of fields) {
    const alone = await sendTo(field.probe, textOf(field))
    if (alone) sent.push({ fields: [field], reply: alone })
  }
  return sent
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
const sendTo = (probe: Probe, value: string, asking: Asking = {}): Promise<Reply | null> =>
  unlessRefused(() => probe.send(value, asking))
