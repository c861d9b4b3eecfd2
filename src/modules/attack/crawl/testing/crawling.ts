/** A crawl of a small site of its own, for tests. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CollectContext } from '../../../module.ts'
import { collect as collectSite } from '../../../passive/site/collect.ts'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { collectCrawl } from '../collect.ts'
import type { CrawlFacts } from '../facts.ts'

export const cleanups: (() => Promise<void>)[] = []
/** After each test. */
export const closeCrawled = async (): Promise<void> => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

export type Answer =
  | string
  | {
      readonly status?: number
      readonly type?: string
      readonly body?: string
      readonly headers?: Record<string, string | string[]>
    }
export type Pages = Readonly<Record<string, Answer | ((request: IncomingMessage, body: string) => Answer)>>

/** Answers 404 for what is no key. */
export const listener =
  (pages: Pages, seen: string[]): RequestListener =>
  async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '')
    seen.push(`${request.method} ${request.url}`)
    const page = pages[path] ?? { status: 404, body: 'not here' }
    const answer = typeof page === 'function' ? page(request, await text(request)) : page
    const {
      status = 200,
      type = 'text/html',
      body = '',
      headers = {},
    } = typeof answer === 'string' ? { body: answer } : answer
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body)
  }

let last = 100
export const crawl = async (
  pages: Pages,
  change: Parameters<typeof collectContext>[1] &
    Pick<CollectContext, 'descriptions' | 'session'> &
    Partial<Pick<CollectContext, 'timeFactor'>> = {},
  environment: 'production' | 'test' = 'production',
): Promise<{ facts: CrawlFacts; seen: string[]; egress: CollectContext['egress'] }> => {
  last += 1
  const seen: string[] = []
  const site = await serveCase(last, { http: listener(pages, seen) })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'crawl', requests: 1_000, ...change })
  cleanups.push(close)
  const known = await collectSite(ctx)
  const brought = {
    ...(change.descriptions ? { descriptions: change.descriptions } : {}),
    ...(change.session ? { session: change.session } : {}),
  }
  const asked = {
    ...ctx,
    ...brought,
    timeFactor: change.timeFactor ?? ctx.timeFactor,
    target: { ...ctx.target, environment },
  }
  return { facts: await collectCrawl(asked, known), seen, egress: ctx.egress }
}

export const paths = (facts: CrawlFacts) => facts.urls.map(({ url }) => new URL(url).pathname + new URL(url).search)
export const json = (value: object): Answer => ({ type: 'application/json', body: JSON.stringify(value) })
