/** Values that are shown by another page than the form that they are sent with. */
import { expect, it } from 'vitest'
import { caseContext } from '../../testing/judge-cases.ts'
import { CASE_CRAWL, caseProbed } from '../insertion-points/testing/probed-facts.ts'
import type { ReflectedHit, XssFacts, XssHit } from './facts.ts'
import { reflected } from './reflected.ts'

const HIT: ReflectedHit = {
  kind: 'reflected',
  context: { kind: 'text', tag: 'p', attribute: null, quote: '' },
  payload: '<svg onload=qxproof(1)>',
  parsed: true,
  ran: 'load',
  refused: false,
  unproven: null,
  excerpt: '<p><svg onload=qxproof(1)></p>',
  mark: '<svg onload=qxproof(1)>',
  replay: 'curl',
  address: null,
  screenshot: null,
  behind: 'https://shop.test/search?q=1',
}

it('what a form on many pages leads to one page with is one flaw', () => {
  const points = ['/news', '/faq'].flatMap(
    (path) =>
      caseProbed<XssHit>([HIT], {
        at: { url: `https://shop.test${path}`, method: 'POST', place: 'form', name: 'quick' },
      }).points,
  )
  const facts: XssFacts = {
    ...caseProbed<XssHit>([]),
    ...{ points, browser: null },
    ...{ stored: { planted: 1, pages: 3, hits: [] }, dom: { pages: 1, left: 0, hits: [] } },
    blind: { planted: 1, hits: [] },
  }
  const judged = reflected.judge(facts, { crawl: CASE_CRAWL.crawl } as never, caseContext() as never)
  const causes = Array.isArray(judged) ? judged.map(({ cause }) => cause) : []
  expect(causes).toEqual([causes[0], causes[0]])
  expect(causes[0]).toMatch(/^\/search /)
})
