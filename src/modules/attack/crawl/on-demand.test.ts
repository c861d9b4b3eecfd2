/** What scripts alone name, to a run that is signed in on a production system: a board whose script has what its buttons send. */
import { describe, expect, it } from 'vitest'
import { ON_DEMAND } from '../../../safety/signed-in.ts'
import { crawl, json } from './testing/crawling.ts'

const SCRIPT = `
  const deploy = (flows, rev) => fetch('/flows', { method: 'POST', body: JSON.stringify({ flows, rev }) })
  const find = (term) => fetch('/lookup', { method: 'POST', body: JSON.stringify({ term }) })`
const board = {
  '/': { body: '<title>Board</title><h1>Board of Ada</h1><a href="/list">List</a><script src="/board.js"></script>' },
  '/list': { body: '<title>List</title><p>Two flows</p>' },
  '/board.js': { type: 'text/javascript', body: SCRIPT },
  '/flows': json({ flows: [1, 2] }),
  '/lookup': json({ hits: [] }),
}
const posted = (seen: readonly string[]) =>
  seen.filter((line) => line.startsWith('POST /flows') || line.startsWith('POST /lookup'))

describe('what a script posts', () => {
  it('is not sent with made-up values to see what it does, signed in on a production system', async () => {
    const { facts, seen } = await crawl(board, { cookie: 'sid=0123456789abcdef' })
    expect(posted(seen)).toEqual([])
    expect(
      facts.requests.filter(({ method }) => method === 'POST').map(({ url, harm }) => [new URL(url).pathname, harm]),
    ).toEqual(
      expect.arrayContaining([
        ['/flows', ON_DEMAND],
        ['/lookup', ON_DEMAND],
      ]),
    )
  })

  it('is sent as nobody, and signed in on a test system', async () => {
    expect(posted((await crawl(board)).seen).toSorted()).toEqual(
      expect.arrayContaining(['POST /flows', 'POST /lookup']),
    )
    const test = await crawl(board, { cookie: 'sid=0123456789abcdef' }, 'test')
    expect(posted(test.seen)).toEqual(expect.arrayContaining(['POST /flows', 'POST /lookup']))
  })

  it('is sent where a form of a page sends the same', async () => {
    const form = '<form method="post" action="/find"><input name="q" value="a"></form>'
    const named = `${SCRIPT}; const again = (q) => $.post('/find', { q })`
    const pages = { ...board, '/list': { body: `<title>List</title>${form}` }, '/find': { body: 'nothing' } }
    const { seen } = await crawl(
      { ...pages, '/board.js': { type: 'text/javascript', body: named } },
      { cookie: 'sid=0123456789abcdef' },
    )
    expect(seen).toContain('POST /find')
    expect(seen).not.toContain('POST /flows')
  })

  it('as nobody is not sent either to what hands out data at the same address, in production', async () => {
    const named = `${SCRIPT}; const load = () => fetch('/flows')`
    const pages = { ...board, '/board.js': { type: 'text/javascript', body: named } }
    const { seen } = await crawl(pages)
    expect(seen).toContain('GET /flows')
    expect(posted(seen).filter((line) => line.includes('/flows'))).toEqual([])
    expect(posted(seen)).toContain('POST /lookup')
    expect(posted((await crawl(pages, {}, 'test')).seen)).toContain('POST /flows')
  })
})
