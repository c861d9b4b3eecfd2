import { expect, it } from 'vitest'
import { readDescriptions } from './read.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const read = (item: readonly object[], more: object = {}, environment?: object) => {
  const files = [
    { name: 'a.json', text: JSON.stringify({ info: { name: 'Shop', schema: SCHEMA }, item, ...more }, null, 1) },
    ...(environment ? [{ name: 'b.json', text: JSON.stringify(environment) }] : []),
  ]
  const [found, second] = readDescriptions(files, { path: null, host: 'shop.test', foundAt: null })
  if (!found || second) throw new Error('one is read')
  return found
}
const url = (raw: string, more: object = {}) => ({ request: { method: 'GET', url: { raw, ...more } } })

it('requests in folders, with the values of the collection and its environment', () => {
  const found = read(
    [
      {
        name: 'Orders',
        item: [
          {
            name: 'One',
            ...url('{{baseUrl}}/orders/:id?full={{full}}', { variable: [{ key: 'id', value: '{{order}}' }] }),
          },
          { name: 'Other', ...url('http://localhost:3000/api/{{unknown}}/x') },
          { name: 'Text', request: 'https://api.example/a?b=1' },
        ],
      },
      { name: 'Nothing' },
    ],
    { variable: [{ key: 'order', value: '{{prefix}}-7' }] },
    {
      name: 'Local',
      _postman_variable_scope: 'environment',
      values: [
        { key: 'prefix', value: 'PX', enabled: true },
        { key: 'full', value: 'no', enabled: false },
      ],
    },
  )
  expect(found).toMatchObject({ kind: 'Postman 2', title: 'Shop', described: 4 })
  expect(found.operations).toMatchObject([
    {
      path: '/orders/{id}',
      parameters: [
        { in: 'path', name: 'id', value: 'PX-7', given: true },
        { in: 'query', name: 'full', value: '', given: false },
      ],
    },
    { path: '/api/{unknown}/x', parameters: [{ name: 'unknown', given: false }] },
    { path: '/a', parameters: [{ in: 'query', name: 'b', value: '1' }] },
  ])
  expect(found.refused).toMatchObject([{ where: 'Nothing', reason: 'it has no request' }])
  expect(found.refused[0]?.line).toBeGreaterThan(30)
})

it.each<[string, object, object]>([
  [
    'raw JSON',
    { mode: 'raw', raw: '{"a": "{{a}}", "b": {{b}}}' },
    { type: 'application/json', text: '{"a":"test","b":1}' },
  ],
  ['a form', { mode: 'urlencoded', urlencoded: [{ key: 'q', value: 'x' }] }, { fields: [{ name: 'q', value: 'x' }] }],
  [
    'files',
    { mode: 'formdata', formdata: [{ key: 'f', type: 'file', src: '/home/mia/a.pdf' }] },
    { type: 'multipart/form-data', fields: [{ name: 'f', value: '', type: 'file' }] },
  ],
  [
    'GraphQL',
    { mode: 'graphql', graphql: { query: '{ a }', variables: '{"x": 1}' } },
    { text: '{"query":"{ a }","variables":{"x":1}}' },
  ],
])('a body: %s', (_name, body, expected) => {
  const found = read([{ name: 'a', request: { method: 'POST', url: 'http://x/a', body } }])
  expect(found.operations[0]?.body).toMatchObject(expected)
})

it('credentials of collection, environment and requests are left out', () => {
  const found = read(
    [
      {
        name: 'a',
        request: {
          ...{ method: 'GET', auth: { type: 'bearer' }, url: 'http://x/a?key={{apiKey}}&plain={{hidden}}' },
          header: [{ key: 'Authorization', value: 'Bearer kanarie-1' }],
        },
      },
    ],
    { auth: { type: 'basic', basic: [{ key: 'password', value: 'kanarie-2' }] } },
    {
      name: 'Local',
      values: [
        { key: 'apiKey', value: 'kanarie-3' },
        { key: 'hidden', value: 'kanarie-4', type: 'secret' },
      ],
    },
  )
  expect(JSON.stringify(found)).not.toContain('kanarie')
  expect(found.leftOut.map(({ where }) => where)).toEqual([
    ...['variable apiKey', 'variable hidden', 'sign-in of the collection', 'header Authorization of a'],
  ])
})
