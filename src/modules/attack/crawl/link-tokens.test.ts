/** Links that work by a token of their own: signed in on a production system they are asked for without it. */
import { randomBytes } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { closeCrawled, crawl, type Pages } from './testing/crawling.ts'

afterEach(closeCrawled)

const MENU = ['/notes', '/tags', '/profile', '/help'].map((path) => `<a href="${path}">${path.slice(1)}</a>`).join('')

/** A site that publishes a note when a link with the token of that page is opened. */
const notes = () => {
  const given = new Set<string>()
  const published: string[] = []
  const page = () => {
    const token = randomBytes(20).toString('hex')
    given.add(token)
    const rows = [1, 2, 3].map(
      (n) => `<a href="/notes/${n}">Note</a><a href="/notes/${n}/open-to?token=${token}">Link</a>`,
    )
    return `<html><body>${MENU}${rows.join('')}</body></html>`
  }
  const open = (n: number) => (request: { url?: string | undefined }) => {
    const token = new URL(request.url ?? '/', 'http://a.test').searchParams.get('token') ?? ''
    if (!given.delete(token)) return { status: 403, body: 'wrong token' }
    published.push(`${n}`)
    return `<html><body>${MENU}open</body></html>`
  }
  const pages: Pages = {
    '/': page,
    '/notes': page,
    '/tags': page,
    ...Object.fromEntries(
      [1, 2, 3].flatMap((n) => [
        [`/notes/${n}`, page],
        [`/notes/${n}/open-to`, open(n)],
      ]),
    ),
  }
  return { pages, published }
}

it('asks for a link without the token that its page has made for it', async () => {
  const { pages, published } = notes()
  const { seen } = await crawl(pages, { cookie: 'session=ada' })
  expect(published).toEqual([])
  expect(seen).toContain('GET /notes/1/open-to')
  expect(seen).toContain('GET /notes/3')
}, 60_000)

it('follows links that all carry the session', async () => {
  const session = randomBytes(20).toString('hex')
  const names = ['sales', 'customers', 'reports', 'settings', 'profile']
  const inside = (request: { url?: string | undefined }) =>
    (request.url ?? '').includes('?') && !(request.url ?? '').includes(session)
      ? { status: 401, body: 'who are you' }
      : `<html><body>${names.map((name) => `<a href="/${name}?user_token=${session}">${name}</a>`).join('')}</body></html>`
  const pages: Pages = Object.fromEntries(['/', ...names.map((name) => `/${name}`)].map((path) => [path, inside]))
  const { seen } = await crawl(pages, { cookie: 'session=ada' })
  expect(seen).toContain(`GET /reports?user_token=${session}`)
}, 60_000)
