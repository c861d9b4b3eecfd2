import { expect, test } from 'vitest'
import { ENDS_OTHERS, fullBorder, type Sent, spareBorder } from './border.ts'
import { DELETES_ACCOUNTS, ENDS_SESSION } from './deeds.ts'
import { EXCLUDED, SIGNS_IN } from './policy.ts'
import { ACCOUNT } from './storing.ts'

const border = () =>
  fullBorder({ environment: 'production', signedIn: true, staff: true, excludes: () => false }, new Map())
const post = (path: string, body: string, stranger?: true): Sent => ({
  ...{ method: 'POST', url: `https://shop.test${path}`, contentType: 'application/x-www-form-urlencoded', body },
  ...(stranger ? { stranger } : {}),
})

test.each([
  ['/login', 'user=a&password=b', SIGNS_IN],
  ['/api/user/signin', 'mail=a%40b.test&password=b', ACCOUNT],
])('a sign-in that nobody sends leaves in a run with a session: %s', (path, body, reason) => {
  expect(border()(post(path, body, true))).toBeNull()
  expect(border()(post(path, body))).toBe(reason)
})

test.each([
  ['/newsletter', 'address=a'],
  ['/register', 'user=a&password=b'],
  ['/logout', 'x=1'],
])('what stores, sends or ends leaves in nobody’s name neither: %s', (path, body) => {
  expect(border()(post(path, body, true))).not.toBeNull()
})

const get = (path: string): Sent => ({
  ...{ method: 'GET', url: `https://shop.test${path}`, contentType: null, body: null },
})
test.each<[string, Sent, string | null, string | null]>([
  ['what reads', get('/account'), null, null],
  ['its own end', get('/logout'), ENDS_SESSION, null],
  ['its own end by a form', post('/user/sign-out', 'x=1'), ENDS_SESSION, null],
  ['the end of all', get('/logout?all=1'), ENDS_SESSION, ENDS_OTHERS],
  ['the end on other devices', post('/logout/other-devices', 'x=1'), ENDS_SESSION, ENDS_OTHERS],
  ['the end of the account', post('/account/delete', 'x=1'), DELETES_ACCOUNTS, DELETES_ACCOUNTS],
  ['what the operator keeps out', get('/private/logout'), EXCLUDED, EXCLUDED],
])('a session that was begun to be ended may send %s', (_name, sent, production, onTest) => {
  const excludes = (url: string): boolean => url.includes('/private/')
  expect(spareBorder({ environment: 'production', excludes })(sent)).toBe(production)
  expect(spareBorder({ environment: 'test', excludes })(sent)).toBe(onTest)
})

test('such a session writes nothing else', () => {
  const excludes = () => false
  for (const environment of ['production', 'test'] as const)
    expect(spareBorder({ environment, excludes })(post('/profile', 'name=a'))).not.toBeNull()
})
