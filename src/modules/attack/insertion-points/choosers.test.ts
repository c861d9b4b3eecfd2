import { afterEach, describe, expect, it } from 'vitest'
import { choosersMerged } from './choosers.ts'
import type { ProbePoint } from './inventory.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const chooser = (query: string, change: Partial<ProbePoint['request']> = {}, name = 'page'): ProbePoint => ({
  request: {
    ...{ id: query, method: 'GET', url: `http://shop.test/index.php?${query}`, headers: [], body: null, seenOn: [] },
    ...{ effect: 'reads', route: `page=${new URLSearchParams(query).get('page')}` },
    ...change,
  },
  ...{ place: 'query', name, value: new URLSearchParams(query).get(name) ?? '' },
})
const mergedOf = (points: readonly ProbePoint[]): readonly string[] =>
  [...choosersMerged(points).keys()].map(({ request, name }) => `${request.id} ${name}`)

describe('a parameter that chooses the page', () => {
  it('is asked at two of the pages', () => {
    const points = ['terms', 'press', 'about', 'careers'].map((page) => chooser(`page=${page}`))
    expect(mergedOf(points)).toEqual(['page=about page', 'page=careers page'])
    expect(choosersMerged(points).get(points[3] as ProbePoint)).toEqual(points.slice(0, 2))
  })

  it.each<[string, readonly ProbePoint[]]>([
    ['what the pages take beside', ['a', 'b', 'c'].map((page) => chooser(`page=${page}&id=4`, {}, 'id'))],
    ['pages with other names beside', ['a&x=1', 'b&y=1', 'c&z=1'].map((rest) => chooser(`page=${rest}`))],
    [
      'what chooses within another choice',
      ['a', 'b', 'c'].map((page) => chooser(`page=${page}`, { route: `page=${page}&do=${page}` })),
    ],
    ['what may write', ['a', 'b', 'c'].map((page) => chooser(`page=${page}`, { effect: 'writes', bound: 40 }))],
    ['what chooses nothing', ['a', 'b', 'c'].map((page) => chooser(`page=${page}`, { route: '' }))],
  ])('not merged: %s', (_name, points) => expect(mergedOf(points)).toEqual([]))
})

const PAGES = ['terms', 'press', 'about', 'careers', 'returns']

/** What `probed` finds at the first parameter of five pages of one program that fails by quotes where `isHit`. */
const found = async (isHit: (page: string) => boolean) => {
  const crawl = crawlOf(PAGES.map((page) => pointOf(page, 'query', 'page', page)))
  const requests = crawl.requests.map((request) => {
    const url = `http://shop.test/index.php?page=${request.id}`
    return { ...request, url, shape: url }
  })
  return probed(
    (request, response) => {
      const page = new URL(request.url ?? '', 'http://shop.test').searchParams.get('page') ?? ''
      response.end(html(page.endsWith("'") && isHit(page.slice(0, -1)) ? 'boom' : `About ${page.length}`))
    },
    { ...crawl, requests },
    null,
    null,
    { kindOf: (hit) => hit },
  )
}

it('is one flaw where both have it', async () => {
  const { hits, ends } = await found(() => true)
  expect(hits).toHaveLength(2)
  expect(ends).toEqual(Array(PAGES.length).fill('tested'))
})

it('is asked at each where one of the two has it', async () => {
  expect((await found((page) => page !== 'terms')).hits).toHaveLength(PAGES.length - 1)
})
