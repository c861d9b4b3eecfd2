/** Serves a site: its pages, a sign-in, and each entry as its truth says. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { bodyOf } from '../../generate/request.ts'
import type { Answer, Surroundings } from '../case.ts'
import { libraryOf } from '../server.ts'
import { aboutOf, aboutPage, accountPage, frontPage, layout, SEASONS, SIGN_IN, sectionPage } from './pages.ts'
import { type Entry, isCareless, type Site } from './plan.ts'
import { type Asked, cookieOf, partOf, rawOf, valueIn } from './requests.ts'

/** Who may sign in, and what is shown then. */
export const VISITOR = { user: 'robin', password: 'long walks 1998', shown: 'Hello robin' } as const
const SESSION = 'visit'

/** `heard` is told of each request to an entry. */
export const serveSite = (
  site: Site,
  around: Surroundings,
  heard: (entry: Entry) => void = () => undefined,
): RequestListener => {
  const sessions = new Set<string>()
  return (request, response) => {
    void answer({ site, around, heard, sessions }, request, response).catch(() => {
      // What a framework does with what the page did not expect; pages that show their errors do so themselves.
      if (response.headersSent) response.destroy()
      else html(response, '<!doctype html><title>Error</title><h1>Something went wrong</h1>', 500)
    })
  }
}

interface Parts {
  readonly site: Site
  readonly around: Surroundings
  readonly heard: (entry: Entry) => void
  readonly sessions: Set<string>
}

const html = (response: ServerResponse, text: string, status = 200, headers: Answer['headers'] = {}): void => {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(text)
}
const go = (response: ServerResponse, to: string, headers: Answer['headers'] = {}): void => {
  response.writeHead(302, { Location: to, ...headers }).end()
}

const answer = async (parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const asked = { request, url: new URL(request.url ?? '/', 'http://shop.test'), body: await bodyOf(request) }
  const { pathname } = asked.url
  const session = cookieOf(request, SESSION)
  const isMember = session !== null && parts.sessions.has(session)
  const [, first = '', second = ''] = pathname.split('/')
  if (first === 'lib') libraryOf(second, response)
  else if (pathname === '/sign-in') signIn(parts, asked, response)
  else if (pathname === '/sign-out') {
    parts.sessions.delete(session ?? '')
    go(response, '/')
  } else if (pathname === '/account' && isMember) html(response, accountPage(VISITOR.user))
  else if (pathname === '/account') go(response, '/sign-in')
  else if (pathname === '/') html(response, frontPage(parts.site))
  else await show(parts, first, { isMember, asked }, response)
}

const show = async (
  parts: Parts,
  name: string,
  { isMember, asked }: { readonly isMember: boolean; readonly asked: Asked },
  response: ServerResponse,
): Promise<void> => {
  const { pathname } = asked.url
  const section = parts.site.entries.filter((entry) => entry.section === name)
  const about = section.find((entry) => aboutOf(entry) === pathname)
  const entry = section.find(
    ({ path, case: { place } }) => pathname === path || (place === 'path' && pathname.startsWith(`${path}/`)),
  )
  if (section[0]?.member === true && !isMember) go(response, '/sign-in')
  else if (section.length > 0 && pathname === `/${name}`) html(response, sectionPage(name, section))
  else if (about) {
    const page = aboutPage(about)
    html(response, page.html, page.status, page.headers)
  } else if (entry) await use(parts, entry, asked, response)
  else html(response, layout('<h1>No such page</h1>'), 404)
}

const signIn = ({ sessions }: Parts, { request, body }: Asked, response: ServerResponse): void => {
  const given = new URLSearchParams(body)
  const isRight = given.get('user') === VISITOR.user && given.get('password') === VISITOR.password
  if (request.method !== 'POST' || !isRight) {
    html(response, SIGN_IN, request.method === 'POST' ? 401 : 200)
    return
  }
  const session = randomUUID()
  sessions.add(session)
  go(response, '/account', { 'Set-Cookie': `${SESSION}=${session}; Path=/; HttpOnly` })
}

const use = async (parts: Parts, entry: Entry, asked: Asked, response: ServerResponse): Promise<void> => {
  parts.heard(entry)
  const { case: one, input } = entry
  if (!takes(entry, asked)) {
    html(response, layout('<p>Please fill in the form.</p>'))
    return
  }
  const cookie = one.place === 'cookie' && entry.way !== 'script-cookie' && cookieOf(asked.request, input) === null
  const greeted: Record<string, string> = cookie ? { 'Set-Cookie': `${input}=${one.value}; Path=/` } : {}
  const careful = !isCareless(parts.site, entry)
  const { status, headers, body, raw } = await one.answer(
    valueIn(entry, asked),
    careful,
    parts.around,
    rawOf(entry, asked),
  )
  if (raw === undefined) html(response, body, status, { ...greeted, ...headers })
  else response.socket?.end(raw)
}

/** True where the request brings what has to stand beside the value. */
const takes = ({ way, input, path, case: { place } }: Entry, { request, url, body }: Asked): boolean => {
  const read = new URLSearchParams(place === 'query' ? url.search : body)
  const field = (name: string): string => (place === 'multipart' ? partOf(body, name) : read.get(name)) ?? ''
  if (place === 'path' && url.pathname === path) return true
  if (place === 'json' || place === 'xml' || place === 'json-list' || place === 'graphql')
    return request.method === 'POST' && body !== ''
  if (way === 'select' || way === 'radio') return SEASONS.includes(field('season'))
  if (way === 'textarea') return field('greeting').startsWith('Dear')
  if (way === 'upload') return /name="picture"; filename="[^"]+"/.test(body)
  if (way === 'either') return field(input) === '' || field('number') === ''
  return true
}
