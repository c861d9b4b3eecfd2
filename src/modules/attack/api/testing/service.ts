/** A small interface with flaws of its developers, each beside the same done right. */
import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'

const KEY = randomBytes(32)
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signatureOf = (input: string): string => createHmac('sha256', KEY).update(input).digest('base64url')
const input = `${part({ alg: 'HS256' })}.${part({ sub: 'u-1', username: 'nora.l', iat: 1_700_000_000, exp: 4_000_000_000 })}`
export const TOKEN = `${input}.${signatureOf(input)}`

type Check = (head: string, body: string, signature: string) => boolean
const strict: Check = (head, body, signature) => signatureOf(`${head}.${body}`) === signature
const decoded: Check = (_head, body) => /"sub"/.test(Buffer.from(body, 'base64url').toString())
const orNone: Check = (head, body, signature) =>
  /"none"/i.test(Buffer.from(head, 'base64url').toString()) ? signature === '' : strict(head, body, signature)
const isFresh = (body: string): boolean =>
  Number(/"exp":(\d+)/.exec(Buffer.from(body, 'base64url').toString())?.[1]) * 1_000 > Date.now()
const anybody: Check = () => true

interface Answer {
  readonly status?: number
  readonly type?: string
  readonly body: unknown
}
type Handler = (body: Record<string, unknown>, request: IncomingMessage) => Answer
type Route = readonly [check: Check, handle: Handler]

const say =
  (body: unknown, status = 200): Handler =>
  () => ({ status, body })
const HASH = `$2b$10$${'K7Lq1v0nT3sWbX9cR5yEuOzHf2jDgM8aPiQe6tVrYxUoBnCwSkZ1m'}`
const PEOPLE = [
  { name: 'Ida', email: 'ida.berg@post.example', phone: '+49 431 5550101' },
  { name: 'Tom', email: 'tom.voss@post.example', phone: '+49 431 5550177' },
]
const TEAMS = [
  { name: 'Sales', email: 'sales@shop.test', phone: '+49 431 555000' },
  { name: 'Support', email: 'support@shop.test', phone: '+49 431 555000' },
]

const tableOf = (rows: readonly Readonly<Record<string, string>>[]): string =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((row) => `${row.join(';')}\r\n`).join('')

/** By method and path. Anew for each server, as records change. */
const routesOf = (): Readonly<Record<string, Route>> => {
  const profile: Record<string, unknown> = { city: 'Kiel', balance: 20 }
  const settings: Record<string, unknown> = { theme: 'dark', admin: false }
  return {
    'GET /v1/orders': [strict, say([{ id: 'o-1', total: 40 }])],
    'GET /v2/addresses': [strict, say({ street: 'Harbour Road 4' })],
    'GET /v1/addresses': [anybody, say({ street: 'Harbour Road 4' })],
    'GET /v2/deliveries': [strict, say({ street: 'Harbour Road 4' })],
    'GET /v1/deliveries': [strict, say({ street: 'Harbour Road 4' })],
    'GET /v1/reports': [decoded, say({ sold: 12 })],
    'GET /v1/exports': [orNone, say({ rows: 12 })],
    'GET /v1/customers': [anybody, say([{ id: 'c-1', name: 'Harbour' }])],
    'GET /v1/ledgers': [anybody, () => ({ body: 'number,amount\n7,12.50\n', type: 'text/csv' })],
    'GET /v1/vouchers': [strict, () => ({ body: 'number,amount\n9,10.00\n', type: 'text/csv' })],
    'GET /v1/manual': [anybody, () => ({ body: '<h1>Please come in to read it</h1>', type: 'text/html' })],
    'GET /v1/pulse': [anybody, say({ database: 'up', version: '2.4.1', cached: true })],
    'GET /v1/notices': [anybody, say([])],
    'GET /v1/denied': [anybody, say({ message: 'Please sign in' })],
    'GET /v1/members': [strict, say([{ id: 'm-1', password: HASH }])],
    'GET /v1/people': [strict, say([{ id: 'p-1', password: '********', hasPassword: true }])],
    'GET /v1/products': [anybody, say([{ title: 'Lamp', margin: 11 }])],
    'GET /v1/categories': [anybody, say([{ title: 'Light' }])],
    'GET /v1/reviews': [anybody, say(PEOPLE)],
    'GET /v1/readers': [anybody, () => ({ body: tableOf(PEOPLE), type: 'text/csv; charset=utf-8' })],
    'GET /v1/guests': [
      anybody,
      () => ({ body: `${tableOf(PEOPLE).replace(/^.*\r\n/, '')}Joe;;none\r\n`, type: 'text/csv; charset=utf-8' }),
    ],
    'GET /v1/desks': [anybody, () => ({ body: tableOf(TEAMS), type: 'text/csv; charset=utf-8' })],
    'GET /v1/staff': [anybody, say(TEAMS)],
    'GET /v1/profile': [strict, () => ({ body: { ...profile } })],
    'PUT /v1/profile': [strict, (body) => ({ body: Object.assign(profile, body) })],
    'GET /v1/settings': [strict, () => ({ body: { ...settings } })],
    'PUT /v1/settings': [strict, (body) => ({ body: Object.assign(settings, { theme: body.theme }) })],
    'POST /v1/quotes': [anybody, ({ sku }) => ({ body: { length: (sku as string).trim().length } })],
    'POST /v1/estimates': [
      anybody,
      ({ sku }) =>
        typeof sku === 'string' ? { body: { length: sku.length } } : { status: 422, body: { error: 'sku' } },
    ],
    'POST /v1/auth/login': [
      anybody,
      ({ username }) => ({ status: 401, body: { message: username === 'nora.l' ? 'Wrong password' : 'No such user' } }),
    ],
    'POST /v2/auth/login': [anybody, say({ message: 'Wrong name or password' }, 401)],
  }
}

const string = { type: 'string' }
const objectOf = (...names: string[]) => ({
  ...{ type: 'object', properties: Object.fromEntries(names.map((name) => [name, string])) },
})
const BODIES: Readonly<Record<string, object>> = {
  'PUT /v1/profile': { type: 'object', properties: { city: string, balance: { type: 'integer', readOnly: true } } },
  'PUT /v1/settings': objectOf('theme'),
  'POST /v1/quotes': objectOf('sku'),
  'POST /v1/estimates': objectOf('sku'),
  'POST /v1/auth/login': objectOf('username', 'password'),
  'POST /v2/auth/login': objectOf('username', 'password'),
}
/** Versions that nobody describes any more. */
const FORGOTTEN = /v1\/(?:addresses|deliveries)/
const OPEN = /products|categories|reviews|readers|guests|desks|staff|quotes|estimates|login/

export const description = (): string => {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of Object.keys(routesOf()).filter((one) => !FORGOTTEN.test(one))) {
    const [method = '', path = ''] = route.split(' ')
    const schema = BODIES[route]
    const items = /products|categories/.test(path) ? { type: 'array', items: objectOf('title') } : undefined
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        ...(schema ? { requestBody: { content: { 'application/json': { schema } } } } : {}),
        responses: { '200': items ? { content: { 'application/json': { schema: items } } } : { description: 'ok' } },
        ...(OPEN.test(path) ? { security: [] } : {}),
      },
    }
  }
  return JSON.stringify({ openapi: '3.0.3', security: [{ cookie: [] }], paths })
}

export const service = (seen: string[]): RequestListener => {
  const routes = routesOf()
  return async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/, '')
    const send = (status: number, body: unknown, type = 'application/json'): void =>
      void response
        .writeHead(status, { 'Content-Type': type })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    const sent = await text(request)
    seen.push(`${request.method} ${path} ${sent}`)
    if (path === '/') return send(200, '<title>Shop</title><h1>Shop</h1>', 'text/html')
    const [check, handle] = routes[`${request.method} ${path}`] ?? []
    if (!check || !handle) return send(404, { error: 'not found' })
    const cookie = /(?:^|; )session=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const [head = '', body = '', signature = ''] = cookie.split('.')
    if (check !== anybody && !(check(head, body, signature) && isFresh(body)))
      return send(401, { message: 'Please sign in' })
    try {
      const { status = 200, type, body: answer } = handle(sent === '' ? {} : JSON.parse(sent), request)
      send(status, answer, type)
    } catch (error) {
      if (error instanceof SyntaxError) return send(400, { error: 'no JSON' })
      if (!(error instanceof TypeError)) throw error
      send(500, { error: 'internal' }) // Its developers let it fail, which is what is found there.
    }
  }
}
