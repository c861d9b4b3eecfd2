import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { createCrawled } from './crawled.ts'

const page = (path: string, body: string, status = 200) => caseAnswer({ path, body, status })

it('keeps pages as they were first answered, as long as there is room', () => {
  const crawled = createCrawled(30)
  crawled.note('http://shop.test/a', page('/a', '<p>First, of a few</p>'))
  crawled.note('http://shop.test/a', page('/a', '<p>Second</p>'))
  crawled.note('http://shop.test/gone', page('/gone', '', 404))
  crawled.note('http://shop.test/b', page('/b', '<p>No room is left for it</p>'))
  expect(['a', 'gone', 'b', 'c'].map((path) => crawled.at(`http://shop.test/${path}`)?.text ?? null)).toEqual([
    ...['<p>First, of a few</p>', null, null, null],
  ])
  expect(crawled.at('http://shop.test/a')?.contentType).toBe('text/html')
})
