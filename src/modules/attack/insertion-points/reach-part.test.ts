import { expect, test } from 'vitest'
import type { Place } from '../crawl/facts.ts'
import { reachPartOf as ofCrawl } from '../crawl/reach-part.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { EVERY_WAY, FIRST_ONLY, USUAL } from './facts.ts'
import { isWorked } from './inventory.ts'
import { reachPartOf } from './reach-part.ts'
import { casePoint } from './testing/probed-facts.ts'

const point = (request: string, place: Place, name: string) => ({
  ...{ id: `${request}:${place}:${name}`, request, place, name, example: '' },
})
const crawl = caseCrawl({
  requests: [caseRequest({ id: 'a' }), caseRequest({ id: 'b', harm: 'it deletes' })],
  points: [point('a', 'query', 'q'), point('a', 'query', 'r'), point('a', 'name', ''), point('b', 'query', 'q')],
  reach: {
    rows: [{ kind: 'address', method: 'GET', url: '/x', fate: 'left_out', reason: 'alike', holds: true }],
    counts: [{ kind: 'address', fate: 'left_out', reason: 'alike', holds: true, count: 5 }],
  },
})

test('the crawl tells of its addresses, of places it leaves alone, and lists the others', () => {
  const { entries, beyond } = ofCrawl(crawl)
  expect(entries.map(({ kind, fate, reason, listed }) => [kind, fate, reason, listed === true])).toEqual([
    ['address', 'left_out', 'alike', false],
    ...[1, 2, 3].map(() => ['insertion_point', 'cut_off', 'nothing came to ask it', true]),
    ['insertion_point', 'left_out', 'it deletes', false],
  ])
  expect(beyond).toEqual([{ kind: 'address', fate: 'left_out', reason: 'alike', count: 4 }])
})

test('a module tells of the places it wants, those that it did not come to included', () => {
  const points = [casePoint<never>([], { id: 'a:query:q' })]
  const first = { leftWays: [{ way: 'time', reason: FIRST_ONLY }] }
  const begun = reachPartOf({ points: points.map((one) => ({ ...one, ...first })), left: 1, sessionLost: false }, crawl)
  expect(begun.entries[0]).toMatchObject({ id: 'a:query:q', fate: 'cut_off', reason: FIRST_ONLY })
  const usual = points.map((one) => ({ ...one, leftWays: [{ way: EVERY_WAY, reason: USUAL }] }))
  const standing = reachPartOf({ points: usual, left: 1, sessionLost: false }, crawl)
  expect(standing.entries[0]).toMatchObject({ fate: 'left_out', reason: USUAL, inPart: true })
  const { entries } = reachPartOf(
    { points, left: 1, cut: 'the time for it was over', sessionLost: false },
    crawl,
    isWorked,
  )
  expect(entries.map(({ id, fate, reason }) => [id, fate, reason])).toEqual([
    ['a:query:q', 'asked', null],
    ['a:query:r', 'cut_off', 'the time for it was over'],
  ])
})
