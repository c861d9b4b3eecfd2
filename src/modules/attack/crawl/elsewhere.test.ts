/** A front end whose interface lies under another name of its domain. */
import { expect, it } from 'vitest'
import { unreadOf } from '../insertion-points/unread.ts'
import { createElsewhere, isElsewhere } from './elsewhere.ts'
import { createReachNotes } from './reach.ts'
import { scopeOf } from './scope.ts'
import { crawlTables } from './tables.ts'
import { caseCrawl } from './testing/crawl-facts.ts'

/** With one: what is read without is told apart. */
const browser = { ...caseCrawl().browser, version: '150', reason: null }

const told = (...asked: readonly (readonly [method: string, url: string])[]) => {
  const notes = createReachNotes()
  const elsewhere = createElsewhere(scopeOf({ host: 'app.shop.example', port: null }), notes)
  for (const [method, url] of asked) elsewhere({ method, url })
  return notes.facts()
}

it('each kind of request to another host of the domain is told once, without values', () => {
  const { rows } = told(
    ['GET', 'https://api.shop.example/v1/orders/7?token=9f8e7d'],
    ['GET', 'https://api.shop.example/v1/orders/8?token=1a2b3c'],
    ['POST', 'https://api.shop.example/v1/orders'],
  )
  expect(rows.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET https://api.shop.example/v1/orders/{n}?token',
    'POST https://api.shop.example/v1/orders',
  ])
  expect(rows.every(({ reason, fate }) => isElsewhere(reason) && fate === 'left_out')).toBe(true)
  expect(rows[0]?.reason).toContain('api.shop.example')
})

it('what is of the site itself, or of others, is not', () => {
  const { rows } = told(
    ['GET', 'https://app.shop.example/orders'],
    ['POST', 'https://stats.other.example/collect'],
    ['GET', 'data:text/plain,x'],
  )
  expect(rows).toEqual([])
})

it('it has a table of its own, and leaves the places of the site as they are', () => {
  const facts = caseCrawl({ browser, reach: told(['GET', 'https://api.shop.example/v1/orders']) })
  const tables = crawlTables(facts)
  expect(tables.find(({ id }) => id === 'crawl/elsewhere')?.rows).toEqual([
    ['GET', 'https://api.shop.example/v1/orders'],
  ])
  expect(tables.some(({ id }) => id === 'crawl/operations')).toBe(false)
  expect(unreadOf(facts)).toEqual([])
})
