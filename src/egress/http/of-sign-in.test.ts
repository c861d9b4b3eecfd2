import { expect, it } from 'vitest'
import { caseAnswer } from '../../modules/testing/answers.ts'
import { ofSignIn } from './of-sign-in.ts'

it('tells which cookies a sign-in sets and how, and nothing that opens anything', () => {
  const value = 's%3AaB3-dE6_gH9.kL2mN5'
  const told = ofSignIn(
    caseAnswer({
      ...{ path: '/in?code=secret', method: 'POST', sent: 'user=a&password=secret', body: 'token: secret' },
      headers: [
        ['Set-Cookie', `app.sid=${value}; Path=/; HttpOnly; Expires=Wed, 09 Jun 2027 10:18:14 GMT`],
        ['X-Token', 'secret'],
        ['Set-Cookie', 'old=; Max-Age=0'],
      ],
    }),
  )
  expect(told.request).toMatchObject({ method: 'POST', url: 'https://shop.test/in', headers: [], body: null })
  expect(told.headers.map(([name]) => name)).toEqual(['Set-Cookie', 'Set-Cookie'])
  const [[, line = ''] = [], [, removed] = []] = told.headers
  expect(line).toMatch(
    /^app\.sid=s?[a-z]%\d[A-Z][a-z][A-Z]\d-[a-z][A-Z]\d_[a-z][A-Z]\d\.[a-z][A-Z]\d[a-z][A-Z]\d; Path=\/; HttpOnly; Expires=Wed, 09 Jun 2027 10:18:14 GMT$/,
  )
  expect(line).not.toContain(value)
  expect(removed).toBe('old=; Max-Age=0')
  expect(JSON.stringify(told) + told.body).not.toContain('secret')
})
