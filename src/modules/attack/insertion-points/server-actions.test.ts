/** Functions of the server that pages call by a hash: React names them in a header or, without scripts, in the name of a field. */
import { expect, it } from 'vitest'
import { createRequests } from '../crawl/requests.ts'
import { procedureOf, procedureText } from './procedure.ts'
import { findingAt } from './verdict.ts'

it('is one, called by a script or by a form without one', () => {
  const id = '40de35f1a2b3c4d5e6f7'
  const of = (headers: readonly (readonly [string, string])[], fields: readonly string[]): string => {
    const named = fields.map((name) => ({ name, value: '', type: 'hidden' }))
    return procedureText(procedureOf({ encoding: 'multipart', body: null, headers, fields: named }))
  }
  expect(of([], [`$ACTION_ID_${id}`, 'body'])).toBe(`server action ${id}`)
  expect(of([['next-action', id]], [`_1_$ACTION_ID_${id}`, '_1_body', '0'])).toBe(`server action ${id}`)
  expect(of([['X-Area', 'shop']], ['$ACTION_REF_1', 'body'])).toBe('')
})

it('is one cause for a function of the server, at whichever page it is called, and another for each field', () => {
  const causeOf = (url: string, name: string) => {
    const at = { url, method: 'POST', place: 'multipart', name, procedure: 'server action 40de35f1a2b3c4d5' }
    return findingAt({ at } as never, {} as never, { confidence: 'confirmed', detail: '' }).cause
  }
  const own = causeOf('https://shop.test/plants/fern', 'body')
  expect(own).toBeDefined()
  expect(causeOf('https://shop.test/plants/sage', '_1_body')).toBe(own)
  expect(causeOf('https://shop.test/plants/sage', 'author')).not.toBe(own)
})

it('one address for several actions, of which a header names one each', () => {
  const requests = createRequests()
  const call = (action: string) =>
    requests.add({
      ...({
        method: 'POST',
        url: 'https://shop.test/orders/7',
        encoding: 'json',
        body: '[7]',
        source: 'browser',
      } as const),
      ...{ seenOn: null, sent: true, headers: [['Next-Action', action]] as const },
    })
  for (const action of ['40de35', '40ab12', '40de35']) call(action)
  expect(requests.all().map(({ headers }) => headers?.[0]?.[1])).toEqual(['40de35', '40ab12'])
})
