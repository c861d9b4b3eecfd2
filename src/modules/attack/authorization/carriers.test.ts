import { expect, test } from 'vitest'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { countFor, type Field, fieldsOf, isShown, markerFor, namesThing } from './carriers.ts'
import type { Slot } from './operations.ts'

const carried = (body: unknown): readonly Field[] =>
  fieldsOf({ template: caseRequest({ method: 'POST', encoding: 'json', body: JSON.stringify(body) }) })

test('a text is written where there is one, else how many there are of a thing', () => {
  expect(carried({ id: 3, note: 'two', quantity: 2 })).toEqual([{ at: '/note', name: 'note' }])
  expect(carried({ ProductId: 1, BasketId: 2, quantity: 1 })).toEqual([
    { at: '/quantity', name: 'quantity', isCount: true },
  ])
  expect(carried({ amount: 20, to: 5 })).toEqual([])
  expect(carried({ quantity: 1, password: 'a' })).toEqual([])
})

test('of a form what people write in, whatever it is called', () => {
  const field = (name: string, value: string, type = 'text') => ({ name, value, type })
  const form = (...fields: ReturnType<typeof field>[]) =>
    fieldsOf({ template: caseRequest({ method: 'POST', encoding: 'urlencoded', fields }) }).map(({ name }) => name)
  const member = field('member', '2', 'hidden')
  expect(
    form(member, field('display', 'Ada Moss'), field('about', '', 'textarea'), field('save', 'Save', 'submit')),
  ).toEqual([...['display', 'about']])
  expect(form(member, field('town', 'Kiel'), field('title', 'x'))).toEqual(['title'])
  expect(
    form(member, field('size', '12'), field('kind', 'wide'), field('login', 'ada'), field('day', 'Mon', 'select')),
  ).toEqual([])
})

test('a number is seen under its own name, and not within another', () => {
  const field: Field = { at: '/quantity', name: 'quantity', isCount: true }
  expect(isShown(field, '37', '{"items":[{"id":37,"Quantity": 37}]}')).toBe(true)
  for (const text of ['{"id":37}', '{"quantity":371}', '{"quantity":37.5}', '{"maxquantity":37}'])
    expect(isShown(field, '37', text)).toBe(false)
  const shown = Array.from({ length: 86 }, (_, at) => `{"quantity":${at + 11}}`).join(',')
  expect(isShown(field, countFor(field, shown), shown)).toBe(false)
})

test('where there is no text a day is written, and another one than is shown', () => {
  expect(carried({ id: 3, starts: '2026-12-01', guests: 2 })).toEqual([{ at: '/starts', name: 'starts', isDay: true }])
  const field: Field = { at: '/starts', name: 'starts', isDay: true }
  const marker = markerFor(field, 'from 2026-12-01')
  expect(marker).toMatch(/^20[3-5]\d-\d\d-\d\d$/)
  expect(Number.isNaN(Date.parse(marker))).toBe(false)
  expect(isShown(field, marker, `from ${marker}`)).toBe(true)
})

test('a member names the thing of a path by what stands before its id', () => {
  const slot = (place: Slot['place'], name: string, of: string | null): Slot => ({
    place,
    at: '1',
    name,
    of,
    value: '2',
  })
  const basket = slot('path', 'basket', 'basket')
  expect(namesThing(slot('json', 'BasketId', 'BasketItems'), basket)).toBe(true)
  expect(namesThing(slot('query', 'basket_id', null), slot('path', 'baskets', 'baskets'))).toBe(true)
  for (const other of ['ProductId', 'id', 'basket']) expect(namesThing(slot('json', other, null), basket)).toBe(false)
})
