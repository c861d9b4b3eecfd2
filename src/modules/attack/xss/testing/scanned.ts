/** The whole module against small sites of its own, with a real browser. */
import type { IncomingMessage } from 'node:http'
import { inventoryOf } from '../../../../../testbed/web/inventory.ts'
import type { Environment } from '../../../../contract/run.ts'
import { judgeModule } from '../../../../engine/judge.ts'
import { sharedBrowser } from '../../../../engine/testing/shared-browser.ts'
import type { CollectContext } from '../../../module.ts'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseContext } from '../../../testing/judge-cases.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { collect } from '../collect.ts'
import { xss } from '../module.ts'

export const COOKIE = 'sid=robin'
export const FORM = { name: 'q', value: 'tent', type: 'text' }
/** What a crawl has found: one form, which stores something, with these fields. */
export const known = (fields: readonly (typeof FORM)[], session: Partial<CrawlFacts['session']> = {}): CrawlFacts => {
  const empty = inventoryOf([], 'http://shop.test', 'careless')
  return {
    ...empty,
    session: { ...empty.session, ...session },
    urls: [
      { url: 'http://shop.test/notes', status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' },
    ],
    scripted: [],
    requests: [
      {
        id: 'a',
        method: 'POST',
        url: 'http://shop.test/notes',
        shape: 'http://shop.test/notes',
        encoding: 'urlencoded',
        fields,
        body: null,
        source: 'form',
        seenOn: ['http://shop.test/notes'],
        sent: false,
        harm: null,
      },
    ],
    points: [{ id: 'a:form:q', request: 'a', place: 'form', name: 'q', example: 'tent' }],
  }
}

export type Answer = (sent: URLSearchParams, request: IncomingMessage) => string | Promise<string>

let last = 200
/** A run of the module against a site that answers so. `cookie`: what the run is known by, a header where it names one (`Name: value`). */
export const scanned = async (
  answer: Answer,
  crawl: CrawlFacts,
  cookie: string | null = null,
  environment: Environment = 'production',
  type = 'text/html',
  /** What else goes on in the run. */
  beside: (ctx: CollectContext) => Partial<CollectContext> = () => ({}),
) => {
  last += 1
  const server = await serveCase(last, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const text = await answer(new URLSearchParams(body), request)
      response.writeHead(200, { 'Content-Type': type }).end(text)
    },
  })
  const { ctx, close } = collectContext(server.address, {
    module: 'xss',
    requests: 1_000,
    launchBrowser: sharedBrowser,
    ...(cookie?.includes(': ') ? { header: cookie } : { cookie }),
  })
  // Here and not after each test: files of tests share a process, in which this one is loaded for the first of them alone.
  // As in a run that has most of its hour left.
  const secondsLeft = (): number => 3_000
  const run = { ...ctx, secondsLeft, target: { ...ctx.target, environment }, ...beside(ctx) }
  const facts = await collect(run, { crawl, waf: { blockPage: null } })
    .finally(close)
    .finally(server.close)
  const { findings, coverage } = judgeModule(xss as never, facts, { crawl } as never, caseContext())
  return {
    found: findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`),
    at: findings.map(({ check_id, places: [place] }) => `${check_id} ${place?.url} ${place?.parameter}`),
    /** All pages of each. */
    places: findings.map(({ places }) => places.map(({ url }) => url ?? '')),
    said: findings.map(({ detail }) => detail),
    replays: findings.map(({ proof }) => proof?.replay ?? null),
    states: Object.fromEntries(coverage.map(({ check_id, state, reason }) => [check_id, `${state} ${reason ?? ''}`])),
  }
}

/** What a crawl has found: pages that run scripts, and nothing that takes a value. */
export const scriptedOf = (paths: readonly string[]): CrawlFacts => {
  const pages = paths.map((path) => `http://shop.test${path}`)
  const row = { status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' } as const
  return {
    ...{ ...known([]), requests: [], points: [], browser: { ...known([]).browser, version: '150.0' } },
    urls: pages.map((url) => ({ ...row, url })),
    scripted: pages.map((url) => ({ url, code: url })),
  }
}
