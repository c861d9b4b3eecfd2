/** Places of a crawl and a plan that finds "boom" at them, on a real site, for tests of probing. */
import type { RequestListener } from 'node:http'
import type { BlockPage } from '../../../../page/block-page.ts'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import type { CrawlFacts, InsertionPoint, Place, RequestTemplate } from '../../crawl/facts.ts'
import { caseCrawl } from '../../crawl/testing/crawl-facts.ts'
import type { Plan } from '../plan.ts'
import { probeAll } from '../run.ts'
import { SHARED } from '../shared.ts'

const cleanups: (() => Promise<void>)[] = []
/** After each test. */
export const closeProbed = async (): Promise<void> => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

const template = (id: string, url: string): RequestTemplate => ({
  ...{ id, method: 'GET', url, shape: url, encoding: 'none', fields: [], body: null, source: 'link', seenOn: [] },
  ...{ sent: true, harm: null },
})
export const pointOf = (request: string, place: Place, name: string, example = 'value'): InsertionPoint => ({
  ...{ id: `${request}:${place}:${name}`, request, place, name, example },
})
export const crawlOf = (points: readonly InsertionPoint[], change: Partial<CrawlFacts> = {}): CrawlFacts => ({
  ...caseCrawl(),
  requests: [...new Set(points.map(({ request }) => request))].map((id) => template(id, `http://shop.test/${id}?q=1`)),
  points,
  ...change,
})

/** Finds what answers a quote with "boom"; five more probes of no effect show what a place costs. */
export const plan: Plan<string> = {
  what: 'Test',
  wants: () => true,
  groups: true,
  probe: async (probe, found) => {
    await probe.control()
    for (const end of ['a', 'b', 'c', 'd', 'e']) await probe.send(`${probe.point.value}${end}`)
    const reply = await probe.send(`${probe.point.value}'`)
    if (reply.text.includes('boom')) found('boom')
  },
}

export const probed = async (
  http: RequestListener,
  crawl: CrawlFacts,
  blockPage: BlockPage | null = null,
  cookie: string | null = null,
  change: Partial<Plan<string>> = {},
  /** Modules that ask at the same time. */
  beside = 0,
  /** Of the run. */
  timeFactor?: number,
  /** Milliseconds after which these have asked all that deletes nothing; by default they never have. */
  restAfter?: number,
) => {
  let asked = 0
  const site = await serveCase(176, {
    http: (request, response) => {
      asked += 1
      http(request, response)
    },
  })
  cleanups.push(site.close)
  const { ctx: own, close, faults } = collectContext(site.address, { module: 'sqli', requests: 5_000, cookie })
  const ctx = timeFactor === undefined ? own : { ...own, timeFactor }
  cleanups.push(close)
  const { writes } = ctx.scope.of(SHARED)
  for (let other = 0; other < beside; other += 1) {
    const used = new Map<string, number>()
    writes.join(used)
    if (restAfter !== undefined) setTimeout(() => writes.rest(used), restAfter)
  }
  const facts = await probeAll(ctx, crawl, { ...plan, ...change }, blockPage)
  const hits = facts.points.filter(({ hits }) => hits.length > 0).map(({ at }) => `${at.place} ${at.name}`)
  return { ctx, facts, hits, asked, faults, ends: facts.points.map(({ end }) => end) }
}

export const cookiesOf = (header: string | undefined): Record<string, string> =>
  Object.fromEntries((header ?? '').split('; ').map((pair) => pair.split('=') as [string, string]))
export const html = (text: string) =>
  `<!doctype html><title>Shop</title><main>${text} Tents and packs for everybody.</main>`
