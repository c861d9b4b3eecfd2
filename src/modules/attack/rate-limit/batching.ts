/** Whether GraphQL interfaces take many queries in one request (GraphQL over HTTP leaves arrays to the server). */
import { textOf } from '../../../page/text.ts'
import type { CollectContext } from '../../module.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { ask } from './asking.ts'
import type { RateLimitFacts } from './facts.ts'

const QUERIES = 10
const MOST_INTERFACES = 5
/** Nobody has looked at the queries. */
const ASKS_WHO: ReadonlySet<number> = new Set([401, 403, 407])

/** As nobody, and where that is refused as the run's account. Of several interfaces the one that takes them stands for all, else one that was not asked. */
export const askBatches = async (ctx: CollectContext, { graphql }: CrawlFacts): Promise<RateLimitFacts['batch']> => {
  const seen: NonNullable<RateLimitFacts['batch']>[] = []
  for (const { url } of graphql.slice(0, MOST_INTERFACES)) {
    const nobody = await askBatch(ctx, url, false)
    seen.push(nobody.refused && ctx.hasCredentials ? await askBatch(ctx, url, true) : nobody)
  }
  return seen.find(({ accepted }) => accepted) ?? seen.find(({ refused }) => refused) ?? seen[0] ?? null
}

const askBatch = async (
  ctx: CollectContext,
  url: string,
  authenticated: boolean,
): Promise<NonNullable<RateLimitFacts['batch']>> => {
  const body = JSON.stringify(Array.from({ length: QUERIES }, () => ({ query: '{__typename}' })))
  const headers = [['Content-Type', 'application/json']] as const
  const exchange = await ask(ctx, { url, method: 'POST', body, authenticated, headers })
  const text = exchange ? textOf(exchange) : ''
  return {
    ...{ url, accepted: (text.match(/"__typename"/g)?.length ?? 0) >= QUERIES, excerpt: text.slice(0, 500) },
    ...(exchange === null || ASKS_WHO.has(exchange.status) ? { refused: true as const } : {}),
    ...(authenticated ? { signedIn: true as const } : {}),
  }
}
