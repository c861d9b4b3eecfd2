/** What a crawl knows that it did not read. */
import { afterEach, describe, expect, it } from 'vitest'
import { unreadOf } from '../insertion-points/unread.ts'
import { type Answer, closeCrawled, crawl } from './testing/crawling.ts'

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

  it('says nothing where one of its pages is there', async () => {
    const { facts } = await crawl({ '/': { status: 404, body: '<a href=/shop>Shop</a>' }, '/shop': 'Welcome' })
    expect(unreadOf(facts)).toEqual([])
  })
})
