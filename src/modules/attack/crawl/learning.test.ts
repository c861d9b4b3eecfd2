/** What requests do is learned, whatever the crawl had time for. */
import { afterEach, expect, it, vi } from 'vitest'
import { closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)
afterEach(() => void vi.restoreAllMocks())

const form = (action: string) =>
  `<form action="${action}" method=post><input name=q value=lamp><button>Go</button></form>`

it('a form of the last page that there was time for is known to read', async () => {
  const now = performance.now.bind(performance)
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
  const { facts } = await crawl({
    '/': '<a href="/find.html">Find</a><p>Welcome.</p>',
    '/find.html': () => {
      // The page takes all that the crawl may take.
      passed = 215_000
      return form('/find')
    },
    '/find': '<p>Lamps: the brass one and the tall one.</p>'.repeat(6),
  })
  expect(facts.requests.find(({ method }) => method === 'POST')).toMatchObject({ effect: 'reads', tried: 2 })
})
