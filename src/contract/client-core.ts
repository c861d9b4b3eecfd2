/**
 * The typed client without the schemas at run time: whoever uses it brings the rows of the endpoint table. The web
 * application is built on this, so that no browser has to load what validates on the server.
 */
import type { z } from 'zod'
import type { Endpoint, JsonResponse, Method } from './endpoint.ts'
import type { Endpoints } from './endpoints.ts'
import type { Problem } from './problem.ts'

/** What of a row of the endpoint table a caller needs. */
export interface ClientRow {
  readonly method: Method
  readonly path: string
  /** Whether it answers JSON. */
  readonly json: boolean
  readonly public: boolean
}

export interface CoreOptions {
  /** Where the service answers, with or without a trailing slash. Empty: where the page came from. */
  readonly baseUrl: string
  /** Sent with a call of this row. */
  readonly headers: (row: ClientRow) => Readonly<Record<string, string>>
  /** Milliseconds for one call; a stream has no such limit. Default 30,000. */
  readonly timeout?: number
  readonly fetch?: typeof fetch
}

type Given<S> = S extends z.ZodType ? z.input<S> : never
type Part<Name extends string, S> =
  Record<never, never> extends Given<S> ? { [K in Name]?: Given<S> } : { [K in Name]: Given<S> }
/** A body that goes as it is; a form says its type itself. */
export type RawBody = FormData | { readonly type: string; readonly content: Uint8Array<ArrayBuffer> | string }
/** What a call takes: path parameters, query and body, each only where the endpoint has it. */
export type Input<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> &
  (E extends { readonly rawBody: readonly string[] } ? { readonly raw: RawBody } : unknown) & {
    headers?: Readonly<Record<string, string>>
    signal?: AbortSignal
  }
/** The body of the good answer; undefined where it has none. */
export type Output<E extends Endpoint> = E['responses'][keyof E['responses']] extends infer R
  ? R extends JsonResponse<infer S>
    ? z.output<S>
    : undefined
  : never

type Callable = {
  [Id in keyof Endpoints]: Endpoints[Id]['responses'] extends Record<number, { kind: 'json' }> ? Id : never
}[keyof Endpoints]
/** Answers without a body. */
type Silent = {
  [Id in keyof Endpoints]: keyof Endpoints[Id]['responses'] extends 204 ? Id : never
}[keyof Endpoints]
type CallableId = Callable | Silent
export type Client = {
  readonly [Id in CallableId]: Record<never, never> extends Input<Endpoints[Id]>
    ? (input?: Input<Endpoints[Id]>) => Promise<Output<Endpoints[Id]>>
    : (input: Input<Endpoints[Id]>) => Promise<Output<Endpoints[Id]>>
} & {
  /** Any endpoint as it answers: for streams, files and other formats. Rejects with ApiError like the rest. */
  readonly request: <Id extends keyof Endpoints>(id: Id, input: Input<Endpoints[Id]>) => Promise<Response>
}

/** The service answered with a problem document. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Problem
  /** Seconds, from Retry-After. */
  readonly retryAfter: number | null

  constructor(problem: Problem, retryAfter: number | null) {
    super([problem.detail, ...(problem.errors ?? []).map((at) => `${at.path}: ${at.message}`)].join('\n  '))
    this.name = 'ApiError'
    this.status = problem.status
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** No answer, or one that is not from this service. */
export class ConnectionError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ConnectionError'
  }
}

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly raw?: RawBody
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** What a client reads of a row. */
export const clientRow = (row: Endpoint): ClientRow => ({
  method: row.method,
  path: row.path,
  json: Object.values(row.responses).some((of) => of.kind === 'json'),
  public: row.scope === null,
})

export const createCoreClient = (rows: Readonly<Record<keyof Endpoints, ClientRow>>, options: CoreOptions): Client => {
  const send = options.fetch ?? globalThis.fetch
  const base = options.baseUrl.replace(/\/+$/, '')

  const exchange = async (row: ClientRow, input: AnyInput, timeout: number | null): Promise<Response> => {
    const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])))
    const url = `${base}${path}${search(input.query ?? {})}`
    const deadlines = [input.signal, timeout === null ? undefined : AbortSignal.timeout(timeout)]
    const response = await send(url, {
      method: row.method,
      headers: {
        accept: row.json ? 'application/json' : '*/*',
        ...options.headers(row),
        ...contentType(input),
        ...input.headers,
      },
      ...bodyOf(input),
      signal: AbortSignal.any(deadlines.filter((signal) => signal !== undefined)),
    }).catch((cause: unknown) => {
      if (input.signal?.aborted) throw cause
      throw new ConnectionError(`No answer from ${base}: ${reason(cause)}`, { cause })
    })
    if (!response.ok) throw await refusal(response, base)
    return response
  }

  const call = async (row: ClientRow, input: AnyInput): Promise<unknown> => {
    const response = await exchange(row, input, options.timeout ?? 30_000)
    if (response.status === 204) return undefined
    return response.json().catch((cause: unknown) => {
      throw new ConnectionError(`The answer from ${base} is not JSON: is this a Sonde service?`, { cause })
    })
  }

  const calls = Object.entries(rows).map(([id, row]) => [id, (input: AnyInput = {}) => call(row, input)])
  const request = (id: keyof Endpoints, input: AnyInput): Promise<Response> => exchange(rows[id], input, null)
  return { ...Object.fromEntries(calls), request } as Client
}

const contentType = ({ body, raw }: AnyInput): Readonly<Record<string, string>> => {
  if (raw !== undefined) return raw instanceof FormData ? {} : { 'content-type': raw.type }
  return body === undefined ? {} : { 'content-type': 'application/json' }
}

const bodyOf = ({ body, raw }: AnyInput): { body?: FormData | Uint8Array<ArrayBuffer> | string } => {
  if (raw !== undefined) return { body: raw instanceof FormData ? raw : raw.content }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

/** Lists join with commas; undefined and null are left out. */
const search = (query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

const refusal = async (response: Response, base: string): Promise<Error> => {
  const text = await response.text()
  try {
    const retryAfter = response.headers.get('retry-after')
    return new ApiError(problemOf(JSON.parse(text)), retryAfter === null ? null : Number(retryAfter))
  } catch (cause) {
    return new ConnectionError(`${base} answered ${response.status}, and not as a Sonde service does`, { cause })
  }
}

const reason = (error: unknown): string => {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return inner instanceof Error ? inner.message.replace(NODES_ADVICE, '') : String(inner)
}
/** For whoever starts Node by hand; what asks here says what is to be done in its own words. */
const NODES_ADVICE = /; if the root CA is installed locally, try running Node\.js with .*$/

/** The fields that callers go by; a problem of a later version may have more, or a code that is not known yet. */
const problemOf = (value: unknown): Problem => {
  const { title, status, detail, code, request_id } = value as Partial<Problem>
  const texts = [title, detail, code, request_id]
  if (typeof status !== 'number' || texts.some((text) => typeof text !== 'string'))
    throw new Error('no problem document')
  return value as Problem
}
