import { expect, it } from 'vitest'
import { caseCrawl, caseRequest } from '../modules/attack/crawl/testing/crawl-facts.ts'
import { sendingOf, sendingTables } from './sending.ts'

const requests = [
  caseRequest({
    id: 'a',
    method: 'POST',
    fields: [{ name: 'title', value: 'x', type: 'text' }],
    effect: 'writes',
    tried: 1,
  }),
  caseRequest({ id: 'b', method: 'POST', effect: 'reads', tried: 2 }),
  caseRequest({ id: 'c', method: 'POST', effect: 'unknown' }),
]

it('lists once what may have written, with the highest count that a module knows', () => {
  const modules = [
    { module: 'crawl', facts: { ...caseCrawl({ requests }), marker: 'sonde0a1b2c3d' } },
    { module: 'sqli', facts: { written: { a: 7 } } },
    { module: 'xss', facts: { written: { a: 9, c: 2 }, putBack: ['a'] } },
    { module: 'tls', facts: null },
  ]
  expect(sendingOf(modules)).toEqual({
    marker: 'sonde0a1b2c3d',
    written: [
      {
        ...{ method: 'POST', url: 'https://shop.test/', fields: ['title'], times: 10, put_back: true },
        values: [{ field: 'title', value: 'x' }],
      },
      { method: 'POST', url: 'https://shop.test/', fields: [], times: 2, put_back: false },
    ],
  })
})

it('tells values that do not hold the marker, and the members of a body in JSON', () => {
  const json = { encoding: 'json' as const, body: '{"title":"Sun","done":false}' }
  const noted = caseRequest({ id: 'n', method: 'PATCH', effect: 'writes', fields: [], ...json })
  const title = { field: '/title', value: "Sun'" }
  const OWN = [
    { field: '/title', value: 'Sun' },
    { field: '/done', value: 'false' },
  ]
  const modules = [
    { module: 'crawl', facts: { ...caseCrawl({ requests: [noted] }), marker: 'sonde0a1b2c3d' } },
    { module: 'sqli', facts: { written: { n: 2 }, writtenValues: { n: [title] } } },
    { module: 'xss', facts: { written: { n: 3 }, writtenValues: { n: [title, { field: '/title', value: 'qx01' }] } } },
  ]
  expect(sendingOf(modules)?.written).toMatchObject([
    { fields: ['title', 'done'], times: 3, values: [...OWN, title, { field: '/title', value: 'qx01' }] },
  ])
  const [table] = sendingTables({ marker: null, written: sendingOf(modules)?.written ?? [] })
  expect(table?.rows[0]?.at(-1)).toBe("/title: Sun; /done: false; /title: Sun'; /title: qx01")
})

it('tells no password and no token, as a field or as a member of a body in JSON', () => {
  const told = (more: Parameters<typeof caseRequest>[0]) => {
    const one = caseRequest({ method: 'POST', effect: 'writes', tried: 1, ...more })
    return sendingOf([{ module: 'crawl', facts: caseCrawl({ requests: [one] }) }])?.written[0]
  }
  const body = '{"name":"Mara","password":"Hunter-22","apiKey":"k-17","csrfToken":"aa11"}'
  const written = [
    told({ id: 'j', fields: [], encoding: 'json', body }),
    told({
      id: 'f',
      fields: [
        { name: 'name', value: 'Mara', type: 'text' },
        { name: 'pin_password', value: 'Hunter-22', type: 'text' },
        { name: 'user[api_key]', value: 'k-17', type: 'text' },
        { name: '_token', value: 'aa11', type: 'text' },
      ],
    }),
  ]
  expect(written.map((one) => one?.values?.map(({ value }) => value))).toEqual([['Mara'], ['Mara']])
  expect(written.map((one) => one?.fields.length)).toEqual([4, 4])
})

it('says nothing where nothing was crawled', () => {
  expect(sendingOf([{ module: 'site', facts: {} }])).toBeNull()
})

it('is a table of the report where there is something to say', () => {
  const none = { marker: null, written: [] }
  expect(sendingTables(none)).toEqual([])
  const [planned] = sendingTables({
    ...none,
    planned: [
      { method: 'POST', url: 'https://shop.test/x', places: 2, decision: 'never', most: null, reason: 'it pays' },
    ],
  })
  expect(planned?.rows).toEqual([['never', 'POST', 'https://shop.test/x', '2', 'it pays']])
})

it('what other identities of the run alone are led to is listed as well', () => {
  const own = caseRequest({ id: 'c', method: 'POST', effect: 'writes', tried: 1 })
  const theirs = caseRequest({ id: 'd', method: 'POST', url: 'http://shop.test/office', effect: 'writes', tried: 2 })
  const facts = { ...caseCrawl({ requests: [own] }), others: [{ as: 'mara', requests: [theirs], points: [] }] }
  const written = sendingOf([{ module: 'crawl', facts }])?.written ?? []
  expect(written.map(({ url, times }) => [new URL(url).pathname, times])).toEqual(
    expect.arrayContaining([['/office', 2]]),
  )
  expect(written).toHaveLength(2)
})
