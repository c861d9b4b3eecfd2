/** The OpenAPI 3.1 document, made from the endpoint table. */
import type { z } from 'zod'
import { type Endpoint, type Method, problemsOf } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { componentSchemas, type Json, jsonSchema, problemName, schemaRef } from './openapi-schemas.ts'
import { PROBLEMS, type ProblemCode } from './problem.ts'

export type { Json }
export interface OpenApi {
  readonly openapi: string
  readonly info: Json
  readonly servers: readonly Json[]
  readonly security: readonly Json[]
  readonly tags: readonly Json[]
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Lowercase<Method>, Operation>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> } & Json
}
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
}
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Json
}

const ROWS: readonly (readonly [string, Endpoint])[] = Object.entries(ENDPOINTS)
const HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'] as const

/** `version` is the product's. The document names no server: it is served by each. */
export const openApi = (version: string): OpenApi => ({
  openapi: '3.1.1',
  info: {
    title: 'Sonde',
    version,
    summary: 'Security scans of web sites: start runs, watch them, fetch what they found.',
    description:
      'Every answer carries `X-Request-Id`, `RateLimit` and `RateLimit-Policy`. Errors are RFC 9457 problem documents; ' +
      '`code` tells them apart. Within /v1 only optional fields and endpoints are ever added.',
  },
  servers: [{ url: '/' }],
  security: [{ key: [] }],
  tags: [
    'Scans',
    'Batches',
    'Findings',
    'Artifacts',
    'Domains',
    'Schedules',
    'Webhooks',
    'Organisation',
    'Agents',
    'Service',
  ].map((name) => ({ name })),
  paths: paths(),
  components: {
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', description: 'An API key: `sonde_…`' },
      agent: { type: 'http', scheme: 'bearer', description: 'The token of an agent: `sonde_agent_…`' },
    },
    headers: {
      'X-Request-Id': { description: 'Names this request in our logs', schema: { type: 'string' } },
      RateLimit: {
        description: 'What is left: `"key";r=299;t=60` (draft-ietf-httpapi-ratelimit-headers)',
        schema: { type: 'string' },
      },
      'RateLimit-Policy': {
        description: 'The limits that apply: `"key";q=300;w=60`',
        schema: { type: 'string' },
      },
      'Retry-After': { description: 'Seconds', schema: { type: 'integer', minimum: 0 } },
    },
    schemas: componentSchemas(),
  },
})

const paths = (): OpenApi['paths'] => {
  const all: Record<string, Partial<Record<Lowercase<Method>, Operation>>> = {}
  for (const [id, row] of ROWS) {
    const method = row.method.toLowerCase() as Lowercase<Method>
    all[row.path] = { ...all[row.path], [method]: operation(id, row) }
  }
  return all
}

const operation = (id: string, row: Endpoint): Operation => ({
  operationId: id,
  tags: [row.tag],
  summary: row.summary,
  description: describe(row),
  ...(row.scope === null ? { security: [] } : row.scope === 'agent' ? { security: [{ agent: [] }] } : {}),
  parameters: [
    ...parameters('path', row.params, {}),
    ...parameters('query', row.query, row.lists ?? {}),
    ...(row.headers ?? []).map(({ name, description, example }) => ({
      ...{ name, in: 'header' as const, required: false, description, example },
      schema: { type: 'string' },
    })),
  ],
  ...(row.rawBody === undefined ? {} : { requestBody: { required: true, content: bytesAs(row.rawBody) } }),
  ...(row.bodyName === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: schemaRef(row.bodyName), example: row.bodyExample },
            ...(row.table ? { 'text/csv': { schema: { type: 'string' }, example: row.tableExample } } : {}),
          },
        },
      }),
  responses: { ...good(row), ...bad(problemsOf(row)) },
})

/** A form has its files in parts of any name. */
const bytesAs = (types: readonly string[]): Json =>
  Object.fromEntries(
    types.map((type) => [
      type,
      {
        schema: type.startsWith('multipart/')
          ? { type: 'object', additionalProperties: { type: 'string', format: 'binary' } }
          : {},
      },
    ]),
  )

const describe = (row: Endpoint): string =>
  row.scope === null || row.scope === 'any' || row.scope === 'agent'
    ? row.description
    : `${row.description}\n\nScope: \`${row.scope}\`.`

const parameters = (
  place: 'path' | 'query',
  shape: z.ZodObject,
  lists: NonNullable<Endpoint['lists']>,
): Parameter[] => {
  const schema = jsonSchema(shape, 'input')
  const required = (schema.required ?? []) as string[]
  return Object.entries(schema.properties as Record<string, Json>).map(([name, { description, ...rest }]) => {
    const item = lists[name]
    return {
      ...{ name, in: place, required: required.includes(name) },
      ...(description === undefined ? {} : { description }),
      ...(item === undefined
        ? { schema: rest }
        : { style: 'form', explode: false, schema: { type: 'array', minItems: 1, items: jsonSchema(item, 'input') } }),
    }
  })
}

const good = (row: Endpoint): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(row.responses).map(([status, response]) => [
      status,
      {
        description: response.description,
        headers: {
          ...headerRefs(HEADERS),
          ...Object.fromEntries(
            Object.entries(response.kind === 'raw' ? (response.headers ?? {}) : {}).map(([name, example]) => [
              name,
              { schema: { type: 'string' }, example },
            ]),
          ),
        },
        ...(response.kind === 'json'
          ? { content: contents(response.name, response.example, response.alternatives ?? {}) }
          : response.types.length === 0
            ? {}
            : { content: Object.fromEntries(response.types.map((type) => [type, {}])) }),
      },
    ]),
  )

const contents = (name: string, example: unknown, alternatives: Readonly<Record<string, z.ZodType>>): Json => {
  const { 'application/json': sameType, ...others } = alternatives
  const own = schemaRef(name)
  return {
    'application/json': {
      schema: sameType === undefined ? own : { anyOf: [own, jsonSchema(sameType, 'output')] },
      example,
    },
    ...Object.fromEntries(Object.entries(others).map(([type, of]) => [type, { schema: jsonSchema(of, 'output') }])),
  }
}

/** One answer for each status, however many codes share it. */
const bad = (codes: readonly ProblemCode[]): Record<string, Json> => {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, here]) => [
      String(status),
      {
        description: here.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('\n\n'),
        ...(status === 429 || status === 503 ? { headers: headerRefs(['Retry-After']) } : {}),
        content: { 'application/problem+json': { schema: problemSchema(here) } },
      },
    ]),
  )
}

/** Each code has a schema of its own, so that a client has a type for each and none for each answer. */
const problemSchema = (codes: readonly ProblemCode[]): Json => {
  const refs = codes.map((code) => schemaRef(problemName(code)))
  const [only] = refs
  if (only !== undefined && refs.length === 1) return only
  const mapping = Object.fromEntries(codes.map((code) => [code, `#/components/schemas/${problemName(code)}`]))
  return { oneOf: refs, discriminator: { propertyName: 'code', mapping } }
}

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
