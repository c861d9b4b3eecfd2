/**
 * A club of two members and a moderator, whose one program answers for all: `index.php?page=…&action=…`, pages and forms alone. Half of what
 * belongs to somebody is checked, half is not: see truth.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Member {
  readonly name: string
  readonly role: 'member' | 'moderator'
  readonly cookie: string
}

export const MEMBERS: readonly Member[] = [
  { name: 'tom', role: 'member', cookie: 'who=c2VjcmV0LW9mLXRvbQ' },
  { name: 'ida', role: 'member', cookie: 'who=c2VjcmV0LW9mLWlkYQ' },
  { name: 'mara', role: 'moderator', cookie: 'who=c2VjcmV0LW9mLW1hcmE' },
]

interface Thing {
  readonly id: number
  readonly owner: string
  readonly title: string
  text: string
}

const ofEach = (what: string): Thing[] =>
  [...MEMBERS, ...MEMBERS].map(({ name }, at) => ({
    ...{ id: at + 1, owner: name, title: `${what} number ${at + 1}` },
    text: `The ${what} that ${name} wrote on day ${at + 11}`,
  }))

interface Call {
  readonly user: Member | null
  readonly query: URLSearchParams
  /** Null of GET. */
  readonly form: URLSearchParams | null
}
type Answer = { readonly status?: number; readonly page: string } | { readonly location: string }

const DENIED: Answer = { status: 403, page: '<h2>Sorry</h2><p>That is not for you.</p>' }
const MISSING: Answer = { status: 404, page: '<h2>Sorry</h2><p>There is no such page.</p>' }

export const clubSite = (): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const stores = Object.fromEntries(
    ['letters', 'notes', 'posts', 'topics', 'drafts', 'plans'].map((name) => [name, ofEach(name.slice(0, -1))]),
  )
  const log: string[] = ['opened the season']
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://club.test')
    const form = request.method === 'POST' ? formIn(request, await text(request)) : null
    const user = MEMBERS.find(({ cookie }) => request.headers.cookie?.includes(cookie)) ?? null
    const path = url.pathname.slice(1)
    const given =
      path === '' || path === 'index.php' ? answerTo({ user, query: url.searchParams, form }, stores, log) : MISSING
    if ('location' in given) return void response.writeHead(302, { Location: given.location }).end()
    response.writeHead(given.status ?? 200, { 'Content-Type': 'text/html; charset=utf-8' }).end(whole(user, given.page))
  }
  return (request, response) => void answer(request, response)
}

/** However it is sent. */
const formIn = ({ headers }: IncomingMessage, body: string): URLSearchParams => {
  if (!headers['content-type']?.startsWith('multipart/')) return new URLSearchParams(body)
  const parts = body.matchAll(/name="([^"]*)"\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/g)
  return new URLSearchParams([...parts].map(([, name = '', value = '']): [string, string] => [name, value]))
}

const link = (query: string, label: string): string =>
  `<li><a href="index.php?${query.replaceAll('&', '&amp;')}">${label}</a></li>`

const whole = (user: Member | null, page: string): string =>
  `<!doctype html><html lang="en"><head><title>The club</title></head><body><h1>The club</h1><ul>${[
    ['letters', 'Letters'],
    ...[
      ['notes', 'Notes'],
      ['posts', 'Posts'],
      ['topics', 'Topics'],
      ['drafts', 'Drafts'],
      ['plans', 'Plans'],
    ],
    ...(user?.role === 'moderator' ? [['desk', 'The desk']] : []),
  ]
    .map(([name = '', label = '']) => link(`page=${name}`, label))
    .join('')}</ul><p>${user === null ? 'You are a guest' : `Signed in as ${user.name}`}</p>${page}</body></html>`

const answerTo = (call: Call, stores: Readonly<Record<string, Thing[]>>, log: string[]): Answer => {
  const { user, query } = call
  const page = query.get('page') ?? 'home'
  if (page === 'home') return { page: '<h2>Welcome</h2><p>A club for all who like to walk, and to write of it.</p>' }
  if (user === null) return { location: '/index.php?page=home' }
  if (page === 'desk') return desk(call, user, log)
  const things = stores[page]
  return things === undefined ? MISSING : ofThings(call, user, page, things)
}

const ofThings = (call: Call, user: Member, page: string, things: readonly Thing[]): Answer => {
  const action = call.query.get('action') ?? 'list'
  const mine = things.filter(({ owner }) => owner === user.name)
  const found = (name: string, by = call.query): Thing | undefined =>
    things.find(({ id }) => String(id) === by.get(name))
  if (page === 'letters' || page === 'notes') {
    if (action === 'list')
      return listed(
        page,
        mine.map(({ id, title }) => link(`page=${page}&action=read&id=${id}`, title)),
      )
    const one = found('id')
    if (one === undefined || (page === 'notes' && one.owner !== user.name)) return DENIED
    return { page: `<h2>${one.title}</h2><p>${one.text}</p>` }
  }
  if (page === 'posts' || page === 'topics') {
    const own = (one: Thing): boolean => one.owner === user.name || user.role === 'moderator'
    if (action === 'list')
      return listed(
        page,
        things.map(
          (one) =>
            `<li>${one.title}: ${one.text}</li>${link(`page=${page}&action=report&p=${one.id}`, 'Report')}${own(one) ? link(`page=${page}&action=edit&p=${one.id}`, 'Edit') : ''}`,
        ),
      )
    const one = found('p')
    if (one === undefined) return MISSING
    if (action === 'report') return { page: `<h2>${one.title}</h2><p>Write to the desk, and name its number.</p>` }
    if (!own(one) && (page === 'topics' || call.form === null)) return DENIED
    if (call.form !== null) return kept(one, call.form, `/index.php?page=${page}`)
    return {
      page: `<h2>Edit</h2>${formOf(`page=${page}&action=edit&p=${one.id}`, one.text, '', ' enctype="multipart/form-data"')}`,
    }
  }
  if (action === 'list')
    return listed(
      page,
      mine.map(({ id, title }) => link(`page=${page}&action=open&id=${id}`, title)),
    )
  const one = found('id', call.form ?? call.query)
  if (one === undefined || (one.owner !== user.name && (page === 'plans' || call.form === null))) return DENIED
  if (call.form !== null) return kept(one, call.form, `/index.php?page=${page}`)
  return {
    page: `<h2>${one.title}</h2>${formOf(`page=${page}&action=keep`, one.text, `<input type="hidden" name="id" value="${one.id}">`)}`,
  }
}

const desk = ({ query, form }: Call, user: Member, log: string[]): Answer => {
  const action = query.get('action') ?? 'list'
  const may = user.role === 'moderator'
  if (form !== null && (action === 'warn' || (action === 'praise' && may))) {
    log.push(`${action}: ${form.get('reason')}`)
    return { location: '/index.php?page=desk' }
  }
  if (!may) return DENIED
  if (action === 'warn' || action === 'praise')
    return {
      page: `<h2>Whom to ${action}</h2><form method="post" action="index.php?page=desk&amp;action=${action}"><p><select name="member"><option value="3">tom</option><option value="4">ida</option></select> <input type="text" name="reason"> <input type="submit" value="Send"></p></form>`,
    }
  return listed('The desk', [
    link('page=desk&action=warn', 'Warn somebody'),
    link('page=desk&action=praise', 'Praise somebody'),
    ...log.map((line) => `<li>${line}</li>`),
  ])
}

const kept = (one: Thing, form: URLSearchParams, location: string): Answer => {
  one.text = form.get('text') ?? one.text
  return { location }
}

const listed = (title: string, items: readonly string[]): Answer => ({
  page: `<h2>${title}</h2><ul>${items.join('')}</ul>`,
})

const formOf = (query: string, value: string, more = '', how = ''): string =>
  `<form method="post"${how} action="index.php?${query.replaceAll('&', '&amp;')}">${more}<p><textarea name="text">${value.replaceAll('<', '&lt;')}</textarea></p><p><input type="submit" value="Keep"></p></form>`
