import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { kindOf } from '../../../page/shape.ts'
import { type StrangerParts, strangerPages } from './strangers.ts'
import { closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)

const HOME = 'http://shop.test'
const PAGES: Readonly<Record<string, string>> = {
  '/': '<a href=/login>Sign in</a><a href=/item/7>Tent</a><a href=/logout>Bye</a>',
  '/login': '<a href=/register>Register</a><form method=post><input name=user></form>',
  '/register': '<a href=/login>Sign in</a>',
  '/gate': '',
}

it('sees what is linked for those who are not signed in, and asks for nothing else', async () => {
  const asked: HttpRequest[] = []
  const http = async (request: HttpRequest): Promise<HttpExchange> => {
    asked.push(request)
    const { pathname } = new URL(request.url)
    const headers = [['content-type', 'text/html'], ...(pathname === '/mine' ? [['location', '/gate']] : [])]
    const status = pathname === '/mine' ? 302 : 200
    return { status, headers, body: Buffer.from(PAGES[pathname] ?? '') } as unknown as HttpExchange
  }
  const ctx = { egress: { http }, signal: new AbortController().signal } as unknown as StrangerParts['ctx']
  const pages = await strangerPages({
    ...{ ctx, from: [`${HOME}/`, `${HOME}/mine`], known: [`${HOME}/`, `${HOME}/item/3`, `${HOME}/mine`] },
    kindOf,
    ...{ mayAsk: (url) => url.startsWith(HOME) && !url.includes('logout'), isOver: () => false },
  })
  expect(pages.map(({ url }) => url.replace(HOME, ''))).toEqual(['/', '/login', '/gate', '/register'])
  expect(asked.map(({ url }) => url.replace(HOME, ''))).toEqual(['/', '/mine', '/login', '/gate', '/register'])
  expect(asked.every(({ authenticated }) => authenticated === false)).toBe(true)
})

it('of a front controller sees the parts that the run has not', async () => {
  const pages: Readonly<Record<string, string>> = {
    '/': '<title>Board</title><a href="/?do=login">Sign in</a><a href="/?do=news">News</a><p>Welcome to the board',
    '/?do=login':
      '<title>Sign in</title><form method=post action="/?do=login"><input name=u><input name=p type=password></form>',
    '/?do=news': '<title>News</title><ul><li>One<li>Two</ul><table><tr><td>1</table>',
    '/?do=mine': '<title>Mine</title><h1>Mine</h1><dl><dt>Name<dd>Robin</dl>',
  }
  const { facts } = await crawl(
    Object.fromEntries([
      [
        '/',
        (request: IncomingMessage) => {
          const isIn = request.headers.cookie !== undefined
          const page = pages[request.url ?? '/'] ?? 'nothing'
          if (!isIn) return page
          return request.url === '/?do=login'
            ? { status: 302, headers: { Location: '/' } }
            : page.replace(
                '<a href="/?do=login">Sign in</a>',
                '<a href="/?do=mine">Mine</a><a href="/?do=logout">Bye</a>',
              )
        },
      ],
    ]),
    { cookie: 'sid=a1b2c3d4e5f60718' },
  )
  const form = facts.requests.find(({ method, fields }) => method === 'POST' && fields.some(({ name }) => name === 'p'))
  expect(form).toMatchObject({ url: 'http://shop.test/?do=login', seenOn: ['http://shop.test/?do=login'] })
})

it('follows no link with a token that its page has made', async () => {
  const asked: string[] = []
  const token = 'd41d8cd98f00b204e9800998ecf8427e0a1b2c3d'
  const http = async ({ url }: HttpRequest): Promise<HttpExchange> => {
    asked.push(url.replace(HOME, ''))
    const body = `<a href="/open?id=4&token=${token}">Open</a><a href="/login?sid=${token}">Sign in</a>`
    return { status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(body) } as unknown as HttpExchange
  }
  const ctx = { egress: { http }, signal: new AbortController().signal } as unknown as StrangerParts['ctx']
  const parts = { ctx, from: [`${HOME}/`], known: [], kindOf, mayAsk: () => true, isOver: () => false }
  await strangerPages(parts)
  expect(asked).toEqual(['/', '/open?id=4', '/login'])
})
