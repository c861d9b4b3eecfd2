/** Scripts of pages are looked at while places are asked, as the browser leaves most of the pace to them. */
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { scanned, scriptedOf } from './testing/scanned.ts'

it('a page is opened before the first place is answered, and both are found', async () => {
  const opened = Promise.withResolvers<'opened'>()
  let first: Promise<string> | null = null
  const url = 'http://shop.test/find?q=tent'
  const { found } = await scanned(
    async (_, request) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test')
      if (pathname === '/wall') {
        opened.resolve('opened')
        return '<p id=p></p><script>p.innerHTML = decodeURIComponent(location.hash.slice(1))</script>'
      }
      first ??= Promise.race([opened.promise, setTimeout(6_000, 'never')])
      await first
      return `<h1>Find</h1><p>${searchParams.get('q')}</p>`
    },
    {
      ...scriptedOf(['/wall']),
      requests: [caseRequest({ id: 'a', method: 'GET', url, shape: url, encoding: 'none', fields: [] })],
      points: [{ id: 'a:query:q', request: 'a', place: 'query', name: 'q', example: 'tent' }],
    },
  )
  expect(await first).toBe('opened')
  expect(found.toSorted()).toEqual(['xss/fragment confirmed', 'xss/reflected confirmed'])
})
