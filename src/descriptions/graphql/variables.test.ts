import { expect, it } from 'vitest'
import { withDeclaredVariables } from './variables.ts'

const QUERY = 'query Orders($status: String, $first: Int!, $ids: [ID!]!, $by: OrderFilter) { orders { id } }'

it('variables of known types that an example leaves out are filled', () => {
  const { body, made } = withDeclaredVariables(JSON.stringify({ query: QUERY, variables: { first: 5 } }))
  expect(JSON.parse(body)).toEqual({ query: QUERY, variables: { first: 5, status: 'test', ids: ['1'] } })
  expect(made).toEqual(['/variables/status', '/variables/ids/0'])
})

it('a type that is called like what all objects have is none of them', () => {
  const query = 'query A($a: constructor, $toString: Int) { a }'
  const { body, made } = withDeclaredVariables(JSON.stringify({ query }))
  expect([JSON.parse(body).variables, made]).toEqual([{ toString: 1 }, ['/variables/toString']])
})

it('a switch that may be left out is', () => {
  const query = 'query Orders($open: Boolean, $all: Boolean!) { orders { id } }'
  const { body, made } = withDeclaredVariables(JSON.stringify({ query }))
  expect([JSON.parse(body).variables, made]).toEqual([{ all: true }, []])
})

it('with what is needed alone', () => {
  const { body } = withDeclaredVariables(JSON.stringify({ query: QUERY }), { needed: true })
  expect(JSON.parse(body)).toMatchObject({ variables: { first: 1, ids: ['1'] } })
})

it('of several operations the one that is named', () => {
  const query = 'query A($a: Int) { a } query B($b: Int) { b }'
  const { made } = withDeclaredVariables(JSON.stringify({ query, operationName: 'B' }))
  expect(made).toEqual(['/variables/b'])
})

it.each([
  ['a document without variables', '{"query":"{ orders { id } }"}'],
  ['a body that is none of GraphQL', '{"query":"costs $5"}'],
  ['a list', '[{"query":"query A($a: Int) { a }"}]'],
  ['no JSON', 'query A($a: Int) { a }'],
])('left as it is: %s', (_name, text) => {
  expect(withDeclaredVariables(text)).toEqual({ body: text, made: [] })
})
