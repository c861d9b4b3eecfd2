import { describe, expect, it } from 'vitest'
import type { Operation } from '../../contract/described.ts'
import { readDescriptions } from '../read.ts'

const OPTIONS = { path: null, host: 'shop.test', foundAt: null }
const read = (document: unknown, more: Readonly<Record<string, unknown>> = {}) => {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))
  const files = Object.entries({ 'main.json': document, ...more }).map(([name, value]) => ({ name, text: text(value) }))
  const [found] = readDescriptions(files, OPTIONS)
  if (!found) throw new Error('a document is read')
  return found
}
const one = (operation: object, more: object = {}): Operation | undefined =>
  read({ openapi: '3.1.0', paths: { '/a': { post: operation } }, ...more }).operations[0]
const bodyOf = (schema: object, more: object = {}): unknown => {
  const operation = one({ requestBody: { content: { 'application/json': { schema } } } }, more)
  return JSON.parse(operation?.body?.text ?? 'null')
}

describe('servers: the host is the site’s, the folder is the description’s', () => {
  it.each([
    ['of this machine', [{ url: 'http://localhost:5000/api' }], '/api/a'],
    ['of another host', [{ url: 'https://api.example/v2/' }], '/v2/a'],
    ['its own among others', [{ url: 'https://api.example/v2' }, { url: 'https://shop.test/own' }], '/own/a'],
    ['relative', [{ url: 'v1' }], '/v1/a'],
    ['with variables', [{ url: '/{base}', variables: { base: { default: 'v3' } } }], '/v3/a'],
    ['with variables that say nothing', [{ url: '{scheme}://{host}/v4' }], '/v4/a'],
    ['none', [], '/a'],
  ])('%s', (_name, servers, path) => {
    expect(read({ openapi: '3.0.3', servers, paths: { '/a': { get: {} } } }).operations[0]?.path).toBe(path)
  })

  it('of version 2 the base path', () => {
    const document = 'swagger: 2.0\nhost: localhost:3000\nbasePath: /v1/\npaths:\n  /a:\n    get: {}\n'
    expect(read(document)).toMatchObject({ kind: 'Swagger 2.0', operations: [{ path: '/v1/a' }] })
  })
})

describe('values that a schema takes', () => {
  const of = (schema: object): unknown => (bodyOf({ type: 'object', properties: { x: schema } }) as { x?: unknown }).x
  it.each<[string, object, unknown]>([
    ['its example', { type: 'string', example: 'blue' }, 'blue'],
    ['the first of its examples', { type: 'integer', examples: [7, 8] }, 7],
    ['its default', { type: 'integer', default: 5 }, 5],
    ['no default that says none', { type: 'string', default: null, format: 'date' }, '2024-01-01'],
    ['one of an enumeration', { enum: ['red', 'green'] }, 'red'],
    ['a constant', { const: 3 }, 3],
    ['at least so much', { type: 'integer', minimum: 10 }, 10],
    ['more than so much', { type: 'integer', exclusiveMinimum: 10 }, 11],
    ['more than so much, as version 3.0 says it', { type: 'integer', minimum: 10, exclusiveMinimum: true }, 11],
    ['a multiple', { type: 'integer', minimum: 10, multipleOf: 25 }, 25],
    ['between zero and one', { type: 'number', minimum: 0, maximum: 0.5 }, 0.25],
    ['below zero', { type: 'integer', maximum: -3 }, -3],
    ['of a format', { type: 'string', format: 'uuid' }, '00000000-0000-4000-8000-000000000000'],
    ['of a pattern', { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' }, 'AB-456'],
    ['long enough', { type: 'string', minLength: 6 }, 'testte'],
    ['short enough', { type: 'string', maxLength: 2 }, 'te'],
    ['one of several types', { type: ['null', 'boolean'] }, true],
    ['enough of a list', { type: 'array', minItems: 2, items: { type: 'integer' } }, [1, 1]],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, { key: 1 }],
    ['nothing that only the server sets', { type: 'string', readOnly: true }, undefined],
  ])('%s', (_name, schema, value) => expect(of(schema)).toEqual(value))

  it('parts that are put together, of a choice the first, with its kind', () => {
    const schemas = {
      Pet: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
      Cat: {
        allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { lives: { type: 'integer', minimum: 9 } } }],
      },
    }
    const schema = {
      oneOf: [{ $ref: '#/components/schemas/Cat' }],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
    }
    expect(bodyOf(schema, { components: { schemas } })).toEqual({ kind: 'cat', lives: 9 })
  })

  it('a schema that holds itself ends', () => {
    const Node = {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
    }
    expect(bodyOf({ $ref: '#/components/schemas/Node' }, { components: { schemas: { Node } } })).toEqual({
      name: 'test',
    })
  })

  it('says which leaves it made up, and has what is required alone beside it', () => {
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, note: { type: 'string' }, state: { enum: ['new'] } },
    }
    const body = one({ requestBody: { content: { 'application/json': { schema } } } })?.body
    expect(body).toMatchObject({ made: ['/id', '/note'], lean: '{"id":1}' })
  })
})

describe('an operation', () => {
  it('has each of its parameters, those of its path among them', () => {
    const { operations } = read({
      openapi: '3.0.0',
      paths: {
        '/shops/{shop}/items/{item}?view=full': {
          parameters: [
            { name: 'shop', in: 'path', schema: { type: 'string' }, example: 'north' },
            { name: 'page', in: 'query', schema: { type: 'integer', default: 2 } },
          ],
          get: {
            operationId: 'readItem',
            parameters: [
              { name: 'page', in: 'query', schema: { type: 'integer', default: 3 } },
              {
                name: 'filter',
                in: 'query',
                style: 'deepObject',
                schema: { type: 'object', properties: { name: {} } },
              },
              { name: 'X-Tenant', in: 'header', schema: { type: 'string' } },
              { name: 'theme', in: 'cookie', schema: { enum: ['dark'] } },
            ],
          },
        },
      },
    })
    expect(operations).toMatchObject([{ path: '/shops/{shop}/items/{item}', label: 'read Item' }])
    expect(operations[0]?.parameters.map(({ in: place, name, value, given }) => [place, name, value, given])).toEqual([
      ['path', 'shop', 'north', true],
      ['path', 'item', '1', false],
      ['query', 'page', '3', true],
      ['query', 'filter[name]', 'test', false],
      ['header', 'X-Tenant', 'test', false],
      ['cookie', 'theme', 'dark', true],
      ['query', 'view', 'full', true],
    ])
  })

  it.each<[string, object, object]>([
    ['JSON before others', { 'text/csv': {}, 'application/vnd.shop+json': { example: { a: 1 } } }, { text: '{"a":1}' }],
    [
      'a form',
      { 'application/x-www-form-urlencoded': { schema: { properties: { q: { type: 'string' }, password: {} } } } },
      {
        fields: [
          { name: 'q', value: 'test', type: 'text' },
          { name: 'password', value: 'Test-1234', type: 'password' },
        ],
      },
    ],
    [
      'a file',
      { 'multipart/form-data': { schema: { properties: { f: { type: 'string', format: 'binary' } } } } },
      { fields: [{ name: 'f', value: '', type: 'file' }] },
    ],
    [
      'XML',
      {
        'application/xml': {
          schema: {
            type: 'object',
            xml: { name: 'order' },
            properties: {
              id: { type: 'integer', xml: { attribute: true } },
              tags: { type: 'array', xml: { wrapped: true }, items: { type: 'string', xml: { name: 'tag' } } },
            },
          },
        },
      },
      { text: '<?xml version="1.0"?><order id="1"><tags><tag>test</tag></tags></order>' },
    ],
    ['named examples', { 'application/json': { examples: { one: { value: [1] } } } }, { text: '[1]' }],
  ])('takes %s', (_name, content, body) => expect(one({ requestBody: { content } })?.body).toMatchObject(body))

  it('of version 2 has form fields and bodies', () => {
    const parameters = [
      { name: 'user', in: 'formData', type: 'string' },
      { name: 'photo', in: 'formData', type: 'file' },
    ]
    const body = [{ name: 'b', in: 'body', schema: { type: 'object', properties: { n: { type: 'integer' } } } }]
    const { operations } = read({
      swagger: '2.0',
      paths: { '/a': { post: { parameters }, put: { parameters: body } } },
    })
    expect(operations.map((each) => each.body)).toMatchObject([
      { type: 'application/json', text: '{"n":1}' },
      { type: 'multipart/form-data', fields: [{ name: 'user' }, { name: 'photo', type: 'file' }] },
    ])
  })

  it('leaves headers out that say who asks', () => {
    const parameters = ['Authorization', 'X-API-Key', 'Accept', 'X-Request-Id'].map((name) => ({
      ...{ name, in: 'header', schema: { type: 'string', example: 'sk_live_1' } },
    }))
    const found = read({ openapi: '3.0.0', paths: { '/a': { get: { parameters } } } })
    expect(found.operations[0]?.parameters.map(({ name }) => name)).toEqual(['X-Request-Id'])
    expect(found.leftOut).toMatchObject([{ where: 'header X-API-Key of GET /a' }])
  })
})

describe('references', () => {
  it('go from file to file of what was given', () => {
    const found = read(
      { openapi: '3.0.0', paths: { '/a': { $ref: 'paths/a.yaml' } } },
      {
        'paths/a.yaml': 'get:\n  parameters:\n    - $ref: ../parts.json#/page\n',
        'parts.json': { page: { name: 'page', in: 'query', schema: { type: 'integer' } } },
      },
    )
    expect(found.operations[0]?.parameters).toMatchObject([{ name: 'page', value: '1' }])
  })

  it.each([
    ['to another address', { $ref: 'https://example.org/a.json#/x' }, /another address/],
    ['to a file that is not there', { $ref: '../secret.json#/x' }, /not among those given/],
    ['to a part that is not there', { $ref: '#/components/parameters/x' }, /which is nowhere/],
    ['in a circle', { $ref: '#/components/parameters/loop' }, /in a circle/],
  ])('%s refuse the operation, with its line, and no other', (_name, parameter, reason) => {
    const found = read({
      openapi: '3.0.0',
      paths: { '/a': { get: { parameters: [parameter] } }, '/b': { get: {} } },
      components: { parameters: { loop: { $ref: '#/components/parameters/loop' } } },
    })
    expect(found).toMatchObject({ described: 2, operations: [{ path: '/b' }] })
    expect(found.refused).toMatchObject([{ where: 'GET /a', line: 5, reason: expect.stringMatching(reason) }])
  })
})

it('operations beyond the bound are refused', () => {
  const paths = Object.fromEntries(Array.from({ length: 5_002 }, (_, at) => [`/p${at}`, { get: {} }]))
  const found = read({ openapi: '3.0.0', paths })
  expect([found.operations.length, found.refused.length, found.described]).toEqual([5_000, 2, 5_002])
})

it('thousands of refusals are told within a moment, each with its line', () => {
  const paths = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`/p${at}`, { get: 'no' }]))
  const { refused } = read({ openapi: '3.0.0', paths })
  expect([refused.length, refused.at(-1)?.line]).toEqual([4_000, 12_002])
})

it('text of another format within a document makes it no such document', () => {
  const text =
    'openapi: 3.0.0\ninfo:\n  description: |\n    <definitions xmlns="x">\n    type Query {\npaths:\n  /a:\n    get: {}\n'
  expect(read(text)).toMatchObject({ kind: 'OpenAPI 3.0.0', operations: [{ path: '/a' }] })
})

it('lines are those of YAML, too', () => {
  const text = 'openapi: 3.0.0\npaths:\n  /a:\n    trace: {}\n    get: {}\n  b:\n    get: 7\n'
  expect(read(text).refused).toEqual([
    { where: 'TRACE /a', line: 4, reason: 'TRACE asks servers and no application' },
    { where: 'GET b', line: 7, reason: 'what stands there is no object' },
  ])
})

it.each([
  ['broken JSON', '{"openapi": "3.0.0",\n "paths": {]}', /line 2: It begins as JSON and is none/],
  ['broken YAML', 'openapi: 3.0.0\npaths:\n  /a: [', /line \d: It is no valid YAML/],
  ['a page', '<html><p>openapi: 3</p></html>', /no description of a format/],
  ['other JSON', '{"paths":{}}', /no description of a format/],
  ['no paths', '{"openapi":"3.0.0"}', /has no "paths"/],
  [
    'a bomb of aliases',
    `openapi: "3.0.0"\na: &a [1,1,1,1,1,1,1,1,1]\n${[...'bcdefghi'].map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]},`.repeat(9)}]`).join('\n')}\npaths: {}`,
    /aliases name too much/,
  ],
  ['too much', `{"openapi":"3.0.0","x":"${'x'.repeat(20 * 1024 * 1024)}"}`, /at most 20 MiB/],
  ['nested without end', `openapi: 3.0.0\nx: ${'['.repeat(5_000)}`, /nested too deeply|no valid YAML/],
])('is refused whole: %s', (_name, text, reason) => {
  expect(() => read(text)).toThrow(reason)
})
