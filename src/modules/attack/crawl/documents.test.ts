import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isGraphql, readSchema, readSuggestion } from './graphql.ts'
import { readRobots, readSitemap } from './sitemap.ts'

const urlset = '<?xml version="1.0"?><urlset><url><loc>https://shop.test/a?b=1&amp;c=2</loc></url></urlset>'

describe('sitemap', () => {
  it.each([
    ['plain', Buffer.from(urlset), { urls: ['https://shop.test/a?b=1&c=2'], sitemaps: [] }],
    ['gzip', gzipSync(urlset), { urls: ['https://shop.test/a?b=1&c=2'], sitemaps: [] }],
    [
      'index',
      Buffer.from('<sitemapindex><sitemap><loc>/s2.xml</loc></sitemap></sitemapindex>'),
      { urls: [], sitemaps: ['/s2.xml'] },
    ],
    [
      'text',
      Buffer.from('https://shop.test/a\nhttps://shop.test/b\nnot one'),
      { urls: ['https://shop.test/a', 'https://shop.test/b'], sitemaps: [] },
    ],
    ['a page instead', Buffer.from('<html><loc>/x</loc></html>'), { urls: [], sitemaps: [] }],
    ['broken gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1]), { urls: [], sitemaps: [] }],
  ])('%s', (_name, body, expected) => {
    expect(readSitemap(body)).toEqual(expected)
  })

  it('a bomb gives nothing', () => {
    expect(readSitemap(gzipSync(Buffer.alloc(64 * 1024 * 1024)))).toEqual({ urls: [], sitemaps: [] })
  })

  it('robots: paths without wildcards, sitemaps', () => {
    const text =
      'User-agent: *\nDisallow: /admin/ # old\nDisallow: /*.php\nAllow: /a$\nSitemap: https://shop.test/s.xml\nDisallow:'
    expect(readRobots(text)).toEqual({ paths: ['/admin/', '/a'], sitemaps: ['https://shop.test/s.xml'] })
  })
})

describe('GraphQL', () => {
  const named = (name: string, kind = 'SCALAR') => ({ name, kind })
  const schema = {
    data: {
      __schema: {
        queryType: { name: 'Query' },
        mutationType: { name: 'Mutation' },
        types: [
          {
            ...{ name: 'Query', kind: 'OBJECT' },
            fields: [
              {
                name: 'item',
                args: [{ name: 'id', type: { kind: 'NON_NULL', ofType: named('ID') } }],
                type: named('Item', 'OBJECT'),
              },
              { name: 'version', args: [], type: named('String') },
            ],
          },
          { name: 'Mutation', kind: 'OBJECT', fields: [{ name: 'buy', args: [], type: named('Boolean') }] },
          { name: '__Type', kind: 'OBJECT' },
        ],
      },
    },
  }

  it('schema: its names, and its operations', () => {
    expect(readSchema(JSON.stringify(schema), 'https://shop.test/graphql')).toMatchObject({
      types: 2,
      queries: ['item', 'version'],
      mutations: ['buy'],
      operations: [{ name: 'query.item', path: '/graphql' }, { name: 'query.version' }, { name: 'mutation.buy' }],
    })
  })

  it.each([
    ['answer', '{"data":{"__typename":"Query"}}', true],
    ['echo of the query', '{"query":"{__typename}"}', false],
    ['page', '<html>', false],
  ])('endpoint: %s', (_name, text, expected) => {
    expect(isGraphql(text)).toBe(expected)
  })

  it('suggestion', () => {
    const text = JSON.stringify({ errors: [{ message: 'Cannot query field "__typenme". Did you mean "__typename"?' }] })
    expect(readSuggestion(text)).toBe('Did you mean "__typename"?')
    expect(readSuggestion('{"errors":[{"message":"no"}]}')).toBeNull()
  })
})
