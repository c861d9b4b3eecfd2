/** What a view shows of all that stands behind its route is one flaw, whatever stands there. */
import { expect, test } from 'vitest'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseCrawl } from '../crawl/testing/crawl-facts.ts'
import { dom } from './dom.ts'
import type { DomHit, XssFacts } from './facts.ts'

const hit = (address: string, name: string | null = null): DomHit => ({
  ...{ kind: 'script', page: 'https://shop.test/a', source: 'fragment', name, sink: 'html', address, message: null },
  ...{ payload: '<img>', ran: 'load', screenshot: null, alsoOn: [] },
})

const found = (...hits: readonly DomHit[]) => {
  const facts = { browser: null, sessionLost: false, dom: { pages: 1, left: 0, hits } } as unknown as XssFacts
  const judged = dom.judge(facts, { crawl: caseCrawl({}) }, caseContext())
  return 'state' in judged ? [] : judged.map(({ definition }) => definition.id)
}

const NOTICE = hit('https://shop.test/a#/notice/%3Cimg%3E')

test('a parameter behind a route that is shown whole', () => {
  expect(found(NOTICE, hit('https://shop.test/a?q=1#/notice/Hello?name=<img>', 'name'))).toEqual(['xss/fragment'])
})

test.each([
  ['of another view', 'https://shop.test/a#/job/Hello?name=<img>'],
  ['where no view shows all', 'https://shop.test/a#x=<img>'],
  ['of another page', 'https://shop.test/b#/notice/Hello?name=<img>'],
])('a parameter %s is another', (_which, address) => {
  expect(found(NOTICE, hit(address, 'name'))).toEqual(['xss/fragment', 'xss/fragment'])
})
