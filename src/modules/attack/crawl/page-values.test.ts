import { expect, it } from 'vitest'
import { createPageValues } from './page-values.ts'
import type { Draft } from './requests.ts'
import type { Endpoint } from './scripts.ts'

const form = (url: string, fields: readonly (readonly [string, string, string?])[] = []): Draft =>
  ({
    ...{ method: 'POST', url: `https://club.test${url}` },
    fields: fields.map(([name, value, type = 'text']) => ({ name, value, type })),
  }) as unknown as Draft

const endpoint = (body: Endpoint['body']): Endpoint => ({ method: 'POST', address: '/x', called: true, body })

const seen = (...forms: readonly Draft[]) => {
  const values = createPageValues()
  values.saw(forms)
  return (body: Endpoint['body']) => values.filled(endpoint(body)).body
}

it('what a page has in a field is sent in place of an example', () => {
  const filled = seen(form('/search?town=Oban'), form('/book', [['booking[seats]', '2', 'number']]))
  const fields = { town: '1', seats: '1', note: 'test', kind: 'day' }
  expect(filled({ encoding: 'urlencoded', fields })?.fields).toEqual({ ...fields, town: 'Oban', seats: '2' })
})

it('also within a document, and as a number where one is sent', () => {
  const filled = seen(
    form('/a', [
      ['town', 'Oban'],
      ['seats', '4'],
      ['kind', 'day'],
    ]),
  )
  const json = '{"trip":{"town":"1","seats":1,"kind":"night","legs":[{"town":"test"}]}}'
  expect(filled({ encoding: 'json', fields: {}, json })?.json).toBe(
    '{"trip":{"town":"Oban","seats":4,"kind":"night","legs":[{"town":"Oban"}]}}',
  )
})

it.each<[string, Draft]>([
  ['a password', form('/a', [['password', 'x', 'password']])],
  ['a word of the crawl', form('/a', [['town', 'test']])],
  ['nothing', form('/a', [['town', '']])],
  ['a token', form('/a', [['_csrf', 'k3J8s02mXq91LLdPwz5R7tY1', 'hidden']])],
  ['what is pressed', form('/a', [['town', 'Send', 'submit']])],
])('but not %s', (_what, page) => {
  const fields = { password: '1', town: '1', _csrf: '1' }
  expect(seen(page)({ encoding: 'urlencoded', fields })?.fields).toEqual(fields)
})

it.each<[string, Partial<Endpoint>, Readonly<Record<string, string>>]>([
  ['by its method', { method: 'DELETE' }, {}],
  ['by its address', { address: '/notes/delete' }, {}],
  ['by a value', {}, { action: 'delete_note' }],
])('what removes things names none of those that pages show: %s', (_how, change, said) => {
  const values = createPageValues()
  values.saw([form('/notes', [['id', '17', 'hidden']])])
  const fields = { id: '1', ...said }
  const one = { ...endpoint({ encoding: 'urlencoded', fields }), ...change }
  expect(values.filled(one).body?.fields).toEqual(fields)
  expect(values.filled({ ...one, method: 'POST', address: '/notes/show' }).body?.fields.id).toBe(
    'action' in said ? '1' : '17',
  )
})
