/** Binds a handler to its row of the endpoint table and puts the checks in their order. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { CsvError } from '../contract/csv.ts'
import { type Endpoint, type JsonResponse, producedBy } from '../contract/endpoint.ts'
import { ENDPOINTS, type EndpointId, type Endpoints } from '../contract/endpoints.ts'
import { ProblemError } from '../contract/problem.ts'
import type { Answered } from '../contract/tracing.ts'
import { accepts } from './accept.ts'
import { noteActivity, subjectOf } from './activity.ts'
import { admit, admitAgent, whileAdmitted } from './auth.ts'
import type { Counted, LimitState } from './limiter.ts'
import { badRequest } from './problems.ts'
import type { Caller, Services } from './services.ts'
import { check, decode } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Limits that this request was counted against. */
    applied: readonly LimitState[]
    /** Null where no traces are sent, and of streams. */
    span: Answered | null
    /** Null on public endpoints. While an admission is under way, as it was last time. */
    caller: Caller | null
    /** Null where the caller was let in before anything was done for them; see `admit`. */
    admission: Promise<boolean> | null
  }
}

export interface Call<E extends Endpoint> {
  readonly params: z.output<E['params']>
  readonly query: z.output<E['query']>
  readonly body: z.output<E['body']>
  readonly caller: E['scope'] extends null ? null : Caller
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Responses<E extends Endpoint> = E['responses']
type Headers = Readonly<Record<string, string>>
interface JsonAnswer<Status, Body> {
  readonly status: Status
  readonly body: Body
  readonly headers: Headers
  readonly subject?: string | null
}
/** A body that is the text of its JSON already. */
interface WrittenAnswer<Status> {
  readonly status: Status
  readonly json: string
  readonly headers: Headers
  readonly subject?: string | null
}
interface RawAnswer<Status> {
  readonly status: Status
  readonly raw: Raw
  readonly headers: Headers
  readonly subject?: string | null
}
/** A good answer of the endpoint: its status with its body. */
export type Answer<E extends Endpoint> = {
  [Status in keyof Responses<E>]:
    | (Responses<E>[Status] extends JsonResponse<infer S>
        ? JsonAnswer<Status, z.input<S>> | WrittenAnswer<Status>
        : RawAnswer<Status>)
    | (Responses<E>[Status] extends { readonly alternatives: object } ? RawAnswer<Status> : never)
}[keyof Responses<E>]
export const answer = <Status extends number, Body>(
  status: Status,
  body: Body,
  headers: Headers = {},
): JsonAnswer<Status, Body> => ({ status, body, headers })
export const writtenAnswer = <Status extends number>(status: Status, json: string): WrittenAnswer<Status> => ({
  ...{ status, json, headers: {} },
})
export const rawAnswer = <Status extends number>(
  status: Status,
  raw: Raw,
  headers: Headers = {},
): RawAnswer<Status> => ({ status, raw, headers })
/** Says in the activity log what was changed, where neither the answer nor the path names it for a person. Null: nothing was, and nothing is said. */
export const about = <A extends object>(subject: string | null, given: A): A & { readonly subject: string | null } => ({
  ...given,
  subject,
})

/** A body that is sent as it is; 'hijacked' when the handler writes to the socket itself. */
export type Raw = string | Buffer | NodeJS.ReadableStream | null | 'hijacked'

type AnyAnswer = JsonAnswer<number, unknown> | WrittenAnswer<number> | RawAnswer<number>

export interface Route {
  readonly id: EndpointId
  readonly limits: (request: FastifyRequest) => readonly Counted[]
  readonly handle: (call: Call<Endpoint>) => Promise<AnyAnswer>
}

/** `limits`: those that count beside the key's own. */
export const bind = <Id extends EndpointId>(
  id: Id,
  handle: (call: Call<Endpoints[Id]>) => Promise<Answer<Endpoints[Id]>>,
  limits: Route['limits'] = () => [],
): Route => ({ id, handle: handle as unknown as Route['handle'], limits })

export const register = (app: FastifyInstance, services: Services, route: Route): void => {
  const row: Endpoint = ENDPOINTS[route.id]
  const produces = producedBy(row)
  const early = mayBeginEarly(row)

  // Before the body is read: a stranger cannot make us parse anything.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    if (row.scope !== null) {
      if (row.scope === 'agent') await admitAgent(request, services, [{ limit: 'agent' }, ...route.limits(request)])
      else await admit(request, services, [{ limit: 'key' }, ...route.limits(request)], early)
    }
    if (!accepts(request.headers.accept, produces)) {
      await request.admission
      throw new ProblemError('not_acceptable', `This endpoint answers ${produces.join(' or ')}.`)
    }
  }

  const own = (to: FastifyInstance) =>
    to.route({
      method: row.method,
      url: row.path.replace('{key}', '*').replace(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: row.method === 'GET' && route.id !== 'streamScan',
      onRequest,
      handler: async (request, reply) => {
        const given = await whileAdmitted(request, async () => {
          const { query, body } = validated(row, request)
          demandScope(row, request.caller)
          const params = pathParameters(row, request)
          return route.handle({ params, query, body, caller: request.caller as Caller, request, reply })
        })
        if (row.method !== 'GET' && request.caller !== null && given.subject !== null) {
          await noteActivity(services, request, route.id, given.subject ?? subjectOf(given, request.params))
        }
        return send(reply, given)
      },
      ...(row.bodyLimit === undefined ? {} : { bodyLimit: row.bodyLimit }),
    })
  if (row.rawBody === undefined && row.table === undefined) own(app)
  else
    app.register(async (apart) => {
      if (row.rawBody !== undefined) apart.removeAllContentTypeParsers()
      const types = row.rawBody === undefined ? 'text/csv' : '*'
      apart.addContentTypeParser(types, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body)
      own(apart)
    })
}

/** What only reads, and opens nothing that would have to be closed again. */
const mayBeginEarly = ({ method, responses }: Endpoint): boolean =>
  method === 'GET' && Object.values(responses).every(({ kind }) => kind === 'json')

/** Both at once, so that the answer names every bad field. */
const validated = (row: Endpoint, request: FastifyRequest): { query: never; body: never } => {
  const query = check(row.query, { ...(request.query as object) }, 'query')
  const body = check(row.body, givenBody(row, request), 'body')
  if (query.ok && body.ok) return { query: query.value as never, body: body.value as never }
  const errors = [...(query.ok ? [] : query.errors), ...(body.ok ? [] : body.errors)]
  const detail = errors.length === 1 ? 'One field is not valid.' : `${errors.length} fields are not valid.`
  throw new ProblemError('validation_failed', detail, { errors })
}

const givenBody = (row: Endpoint, { body, query }: FastifyRequest): unknown => {
  if (row.rawBody !== undefined) return {}
  if (row.table === undefined || !Buffer.isBuffer(body)) return body ?? {}
  try {
    return row.table(decode(body), query as Readonly<Record<string, unknown>>)
  } catch (cause) {
    if (cause instanceof CsvError) throw badRequest(cause.message, cause, 'body')
    throw cause
  }
}

const demandScope = (row: Endpoint, caller: Caller | null): void => {
  if (row.scope === null || row.scope === 'any' || row.scope === 'agent' || caller?.scopes.includes(row.scope)) return
  throw new ProblemError('api_key_scope_insufficient', `This needs a key with the scope ${row.scope}.`)
}

/** A parameter that is not well-formed names nothing: the answer is that there is no such thing. */
const pathParameters = (row: Endpoint, request: FastifyRequest): never => {
  const given = request.params as Record<string, string>
  const parsed = row.params.safeParse('*' in given ? { key: given['*'] } : given)
  if (parsed.success) return parsed.data as never
  const name = String(parsed.error.issues[0]?.path[0])
  throw new ProblemError(row.missing?.[name] ?? 'not_found', `There is nothing of this ${name}.`)
}

const send = (reply: FastifyReply, given: AnyAnswer): FastifyReply => {
  if ('raw' in given && given.raw === 'hijacked') return reply
  reply.code(given.status).headers({ ...given.headers })
  if ('raw' in given) return reply.send(given.raw ?? undefined)
  return reply.type('application/json; charset=utf-8').send('json' in given ? given.json : JSON.stringify(given.body))
}
