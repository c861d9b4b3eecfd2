import { expect, test } from 'vitest'
import { ownName } from './names.ts'

test.each([
  ['booking[guest][email]', 'email'],
  ['contact[_token]', '_token'],
  ['lines[0][qty]', 'qty'],
  ['rows[][id]', 'id'],
  ['ids[]', 'ids'],
  ['ids[3]', 'ids'],
  ['/guest/email', 'email'],
  ['email', 'email'],
  ['_token', '_token'],
  ['[]', '[]'],
  ['', ''],
])('%s is called %s', (name, own) => {
  expect(ownName(name)).toBe(own)
})
