/** What a crawl would have left of the cases: one request and one place each. */
import type { CrawlFacts, RequestTemplate } from '../../src/modules/attack/crawl/facts.ts'
import { nameOf, type WebCase } from './case.ts'

export type Twin = 'careless' | 'careful'

export const inventoryOf = (cases: readonly WebCase[], origin: string, twin: Twin): CrawlFacts => ({
  urls: cases
    .filter((one) => one.listed)
    .map((one) => ({
      url: `${origin}/${twin}/${one.id}`,
      status: 200,
      contentType: 'text/html',
      title: 'Shop',
      depth: 1,
      source: 'link',
    })),
  requests: cases.map((one) => requestOf(one, origin, twin)),
  points: cases.map(({ id, place, value }) => ({
    id: `${id}:${place}`,
    request: id,
    place,
    name: nameOf(place),
    example: value,
  })),
  apis: [],
  graphql: [],
  session: { state: 'none', canary: null, withThem: null, withoutThem: null, proofs: 0, doubtful: [] },
  browser: { version: null, reason: 'not needed', pages: 0, clicks: 0, states: 0, failures: [], running: [] },
  otherHosts: [],
  leftOut: {},
  cut: null,
})

const requestOf = ({ id, place, value, effect }: WebCase, origin: string, twin: Twin): RequestTemplate => {
  const encoded = encodeURIComponent(value)
  const path = `${origin}/${twin}/${id}`
  const plain: RequestTemplate = {
    id,
    method: 'GET',
    url: path,
    shape: path,
    encoding: 'none',
    fields: [],
    body: null,
    source: 'link',
    seenOn: [`${origin}/`],
    sent: true,
    harm: null,
  }
  const posted = { ...plain, method: 'POST', effect: effect ?? ('reads' as const) }
  const fields = [
    { name: 'q', value, type: 'text' },
    { name: 'page', value: '1', type: 'hidden' },
  ]
  switch (place) {
    case 'query':
      return { ...plain, url: `${path}?q=${encoded}&page=1` }
    case 'path':
      return { ...plain, url: `${path}/${encoded}` }
    case 'form':
      return { ...posted, encoding: 'urlencoded', fields }
    case 'multipart':
      return { ...posted, encoding: 'multipart', fields }
    case 'json':
      return { ...posted, encoding: 'json', body: JSON.stringify({ page: 1, item: { q: value } }) }
    case 'xml':
      return {
        ...posted,
        encoding: 'xml',
        body: `<?xml version="1.0"?><order><q>${value.replace(/[<>&]/g, '')}</q></order>`,
      }
    default:
      return plain
  }
}
