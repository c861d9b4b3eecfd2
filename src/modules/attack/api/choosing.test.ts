import { expect, it } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { chosen, mayWrite } from './choosing.ts'
import type { Target } from './operations.ts'

const form = (at: number, harm: string | null = null): Target => ({
  request: { ...caseRequest({ method: 'POST', url: `http://shop.test/forms/${at}`, source: 'form' }), harm },
  operation: null,
})
const script: Target = {
  request: caseRequest({ method: 'POST', url: 'http://shop.test/api/lines', source: 'script' }),
  operation: null,
}

it('forms beyond those that there is room for are told, and what may not be sent takes none of it', () => {
  const targets = [form(1, 'it deletes'), ...[2, 3, 4, 5].map((at) => form(at)), script]
  const { items, left } = chosen(targets, false, 3)
  expect(items.map(({ request }) => new URL(request.url).pathname)).toEqual([
    ...['/forms/2', '/forms/3', '/forms/4', '/api/lines'],
  ])
  expect(left).toEqual({ 'left alone: it deletes': 1, 'beyond the first 3': 1 })
})

it('of a system that is in use all are counted, and none is asked', () => {
  const targets = Array.from({ length: 50 }, (_, at) => form(at))
  expect(mayWrite(targets, true, 40)).toEqual({
    items: [],
    left: { 'that may write, on a production system': 50 },
  })
})
