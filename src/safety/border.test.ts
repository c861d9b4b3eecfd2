import { expect, test } from 'vitest'
import { fullBorder, type Sent } from './border.ts'

const border = () =>
  fullBorder({ environment: 'production', signedIn: true, staff: true, excludes: () => false }, new Map())
const post = (path: string, body: string, stranger?: true): Sent => ({
  ...{ method: 'POST', url: `https://shop.test${path}`, contentType: 'application/x-www-form-urlencoded', body },
  ...(stranger ? { stranger } : {}),
})

test.each([
  ['/login', 'user=a&password=b'],
  ['/api/user/signin', 'mail=a%40b.test&password=b'],
])('a sign-in that nobody sends leaves in a run with a session: %s', (path, body) => {
  expect(border()(post(path, body, true))).toBeNull()
  expect(border()(post(path, body))).toMatch('account')
})

test.each([
  ['/newsletter', 'address=a'],
  ['/register', 'user=a&password=b'],
  ['/logout', 'x=1'],
])('what stores, sends or ends leaves in nobody’s name neither: %s', (path, body) => {
  expect(border()(post(path, body, true))).not.toBeNull()
})
