/** An application over HTTP, with a real database, real files, a real shell and a real evaluator behind it. */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Answering, answersTo, KEEPING } from './answers.ts'
import { pageAround } from './large.ts'
import { addressOf, chosenOf, entryOf, layout } from './pages.ts'
import type { Application, Planted } from './plan.ts'
import { type Asked, bodyOf, cookieOf } from './request.ts'
import type { Around } from './sink.ts'
import { createVisitors, type Visitors } from './visitors.ts'

export interface Serving {
  readonly port: number
  readonly close: () => Promise<void>
}

const SHOP = `create table products (id integer primary key, name text, price integer, note text);
insert into products values (1,'Ridge tent',420,'Two people'),(2,'Alder stove',85,'Gas'),(3,'Moss mat',60,'Light'),(4,'Bracken pack',150,'40 litres'),(5,'Zephyr lamp',35,'Bright')`

export const openAround = async (): Promise<Around & { readonly close: () => Promise<void> }> => {
  const root = await mkdtemp(join(tmpdir(), 'sonde-generated-'))
  const folder = join(root, 'papers')
  await mkdir(folder)
  await writeFile(join(folder, 'terms.txt'), 'Goods remain ours until they are paid for.\n')
  for (const name of ['returns', 'hours', 'prices'])
    await writeFile(join(folder, `${name}.txt`), `About our ${name}.\n`)
  const database = new DatabaseSync(':memory:')
  database.exec(SHOP)
  const close = async (): Promise<void> => {
    database.close()
    await rm(root, { recursive: true, force: true })
  }
  return { database, folder, close }
}

/** What is asked of an application, as it comes. */
export type Heard = (request: string) => void

/** Listens at an address of loopback. */
export const serveApplication = async (
  application: Application,
  address: string,
  heard: Heard = () => undefined,
): Promise<Serving> => {
  const around = await openAround()
  const serving = { application, heard, visitors: createVisitors(), answering: answersTo(application, around) }
  const server = createServer((request, response) => {
    void answer(serving, request, response).catch(() => response.destroy())
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await around.close()
    },
  }
}

interface Parts {
  readonly heard: Heard
  readonly application: Application
  readonly visitors: Visitors
  readonly answering: Answering
}

const answer = async (parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { application, heard } = parts
  const url = new URL(request.url ?? '/', 'http://application')
  const body = await bodyOf(request)
  heard([`${request.method} ${request.url}`, ...request.rawHeaders, body].join('\n'))
  const page = (html: string, status = 200): void => {
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(layout(application, html))
  }
  const go = (to: string): void => void response.writeHead(302, { Location: to }).end()
  if (url.pathname === '/') return page('<h1>Welcome</h1><p>Choose where to go.</p>')
  if (url.pathname === '/about' || url.pathname === '/sign-in') return page('<h1>About us</h1>')
  const ordinary = application.around ? pageAround(application.around, url) : null
  if (ordinary !== null) return page(ordinary)
  const place = application.places.find((one) => isFor(one, url))
  if (!place) return page('<h1>No such page</h1>', 404)
  if (place.signedIn && !isSignedIn(application, request)) return go('/sign-in')
  const below =
    url.pathname === place.path || url.pathname.startsWith(`${place.path}/`)
      ? null
      : url.pathname.slice(place.entry.length)
  if (below === null) return use(parts, place, { request, url, body }, response)
  if (below === '' || below === '/all') {
    const cookies = parts.visitors.greet(place, request)
    if (cookies.length > 0) response.setHeader('Set-Cookie', cookies)
    const turned = Math.trunc(Number(url.searchParams.get('page') ?? 1))
    return page(entryOf(place, { page: turned, token: parts.visitors.token(place, request) }))
  }
  if (below === '/today') return go(addressOf(place))
  const day = place.sink.others.find((_, at) => below === `/day-${at + 1}`)
  if (day !== undefined) return go(addressOf(place, day))
  if (below === '/choose') return go(`${place.entry}/chosen`)
  if (below === '/chosen') return page(chosenOf(place))
  if (below === '/items' && place.way === 'shell') {
    const items = JSON.stringify({ items: [place.sink.value, ...place.sink.others] })
    return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(items)
  }
  if (below === '/latest' && KEEPING.includes(place.way)) return parts.answering.latest(place, response)
  return page('<h1>No such page</h1>', 404)
}

const use = async (
  { application, visitors, answering }: Parts,
  place: Planted,
  asked: Asked,
  response: ServerResponse,
): Promise<void> => {
  const refused = visitors.refuses(place, asked)
  if (refused === null) return answering.use(place, asked, response)
  const head = { 'Content-Type': 'text/html; charset=utf-8', ...refused.headers }
  response.writeHead(refused.status, head).end(layout(application, `<h1>${refused.why}</h1>`))
}

const isSignedIn = ({ cookie }: Application, request: IncomingMessage): boolean => {
  const [name = '', value] = (cookie ?? '').split('=')
  return cookieOf(request, name) === value
}

const isFor = (place: Planted, { pathname, searchParams }: URL): boolean => {
  if (pathname === place.entry || pathname.startsWith(`${place.entry}/`)) return true
  if (place.way === 'front') return pathname === place.path && searchParams.get('view') === place.entry.slice(1)
  return pathname === place.path || pathname.startsWith(`${place.path}/`)
}
