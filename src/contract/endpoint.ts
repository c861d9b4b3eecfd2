/** The shape of one row of the endpoint table; `endpoints.ts` holds the rows. */
import { z } from 'zod'
import type { Scope } from './organisation.ts'
import type { ProblemCode } from './problem.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A successful answer with a JSON body. */
export interface JsonResponse<T extends z.ZodType = z.ZodType> {
  readonly kind: 'json'
  readonly description: string
  /** Name of the schema in the OpenAPI document. */
  readonly name: string
  readonly schema: T
  readonly example: z.input<T>
  /** Other shapes that a query parameter can ask for, by media type. */
  readonly alternatives?: Readonly<Record<string, z.ZodType>>
}
/** A successful answer that is no JSON of ours: a stream, a file, a page, or nothing. */
export interface RawResponse {
  readonly kind: 'raw'
  readonly description: string
  /** Media types; empty means no body. */
  readonly types: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}
export type Response = JsonResponse | RawResponse

/** Documentation of a header that a caller may send. */
export interface HeaderParameter {
  readonly name: string
  readonly description: string
  readonly example: string
}

export interface Endpoint {
  readonly method: Method
  /** As in OpenAPI: `/v1/scans/{id}`. */
  readonly path: string
  readonly tag:
    | 'Scans'
    | 'Batches'
    | 'Findings'
    | 'Artifacts'
    | 'Domains'
    | 'Schedules'
    | 'Webhooks'
    | 'Organisation'
    | 'Agents'
    | 'Service'
  /** What the key has to carry; `any`: a key, whatever it carries; `agent`: no key, but the token of an agent; null: public. */
  readonly scope: Scope | 'any' | 'agent' | null
  readonly summary: string
  readonly description: string
  readonly params: z.ZodObject
  /** What a path parameter that is not well-formed answers: it can name nothing. */
  readonly missing?: Readonly<Record<string, ProblemCode>>
  readonly query: z.ZodObject
  /** Query parameters that are lists separated by commas, with the schema of one item. */
  readonly lists?: Readonly<Record<string, z.ZodType>>
  readonly headers?: readonly HeaderParameter[]
  readonly body: z.ZodObject
  /** Media types of a body that is taken as bytes, in place of JSON of ours. */
  readonly rawBody?: readonly string[]
  /** Takes text/csv, too: the body that a table, with the query beside it, stands for. @throws CsvError */
  readonly table?: (text: string, query: Readonly<Record<string, unknown>>) => unknown
  readonly tableExample?: string
  readonly bodyName?: string
  /** Bytes, where a body may be larger than any other. */
  readonly bodyLimit?: number
  readonly bodyExample?: unknown
  readonly responses: Readonly<Record<number, Response>>
  /** Beyond those that every endpoint may answer (`COMMON_PROBLEMS`). */
  readonly problems: readonly ProblemCode[]
}

export const NONE = z.strictObject({})

/** Fills in what an endpoint does not take; keeps the literal types. */
export const endpoint = <const E extends Partial<Endpoint> & Omit<Endpoint, 'params' | 'query' | 'body'>>(
  row: E,
): E & {
  readonly params: E extends { params: infer P } ? P : typeof NONE
  readonly query: E extends { query: infer Q } ? Q : typeof NONE
  readonly body: E extends { body: infer B } ? B : typeof NONE
} => ({ params: NONE, query: NONE, body: NONE, ...row }) as never

export const json = <T extends z.ZodType>(
  name: string,
  schema: T,
  description: string,
  example: z.input<T>,
): JsonResponse<T> => ({ kind: 'json', name, schema, description, example })

/** JSON unless a query parameter asks for another shape. */
export const jsonOr = <T extends z.ZodType>(
  response: JsonResponse<T>,
  alternatives: Readonly<Record<string, z.ZodType>>,
): JsonResponse<T> & { readonly alternatives: Readonly<Record<string, z.ZodType>> } => ({ ...response, alternatives })

/** Media types of an endpoint's good answers. */
export const producedBy = (row: Endpoint): readonly string[] => [
  ...new Set(
    Object.values(row.responses).flatMap((response) =>
      response.kind === 'raw' ? response.types : ['application/json', ...Object.keys(response.alternatives ?? {})],
    ),
  ),
]

export const raw = (
  description: string,
  types: readonly string[],
  headers?: Readonly<Record<string, string>>,
): RawResponse => ({ kind: 'raw', description, types, ...(headers ? { headers } : {}) })

/** Any endpoint may answer these; authentication's only where a key is needed. */
export const COMMON_PROBLEMS = [
  'validation_failed',
  'not_acceptable',
  'request_timeout',
  'expectation_failed',
  'header_fields_too_large',
  'rate_limited',
  'internal',
  'unavailable',
] as const
export const KEY_PROBLEMS = ['unauthenticated', 'api_key_scope_insufficient'] as const

/** Every code that an endpoint can answer with, each once. */
export const problemsOf = (row: Endpoint): readonly ProblemCode[] => [
  ...new Set<ProblemCode>([
    ...(row.scope === null
      ? []
      : row.scope === 'any' || row.scope === 'agent'
        ? (['unauthenticated'] as const)
        : KEY_PROBLEMS),
    ...row.problems,
    ...Object.values(row.missing ?? {}),
    ...(row.method === 'GET' ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    // A browser that is signed in has to prove where a change comes from.
    ...(row.method === 'GET' || row.scope === null || row.scope === 'agent' ? [] : (['csrf_token_invalid'] as const)),
    ...COMMON_PROBLEMS,
  ]),
]
