/** GraphQL endpoints: found by their answer to `__typename`, then asked what they can do. Queries only, no mutation. */
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
/** A field that no schema has, two letters away from one that every schema has. */
export const MISSPELT_QUERY = JSON.stringify({ query: '{__typenme}' })
const TYPE = 'type{name kind ofType{name kind ofType{name kind ofType{name kind}}}}'
export const INTROSPECTION_QUERY = JSON.stringify({
  query: `query{__schema{queryType{name} mutationType{name} types{name kind fields{name args{name ${TYPE}} ${TYPE}} enumValues{name}}}}`,
})

const MAX_FIELDS = 100

type Json = Readonly<Record<string, unknown>>

/** True for an answer that only a GraphQL server gives. */
export const isGraphql = (text: string): boolean => {
  const answer = parsed(text)
  const data = object(answer?.data)
  return typeof data?.__typename === 'string'
}

export interface GraphqlOperation {
  readonly name: string
  /** JSON body with query and variables. */
  readonly body: string
}

export interface Schema {
  readonly types: number
  readonly queries: readonly GraphqlOperation[]
  readonly mutations: readonly string[]
}

/** Null where the answer holds no schema. */
export const readSchema = (text: string): Schema | null => {
  const schema = object(object(parsed(text)?.data)?.__schema)
  if (!schema) return null
  const types = objects(schema.types)
  const byName = new Map(types.map((one) => [String(one.name), one]))
  const fieldsOf = (root: unknown): Json[] =>
    objects(byName.get(String(object(root)?.name))?.fields).slice(0, MAX_FIELDS)
  return {
    types: types.filter(({ name }) => !String(name).startsWith('__')).length,
    queries: fieldsOf(schema.queryType).map((field) => operationOf(field, byName)),
    mutations: fieldsOf(schema.mutationType).map(({ name }) => String(name)),
  }
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

export const graphqlFacts = (
  url: string,
  schema: Schema | null,
  suggestion: string | null,
  excerpt: string,
): GraphqlFacts => ({
  url,
  introspection: schema !== null,
  suggestion,
  types: schema?.types ?? 0,
  queries: schema?.queries.map(({ name }) => name) ?? [],
  mutations: schema?.mutations ?? [],
  excerpt: excerpt.slice(0, 1_000),
})

const operationOf = (field: Json, types: ReadonlyMap<string, Json>): GraphqlOperation => {
  const name = String(field.name)
  const args = objects(field.args)
  const declared = args.map((arg) => `$${arg.name}:${typeText(arg.type)}`).join(',')
  const given = args.map((arg) => `${arg.name}:$${arg.name}`).join(',')
  const variables = Object.fromEntries(args.map((arg) => [String(arg.name), example(arg.type, types)]))
  const leaf = ['SCALAR', 'ENUM'].includes(kindOf(field.type))
  const call = `${name}${given ? `(${given})` : ''}${leaf ? '' : '{__typename}'}`
  return { name, body: JSON.stringify({ query: `query${declared ? `(${declared})` : ''}{${call}}`, variables }) }
}

const typeText = (type: unknown): string => {
  const one = object(type)
  if (one?.kind === 'NON_NULL') return `${typeText(one.ofType)}!`
  if (one?.kind === 'LIST') return `[${typeText(one.ofType)}]`
  return String(one?.name ?? 'String')
}

const kindOf = (type: unknown): string => {
  const one = object(type)
  return one?.ofType ? kindOf(one.ofType) : String(one?.kind)
}

const example = (type: unknown, types: ReadonlyMap<string, Json>): unknown => {
  const one = object(type)
  if (one?.kind === 'NON_NULL') return example(one.ofType, types)
  if (one?.kind === 'LIST') return [example(one.ofType, types)]
  if (one?.kind === 'ENUM') return object(list(types.get(String(one.name))?.enumValues)[0])?.name ?? 'A'
  if (one?.name === 'Int' || one?.name === 'Float') return 1
  if (one?.name === 'Boolean') return true
  return one?.name === 'ID' ? '1' : 'test'
}

const parsed = (text: string): Json | null => {
  try {
    return object(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null // No JSON: no GraphQL.
    throw error
  }
}

const object = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, 2_000) : [])
const objects = (value: unknown): Json[] =>
  list(value)
    .map(object)
    .filter((one) => one !== null)
