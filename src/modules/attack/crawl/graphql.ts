/** GraphQL endpoints: found by their answer to `__typename`, then asked what they can do. */

import type { Operation } from '../../../contract/described.ts'
import { definitionsIn } from '../../../descriptions/graphql/document.ts'
import { INTROSPECTION, readIntrospection, schemaOf } from '../../../descriptions/graphql/introspection.ts'
import { readGraphql } from '../../../descriptions/graphql/read.ts'
import type { Root } from '../../../descriptions/graphql/schema.ts'
import { jsonTreeOf } from '../../../page/json.ts'
import type { GraphqlFacts } from './facts.ts'

export const GRAPHQL_PATHS: readonly string[] = [
  '/graphql',
  '/api/graphql',
  '/v1/graphql',
  '/graphql/v1',
  '/query',
  '/gql',
]

export const TYPENAME_QUERY = JSON.stringify({ query: '{__typename}' })
/**
 * What no schema has, a letter away from what every schema or most have: a field, an argument of a directive that the specification demands
 * (3.13.2), and names that many interfaces use. `__typename` alone tells little: graphql-js suggests none of the fields that it adds itself.
 */
export const MISSPELT_QUERY = JSON.stringify({
  query: '{__typenme __typename @include(iff:true) usr usrs ordrs prodct prodcts accont vewer}',
})
export const INTROSPECTION_QUERY = JSON.stringify({ query: INTROSPECTION })

const MAX_FIELDS = 100

type Json = Readonly<Record<string, unknown>>

/** True for an answer that only a GraphQL server gives. */
export const isGraphql = (text: string): boolean => {
  const answer = parsed(text)
  const data = object(answer?.data)
  return typeof data?.__typename === 'string'
}

export interface GraphqlSchema {
  readonly types: number
  readonly queries: readonly string[]
  readonly mutations: readonly string[]
  readonly operations: readonly Operation[]
}

/** Null where the answer holds no schema. */
export const readSchema = (text: string, url: string): GraphqlSchema | null => {
  const told = schemaOf(parsed(text))
  if (!told) return null
  const schema = readIntrospection(told)
  const { operations } = readGraphql(schema, { path: new URL(url).pathname })
  const namesOf = (root: Root): readonly string[] =>
    (schema.types.get(schema.roots[root] ?? '')?.fields ?? []).slice(0, MAX_FIELDS).map(({ name }) => name)
  return {
    types: [...schema.types.keys()].filter((name) => !name.startsWith('__')).length,
    queries: namesOf('query'),
    mutations: namesOf('mutation'),
    operations,
  }
}

/** A refusal with a status of success: errors, and nothing that was asked for (GraphQL 2021, 7.1; GraphQL over HTTP, 6.4.1). */
export const answersWithErrors = (text: string): boolean => {
  const answer = text.includes('"errors"') ? parsed(text) : null
  if (list(answer?.errors).length === 0) return false
  const data = object(answer?.data)
  return (answer?.data ?? null) === null || (data !== null && Object.values(data).every((value) => value === null))
}

/** "Did you mean …" of an error message. */
export const readSuggestion = (text: string): string | null => {
  for (const error of list(parsed(text)?.errors)) {
    const message = String(object(error)?.message ?? '')
    const found = /Did you mean[^?]{1,200}\?/i.exec(message)
    if (found) return found[0]
  }
  return null
}

/** The name of the operation that a body holds, '' where it has none; null of other bodies. */
export const operationNameIn = (body: string | null): string | null => {
  const query = body === null ? null : parsed(body)?.query
  const found = typeof query === 'string' ? definitionsIn(query).find(({ kind }) => kind !== 'fragment') : undefined
  return found === undefined ? null : found.name
}

export const graphqlFacts = (
  url: string,
  schema: GraphqlSchema | null,
  suggestion: string | null,
  excerpt: string,
): GraphqlFacts => ({
  url,
  introspection: schema !== null,
  suggestion,
  types: schema?.types ?? 0,
  queries: schema?.queries ?? [],
  mutations: schema?.mutations ?? [],
  excerpt: excerpt.slice(0, 1_000),
})

const parsed = (text: string): Json | null => object(jsonTreeOf(text))

const object = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, 2_000) : [])
