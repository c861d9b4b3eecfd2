import { expect, test } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import type { ProbePoint, ProbeRequest } from './inventory.ts'
import { byWorth, levelOf } from './order.ts'

const request = { ...caseRequest({ method: 'POST', encoding: 'urlencoded' }), bound: 40 } as unknown as ProbeRequest
const field = (name: string, value: string, role?: 'hidden' | 'button'): ProbePoint => ({
  ...{ request, place: 'form', name, value },
  ...(role === undefined ? {} : { role }),
})

test('of what may be sent a few times only an object stands beside what people fill, before all else of the page itself', () => {
  const state = field(
    'state',
    'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhw',
    'hidden',
  )
  const others = [field('go', 'Next', 'button'), field('of', '17', 'hidden'), field('act', 'add', 'hidden')]
  const month = field('month', 'May')
  expect([state, month, ...others].map(levelOf)).toEqual([0, 0, 4, 1, 2])
  expect(byWorth([...others, state, month]).map(({ name }) => name)).toEqual(['state', 'month', 'of', 'act', 'go'])
})

test('of what may be sent a few times only, which part of a list is shown stands behind what people fill', () => {
  const paging = [field('page', '1'), field('/per_page', '20'), field('offset', '0')]
  const others = [field('page', 'about'), field('amount', '3'), field('pages_read', '12')]
  expect([...paging, ...others].map(levelOf)).toEqual([1, 1, 1, 0, 0, 0])
})
