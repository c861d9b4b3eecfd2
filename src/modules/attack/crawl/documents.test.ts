import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isGraphql, readSchema, readSuggestion } from './graphql.ts'
import { readApi } from './openapi.ts'
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

describe('OpenAPI', () => {
  const at = 'https://shop.test/openapi.json'
  it('3: references, servers, examples by schema', () => {
    const document = {
      openapi: '3.0.3',
      info: { title: 'Shop' },
      servers: [{ url: '/api' }],
      paths: {
        '/items/{id}': {
          parameters: [{ $ref: '#/components/parameters/id' }],
          get: { parameters: [{ name: 'fields', in: 'query', schema: { type: 'string', enum: ['all'] } }] },
          put: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } } },
        },
      },
      components: {
        parameters: { id: { name: 'id', in: 'path', schema: { type: 'integer' } } },
        schemas: {
          Item: {
            type: 'object',
            properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Item' } },
          },
        },
      },
    }
    const read = readApi(JSON.stringify(document), at)
    expect(read).toMatchObject({ kind: 'OpenAPI 3.0.3', title: 'Shop' })
    expect(read?.operations[0]).toEqual({ method: 'GET', url: 'https://shop.test/api/items/1?fields=all', body: null })
    expect(read?.operations[1]).toMatchObject({ method: 'PUT', body: { type: 'application/json' } })
    expect(JSON.parse(read?.operations[1]?.body?.text ?? '')).toMatchObject({ name: 'test' })
  })

  it.each([
    ['one of another host', [{ url: 'https://api.example/v2' }], '/v2/a'],
    ['its own among others', [{ url: 'https://api.example/v2' }, { url: 'https://shop.test/own' }], '/own/a'],
    ['with variables', [{ url: '/{base}', variables: { base: { default: 'v3' } } }], '/v3/a'],
  ])('a server: %s', (_name, servers, path) => {
    const read = readApi(JSON.stringify({ openapi: '3.0.3', servers, paths: { '/a': { get: {} } } }), at)
    expect(read?.operations[0]?.url).toBe(`https://shop.test${path}`)
  })

  it('2 in YAML: base path, form data', () => {
    const text =
      'swagger: "2.0"\nbasePath: /v1\npaths:\n  /login:\n    post:\n      parameters:\n        - {name: user, in: formData, type: string}\n'
    expect(readApi(text, at)?.operations).toEqual([
      {
        method: 'POST',
        url: 'https://shop.test/v1/login',
        body: { type: 'application/x-www-form-urlencoded', text: 'user=test' },
      },
    ])
  })

  it.each([
    ['a page', '<html>openapi: 3</html>'],
    ['other JSON', '{"paths":{}}'],
    ['broken JSON', '{"openapi":'],
    [
      'a bomb of aliases',
      `openapi: "3.0.0"\na: &a [1,1,1,1,1,1,1,1,1]\n${'bcdefghi'
        .split('')
        .map((name, index) => `${name}: &${name} [${`*${'abcdefghi'[index]},`.repeat(9)}]`)
        .join('\n')}\npaths: {}`,
    ],
  ])('not one: %s', (_name, text) => {
    expect(readApi(text, at)?.operations ?? []).toEqual([])
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
            name: 'Query',
            fields: [
              {
                name: 'item',
                args: [{ name: 'id', type: { kind: 'NON_NULL', ofType: named('ID') } }],
                type: named('Item', 'OBJECT'),
              },
              { name: 'version', args: [], type: named('String') },
            ],
          },
          { name: 'Mutation', fields: [{ name: 'buy', args: [] }] },
          { name: '__Type' },
        ],
      },
    },
  }

  it('schema: queries with variables, mutations by name alone', () => {
    expect(readSchema(JSON.stringify(schema))).toEqual({
      types: 2,
      queries: [
        {
          name: 'item',
          body: JSON.stringify({ query: 'query($id:ID!){item(id:$id){__typename}}', variables: { id: '1' } }),
        },
        { name: 'version', body: JSON.stringify({ query: 'query{version}', variables: {} }) },
      ],
      mutations: ['buy'],
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
