import { expect, test } from 'vitest'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { operationsOf, requestWith } from './operations.ts'

const isReading = (
  path: string,
  effect?: 'reads' | 'writes',
  environment?: 'test',
  more: { readonly tried?: number } = {},
): boolean | undefined => {
  const request = caseRequest({
    ...{ method: 'POST', url: `https://shop.test${path}`, encoding: 'json', body: '{"order_id":7}', sent: false },
    ...more,
    ...(effect === undefined ? {} : { effect }),
  })
  return operationsOf(caseCrawl({ requests: [request] }), environment).operations[0]?.reads
}

test.each(['details', 'info', 'retrieve', 'load', 'show'])(
  'a POST that has shown to read and is called %s reads',
  (word) => {
    expect(isReading(`/orders/${word}`, 'reads')).toBe(true)
  },
)

test.each([
  ['called so alone', '/orders/details', undefined],
  ['that writes', '/orders/details', 'writes'],
  ['called by a deed', '/orders/open', 'reads'],
] as const)('a POST %s does not', (_name, path, effect) => {
  expect(isReading(path, effect)).toBe(false)
})

test('on a test system one that was sent and changed nothing reads, whatever it is called', () => {
  expect(isReading('/orders/open', 'reads', 'test', { tried: 1 })).toBe(true)
  expect(isReading('/orders/open', 'reads', 'test')).toBe(false)
  expect(isReading('/orders/open', 'writes', 'test', { tried: 1 })).toBe(false)
})

test('but not one of a thing by its number that was sent with what stood there before', () => {
  const posted = (path: string, value: string) => ({
    ...caseRequest({
      id: path,
      method: 'POST',
      url: `https://shop.test${path}`,
      encoding: 'urlencoded',
      effect: 'reads',
      tried: 1,
    }),
    fields: [{ name: 'day', value, type: 'text' }],
  })
  const readsOf = (path: string, value: string) =>
    operationsOf(caseCrawl({ requests: [posted(path, value)] }), 'test').operations[0]?.reads
  expect(readsOf('/bookings/7/move', 'monday')).toBe(false)
  expect(readsOf('/bookings/7/move', '')).toBe(true)
  expect(readsOf('/bookings/move', 'monday')).toBe(true)
  expect(readsOf('/bookings/7/preview', 'monday')).toBe(true)
})

test('requests that differ in the objects they name alone are one operation', () => {
  const get = (path: string) => caseRequest({ id: path, method: 'GET', url: `https://shop.test${path}` })
  const namesOf = (...paths: readonly string[]) =>
    operationsOf(caseCrawl({ requests: paths.map(get) })).operations.map(({ template }) => template.id)
  expect(namesOf('/notes/2024/5/tents-7', '/notes/2025/6/packs-8', '/notes/2026/7/boots-9')).toEqual([
    '/notes/2024/5/tents-7',
  ])
  expect(namesOf('/orders/7?view=short', '/orders/8?view=long')).toHaveLength(2)
  expect(namesOf('/orders/7', '/invoices/8')).toHaveLength(2)
  expect(namesOf('/notes/tents', '/notes/packs')).toHaveLength(2)
})

test('a moment is no object, and operations that differ in it alone are one', () => {
  const get = (path: string) => caseRequest({ id: path, method: 'GET', url: `https://shop.test${path}` })
  const now = Math.trunc(Date.now() / 1_000)
  const { operations } = operationsOf(
    caseCrawl({
      requests: [
        `/report?host=db1&t1=${now - 604_800}&t2=${now}`,
        `/report?host=db1&t1=${now - 604_795}&t2=${now + 5}`,
        `/chart?at=${now}123`,
        `/order?order_id=${now}`,
        '/call?phone=442071234567',
        // Of no year that a page would count from.
        '/show?item=1234567890',
      ].map(get),
    }),
  )
  const names = operations.map(({ slots }) => slots.map(({ name }) => name))
  expect(names).toEqual([[], [], ['order_id'], ['phone'], ['item']])
})

test.each([
  ['updateOrder', 'Order'],
  ['orderById', 'order'],
  ['update_orders_item', 'orders'],
  ['orders_by_pk', 'orders'],
  ['insert_orders_one', 'orders'],
  ['items', 'items'],
])('of GraphQL, what is identified in %s is of %s', (field, of) => {
  const request = caseRequest({
    ...{ method: 'POST', url: 'https://shop.test/graphql', encoding: 'json', source: 'graphql' },
    body: JSON.stringify({ query: `mutation($id: ID!) { ${field}(id: $id) { id } }`, variables: { id: '1' } }),
  })
  const { operations } = operationsOf(caseCrawl({ requests: [request] }), 'test')
  expect(operations[0]?.slots.map((slot) => [slot.name, slot.of])).toEqual([['id', of]])
})

test('a link that may write, as one that deletes, is asked in nobody else’s name', () => {
  const link = caseRequest({ method: 'GET', url: 'https://shop.test/folder/del/4' })
  const readsOf = (more: Partial<typeof link>) =>
    operationsOf(caseCrawl({ requests: [{ ...link, ...more }] }), 'test').operations[0]?.reads
  expect(readsOf({})).toBe(true)
  expect(readsOf({ bound: 40, boundBy: 'it deletes' })).toBe(false)
})

test('an object in a form of its own is one, and is asked for in that form', () => {
  const requests = ['/orders/1.json', '/orders/4.json', '/files/2.pdf', '/orders/all.json'].map((path) =>
    caseRequest({ id: path, method: 'GET', url: `https://shop.test${path}`, sent: true }),
  )
  const { operations } = operationsOf(caseCrawl({ requests }))
  expect(operations.map(({ name, slots }) => [name, ...slots.map(({ of, value }) => `${of} ${value}`)])).toEqual([
    ['GET /orders/{}.json', 'orders 1'],
    ['GET /files/{}.pdf', 'files 2'],
    ['GET /orders/all.json'],
  ])
  const [orders] = operations
  const values = new Map(orders?.slots.map((slot) => [slot, '2']))
  expect(orders && requestWith(orders, values).url).toBe('https://shop.test/orders/2.json')
})

test.each([
  ['/accounts/api/v2/staff/users', 'staff'],
  ['/accounts/api/stores/nearby', 'stores'],
  ['/orders/api/v1/staff/orders', 'staff'],
  ['/accounts/v1/stores', 'stores'],
  ['/admin/api/v1/users', 'admin'],
  ['/accounts/api/v2', 'accounts'],
  ['/api/v2/staff/users', 'staff'],
  ['/staff/users/api/v1', 'staff'],
])('what lies at %s lies in %s, whatever service stands in front', (path, area) => {
  const requests = [caseRequest({ url: `https://shop.test${path}` })]
  expect(operationsOf(caseCrawl({ requests })).operations[0]?.area).toBe(area)
})

test.each([
  ['/orders/by-mail?email=test', ['email']],
  ['/orders/by-mail?customerEmail=test&page=2', ['customerEmail']],
  ['/invoices?username=test', ['username']],
  ['/orders/track?number=FH-20411&email=test', ['number']],
  ['/orders/track?code=k3v9x&email=test', []],
  ['/search?q=test', []],
])('what belongs to somebody is looked up by a name alone: %s', (path, expected) => {
  const request = caseRequest({ url: `https://shop.test${path}`, effect: 'reads' })
  const [operation] = operationsOf(caseCrawl({ requests: [request] })).operations
  expect(operation?.slots.map(({ name }) => name)).toEqual(expected)
})
