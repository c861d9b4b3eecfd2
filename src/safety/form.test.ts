import { expect, it } from 'vitest'
import { caseRequest } from '../modules/attack/crawl/testing/crawl-facts.ts'
import { formOf } from './form.ts'

const post = (url: string, fields: readonly (readonly [name: string, value: string, type: string])[]) =>
  formOf(
    caseRequest({
      ...{ method: 'POST', url, encoding: 'urlencoded' },
      fields: fields.map(([name, value, type]) => ({ name, value, type })),
    }),
  )
const json = (body: string) => formOf(caseRequest({ method: 'POST', encoding: 'json', body }))

it('is the same form for another record, another text and without TLS', () => {
  const form = post('https://shop.test/cart', [['id', '3', 'hidden']])
  expect(post('http://shop.test/cart', [['id', '7', 'hidden']])).toBe(form)
  expect(post('https://shop.test/cart', [['id', '7', 'text']])).toBe(form)
  expect(json('{"id":3,"text":"a"}')).toBe(json('{"id":4,"text":"b"}'))
})

it.each([
  ['another path', post('https://shop.test/a', []), post('https://shop.test/b', [])],
  [
    'another choice',
    post('https://shop.test/a', [['kind', 'x', 'select']]),
    post('https://shop.test/a', [['kind', 'y', 'select']]),
  ],
  [
    'another deed',
    post('https://shop.test/a', [['action', 'find', 'hidden']]),
    post('https://shop.test/a', [['action', 'keep', 'hidden']]),
  ],
  ['another route', post('https://shop.test/a?do=x', []), post('https://shop.test/a?do=y', [])],
  ['another method of an interface', json('{"method":"a.find"}'), json('{"method":"a.keep"}')],
])('is another form by %s', (_name, one, other) => expect(other).not.toBe(one))
