import { expect, it } from 'vitest'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { askedByStored, valuesBeside } from './feed-values.ts'

const stored = (body: string, name = '/text', place: ProbePoint['place'] = 'json'): ProbePoint => ({
  ...{ place, name, value: 'x' },
  request: {
    ...{
      id: 'a',
      method: 'POST',
      url: 'http://shop.test/api/reviews',
      headers: [],
      body,
      effect: 'writes',
      seenOn: [],
    },
  },
})
const FEED = { url: 'http://shop.test/api/reviews/query', asks: { method: 'POST', body: '{"product":9,"limit":20}' } }

it('a list is asked for by what stands beside what was stored', () => {
  const bodies = askedByStored(
    FEED,
    valuesBeside([stored('{"product":"5","text":"x"}'), stored('{"product":9,"text":"x"}', '/by')]),
  ).map(({ asks }) => asks.body)
  expect(bodies).toEqual(['{"product":9,"limit":20}', '{"product":5,"limit":20}'])
})

it('by the query as well, and by a form', () => {
  const feed = { url: 'http://shop.test/api/notes?of=7' }
  expect(askedByStored(feed, valuesBeside([stored('of=3&note=x', 'note', 'form')])).map(({ url }) => url)).toEqual([
    'http://shop.test/api/notes?of=7',
    'http://shop.test/api/notes?of=3',
  ])
})

it.each([
  ['the asked value itself', stored('{"product":5,"text":"x"}', '/product')],
  ['texts', stored('{"product":"some words of it","text":"x"}')],
  ['other names', stored('{"item":5,"text":"x"}')],
  ['no body', stored('')],
])('by nothing else: %s', (_name, point) => {
  expect(askedByStored(FEED, valuesBeside([point]))).toEqual([FEED])
})
