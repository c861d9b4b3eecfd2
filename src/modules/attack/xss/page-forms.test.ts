/** Forms that hold a whole page: their state, and what stands in the head of all pages. */
import { expect, it } from 'vitest'
import { caseContext } from '../../testing/judge-cases.ts'
import { CASE_CRAWL, caseProbed } from '../insertion-points/testing/probed-facts.ts'
import type { ReflectedHit, XssFacts, XssHit } from './facts.ts'
import { reflected } from './reflected.ts'
import { COOKIE, FORM, known, scanned } from './testing/scanned.ts'

it.each([
  ['whose state one visitor is given and any other may send is open to other sites', false, 'xss/reflected confirmed'],
  ['whose state is bound to its visitor is that visitor’s own request', true, 'xss/reflected-own-request confirmed'],
])('%s', async (_name, bound, expected) => {
  const { found } = await scanned(
    (sent, { headers }) => {
      const isRight = sent.get('__VIEWSTATE') === 'dDwtMTA4NzE7' && (!bound || headers.cookie !== undefined)
      return isRight ? `<p>${sent.get('q')}</p>` : '<p>The state of the page is not valid</p>'
    },
    known([FORM, { name: '__VIEWSTATE', value: 'dDwtMTA4NzE7', type: 'hidden' }]),
    COOKIE,
  )
  expect(found).toEqual([expected])
})

it.each([
  ['a page that a header alone opens', 'Authorization: Bearer robin-1', true, 'xss/reflected-own-request confirmed'],
  ['one that anybody is shown', 'Authorization: Bearer robin-1', false, 'xss/reflected confirmed'],
  ['one that browsers themselves sign in to', 'Authorization: Basic cm9iaW46MQ==', true, 'xss/reflected confirmed'],
])('no link of another site leads to what takes a header: %s', async (_name, header, isClosed, expected) => {
  const crawl = known([FORM])
  const { found } = await scanned(
    (sent, { headers }) =>
      isClosed && headers.authorization === undefined ? '<p>Please sign in</p>' : `<p>${sent.get('q')}</p>`,
    crawl,
    header,
  )
  expect(found).toEqual([expected])
})

const HIT: ReflectedHit = {
  ...{ kind: 'reflected', context: { kind: 'text', tag: 'p', attribute: null, quote: '' } },
  ...{ payload: '<svg onload=qxproof(1)>', parsed: true, ran: 'load', refused: false, unproven: null },
  ...{ excerpt: '<p><svg onload=qxproof(1)></p>', mark: '<svg onload=qxproof(1)>', replay: 'curl' },
  ...{ address: null, screenshot: null, behind: 'https://shop.test/search?q=1' },
}
const FACTS: XssFacts = {
  ...caseProbed<XssHit>([]),
  browser: null,
  stored: { planted: 1, pages: 3, hits: [] },
  dom: { pages: 1, left: 0, hits: [] },
  blind: { planted: 1, hits: [] },
}

it('what a form on many pages leads to one page with is one flaw', () => {
  const points = ['/news', '/faq'].flatMap(
    (path) =>
      caseProbed<XssHit>([HIT], {
        at: { url: `https://shop.test${path}`, method: 'POST', place: 'form', name: 'quick' },
      }).points,
  )
  const judged = reflected.judge({ ...FACTS, points }, CASE_CRAWL as never, caseContext() as never)
  const causes = Array.isArray(judged) ? judged.map(({ cause }) => cause) : []
  expect(causes).toEqual([causes[0], causes[0]])
  expect(causes[0]).toMatch(/^\/search /)
})
