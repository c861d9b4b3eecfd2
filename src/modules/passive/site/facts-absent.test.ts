import { expect, test } from 'vitest'
import { caseSite } from '../../testing/site-facts.ts'
import { withoutStartPage, withoutWebsite } from './facts-absent.ts'

test.each([
  ['a page', 200, null],
  ['a sign-in', 401, null],
  ['a refusal, which browsers may not meet', 403, null],
  ['nothing', 404, 'the start page answers 404, so it shows nothing to visitors'],
  ['a fault', 502, 'the start page answers 502, so it shows nothing to visitors'],
])('the start page is %s', (_, status, reason) => {
  const site = caseSite({ page: { status } })
  expect(withoutStartPage({ site })).toBe(reason)
  expect(withoutWebsite({ site })).toBeNull()
})

test('there is no website', () => {
  const site = { ...caseSite(), absent: 'nothing listens' }
  expect([withoutStartPage({ site }), withoutWebsite({ site })]).toEqual(['nothing listens', 'nothing listens'])
})
