import { describe, expect, it } from 'vitest'
import { readDescriptions } from '../read.ts'

const read = (text: string, path: string | null = null) => {
  const [found] = readDescriptions([{ name: 'a', text }], { path, host: 'shop.test', foundAt: null })
  if (!found) throw new Error('a schema is read')
  return found
}
const bodies = (text: string): readonly { query: string; variables: object }[] =>
  read(text).operations.map(({ body }) => JSON.parse(body?.text ?? ''))

const SDL = `
"""All of it. type Nothing { a: B }"""
schema @link(url: "https://example.org/", import: ["@key"]) { query: Root, mutation: Change, subscription: Watch }
directive @key(fields: String! = "id") repeatable on OBJECT | INTERFACE
scalar DateTime @specifiedBy(url: "x")
union Found = | Order | User
enum State { "open" OPEN CLOSED @deprecated(reason: "no") }
interface Node { id: ID! }
type Root implements Node & Other @key(fields: "id") {
  # a comment
  order(id: ID!, since: DateTime, states: [State!]! = [CLOSED]): Order
  find(where: Filter!): [Found!]!
  version: String!
}
extend type Root { users: [User] }
type Order { id: ID! state: State user: User lines(first: Int!): [Int] }
type User { id: ID! name: String orders: [Order] }
input Filter { text: String = "tent", count: Int, not: Filter, range: Range! }
input Range { from: Float! upTo: Range }
type Change { createUser(name: String!, email: String): User }
type Watch { orders: Order }
`

describe('a schema in its own language', () => {
  it('queries and mutations with a variable for each argument, and what they lead to', () => {
    expect(bodies(SDL)).toEqual([
      {
        query:
          'query($id: ID!, $since: DateTime, $states: [State!]!) { order(id: $id, since: $since, states: $states) { id state user { id name orders { id state } } } }',
        variables: { id: '1', since: '2024-01-01T00:00:00Z', states: ['CLOSED'] },
      },
      {
        query:
          'query($where: Filter!) { find(where: $where) { __typename ... on Order { id state user { id name orders { id state } } } ... on User { id name orders { id state user { id name } } } } }',
        variables: {
          where: { text: 'tent', count: 1, not: { text: 'tent', count: 1, range: { from: 1 } }, range: { from: 1 } },
        },
      },
      { query: 'query { version }', variables: {} },
      { query: 'query { users { id name orders { id state user { id name } } } }', variables: {} },
      {
        query:
          'mutation($name: String!, $email: String) { createUser(name: $name, email: $email) { id name orders { id state user { id name } } } }',
        variables: { name: 'test', email: 'test@example.org' },
      },
    ])
  })

  it('each has its name, its path and what of it is made up', () => {
    const found = read(SDL, '/api/graph')
    expect(found).toMatchObject({ kind: 'GraphQL', described: 6 })
    expect(found.operations[0]).toMatchObject({
      ...{ method: 'POST', path: '/api/graph', name: 'query.order', label: 'order' },
      body: { made: ['/variables/id', '/variables/since'] },
    })
    expect(found.refused).toEqual([{ where: 'subscription orders', line: 21, reason: 'a subscription is no request' }])
  })

  it('with what is required alone, where that is less', () => {
    const lean = read(SDL).operations.map(({ body }) =>
      body?.lean === undefined ? null : JSON.parse(body.lean).variables,
    )
    expect(lean).toEqual([{ id: '1' }, { where: { range: { from: 1 } } }, null, null, { name: 'test' }])
    const [order] = read(SDL).operations
    expect(JSON.parse(order?.body?.lean ?? '').query).toBe(JSON.parse(order?.body?.text ?? '').query)
  })

  it.each([
    ['a type that does not end', 'type Query { a: Int', /line 1/],
    ['a sign that is none', 'type Query {\n  a: Int;\n}', /line 2/],
    ['what is to be run', 'type Query { a: Int }\nquery X { a }', /line 2/],
    ['nested without end', `type Query { a: ${'['.repeat(10_000)}`, /nested too deeply/],
  ])('says where it is wrong: %s', (_name, text, reason) => expect(() => read(text)).toThrow(reason))
})

it('an answer to an introspection query', () => {
  const named = (name: string, kind = 'SCALAR') => ({ kind, name })
  const schema = {
    queryType: { name: 'Query' },
    types: [
      {
        ...{ kind: 'OBJECT', name: 'Query' },
        fields: [
          {
            name: 'item',
            args: [{ name: 'id', type: { kind: 'NON_NULL', ofType: named('ID') } }],
            type: named('Item', 'OBJECT'),
          },
        ],
      },
      { kind: 'OBJECT', name: 'Item', fields: [{ name: 'price', args: [], type: named('Float') }] },
    ],
  }
  for (const text of [{ data: { __schema: schema } }, { __schema: schema }].map((one) => JSON.stringify(one)))
    expect(bodies(text)).toEqual([{ query: 'query($id: ID!) { item(id: $id) { price } }', variables: { id: '1' } }])
})

it('defaults that an answer to an introspection query gives are values', () => {
  const scalar = { kind: 'SCALAR', name: 'String' }
  const args = Object.entries({ search: '""', status: '"open"', first: '10', by: 'NAME', of: 'null' }).map(
    ([name, defaultValue]) => ({ name, type: scalar, defaultValue }),
  )
  const fields = [{ name: 'tasks', args, type: { kind: 'LIST', ofType: scalar } }]
  const schema = { queryType: { name: 'Query' }, types: [{ kind: 'OBJECT', name: 'Query', fields }] }
  expect(bodies(JSON.stringify({ __schema: schema }))[0]?.variables).toEqual({
    ...{ search: '', status: 'open', first: 10, by: 'NAME', of: 'test' },
  })
})

describe('what may be several things', () => {
  const queryOf = (text: string): string => bodies(text)[0]?.query ?? ''

  it('is asked for the fields of each, beside those that all have', () => {
    const schema =
      'interface Node { id: ID! } type Query { node(id: ID!): Node } type Bill implements Node { id: ID! sum: Int } type Note implements Node & Other { id: ID! text: String }'
    expect(queryOf(schema)).toBe(
      'query($id: ID!) { node(id: $id) { id ... on Bill { id sum } ... on Note { id text } } }',
    )
  })

  it('names of one kind alone stand in one answer', () => {
    const schema =
      'type Query { any: Any } union Any = Bill | Note type Bill { title: String! of: Query } type Note { title: String text: String of: Query }'
    expect(queryOf(schema)).toBe(
      'query { any { __typename ... on Bill { title of { any { __typename ... on Bill { title } ... on Note { text } } } } ... on Note { text } } }',
    )
  })

  it('as servers tell it', () => {
    const ofType = { kind: 'OBJECT', name: 'Bill' }
    const types = [
      { kind: 'OBJECT', name: 'Query', fields: [{ name: 'any', args: [], type: { kind: 'UNION', name: 'Any' } }] },
      { kind: 'UNION', name: 'Any', possibleTypes: [{ name: 'Bill' }] },
      { ...ofType, fields: [{ name: 'sum', args: [], type: { kind: 'SCALAR', name: 'Int' } }] },
    ]
    const told = JSON.stringify({ data: { __schema: { queryType: { name: 'Query' }, types } } })
    expect(queryOf(told)).toBe('query { any { __typename ... on Bill { sum } } }')
  })
})

it('parts of an address together make one', () => {
  const [{ variables } = { variables: {} }] = bodies(
    'type Query { fetch(scheme: String, host: String!, port: Int, path: String!, portions: Int): String }',
  )
  expect(variables).toEqual({ scheme: 'http', host: 'example.org', port: 80, path: '/test', portions: 1 })
})
