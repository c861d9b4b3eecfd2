/** The application over HTTP, with its own description and a page that leads to it. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Data, makeData, type User } from './data.ts'
import { answerGraphql } from './graphql.ts'
import { type Call, type Result, ROUTES } from './routes.ts'
import { type Asking, createDoor, type Door, type SignInKind } from './sign-in.ts'

export interface TenantsSite {
  readonly data: Data
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Requests by operation and session: who asked what how often. */
  readonly counts: ReadonlyMap<string, number>
  /** Null where everybody has a token that lasts. */
  readonly door: Door | null
}

export interface TenantsOptions {
  /** How one becomes somebody; without it by the token of `asIdentity`. */
  readonly signIn?: SignInKind
  /** Requests that each person's first sessions last; those that follow last. */
  readonly lasts?: readonly number[]
}

const pageWith = (
  head: string,
): string => `<!doctype html><html lang="en"><head><title>Books</title>${head}</head><body><h1>Books and staff</h1>
<p>The interface is described in <a href="/openapi.json">openapi.json</a>, and there is <a href="/graphql">GraphQL</a>.</p></body></html>`

export const tenantsSite = ({ signIn, lasts = [] }: TenantsOptions = {}): TenantsSite => {
  const data = makeData()
  const door = signIn === undefined ? null : createDoor(signIn, data.users, lasts)
  const counts = new Map<string, number>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://books.test')
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const given = await text(request)
    const body = jsonOf(given)
    const asking = askingOf(request, url, given, body)
    const user = door ? door.userOf(asking) : (data.users.find((one) => one.token === token) ?? null)
    const own = door?.answer(asking, user) ?? null
    if (own !== null) return void response.writeHead(own.status, own.headers).end(own.body)
    if (signIn === 'oauth2' && user !== null && !asking.cookies.has('XSRF-TOKEN'))
      response.appendHeader('Set-Cookie', `XSRF-TOKEN=${randomBytes(12).toString('hex')}; Path=/`)
    const found = routeOf(request.method ?? 'GET', url.pathname)
    const field = /\{\s*(\w+)/.exec(String(body.query ?? ''))?.[1]
    const key = `${request.method} ${found?.path ?? url.pathname}${field === undefined ? '' : ` ${field}`} as ${user?.name ?? ''}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    const call = { user, data, body, query: url.searchParams, params: found?.params ?? {} }
    const head = url.pathname === '/' ? (door?.head(asking) ?? '') : ''
    send(response, resultOf(call, url.pathname, found, head, signIn))
  }
  return { data, counts, door, answer: (request, response) => void answer(request, response) }
}

interface Matched {
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly run: (call: Call) => Result
}

const resultOf = (call: Call, path: string, found: Matched | null, head: string, signIn?: SignInKind): Result => {
  if (path === '/') return { text: pageWith(head) }
  if (path === '/openapi.json') return { json: describe(signIn === 'totp' ? ['/api/csrf'] : []) }
  if (path === '/graphql') return answerGraphql(call)
  return found === null ? { status: 404, json: { error: 'no such route' } } : found.run(call)
}

/** Names before places that take anything. */
const routeOf = (method: string, pathname: string): Matched | null => {
  const segments = pathname.split('/')
  const fits = ROUTES.filter((route) => {
    const names = route.path.split('/')
    return (
      route.method === method &&
      names.length === segments.length &&
      names.every((name, at) => name.startsWith('{') || name === segments[at])
    )
  }).toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  const [route] = fits
  if (route === undefined) return null
  const params = route.path
    .split('/')
    .flatMap((name, at) => (name.startsWith('{') ? [[name.slice(1, -1), decodeURIComponent(segments[at] ?? '')]] : []))
  return { path: route.path, run: route.run, params: Object.fromEntries(params) }
}

const askingOf = (
  { method = 'GET', headers }: IncomingMessage,
  url: URL,
  given: string,
  json: Readonly<Record<string, unknown>>,
): Asking => ({
  ...{ method, url, json },
  cookies: new Map((headers.cookie ?? '').split(/;\s*/).map((one) => one.split('=') as [string, string])),
  authorization: headers.authorization ?? '',
  csrf: String(headers['x-csrf-token'] ?? headers['x-xsrf-token'] ?? ''),
  form: new URLSearchParams(given),
})

const jsonOf = (given: string): Readonly<Record<string, unknown>> => {
  if (!given.startsWith('{')) return {}
  try {
    return JSON.parse(given) as Record<string, unknown>
  } catch {
    return {} // A body that is none is as good as empty.
  }
}

const send = (response: ServerResponse, { status = 200, json, text, location }: Result): void => {
  const isPage = text?.startsWith('<!doctype')
  response.writeHead(status, {
    'Content-Type': json === undefined ? (isPage ? 'text/html' : 'text/plain') : 'application/json',
    'X-Request-Id': Math.random().toString(36).slice(2),
    ...(location === undefined ? {} : { Location: location }),
  })
  response.end(json === undefined ? (text ?? '') : JSON.stringify(json))
}

const describe = (more: readonly string[]) => {
  const paths: Record<string, Record<string, unknown>> = Object.fromEntries(
    more.map((path) => [path, { get: { responses: { 200: { description: 'ok' } } } }]),
  )
  for (const { method, path } of ROUTES) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    const asked = path === '/api/statements' ? [{ name: 'statement_id', in: 'query', schema: { type: 'string' } }] : []
    const properties = { subject: { type: 'string' }, title: { type: 'string' }, text: { type: 'string' } }
    const requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } }
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        parameters: [...named, ...asked],
        responses: { 200: { description: 'ok' } },
        ...(method === 'GET' ? {} : { requestBody }),
      },
    }
  }
  return { openapi: '3.0.3', info: { title: 'Books', version: '4.2' }, servers: [{ url: '/' }], paths }
}

export const asIdentity = ({ token }: User) => ({ cookie: null, header: `Authorization: Bearer ${token}` })
