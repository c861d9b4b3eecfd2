import { expect, it } from 'vitest'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { type StrangerParts, strangerPages } from './strangers.ts'

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
    ...{ mayAsk: (url) => url.startsWith(HOME) && !url.includes('logout'), isOver: () => false },
  })
  expect(pages.map(({ url }) => url.replace(HOME, ''))).toEqual(['/', '/login', '/gate', '/register'])
  expect(asked.map(({ url }) => url.replace(HOME, ''))).toEqual(['/', '/mine', '/login', '/gate', '/register'])
  expect(asked.every(({ authenticated }) => authenticated === false)).toBe(true)
})
