/** GraphQL interfaces: what bounds a request has there, who may send a mutation, and which fields answer nobody. */

import { INTROSPECTION, readIntrospection, schemaOf } from '../../../../descriptions/graphql/introspection.ts'
import { namedOf, type Schema, type TypeRef } from '../../../../descriptions/graphql/schema.ts'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { jsonOf } from '../../../../page/json.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { GraphqlFacts } from '../../crawl/facts.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { ask, type Topic } from '../asking.ts'
import type { GraphqlHit } from '../facts.ts'
import { type Leaf, leavesOf } from '../leaves.ts'
import { asked, isReading, keptFrom, type Target, withoutQuery } from '../operations.ts'
import { withoutOptional } from '../optional-arguments.ts'
import { personalOf, secretOf, secretsOf } from '../sensitive.ts'

/** Few enough to cost nothing, more than a page ever needs. */
const ALIASES = 50
const DEPTH = 16

type Json = Readonly<Record<string, unknown>>

/** As in the facts: who is told of an interface of which something cannot be said. */
interface Short {
  readonly flat: (url: string) => void
  readonly unguarded: (url: string) => void
}

export const graphqlWork =
  (
    ctx: CollectContext,
    targets: readonly Target[],
    { flat, unguarded }: Short,
  ): Topic<GraphqlFacts, GraphqlHit>['work'] =>
  async ({ url, introspection, mutations }, found) => {
    const send = async (request: HttpRequest): Promise<Json> => {
      const value = jsonOf(textOf(await ask(ctx, request)))
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
    }
    const tell = (
      kind: GraphqlHit['kind'],
      request: HttpRequest,
      detail: string,
      excerpt: string,
      mark: string | null,
    ): void =>
      found({
        kind,
        method: request.method ?? 'GET',
        url: withoutQuery(url),
        detail,
        excerpt,
        mark,
        replay: curlOf(request),
      })
    await askAliases(url, send, tell)
    if (!(await askDepth(url, send, tell))) flat(url)
    await askByGet(url, send, tell)
    // A page of another site brings cookies along, and no header: where the session is in one, it does nothing in anybody's name.
    if ((!introspection || mutations.length > 0) && isByCookie(ctx)) await askTypes(url, send, tell)
    await askTrace(url, send, tell)
    const own = targets.filter(({ request }) => request.url === url)
    if (!(await askFields(ctx, own, send, tell))) unguarded(url)
  }

/** The run's session is a cookie; where it has none, nobody knows what a visitor's is. */
const isByCookie = ({ hasCredentials, ownCookies = [] }: CollectContext): boolean =>
  !hasCredentials || ownCookies.some((name) => name !== '')

type Send = (request: HttpRequest) => Promise<Json>
type Tell = (
  kind: GraphqlHit['kind'],
  request: HttpRequest,
  detail: string,
  excerpt: string,
  mark: string | null,
) => void

const posting = (url: string, query: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  ...{ url, method: 'POST', body: JSON.stringify({ query }), headers: [['Content-Type', 'application/json']] },
  ...more,
})

const askAliases = async (url: string, send: Send, tell: Tell): Promise<void> => {
  const request = posting(url, `{${Array.from({ length: ALIASES }, (_, at) => `a${at}:__typename`).join(' ')}}`)
  const data = (await send(request)).data
  const answered = typeof data === 'object' && data !== null ? Object.keys(data).length : 0
  if (answered < ALIASES) return
  const mark = `${answered} aliases of one field were answered`
  tell('aliases', request, `${mark} in one request.`, mark, mark)
}

/** False where no schema tells how. Nothing of it is carried out, as the first field is left out: a bound of depth is looked at before (GraphQL 2021, 5 and 6). */
const askDepth = async (url: string, send: Send, tell: Tell): Promise<boolean> => {
  const told = schemaOf(await send(posting(url, INTROSPECTION)))
  if (told === null) return false
  const query = deepQuery(readIntrospection(told))
  // No type leads back to itself: the schema bounds it.
  if (query === null) return true
  const request = posting(url, query)
  const { data, errors } = await send(request)
  if (errors !== undefined || typeof data !== 'object' || data === null) return true
  tell(
    'depth',
    request,
    `A query of ${DEPTH} levels is taken; its first field was left out by a directive, so that it cost nothing.`,
    `${query}\n${JSON.stringify({ data }).slice(0, 200)}`,
    null,
  )
  return true
}

/** Along a type that leads back to itself. Null where none does. */
const deepQuery = (schema: Schema): string | null => {
  const way = wayInCircle(schema)
  if (way === null) return null
  const [first = '', ...names] = way
  const levels = Array.from({ length: DEPTH }, (_, at) => names[at % names.length] ?? '')
  return `query { ${first} @include(if: false) { ${levels.join(' { ')} { __typename ${'} '.repeat(DEPTH)}} }`
}

/** A field of the root without needed arguments, then fields that lead from its type to itself. */
const wayInCircle = (schema: Schema): readonly string[] | null => {
  const fieldsOf = (name: string) =>
    (schema.types.get(name)?.fields ?? []).filter(
      ({ args, type }) => args.every((one) => one.type.kind !== 'required') && isObject(schema, type),
    )
  for (const first of fieldsOf(schema.roots.query ?? '').slice(0, 30)) {
    const start = namedOf(first.type)
    for (const one of fieldsOf(start).slice(0, 30)) {
      if (namedOf(one.type) === start) return [first.name, one.name]
      const back = fieldsOf(namedOf(one.type)).find((two) => namedOf(two.type) === start)
      if (back) return [first.name, one.name, back.name]
    }
  }
  return null
}

const isObject = (schema: Schema, type: TypeRef): boolean => schema.types.get(namedOf(type))?.kind === 'object'

/** `__typename` of the root of mutations changes nothing, and says that any of them would have been carried out. */
const MUTATION = 'mutation{__typename}'

const askByGet = async (url: string, send: Send, tell: Tell): Promise<void> => {
  const address = new URL(url)
  address.searchParams.set('query', MUTATION)
  const request: HttpRequest = { url: address.href }
  const answered = typenameOf(await send(request))
  if (answered === null || answered === 'Query') return
  const mark = JSON.stringify({ data: { __typename: answered } })
  tell('get-mutation', request, 'A mutation in the address of a GET is carried out.', mark, mark)
}

/** By a query, as the type of the body is looked at before what it asks for. */
const askTypes = async (url: string, send: Send, tell: Tell): Promise<void> => {
  const query = '{__typename}'
  const form = new URLSearchParams({ query }).toString()
  const ways: readonly (readonly [string, string])[] = [
    ['text/plain', JSON.stringify({ query })],
    ['application/x-www-form-urlencoded', form],
  ]
  for (const [type, body] of ways) {
    const request = posting(url, query, { body, headers: [['Content-Type', type]] })
    const answered = typenameOf(await send(request))
    if (answered === null) continue
    const mark = JSON.stringify({ data: { __typename: answered } })
    return tell('form-type', request, `A request in a body of the type ${type} is carried out.`, mark, mark)
  }
}

const typenameOf = ({ data }: Json): string | null => {
  const name = typeof data === 'object' && data !== null ? (data as Json).__typename : undefined
  return typeof name === 'string' ? name : null
}

const TRACE =
  /"(?:stack_?trace|debugMessage|exception|trace|backtrace)"\s*:\s*(?:\[|\{|")|\n\s+at .{1,200}:\d+:\d+|Traceback \(most recent/i

const askTrace = async (url: string, send: Send, tell: Tell): Promise<void> => {
  for (const query of ['{sondeUnknownField}', '{__typename @sonde(']) {
    const request = posting(url, query)
    const text = JSON.stringify((await send(request)).errors ?? '')
    const [mark] = TRACE.exec(text) ?? []
    if (mark === undefined) continue
    return tell(
      'trace',
      request,
      'A wrong query is answered with where the program failed.',
      text.slice(0, 1_500),
      text.slice(0, 1_500).includes(mark) ? mark : null,
    )
  }
}

/** Fields with people's data that answer nobody, where others of the interface ask who it is. */
/** False where a field answers nobody with data of people, and none was seen to ask who it is: all of it may be meant for everybody. */
const askFields = async (ctx: CollectContext, targets: readonly Target[], send: Send, tell: Tell): Promise<boolean> => {
  if (!ctx.hasCredentials) return true
  const fields: {
    readonly request: HttpRequest
    readonly name: string
    readonly what: readonly string[]
    readonly denied: boolean
  }[] = []
  for (const { request, operation } of targets
    .filter(({ request: one }) => isReading(one) && keptFrom(one, true) === null)
    .slice(0, 40)) {
    const whole = asked(request)
    const first = await send(whole)
    // What was made up finds nobody.
    const wider = leavesOf(first.data).every(({ value }) => value === null) ? withoutOptional(whole) : null
    const own = wider === null ? first : await send(wider)
    if (sensitiveIn(own.data).length === 0 && own.errors !== undefined) continue
    const stranger = { ...(wider ?? whole), authenticated: false }
    const theirs = await send(stranger)
    const what = sensitiveIn(theirs.data)
    const denied = leavesOf(own.data).length > 0 && leavesOf(theirs.data).every(({ value }) => value === null)
    fields.push({ request: stranger, name: operation?.name.replace(/^\w+\./, '') ?? 'a field', what, denied })
  }
  const refused = fields.find(({ denied }) => denied)
  if (refused === undefined) return fields.every(({ what }) => what.length === 0)
  for (const { request, name, what } of fields.filter((one) => one.what.length > 0))
    tell(
      'open-field',
      request,
      `${name} answers nobody with ${what.join(' and ')}, while ${refused.name} asks who it is.`,
      `${name}, asked without credentials, holds: ${what.join(', ')}\n${refused.name}, asked without credentials, is refused`,
      name,
    )
  return true
}

const sensitiveIn = (data: unknown): readonly string[] => {
  const leaves = leavesOf(data)
  const secrets = secretsOf(leaves)
  const others = leaves.filter((leaf) => !secrets.includes(leaf))
  return [...new Set([...whatOf(secrets), ...others.flatMap((leaf) => personalOf(leaf) ?? [])])]
}

const whatOf = (secrets: readonly Leaf[]): readonly string[] => secrets.flatMap((leaf) => secretOf(leaf)?.what ?? [])
