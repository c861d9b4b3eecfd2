/** Where a GraphQL interface stands, and where it only answers as well. */
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, closeCrawled, crawl, json, type Pages } from './testing/crawling.ts'

afterEach(closeCrawled)

const answer: Pages[string] = (request): Answer =>
  request.method === 'POST' ? json({ data: { __typename: 'Query' } }) : { status: 404 }

/** A site with a page, and an interface at every path that `stands` takes. */
const site = (stands: (path: string) => boolean): Pages =>
  new Proxy<Record<string, Pages[string]>>(
    { '/': 'hello' },
    { get: (pages, path) => pages[String(path)] ?? (stands(String(path)) ? answer : undefined) },
  )

describe('a GraphQL interface', () => {
  it.each([
    ['at one address', (path: string) => path === '/graphql', ['/graphql']],
    ['at two of its own', (path: string) => ['/graphql', '/api/graphql'].includes(path), ['/graphql', '/api/graphql']],
    ['at every address', (path: string) => path !== '/', ['/graphql']],
    ['below its address', (path: string) => path.startsWith('/graphql'), ['/graphql']],
    ['wherever its name ends an address', (path: string) => path.endsWith('/graphql'), ['/graphql']],
  ])('%s', async (_where, stands, found) => {
    const { facts } = await crawl(site(stands))
    expect(facts.graphql.map(({ url }) => new URL(url).pathname)).toEqual(found)
  })
})
