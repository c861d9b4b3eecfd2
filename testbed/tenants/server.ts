/** The application over HTTP, with its own description and a page that leads to it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Data, makeData, type User } from './data.ts'
import { answerGraphql } from './graphql.ts'
import { type Call, type Result, ROUTES } from './routes.ts'

export interface TenantsSite {
  readonly data: Data
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Requests by operation and session: who asked what how often. */
  readonly counts: ReadonlyMap<string, number>
}

const PAGE = `<!doctype html><html lang="en"><head><title>Books</title></head><body><h1>Books and staff</h1>
<p>The interface is described in <a href="/openapi.json">openapi.json</a>, and there is <a href="/graphql">GraphQL</a>.</p></body></html>`

export const tenantsSite = (): TenantsSite => {
  const data = makeData()
  const counts = new Map<string, number>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://books.test')
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const user = data.users.find((one) => one.token === token) ?? null
    const body = await bodyOf(request)
    const found = routeOf(request.method ?? 'GET', url.pathname)
    const field = /\{\s*(\w+)/.exec(String(body.query ?? ''))?.[1]
    const key = `${request.method} ${found?.path ?? url.pathname}${field === undefined ? '' : ` ${field}`} as ${user?.name ?? ''}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    send(
      response,
      resultOf({ user, data, body, query: url.searchParams, params: found?.params ?? {} }, url.pathname, found),
    )
  }
  return { data, counts, answer: (request, response) => void answer(request, response) }
}

interface Matched {
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly run: (call: Call) => Result
}

const resultOf = (call: Call, path: string, found: Matched | null): Result => {
  if (path === '/') return { text: PAGE }
  if (path === '/openapi.json') return { json: describe() }
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

const bodyOf = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  if (!text.startsWith('{')) return {}
  try {
    return JSON.parse(text) as Record<string, unknown>
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

const describe = () => {
  const paths: Record<string, Record<string, unknown>> = {}
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
