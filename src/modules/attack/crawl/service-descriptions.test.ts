import { afterEach, expect, it } from 'vitest'
import { closeCrawled, crawl, json } from './testing/crawling.ts'

afterEach(closeCrawled)

const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Orders' },
  servers: [{ url: '/orders/api' }],
  paths: { '/v1/parcels': { get: {} } },
}

it.each(['/orders/api/openapi.json', '/orders/api/v1/openapi.json', '/orders/v3/api-docs'])(
  'the description of a service is found at %s, by the operations that scripts call',
  async (at) => {
    const { facts } = await crawl({
      '/': { body: '<script src=/a.js></script>' },
      '/a.js': {
        type: 'text/javascript',
        body: 'fetch("/orders/api/v1/carts").then(f);fetch("/users/api/me").then(f)',
      },
      '/orders/api/v1/carts': json([]),
      '/users/api/me': json({}),
      [at]: json(DESCRIPTION),
      '/orders/api/v1/parcels': json([{ id: 7 }]),
    })
    expect(facts.apis.map(({ url }) => new URL(url).pathname)).toEqual([at])
    expect(facts.requests.map(({ url }) => new URL(url).pathname)).toContain('/orders/api/v1/parcels')
  },
)
