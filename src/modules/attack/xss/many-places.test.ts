/** More places than all may have their turn of: each is asked a little first. */
import { describe, expect, it } from 'vitest'
import type { CrawlFacts } from '../crawl/facts.ts'
import { known, scanned } from './testing/scanned.ts'

describe('of many places', () => {
  const many = (): CrawlFacts => {
    const { requests, ...crawl } = known([])
    const paths = Array.from({ length: 130 }, (_, at) => `/shelf${at}`)
    return {
      ...crawl,
      requests: paths.flatMap((path) => {
        const url = `http://shop.test${path}?q=tent`
        return requests.map((one) => ({ ...one, id: path, method: 'GET', url, shape: url, encoding: 'none' as const }))
      }),
      points: paths.map((path) => ({ id: path, request: path, place: 'query', name: 'q', example: 'tent' })),
    }
  }

  it('those whose page has shown nothing of a value are sent a word when all others were asked', async () => {
    const words: string[] = []
    const { found, at } = await scanned((_sent, request) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test')
      const q = searchParams.get('q') ?? ''
      if (/^qx[0-9a-f]{10}$/.test(q)) words.push(pathname)
      if (pathname === '/shelf120') return `<p>${q}</p>`
      // It looks for words alone, and has no hyphen in any.
      return pathname === '/shelf3' && /^\w/.test(q) && !q.startsWith('tent') ? `<p>${q}</p>` : '<p>Shelf</p>'
    }, many())
    expect(words[0]).toBe('/shelf120')
    expect(new Set(words)).toHaveProperty('size', 130)
    expect([found, at.toSorted()]).toEqual([
      ['xss/reflected confirmed', 'xss/reflected confirmed'],
      ['xss/reflected http://shop.test/shelf120 q', 'xss/reflected http://shop.test/shelf3 q'],
    ])
  })
})
