import { expect, test } from 'vitest'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { operationsOf } from './operations.ts'

const isReading = (path: string, effect?: 'reads' | 'writes'): boolean | undefined => {
  const request = caseRequest({
    ...{ method: 'POST', url: `https://shop.test${path}`, encoding: 'json', body: '{"order_id":7}', sent: false },
    ...(effect === undefined ? {} : { effect }),
  })
  return operationsOf(caseCrawl({ requests: [request] })).operations[0]?.reads
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
