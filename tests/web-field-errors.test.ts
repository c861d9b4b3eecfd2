import { expect, test } from 'vitest'
import { sortErrors } from '../web/src/field-errors.ts'

const SHOWN = new Set(['domain', 'exclude', 'rhythm.cron', 'quiet_hours.from'])
const sort = (...errors: readonly (readonly [path: string, message: string])[]) =>
  sortErrors(
    errors.map(([path, message]) => ({ path, message })),
    (path) => SHOWN.has(path),
  )

test('an error goes to its field, as a sentence', () => {
  expect(sort(['domain', 'must be a name'], ['rhythm.cron', 'is required.'])).toEqual({
    at: { domain: 'Must be a name.', 'rhythm.cron': 'Is required.' },
    rest: [],
  })
})

test('two of one field are both said', () => {
  expect(sort(['domain', 'is too long'], ['domain', 'has a space']).at).toEqual({
    domain: 'Is too long. Has a space.',
  })
})

test('what is said of a part goes to the field that holds it, with its place as people count', () => {
  expect(sort(['exclude.2', 'must begin with /']).at).toEqual({ exclude: '3: Must begin with /.' })
  expect(sort(['exclude.2.url', 'must begin with /']).at).toEqual({ exclude: '3 url: Must begin with /.' })
})

test('what the form does not show stays with the error', () => {
  const errors = [
    { path: 'body', message: 'names nothing' },
    { path: 'quiet_hours', message: 'must not be the whole day' },
    { path: 'rhythm', message: 'is required' },
    { path: 'domain_id', message: 'is required' },
  ]
  expect(sortErrors(errors, (path) => SHOWN.has(path))).toEqual({ at: {}, rest: errors })
})
