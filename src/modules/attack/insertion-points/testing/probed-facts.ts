/** Facts of probing modules for tables of cases. */
import { caseCrawl } from '../../crawl/testing/crawl-facts.ts'
import type { ProbedPoint, ProbingFacts } from '../facts.ts'

export const casePoint = <Hit>(hits: readonly Hit[], change: Partial<ProbedPoint<Hit>> = {}): ProbedPoint<Hit> => ({
  at: { url: 'https://shop.test/find', method: 'GET', place: 'query', name: 'q' },
  end: 'tested',
  reason: null,
  requests: 20,
  hits,
  ...change,
})

export const caseProbed = <Hit>(
  hits: readonly Hit[],
  change: Partial<ProbedPoint<Hit>> & Partial<Omit<ProbingFacts<Hit>, 'points'>> = {},
): ProbingFacts<Hit> => {
  const { left = 0, sessionLost = false, ...point } = change
  return { points: [casePoint(hits, point)], left, sessionLost }
}

export const CASE_CRAWL = { crawl: caseCrawl() } as const
