/** Folders out of which pages link documents. */
import { afterEach, expect, it } from 'vitest'
import { closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)

it('asks once for the folder of linked documents, and for none of pages', async () => {
  const { seen } = await crawl({
    '/': '<a href=/papers/2026/first.pdf>1</a><a href=/papers/2026/second.pdf>2</a><a href=/about/us>us</a><a href=/terms.pdf>t</a>',
    '/papers/2026/': '<title>Index of /papers/2026/</title>',
    '/about/us': 'We',
  })
  expect(seen.filter((line) => line === 'GET /papers/2026/')).toHaveLength(1)
  expect(seen.filter((line) => line === 'GET /about/')).toEqual([])
})
