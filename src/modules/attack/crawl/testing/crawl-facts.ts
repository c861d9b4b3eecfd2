/** Facts of a crawl for tables of cases: a small site with one page and nothing else. */
import type { CrawlFacts, RequestTemplate } from '../facts.ts'

export const caseRequest = (change: Partial<RequestTemplate> = {}): RequestTemplate => ({
  id: '0123456789ab',
  method: 'GET',
  url: 'https://shop.test/',
  shape: 'https://shop.test/',
  encoding: 'none',
  fields: [],
  body: null,
  source: 'link',
  seenOn: [],
  sent: true,
  harm: null,
  ...change,
})

export const caseCrawl = (change: Partial<CrawlFacts> = {}): CrawlFacts => ({
  urls: [{ url: 'https://shop.test/', status: 200, contentType: 'text/html', title: 'Shop', depth: 0, source: 'link' }],
  requests: [caseRequest()],
  points: [],
  apis: [],
  graphql: [],
  session: { state: 'none', canary: null, withThem: null, withoutThem: null, proofs: 0, doubtful: [] },
  browser: { version: null, reason: 'no page runs scripts', pages: 0, clicks: 0, states: 0, failures: [], running: [] },
  otherHosts: [],
  leftOut: {},
  cut: null,
  ...change,
})
