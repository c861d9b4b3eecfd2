/** A basket that keeps whatever number it is sent, and one that does not. */
import { afterEach, describe, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { Left } from '../asking.ts'
import type { AmountHit } from '../facts.ts'
import { quantitiesIn, quantitiesWork } from './quantities.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Basket =
  | 'keeps decimals'
  | 'says nothing'
  | 'says nothing, and makes one of it'
  | 'keeps all'
  | 'refuses'
  | 'makes one of it'
  | 'is read elsewhere'
  | 'is closed'
  | 'offers'
  | 'offers with a sum'

const asked = async (
  last: number,
  basket: Basket,
  method = 'PUT',
  reads: readonly string[] = [],
  effect: 'reads' | 'unknown' = 'unknown',
) => {
  const item = { id: 4, quantity: 2 }
  const site = await serveCase(last, {
    http: (request, response) => {
      let text = ''
      request.on('data', (part) => {
        text += part
      })
      request.on('end', () => {
        const answer = (status: number, body: object) =>
          void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
        if (basket === 'is closed') return answer(401, { error: 'Sign in' })
        if (request.url === '/news') return answer(200, { news: [] })
        if (request.method === 'GET') return answer(basket === 'is read elsewhere' ? 404 : 200, { data: item })
        const { quantity } = JSON.parse(text)
        if (basket === 'offers') return answer(200, { lines: [{ quantity, price: 4 }] })
        if (basket === 'offers with a sum') return answer(200, { lines: [{ quantity, sum: 4 * quantity }] })
        if (basket === 'refuses' && quantity < 1) return answer(400, { error: `quantity: ${quantity}` })
        item.quantity = /makes one of it/.test(basket) ? Math.max(1, quantity) : quantity
        if (/says nothing/.test(basket)) return answer(201, { id: 5 })
        if (basket === 'keeps decimals')
          return void response
            .writeHead(201, { 'Content-Type': 'application/json' })
            .end(`{"data":{"id":5,"quantity":${item.quantity.toFixed(1)}}}`)
        return answer(200, { data: item })
      })
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const request = caseRequest({
    ...{ method, effect, url: 'http://shop.test/items/4', encoding: 'json', body: '{"quantity":2,"note":"blue"}' },
  })
  const hits: AmountHit[] = []
  const left = await quantitiesWork(ctx, reads)({ request, operation: null }, (hit) => void hits.push(hit)).catch(
    (error) => error,
  )
  return { hits: hits.map(({ name, stays }) => [name, stays]), left, item, replay: hits[0]?.replay }
}

test('a number that is kept as a decimal is the same number', async () => {
  const { hits, left } = await asked(65, 'keeps decimals', 'POST')
  expect([hits, left]).toEqual([[['quantity', false]], undefined])
})

test('what keeps nothing and shows the number alone is no order, and a sum below nothing is one', async () => {
  const { hits, left } = await asked(66, 'offers', 'POST', [], 'reads')
  expect([hits, left instanceof Left]).toEqual([[], true])
  expect((await asked(67, 'offers with a sum', 'POST', [], 'reads')).hits).toEqual([['quantity', false]])
})

test('fewer than none is kept, seen in a later read, and set back', async () => {
  const { hits, item, replay } = await asked(73, 'keeps all')
  expect([hits, item.quantity]).toEqual([[['quantity', true]], 2])
  expect(replay).toMatch(/-X PUT .*"quantity":-\d\d/)
})

test('where nothing can be read, the answer says that it was kept', async () => {
  expect((await asked(74, 'is read elsewhere')).hits).toEqual([['quantity', false]])
  expect((await asked(75, 'keeps all', 'POST')).hits).toEqual([['quantity', false]])
})

test('what the answer says was made is looked for in the list that it was posted to', async () => {
  const { hits, replay } = await asked(66, 'keeps all', 'POST', [
    'http://shop.test/news',
    'http://shop.test/items/4?by=day',
  ])
  expect(hits).toEqual([['quantity', true]])
  expect(replay).toContain("'http://shop.test/items/4?by=day'")
})

describe('what was made, of which the answer says nothing,', () => {
  const READS = ['http://shop.test/news', 'http://shop.test/basket']
  test('is looked for where quantities are shown', async () => {
    const { hits, replay } = await asked(78, 'says nothing', 'POST', READS)
    expect(hits).toEqual([['quantity', true]])
    expect(replay).toContain("'http://shop.test/basket'")
  })
  test('and is not there', async () => {
    const { hits, left } = await asked(79, 'says nothing, and makes one of it', 'POST', READS)
    expect([hits, left]).toEqual([[], undefined])
  })
  test('is not called clean where no page shows any', async () => {
    const { hits, left } = await asked(80, 'says nothing', 'POST', READS.slice(0, 1))
    expect(hits).toEqual([])
    expect(left).toBeInstanceOf(Left)
  })
})

test.each(['refuses', 'makes one of it'] as const)('a basket that %s is silent', async (basket) => {
  const { hits, left, item } = await asked(76, basket)
  expect([hits, left, item.quantity]).toEqual([[], undefined, 2])
})

test('what is refused as it is says nothing', async () => {
  const { hits, left } = await asked(77, 'is closed')
  expect(hits).toEqual([])
  expect(left).toBeInstanceOf(Left)
})

describe('quantities', () => {
  test.each([
    [{ quantity: 2 }, ['/quantity']],
    [{ items: [{ sku: 'A1', qty: '3' }] }, ['/items/0/qty']],
    [{ amount: 20, balance: 3, count: 2, quantity: 'many' }, []],
  ])('in %j', (body, places) => {
    const request = caseRequest({ method: 'POST', encoding: 'json', body: JSON.stringify(body) })
    expect(quantitiesIn(request).map(({ at }) => at)).toEqual(places)
  })
})
