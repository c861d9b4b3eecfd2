import { expect, it } from 'vitest'
import { readDescriptions } from '../read.ts'

const read = (document: object) => {
  const [first] = readDescriptions([{ name: 'a.json', text: JSON.stringify({ openapi: '3.0.3', ...document }) }], {
    ...{ path: null, host: 'shop.test', foundAt: null },
  })
  return first?.operations ?? []
}

const answers = (schema: object) => ({ responses: { '200': { content: { 'application/json': { schema } } } } })

it('who has to be signed in is told by the operation, else by the root', () => {
  const bearer = [{ bearer: [] }]
  const paths = {
    '/root': { get: {} },
    '/open': { get: { security: [] } },
    '/optional': { get: { security: [{ bearer: [] }, {}] } },
    '/own': { get: { security: [{ key: [] }] } },
  }
  expect(read({ security: bearer, paths }).map(({ path, signIn }) => [path, signIn])).toEqual([
    ['/root', true],
    ['/open', undefined],
    ['/optional', undefined],
    ['/own', true],
  ])
  expect(read({ paths: { '/a': { get: {} } } })[0]).not.toHaveProperty('signIn')
})

it('an answer is known by its names, and by where more may stand', () => {
  const item = {
    properties: {
      id: { type: 'string' },
      meta: { type: 'object' },
      more: { additionalProperties: { type: 'string' } },
    },
  }
  const components = { schemas: { Item: item, Tree: { properties: { of: { $ref: '#/components/schemas/Tree' } } } } }
  const [list, whole, choice, none] = read({
    components,
    paths: {
      '/list': { get: answers({ type: 'array', items: { $ref: '#/components/schemas/Item' } }) },
      '/whole': { get: answers({ type: 'object', additionalProperties: true, properties: { id: {} } }) },
      '/choice': { get: answers({ oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }) },
      '/none': { get: { responses: { '200': { description: 'ok' }, '404': {} } } },
      '/circle': { get: answers({ $ref: '#/components/schemas/Tree' }) },
    },
  })
  expect(list?.answer).toEqual({ names: ['/*', '/*/id', '/*/meta', '/*/more'], open: ['/*/meta', '/*/more'] })
  expect([whole?.answer, choice?.answer, none?.answer]).toEqual([undefined, undefined, undefined])
})

it('a schema that holds itself ends', () => {
  const components = { schemas: { Tree: { properties: { of: { $ref: '#/components/schemas/Tree' } } } } }
  const [circle] = read({ components, paths: { '/a': { get: answers({ $ref: '#/components/schemas/Tree' }) } } })
  expect(circle?.answer?.names.length).toBeLessThan(20)
  expect(circle?.answer?.open).toHaveLength(1)
})

it('what the server alone sets is told', () => {
  const schema = { properties: { id: { readOnly: true }, at: { properties: { made: { readOnly: true } } }, name: {} } }
  const requestBody = { content: { 'application/json': { schema } } }
  expect(read({ paths: { '/a': { post: { requestBody } } } })[0]?.readOnly).toEqual(['/id', '/at/made'])
})

it.each<[string, object, boolean]>([
  ['a tag', { tags: ['admin'] }, true],
  ['a tag of two words', { tags: ['Admin Users'] }, true],
  ['a scope', { security: [{ oauth: ['users:admin'] }] }, true],
  ['a sentence', { summary: 'List users', description: 'Administrators only.' }, true],
  ['another sentence', { description: 'Requires the admin role.' }, true],
  ['a remark', { summary: 'List users (admin)' }, true],
  ['a thing that is called so', { summary: 'Name of the administrator of a group' }, false],
  ['a tag of another word', { tags: ['administration-fees'] }, false],
  ['nothing', {}, false],
])('for administrators: %s', (_name, operation, is) => {
  expect(read({ paths: { '/a': { get: operation } } })[0]?.forAdministrators ?? false).toBe(is)
})
