/** What the lists of the crawl have no room for is told, and no check of places passes beside it. */
import { afterEach, expect, it } from 'vitest'
import { jsonLeaves, xmlLeaves } from '../insertion-points/leaves.ts'
import { beyondLists, pointsOf } from '../insertion-points/points.ts'
import { unreadOf } from '../insertion-points/unread.ts'
import type { CrawlFacts } from './facts.ts'
import { caseRequest } from './testing/crawl-facts.ts'
import { closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
const left = (facts: CrawlFacts): Readonly<Record<string, number>> =>
  Object.fromEntries(unreadOf(facts).map(({ reason, count }) => [reason, count]))

it('fields of a form, and what stands behind the first part of a page', async () => {
  const fields = numbers(230).map((at) => `<input name=f${at} value=a${at}>`)
  const { facts } = await crawl(
    {
      '/': `<form method=post action=/many>${fields.join('')}</form><a href=/long>`,
      '/long': `<p>${'word '.repeat(60_000)}<a href=/behind>`,
      '/behind': 'never seen',
    },
    {},
    'test',
  )
  const many = facts.requests.find(({ url }) => url.endsWith('/many'))
  expect(many).toMatchObject({ unlisted: 30 })
  expect(many?.fields).toHaveLength(200)
  expect(left(facts)).toMatchObject({
    'beyond the longest list': 30,
    'not read: it stands beyond the first 256 KiB of a page': 1,
  })
})

it('scripts, and addresses that one of them names', async () => {
  const calls = numbers(405).map((at) => `fetch('/data/of${at}')`)
  const { facts } = await crawl({
    '/': `${numbers(303)
      .map((at) => `<script src=/s${at}.js></script>`)
      .join('')}`,
    ...Object.fromEntries(
      numbers(303).map((at) => [
        `/s${at}.js`,
        { type: 'text/javascript', body: at === 0 ? calls.join('\n') : `let a${at}` },
      ]),
    ),
  })
  expect(left(facts)).toMatchObject({
    'not read: a script beyond the first 300 of the site': 3,
    'not read: an address that a script names beyond its longest list, or beyond the first 4 MiB of it': 5,
  })
}, 60_000)

it('leaves of a body are places, two hundred of them', () => {
  const body = JSON.stringify(Object.fromEntries(numbers(210).map((at) => [`m${at}`, `v${at}`])))
  expect(jsonLeaves(body)).toHaveLength(210)
  const request = caseRequest({ method: 'POST', encoding: 'json', body })
  expect(pointsOf([request], new Map()).filter(({ place }) => place === 'json')).toHaveLength(200)
  expect(beyondLists(0, [request])).toBe(10)
})

it('what is nested without end has no leaves, and is told', () => {
  const body = `${'['.repeat(9_000)}1${']'.repeat(9_000)}`
  expect(jsonLeaves(body)).toEqual([])
  expect(beyondLists(0, [caseRequest({ method: 'POST', encoding: 'json', body })])).toBe(1)
})

it.each([
  ['one element of a name by it', '<a><id>1</id></a>', [['id', '1']]],
  [
    'several by the path to each',
    '<a><l><id>1</id></l><l><id>2</id></l></a>',
    [
      ['/a[1]/l[1]/id[1]', '1'],
      ['/a[1]/l[2]/id[1]', '2'],
    ],
  ],
  [
    'attributes, those of the language apart',
    '<?xml version="1.0"?><a xmlns:x="u" id="7" xsi:type="t"><x:b kind=\'k\'/></a>',
    [
      ['/a[1]/@id', '7'],
      ['/a[1]/x:b[1]/@kind', 'k'],
    ],
  ],
  ['none by a name that an empty one has', '<a><b><id></id></b><c><id>7</id></c></a>', [['/a[1]/c[1]/id[1]', '7']]],
  ['no text beside elements', '<a>text<b>1</b></a>', [['b', '1']]],
  ['nothing of what is no document', 'a < b > c', []],
] as const)('of XML: %s', (_name, body, expected) => {
  expect(xmlLeaves(body)).toEqual(expected)
})
