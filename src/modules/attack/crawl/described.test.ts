import { afterEach, expect, it } from 'vitest'
import { readDescriptions } from '../../../descriptions/read.ts'
import type { CrawlFacts } from './facts.ts'
import { crawlTables } from './tables.ts'
import { closeCrawled, crawl, json, type Pages } from './testing/crawling.ts'

afterEach(closeCrawled)

const described = (paths: object, servers: readonly object[] = []) => {
  const text = JSON.stringify({ openapi: '3.0.3', servers, paths })
  return readDescriptions([{ name: 'a.json', text }], { path: null, host: 'shop.test', foundAt: null })
}
const operationsOf = ({ reach }: CrawlFacts) =>
  (reach?.rows ?? [])
    .filter(({ kind }) => kind === 'operation')
    .map(({ method, url, fate, status, reason }) => `${method} ${new URL(url).pathname} ${fate} ${status ?? reason}`)
    .toSorted()
const pointsOf = ({ points, requests }: CrawlFacts) =>
  points.map(({ request, place, name }) => {
    const { method, url } = requests.find(({ id }) => id === request) ?? { method: '', url: 'http://none.test' }
    return `${method} ${new URL(url).pathname} ${place} ${name}`
  })

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const PATHS = {
  '/orders/{id}': { parameters: [id], get: {}, delete: {} },
  '/orders': {
    get: {
      parameters: [
        { name: 'status', in: 'query', schema: { type: 'string' } },
        { name: 'X-Tenant', in: 'header', schema: { type: 'string' } },
        { name: 'theme', in: 'cookie', schema: { type: 'string' } },
      ],
    },
    post: {
      requestBody: {
        content: {
          'application/json': { schema: { properties: { orderId: { type: 'string' }, note: { type: 'string' } } } },
        },
      },
    },
  },
  '/gone/{name}': { parameters: [{ ...id, name: 'name' }], get: {} },
}

it('operations of a description are asked with what answers show, and each has its fate', async () => {
  const posted: string[] = []
  const cookies: unknown[] = []
  const descriptions = described(PATHS, [{ url: 'http://localhost:5000/api' }])
  const { facts } = await crawl(
    {
      '/': { body: 'shop', headers: { 'Set-Cookie': 'sid=1' } },
      '/api/orders': (request, body) => {
        if (request.method === 'GET') cookies.push(request.headers.cookie)
        if (request.method === 'POST') posted.push(body)
        if (request.url?.includes('status=test')) return { status: 400 }
        return request.method === 'POST'
          ? { status: 201, type: 'application/json', body: '{"id":"b"}' }
          : json([{ id: 'ord-a' }])
      },
      '/api/orders/ord-a': (request) => (request.method === 'GET' ? json({ id: 'ord-a' }) : { status: 405 }),
    },
    { descriptions },
  )
  expect(operationsOf(facts)).toEqual([
    'DELETE /api/orders/%7Bid%7D left_out it deletes',
    'GET /api/gone/%7Bname%7D asked 404',
    'GET /api/orders asked 200',
    'GET /api/orders/%7Bid%7D asked 200',
    'POST /api/orders asked 201',
  ])
  expect(
    crawlTables(facts)
      .find((table) => table.id === 'crawl/operations')
      ?.rows.slice(0, 2),
  ).toEqual([
    ['DELETE', 'http://shop.test/api/orders/{id}', '', 'it deletes'],
    ['GET', 'http://shop.test/api/gone/{name}', '404', ''],
  ])
  expect(cookies).toContain('theme=test; sid=1')
  expect(JSON.parse(posted[0] ?? '')).toEqual({ orderId: 'ord-a', note: 'test' })
  expect(pointsOf(facts)).toEqual(
    expect.arrayContaining([
      ...['GET /api/orders/ord-a path 2', 'GET /api/gone/test path 2', 'GET /api/orders query status'],
      ...['GET /api/orders header X-Tenant', 'GET /api/orders cookie theme', 'POST /api/orders json /note'],
    ]),
  )
})

it('a description that is found is asked like one that was brought, whatever server it names', async () => {
  const text = JSON.stringify({
    openapi: '3.0.3',
    servers: [{ url: 'http://localhost:5000/api' }],
    paths: { ...PATHS, '/bad': { get: { parameters: [{ $ref: '#/nowhere' }] } } },
  })
  const { facts } = await crawl({
    '/': '<a href="/docs/interface.json">d</a>',
    '/docs/interface.json': { type: 'application/json', body: text },
    '/api/orders': json([{ id: 'ord-a' }]),
    '/api/orders/ord-a': json({ id: 'ord-a' }),
  })
  expect(facts.apis).toMatchObject([{ kind: 'OpenAPI 3.0.3', operations: 5 }])
  expect(facts.requests.filter(({ url }) => url.includes('%7B'))).toEqual([])
  expect(operationsOf(facts)).toContain('GET /api/orders/%7Bid%7D asked 200')
  expect(operationsOf(facts)).toContain(
    'GET /bad left_out refused when it was read: it refers to /nowhere, which is nowhere',
  )
})

it.each([
  [
    'a file',
    (code: string) => ({
      '/docs/': '<script src=/draw.js></script>',
      '/draw.js': { type: 'text/javascript', body: code },
    }),
  ],
  ['a page', (code: string) => ({ '/docs/': `<script>${code}</script>` })],
])('a description that a script of %s holds to draw it is taken', async (_where, pages) => {
  const text = JSON.stringify(
    { openapi: '3.0.0', servers: [{ url: '/api' }], paths: { '/orders': { get: {} } } },
    null,
    1,
  )
  const { facts } = await crawl({
    '/': '<a href="/docs/">d</a>',
    ...pages(`draw({"swaggerDoc": ${text}, "customOptions": {}})`),
    '/api/orders': json([]),
  })
  expect(facts.apis).toMatchObject([{ kind: 'OpenAPI 3.0.0', operations: 1 }])
  expect(operationsOf(facts)).toEqual(['GET /api/orders asked 200'])
})

it.each([
  [
    'holds',
    '/api-docs/',
    { '/api-docs/init.js': (text: string) => `let options = {"swaggerDoc": ${text}};` },
    'init.js',
  ],
  [
    'names',
    '/swagger-ui/index.html',
    {
      '/swagger-ui/init.js': () => 'window.ui = SwaggerUIBundle({ url: "../internal/shop.json" })',
      '/internal/shop.json': (text: string) => text,
    },
    'shop.json',
  ],
] as const)(
  'a page that %s a description is asked where nothing links to it, and not followed',
  async (_how, path, files, at) => {
    const text = JSON.stringify({ openapi: '3.0.0', paths: { '/api/orders': { get: {} } } })
    const { facts } = await crawl({
      '/': 'shop',
      [path]: '<title>Swagger UI</title><div id="swagger-ui"></div><script src="./init.js"></script>',
      ...Object.fromEntries(
        Object.entries(files).map(([name, write]) => [name, { type: 'text/javascript', body: write(text) }]),
      ),
      '/api/orders': json([]),
    })
    expect(facts.apis).toMatchObject([{ kind: 'OpenAPI 3.0.0', operations: 1 }])
    expect(facts.apis[0]?.url.endsWith(at)).toBe(true)
    expect(operationsOf(facts)).toEqual(['GET /api/orders asked 200'])
    expect(facts.urls.some(({ url }) => url.endsWith(path))).toBe(false)
  },
)

it.each([
  ['by its status', { status: 422 }],
  ['with a status of success', json({ errors: [{ message: 'no such argument' }], data: null })],
])('what is refused whole %s is asked with what is required alone, whatever its method', async (_how, refusal) => {
  const properties = { kind: { enum: ['tent'] }, since: { type: 'string', format: 'date' } }
  const schema = { type: 'object', required: ['kind'], properties }
  const post = { requestBody: { content: { 'application/json': { schema } } } }
  const taken: string[] = []
  const { facts } = await crawl(
    {
      '/': 'shop',
      '/find': (request, body) => {
        if (request.method !== 'POST') return { status: 405 }
        if (body.includes('since')) return refusal
        taken.push(body)
        return json([{ kind: 'tent' }])
      },
    },
    { descriptions: described({ '/find': { post } }) },
  )
  expect(operationsOf(facts)).toEqual(['POST /find asked 200'])
  expect([...new Set(taken)]).toEqual(['{"kind":"tent"}'])
})

it('where one optional parameter is refused, the others are places, and what goes on with a list takes what its answer gave', async () => {
  const schema = { type: 'string' }
  const parameters = ['since', 'q', 'cursor'].map((name) => ({ name, in: 'query', schema }))
  const { facts } = await crawl(
    {
      '/': 'shop',
      '/orders': ({ url = '' }) => {
        const asked = new URL(url, 'http://shop.test').searchParams
        if (asked.has('since') || ![null, 'eyJpZCI6N30'].includes(asked.get('cursor'))) return { status: 422 }
        return json({ items: [{ id: 7 }], next: 'eyJpZCI6N30' })
      },
    },
    { descriptions: described({ '/orders': { get: { parameters } } }) },
  )
  const taken = facts.requests.filter(({ url, sent }) => sent && url.includes('/orders?') && !url.includes('since'))
  expect(taken.map(({ url }) => new URL(url).search)).toContain('?q=test&cursor=eyJpZCI6N30')
})

it('where a filter that was made up leaves nothing of a list, the list is asked for without it', async () => {
  const parameters = [{ name: 'label', in: 'query', schema: { type: 'string' } }]
  const { seen, facts } = await crawl(
    {
      '/': 'shop',
      '/sites': ({ url = '' }) => json({ items: url.includes('label=') ? [] : [{ id: 'site-7' }], total: 0 }),
      '/sites/site-7': json({ id: 'site-7' }),
    },
    { descriptions: described({ '/sites': { get: { parameters } }, '/sites/{id}': { parameters: [id], get: {} } }) },
  )
  expect(seen).toEqual(expect.arrayContaining(['GET /sites?label=test', 'GET /sites', 'GET /sites/site-7']))
  expect(pointsOf(facts)).toContain('GET /sites query label')
})

it('what updates a thing is sent with what it holds, and what makes one with values of its own', async () => {
  const properties = { name: { type: 'string' }, notes: { type: 'string' } }
  const requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } }
  const bodies = new Map<string, string>()
  const record = { id: 7, name: 'North quay', notes: 'Gate 4' }
  const take: Pages[string] = ({ method = '' }, body) => {
    if (!bodies.has(method)) bodies.set(method, body)
    return json(record)
  }
  await crawl(
    {
      '/': 'shop',
      '/sites': (request, body) => (request.method === 'GET' ? json([record]) : take(request, body)),
      '/sites/7': take,
    },
    {
      descriptions: described({
        '/sites': { get: {}, post: { requestBody } },
        '/sites/{id}': { patch: { requestBody } },
      }),
    },
    'test',
  )
  expect(bodies.get('PATCH')).toBe('{"name":"North quay","notes":"Gate 4"}')
  expect(bodies.get('POST')).not.toContain('North quay')
})

it('on a test system what may write is asked, and what removes is left to its places', async () => {
  const { facts, seen } = await crawl(
    { '/': 'shop', '/orders': json([{ id: 'ord-a' }]), '/orders/ord-a': json({ id: 'ord-a' }) },
    { descriptions: described(PATHS) },
    'test',
  )
  expect(seen).toContain('POST /orders')
  expect(seen).not.toContain('DELETE /orders/ord-a')
  expect(operationsOf(facts)).toContain(
    'DELETE /orders/%7Bid%7D left_out it deletes or closes a thing: its places are asked behind all others',
  )
  expect(pointsOf(facts)).toContain('DELETE /orders/ord-a path 1')
})

it('of one address, whose bodies say what is to be done, each procedure is an operation of its own', async () => {
  const asked: string[] = []
  const item = (method: string) => ({
    name: method,
    request: {
      ...{ method: 'POST', url: 'http://shop.test/rpc' },
      body: {
        ...{ mode: 'raw', options: { raw: { language: 'json' } } },
        raw: JSON.stringify({ jsonrpc: '2.0', method, params: { limit: 5 }, id: 1 }),
      },
    },
  })
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  const text = JSON.stringify({
    info: { name: 'rpc', schema },
    item: ['orders.get', 'people.get', 'people.get'].map(item),
  })
  const descriptions = readDescriptions([{ name: 'a.json', text }], { path: null, host: 'shop.test', foundAt: null })
  const { facts } = await crawl(
    {
      '/': { body: 'shop' },
      '/rpc': (_request, body) => {
        asked.push(/"method":"([^"]+)/.exec(body)?.[1] ?? '')
        return json({ result: [] })
      },
    },
    { descriptions },
  )
  expect(new Set(asked.filter((one) => one !== ''))).toEqual(new Set(['orders.get', 'people.get']))
  expect(facts.requests.filter(({ url }) => url.endsWith('/rpc')).map(({ body }) => body)).toHaveLength(2)
})

it('a number that answers show stays one, whole or not, and a word takes the place of none', async () => {
  const posted: string[] = []
  const content = {
    'application/json': { schema: { properties: { price: { type: 'number' }, size: { type: 'number' } } } },
  }
  await crawl(
    {
      '/': 'shop',
      '/items': (request, body) => {
        if (request.method === 'POST') posted.push(body)
        return json([{ id: 1, price: 59.9, size: 'large' }])
      },
    },
    { descriptions: described({ '/items': { get: {}, post: { requestBody: { content } } } }) },
    'test',
  )
  expect(JSON.parse(posted[0] ?? '')).toEqual({ price: 59.9, size: expect.any(Number) })
})

it.each(['/api-json', '/docs-json', '/openapi'])('a description is looked for at %s', async (path) => {
  const { facts } = await crawl({ '/': 'Hello', [path]: json({ openapi: '3.0.3', paths: PATHS }) })
  expect(facts.apis.map(({ url }) => new URL(url).pathname)).toEqual([path])
  expect(operationsOf(facts).some((line) => line.includes('/orders'))).toBe(true)
})
