/** An application over HTTP, with a real database, real files, a real shell and a real evaluator behind it. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { filtered } from './filters.ts'
import { addressOf, chosenOf, entryOf, layout } from './pages.ts'
import type { Application, Planted } from './plan.ts'
import { cookieOf, givenIn } from './request.ts'
import { type Around, escaped, type Said } from './sink.ts'

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

/** Listens at an address of loopback. */
export const serveApplication = async (application: Application, address: string): Promise<Serving> => {
  const around = await openAround()
  const server = createServer((request, response) => {
    void answer(application, around, request, response).catch(() => response.destroy())
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

const answer = async (
  application: Application,
  around: Around,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const url = new URL(request.url ?? '/', 'http://application')
  const page = (html: string, status = 200): void => {
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(layout(application, html))
  }
  const go = (to: string): void => void response.writeHead(302, { Location: to }).end()
  if (url.pathname === '/') return page('<h1>Welcome</h1><p>Choose where to go.</p>')
  if (url.pathname === '/about' || url.pathname === '/sign-in') return page('<h1>About us</h1>')
  const place = application.places.find((one) => isFor(one, url))
  if (!place) return page('<h1>No such page</h1>', 404)
  if (place.signedIn && !isSignedIn(application, request)) return go('/sign-in')
  const below =
    url.pathname === place.path || url.pathname.startsWith(`${place.path}/`)
      ? null
      : url.pathname.slice(place.entry.length)
  if (below === '' || below === '/all') {
    if (place.spot === 'cookie' && cookieOf(request, place.input) === null)
      response.setHeader('Set-Cookie', `${place.input}=${encodeURIComponent(place.sink.value)}; Path=/`)
    return page(entryOf(place))
  }
  if (below === '/today') return go(addressOf(place))
  const day = place.sink.others.find((_, at) => below === `/day-${at + 1}`)
  if (day !== undefined) return go(addressOf(place, day))
  if (below === '/choose') return go(`${place.entry}/chosen`)
  if (below === '/chosen') return page(chosenOf(place))
  if (below !== null) return page('<h1>No such page</h1>', 404)
  await use(application, around, place, request, response, url)
}

const isSignedIn = ({ cookie }: Application, request: IncomingMessage): boolean => {
  const [name = '', value] = (cookie ?? '').split('=')
  return cookieOf(request, name) === value
}

const isFor = (place: Planted, { pathname, searchParams }: URL): boolean => {
  if (pathname === place.entry || pathname.startsWith(`${place.entry}/`)) return true
  if (place.way === 'front') return pathname === place.path && searchParams.get('view') === place.entry.slice(1)
  return pathname === place.path
}

/** Milliseconds that a slow page takes at most. */
const SLOW = 300

const use = async (
  application: Application,
  around: Around,
  place: Planted,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> => {
  const given = await givenIn(place, request, url)
  const value = filtered[place.filter](given ?? place.sink.value)
  if (place.answers === 'slow') await delay(SLOW * Math.random())
  const { status, said } = await attempt(place, value, around)
  const noise = place.answers === 'noisy' ? `<p>Visitor ${randomUUID()} at ${new Date().toISOString()}</p>` : ''
  const body = layout(application, `<h1>${place.entry.slice(1)}</h1>${said.html}${noise}`)
  if (said.line === undefined) {
    const type = { 'Content-Type': 'text/html; charset=utf-8' }
    response.writeHead(
      said.location === undefined ? status : 302,
      said.location === undefined ? type : { ...type, Location: encodeURI(said.location) },
    )
    response.end(body)
    return
  }
  // The line as it is: Node's own writer would refuse one that holds a line break.
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n${said.line}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`
  response.socket?.end(head + body)
}

const attempt = async (place: Planted, value: string, around: Around): Promise<{ status: number; said: Said }> => {
  try {
    const said = await (place.vulnerable ? place.sink.careless : place.sink.careful)(value, around)
    return { status: 200, said }
  } catch (error) {
    const text = place.answers === 'hidden' ? 'Something went wrong.' : String(error)
    return { status: 500, said: { html: `<p>${escaped(text)}</p>` } }
  }
}
