import { expect, test } from 'vitest'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { operationsOf } from './operations.ts'

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
