/** A shop that works an order out by the price it is sent, and one that looks it up. */
import { afterEach, describe, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { Left } from '../asking.ts'
import type { AmountHit } from '../facts.ts'
import { jsonPricesWork, pricesIn } from './json-prices.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Shop = 'takes it' | 'looks it up' | 'refuses' | 'says nothing' | 'shows no articles'
const ARTICLES = [
  { id: 7, name: 'Kettle', price: 24.5 },
  { id: 8, name: 'Teapot', price: 31 },
]
const [LIST, ORDERS] = ['http://shop.test/api/articles', 'http://shop.test/api/orders']

const asked = async (last: number, shop: Shop, line: object, reads: readonly string[] = [LIST, ORDERS]) => {
  const orders: object[] = []
  const site = await serveCase(last, {
    http: (request, response) => {
      let text = ''
      request.on('data', (part) => {
        text += part
      })
      request.on('end', () => {
        const answer = (status: number, body: unknown) =>
          void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
        if (request.url === '/api/articles') return answer(200, shop === 'shows no articles' ? [] : ARTICLES)
        if (request.method === 'GET') return answer(200, orders)
        const { articleId: given, kettle: articleId = given, quantity = 1, unitPrice } = JSON.parse(text).lines[0]
        const own = ARTICLES.find(({ id }) => id === articleId)?.price ?? 0
        if (shop === 'refuses' && unitPrice !== own) return answer(422, { error: 'price' })
        const price = shop === 'looks it up' ? own : unitPrice
        // As it comes: 3 times 24.7 is 74.1 and a little more.
        orders.push({ id: orders.length + 1, total: price * quantity })
        return answer(201, shop === 'says nothing' ? {} : orders.at(-1))
      })
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 100 })
  cleanups.push(close)
  const body = JSON.stringify({ lines: [line] })
  const request = caseRequest({ method: 'POST', url: ORDERS, encoding: 'json', body })
  const hits: AmountHit[] = []
  const left = await jsonPricesWork(ctx, reads)({ request, operation: null }, (hit) => void hits.push(hit)).catch(
    (error) => error,
  )
  return { hits: hits.map(({ name, stays }) => [name, stays]), left, replay: hits[0]?.replay ?? '' }
}
const LINE = { articleId: 7, quantity: 3, unitPrice: 24.5 }

test('the order comes to the price that was sent, times how many are ordered, in a later read', async () => {
  const { hits, replay } = await asked(73, 'takes it', LINE)
  expect(hits).toEqual([['unitPrice', true]])
  expect(replay).toMatch(/"unitPrice":\d{3}\.\d{1,2}.*api\/orders/)
})

test('without a number of things where the site shows this price of the thing', async () => {
  expect((await asked(74, 'takes it', { articleId: 7, unitPrice: 24.5 })).hits).toEqual([['unitPrice', true]])
  const { hits, left } = await asked(75, 'shows no articles', { articleId: 7, unitPrice: 24.5 })
  expect([hits, left instanceof Left && left.message]).toEqual([[], 'whose price may be a seller’s own'])
})

test.each([
  ['takes it', [['unitPrice', true]]],
  ['shows no articles', []],
] as const)(
  'of a thing that is called by what it is where the site shows this price of it: %s',
  async (shop, found) => {
    expect((await asked(79, shop, { kettle: 7, quantity: 3, unitPrice: 24.5 })).hits).toEqual(found)
  },
)

test('that it is the price of the site is not known where the site shows none', async () => {
  expect((await asked(76, 'shows no articles', LINE)).hits).toEqual([['unitPrice', false]])
})

test.each(['looks it up', 'refuses'] as const)('a shop that %s is silent', async (shop) => {
  const { hits, left } = await asked(77, shop, LINE)
  expect([hits, left]).toEqual([[], undefined])
})

test('what shows nothing of the order is not called clean', async () => {
  const { hits, left } = await asked(78, 'says nothing', LINE, [LIST])
  expect(hits).toEqual([])
  expect(left).toBeInstanceOf(Left)
})

describe('prices of things', () => {
  test.each([
    [{ items: [{ sku: 'A1', qty: 2, price: '3.50' }] }, ['/items/0/price']],
    [{ productId: 4, price_cents: 350 }, ['/price_cents']],
    // By what it is, where so many of it are ordered.
    [{ room: 'attic', quantity: 2, price: 80, coupon: 'test', note: 'test' }, ['/price']],
    [{ name: 'Kettle', quantity: 2, price: 3.5 }, []],
    [{ room: 'attic', price: 80 }, []],
    // What a seller sets, and what is paid for nothing in particular.
    [{ id: 4, name: 'Kettle', price: 3.5 }, []],
    [{ name: 'Kettle', categoryId: 2, price: 3.5 }, []],
    [{ customerId: 4, amount: 20 }, []],
    [{ productId: 4, price: 0 }, []],
  ])('in %j', (body, places) => {
    const request = caseRequest({ method: 'POST', encoding: 'json', body: JSON.stringify(body) })
    expect(pricesIn(request).map(({ at }) => at)).toEqual(places)
  })
})
