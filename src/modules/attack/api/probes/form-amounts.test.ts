/** A shop of forms that keeps whatever amount it is sent, and ones that do not. */
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import type { RequestTemplate } from '../../crawl/facts.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { Left } from '../asking.ts'
import type { AmountHit } from '../facts.ts'
import { type AmountKind, amountsIn, formAmountsWork, kindOfAmount, showsLess, showsPrice } from './form-amounts.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const FORM: Partial<RequestTemplate> = {
  ...({ method: 'POST', url: 'http://shop.test/bookings', encoding: 'urlencoded', source: 'form' } as const),
  ...{ body: null, harm: null, seenOn: ['http://shop.test/tours/4'] },
  fields: [
    { name: 'tour', value: '4', type: 'hidden' },
    { name: 'booking[unit_price]', value: '45.00', type: 'hidden' },
    { name: 'booking[seats]', value: '2', type: 'number' },
  ],
}

interface Shop {
  /** What becomes of a number that was sent. */
  readonly seats?: (sent: number) => number | null
  readonly price?: (sent: string) => string
  /** Its pages count their visits. */
  readonly counts?: boolean
  /** The cart that it hands out with its answer. */
  readonly cookie?: (seats: number, price: string) => string
  /** Where a booking shows. */
  readonly shows?: 'in a list' | 'by itself' | 'added up' | 'in its answer' | 'once' | 'nowhere'
}

const asked = async (last: number, kind: AmountKind, shop: Shop, form = FORM, others: readonly string[] = []) => {
  const { seats: seatsOf = (sent) => sent, price: priceOf = (sent) => sent, shows = 'in a list', counts = false } = shop
  let visits = 0
  const bookings: { seats: number; price: string }[] = [{ seats: 3, price: '45.00' }]
  let notice = ''
  const site = await serveCase(last, {
    http: async (request, response) => {
      const body = new URLSearchParams(await text(request))
      response.setHeader('Content-Type', 'text/html')
      if (request.method === 'POST') {
        const seats = seatsOf(Number(body.get('booking[seats]')))
        const price = priceOf(body.get('booking[unit_price]') ?? '')
        if (seats === null) return void response.end(`<p>You cannot book ${body.get('booking[seats]')} seats.</p>`)
        if (shop.cookie) response.setHeader('Set-Cookie', `cart=${shop.cookie(seats, price)}; Path=/`)
        if (shows === 'in its answer') return void response.end(`<p>${seats} seats at ${price} € are booked.</p>`)
        if (shows === 'once') notice = `<p>${seats} seats at ${price}</p>`
        else bookings.push({ seats, price })
        const to = shows === 'by itself' ? `/bookings/${bookings.length}` : '/thanks'
        return void response.writeHead(303, { Location: to }).end()
      }
      const one = bookings[Number(/^\/bookings\/(\d+)$/.exec(request.url ?? '')?.[1]) - 1]
      if (one !== undefined) return void response.end(`<p>${one.seats} seats at ${one.price}</p>`)
      const once = notice
      notice = ''
      if (request.url !== '/bookings' || shows === 'nowhere' || shows === 'by itself')
        return void response.end(
          `<h1>Tour 4</h1>${request.url === '/tours/4' ? once : ''}${counts ? `<p>${++visits} visits</p>` : ''}`,
        )
      const rows = bookings.map(({ seats, price }) => `<tr><td>${seats}</td><td>${price} €</td></tr>`).join('')
      const all = bookings.reduce((sum, { seats }) => sum + seats, 0)
      response.end(shows === 'added up' ? `<p>${all} seats</p>` : `<table>${rows}</table>`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 300 })
  cleanups.push(close)
  const request = caseRequest(form)
  const hits: AmountHit[] = []
  const work = formAmountsWork(ctx, kind, [...others, 'http://shop.test/bookings', 'http://shop.test/'])
  const left = await work({ request, operation: null }, (hit) => void hits.push(hit)).catch((error) => error)
  return { found: hits.map(({ kind: what, name, stays }) => [what, name, stays]), left, hits, bookings }
}

describe('a cart in a cookie', () => {
  const reading = { ...FORM, effect: 'reads' } as const
  const packed = (seats: number, price: string): string =>
    encodeURIComponent(Buffer.from(JSON.stringify([{ seats, price: Number(price) }])).toString('base64'))

  test('is kept as well, though nothing of the site changes', async () => {
    const shop = { shows: 'in its answer', cookie: packed } as const
    expect((await asked(91, 'quantity', shop, reading)).found).toEqual([['quantity', 'booking[seats]', false]])
    expect((await asked(92, 'price', shop, reading)).found).toEqual([['price', 'booking[unit_price]', false]])
  })

  test('of its own price is not the form’s', async () => {
    const shop = { shows: 'in its answer', price: () => '45.00', cookie: packed } as const
    expect((await asked(93, 'price', shop, reading)).found).toEqual([])
  })

  test('and what is said and kept nowhere is what was asked', async () => {
    const { found, left } = await asked(94, 'price', { shows: 'in its answer', cookie: () => 'a1b2c3' }, reading)
    expect([found, left]).toEqual([[], undefined])
  })
})

describe('fewer than none', () => {
  test('is kept, as a list shows, and the form is sent as it was at the end', async () => {
    const { found, hits, bookings } = await asked(83, 'quantity', {})
    expect(found).toEqual([['quantity', 'booking[seats]', true]])
    expect(hits[0]?.replay).toMatch(/booking%5Bseats%5D=-\d\d'.*; curl .*'http:\/\/shop\.test\/bookings'/)
    expect(bookings.at(-1)).toEqual({ seats: 2, price: '45.00' })
  })
  test('is kept as one of its own, as the page that the answer leads to shows', async () => {
    const { found, hits } = await asked(90, 'quantity', { shows: 'by itself' })
    expect(found).toEqual([['quantity', 'booking[seats]', true]])
    expect(hits[0]?.replay).toMatch(/'http:\/\/shop\.test\/bookings\/\d+'$/)
    const { found: none, left } = await asked(91, 'quantity', { seats: Math.abs, shows: 'by itself' })
    expect([none, left]).toEqual([[], undefined])
  })
  test('is kept, as the page that takes it shows, among many of other programs', async () => {
    const others = Array.from({ length: 60 }, (_one, at) => `http://shop.test/other/${at}`)
    const { found } = await asked(82, 'quantity', {}, FORM, others)
    expect(found).toEqual([['quantity', 'booking[seats]', true]])
  })
  test('is added up', async () => {
    const { found } = await asked(84, 'quantity', { shows: 'added up' })
    expect(found).toEqual([['quantity', 'booking[seats]', true]])
  })
  test('stands in the answer alone, in the words of one that was taken', async () => {
    const { found } = await asked(85, 'quantity', { shows: 'in its answer' })
    expect(found).toEqual([['quantity', 'booking[seats]', false]])
  })
  test.each([
    ['refused in other words', (sent: number) => (sent < 1 ? null : sent)],
    ['made one of', (sent: number) => Math.max(1, sent)],
  ])('is %s: nothing is said', async (_what, seats) => {
    const { found, left } = await asked(86, 'quantity', { seats })
    expect([found, left]).toEqual([[], undefined])
    await cleanups.pop()?.()
    await cleanups.pop()?.()
    const { found: inAnswer } = await asked(86, 'quantity', { seats, shows: 'in its answer' })
    expect(inAnswer).toEqual([])
  })
  test.each(['once', 'nowhere'] as const)('that shows %s is not called clean', async (shows) => {
    const { found, left } = await asked(87, 'quantity', { shows })
    expect(found).toEqual([])
    expect(left).toBeInstanceOf(Left)
  })
})

test('pages that change by themselves show nothing of what was sent', async () => {
  const { found, left } = await asked(92, 'quantity', { shows: 'nowhere', counts: true })
  expect(found).toEqual([])
  expect(left).toBeInstanceOf(Left)
})

test('a form with more amounts than are asked is not called clean', async () => {
  const places = ['booking[seats]', 'adults', 'guests', 'tickets'].map((name) => ({ name, value: '2', type: 'number' }))
  const form = { ...FORM, fields: places }
  const { left } = await asked(93, 'quantity', { seats: Math.abs }, form)
  expect(left).toMatchObject({ message: 'that hold more than 3 amounts, of which as many were asked' })
})

describe('another price', () => {
  test('than the hidden field has is kept', async () => {
    const { found, bookings } = await asked(88, 'price', {})
    expect(found).toEqual([['price', 'booking[unit_price]', true]])
    expect(bookings.at(-1)).toEqual({ seats: 2, price: '45.00' })
  })
  test('is looked up, whatever the form says', async () => {
    const { found, left } = await asked(89, 'price', { price: () => '45.00' })
    expect([found, left]).toEqual([[], undefined])
  })
})

test.each([
  ['quantity', { name: 'ticket_quantity', value: '1', type: 'text' }],
  ['quantity', { name: 'order[numberOfSeats]', value: '2', type: 'number' }],
  ['price', { name: 'ticket_price', value: '15', type: 'hidden' }],
  ['price', { name: 'priceCents', value: '1500', type: 'hidden' }],
  [null, { name: 'price', value: '15', type: 'number' }],
  [null, { name: 'price', value: 'asc', type: 'hidden' }],
  [null, { name: 'price_id', value: '15', type: 'hidden' }],
  [null, { name: 'form-TOTAL_FORMS', value: '3', type: 'hidden' }],
  [null, { name: 'quantity', value: 'many', type: 'text' }],
] as const)('%s: %j', (kind, field) => {
  expect(kindOfAmount(field)).toBe(kind)
})

test('of what a form is looked for by, nothing is asked', () => {
  expect(amountsIn(caseRequest(FORM), 'price').map(({ name }) => name)).toEqual(['booking[unit_price]'])
  expect(amountsIn(caseRequest({ ...FORM, method: 'GET' }), 'price')).toEqual([])
})

test('a count is one of things where their price stands beside it', () => {
  const count = { name: 'count', value: '1', type: 'number' }
  const price = { name: 'price', value: '18.50', type: 'hidden' }
  const namesOf = (fields: RequestTemplate['fields']) =>
    amountsIn(caseRequest({ ...FORM, fields }), 'quantity').map(({ name }) => name)
  expect(namesOf([count, price])).toEqual(['count'])
  expect(namesOf([count])).toEqual([])
})

test.each([
  [true, '<td>-37</td>', '<td>2</td>'],
  [true, '<td>\u221237</td>', ''],
  [true, '<b>-35 items</b>', '<b>2 items</b>'],
  [false, '<td>-37</td>', '<td>-37</td>'],
  [false, '<i class="mt-37">2026-11-37</i><p style="margin:-37px">-37.5</p>', ''],
])('less than nothing (%s) in %s', (shown, now, was) => {
  expect(showsLess(now, was, -37)).toBe(shown)
})

test.each([
  [true, '<td>412,37 €</td>', '412,37'],
  [true, '<td>412.37</td>', '412,37'],
  [true, '<td>412.00</td>', '412'],
  [false, '<td>1412.37</td><td>412.375</td>', '412.37'],
])('a price (%s) in %s', (shown, now, price) => {
  expect(showsPrice(now, '<td>45</td>', price)).toBe(shown)
})
