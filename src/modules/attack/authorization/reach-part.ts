/** What the matrix says of the run's reach: pages and forms that others than the first identity are led to, and that were asked as none of them. */
import { kindOf } from '../../../page/shape.ts'
import type { ReachPart } from '../../reach.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import type { AuthorizationFacts } from './facts.ts'

export const reachPartOf = (
  { shownToOthers = [] }: AuthorizationFacts,
  { crawl: { urls, others = [] } }: { readonly crawl: Pick<CrawlFacts, 'urls' | 'others'> },
): ReachPart => {
  const keyOf = (method: string, url: string): string => `${method} ${kindOf(url)}`
  const asked = new Set([
    ...urls.map(({ url }) => keyOf('GET', url)),
    ...others.flatMap(({ requests }) => requests.map(({ method, url }) => keyOf(method, url))),
  ])
  return {
    entries: shownToOthers
      .filter(({ method, url }) => !asked.has(keyOf(method, url)))
      .map(({ method, url, to }) => {
        const kind = method === 'GET' ? ('address' as const) : ('form' as const)
        const reason = `only ${to} is led to it, and it was not asked as that one`
        return { kind, id: `${kind} ${method} ${url}`, method, url, fate: 'left_out' as const, reason }
      }),
    beyond: [],
  }
}
