import { expect, it } from 'vitest'
import { argumentOf } from './procedure.ts'
import { findingAt } from './verdict.ts'

const body = (query: string) => JSON.stringify({ query, variables: { t: 'lamp', tt: 'x' } })

it.each<[string, string | null, string, string | null]>([
  ['as a page calls it', body('query($t: String!) { search(text: $t) { id } }'), '/variables/t', 'text'],
  ['as it is called', body('query($text: String!) { search(text: $text) { id } }'), '/variables/text', 'text'],
  [
    'beside another',
    body('query($t: String!, $tt: String) { search(of: $tt, text:$t) { id } }'),
    '/variables/t',
    'text',
  ],
  ['within an object', body('mutation($t: String!) { add(input: {word: $t}) { id } }'), '/variables/t', 'word'],
  ['part of a variable', body('query($t: In!) { search(text: $t) { id } }'), '/variables/t/word', null],
  ['of no document', '{"variables":{"t":"lamp"}}', '/variables/t', null],
  ['of no body', null, '/variables/t', null],
])('the argument that a variable is given to: %s', (_name, text, pointer, argument) => {
  expect(argumentOf(text, pointer)).toBe(argument)
})

const found = (name: string, argument: string | undefined, procedure = 'query search') => {
  const at = { url: 'https://shop.test/graphql', method: 'POST', place: 'json', name, procedure }
  const point = { at: argument === undefined ? at : { ...at, argument } }
  return findingAt(point as never, {} as never, { confidence: 'confirmed', detail: '' }).cause
}

it('is one cause for all who ask the same field, and another of each field', () => {
  expect(found('/variables/t', 'text')).toBe(found('/variables/text', 'text'))
  expect(found('/variables/t', 'text')).not.toBe(found('/variables/t', 'text', 'query items'))
  expect(found('/variables/t', undefined)).toBeUndefined()
})

it('is one cause for a whole body, under whichever media type it was taken, and another for each program', () => {
  const causeOf = (name: string, url: string) => {
    const at = { url, method: 'POST', place: 'body', name }
    return findingAt({ at } as never, {} as never, { confidence: 'confirmed', detail: '' }).cause
  }
  const whole = causeOf('application/yaml', 'https://shop.test/import')
  expect(whole).toBeDefined()
  expect(causeOf('text/plain', 'https://shop.test/import')).toBe(whole)
  expect(causeOf('text/plain', 'https://shop.test/prices')).not.toBe(whole)
})
