/** What a crawl knows that it did not read. */
import { afterEach, describe, expect, it } from 'vitest'
import { unreadOf } from '../insertion-points/unread.ts'
import { type Answer, closeCrawled, crawl, json, paths } from './testing/crawling.ts'

afterEach(closeCrawled)

describe('an area behind a sign-in by HTTP', () => {
  const refused: Answer = { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="staff"' } }
  const pages = { '/': '<a href=/staff/>Staff</a><a href=/depot/>Depot</a>', '/staff/': refused, '/depot/': refused }

  it('is a place whoever fetched it first, and what lies behind it is said to be unread', async () => {
    const { facts } = await crawl(pages)
    const schemes = facts.requests.map(({ url, scheme }) => [new URL(url).pathname, scheme])
    expect(schemes).toEqual(
      expect.arrayContaining([
        ['/staff/', 'Basic'],
        ['/depot/', 'Basic'],
      ]),
    )
    expect(unreadOf(facts)).toEqual([
      { reason: 'not read: it lies behind a sign-in by HTTP Basic that the run has no credentials for', count: 2 },
    ])
  })

  it('says nothing of a site where nobody is asked', async () => {
    const { facts } = await crawl({ ...pages, '/staff/': 'Welcome', '/depot/': 'Boxes' })
    expect(unreadOf(facts)).toEqual([])
  })
})

describe('a server that shows nothing at its start', () => {
  it('has its applications elsewhere, which is said to be unread', async () => {
    const { facts } = await crawl({})
    expect(unreadOf(facts)).toEqual([
      { reason: 'not read: whatever lies elsewhere: the start page answers 404, and nothing leads on', count: 1 },
    ])
  })

  it('is asked for the folders that applications stand in, by their names and by that of the host', async () => {
    const { facts, seen } = await crawl({
      '/wiki/': '<h1>Handbook</h1><a href=/wiki/page?id=1>First</a>',
      '/wiki/page': 'The first page',
      '/shop/': { status: 302, headers: { Location: '/shop/login' } },
      '/shop/login': '<form method=post><input name=who></form>',
      '/mail/': { status: 302, headers: { Location: '/' } },
    })
    expect(paths(facts)).toEqual(expect.arrayContaining(['/wiki/', '/wiki/page?id=1', '/shop/login']))
    expect(seen.filter((one) => one === 'GET /mail/')).toHaveLength(1)
    expect(unreadOf(facts)).toEqual([])
  })

  it('is not asked for them where its pages are many', async () => {
    const { seen } = await crawl({
      '/': '<a href=/a>A</a><a href=/b>B</a>',
      '/a': 'First',
      '/b': 'Second',
      '/wiki/': 'W',
    })
    expect(seen).not.toContain('GET /wiki/')
  })

  it('begins where its operator says, and a crawl of it reads what lies there', async () => {
    const pages = {
      '/': { status: 403, body: 'Forbidden' },
      '/own/begin': '<h1>Handbook</h1><a href=/own/page?id=1>First</a>',
      '/own/page': 'The first page',
      '/own/data': json({ items: [] }),
    }
    const { facts } = await crawl(pages, { options: { start_paths: ['/own/begin', '/own/data'] }, cookie: 'sid=1' })
    expect(paths(facts)).toEqual(expect.arrayContaining(['/own/begin', '/own/page?id=1', '/own/data']))
  })

  it('begins where a sign-in ends that no page leads to', async () => {
    const pages = {
      '/': json({ service: 'orders' }),
      '/me': json({ name: 'Ada' }),
      '/console': '<a href=/console/orders>Orders</a>',
      '/console/orders': 'Two orders',
    }
    const session = {
      ...{ proofAt: 'http://shop.test/me', landed: ['http://shop.test/console'] },
      ...{ session: () => 1, lost: () => null, proofs: () => 1, prove: async () => true },
      ...{ unproven: () => ({ answered: 0, refused: 0 }), doubtful: () => [] },
    }
    const { facts } = await crawl(pages, { session, cookie: 'sid=1' })
    expect(paths(facts)).toEqual(expect.arrayContaining(['/me', '/console', '/console/orders']))
  })

  it('says of what its operator named and does not answer that nothing behind it was read', async () => {
    const { facts } = await crawl({ '/': '<a href=/a>A</a>', '/a': 'First' }, { options: { start_paths: ['/gone/'] } })
    expect(unreadOf(facts)).toEqual([{ reason: 'not read: what lies behind a start path: it answers 404', count: 1 }])
  })

  it('says nothing where one of its pages is there', async () => {
    const { facts } = await crawl({ '/': { status: 404, body: '<a href=/shop>Shop</a>' }, '/shop': 'Welcome' })
    expect(unreadOf(facts)).toEqual([])
  })
})

describe('an interface whose start says no more than that it is there', () => {
  const pages = { '/': json({ service: 'orders', version: '1.14.2' }) }
  const description = json({
    openapi: '3.0.3',
    info: { title: 'Orders', version: '1' },
    paths: { '/v1/orders': { get: { responses: { 200: { description: 'ok' } } } } },
  })
  const unknown =
    'not read: whatever else the interface has: its start page leads nowhere, and no description of it was found'

  it('has the rest elsewhere, which is said to be unread', async () => {
    const { facts } = await crawl(pages)
    expect(unreadOf(facts)).toEqual([{ reason: unknown, count: 1 }])
  })

  it.each([
    ['a description', { ...pages, '/openapi.json': description, '/v1/orders': json([]) }],
    ['a page', { '/': '<h1>Orders</h1><p>Nothing today</p>' }],
  ])('is known by %s', async (_name, known) => {
    const { facts } = await crawl(known)
    expect(unreadOf(facts).map(({ reason }) => reason)).not.toContain(unknown)
  })
})
