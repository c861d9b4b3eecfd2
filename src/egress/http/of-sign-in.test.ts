import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, it } from 'vitest'
import { caseAnswer } from '../../modules/testing/answers.ts'
import { isSessionCookie } from '../../page/cookies/session.ts'
import { parseSetCookie } from '../../page/cookies/set-cookie.ts'
import type { HttpExchange } from '../door/egress.ts'
import { benches } from '../testing/benches.ts'
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
    /^app\.sid=[a-z]%3A[a-z][A-Z]\d-[a-z][A-Z]\d_[a-z][A-Z]\d\.[a-z][A-Z]\d[a-z][A-Z]\d; Path=\/; HttpOnly; Expires=Wed, 09 Jun 2027 10:18:14 GMT$/,
  )
  expect(line).not.toContain(value)
  expect(removed).toBe('old=; Max-Age=0')
  expect(JSON.stringify(told) + told.body).not.toContain('secret')
})

it.each([
  ['words', 'notice=Cookies%20work%20here%2c%20all%20of%20them; Path=/', false],
  ['settings', 'view-2=posts_list%3Dgrid4you%26width%3D1280%26order%3Dnewest; Path=/', false],
  ['settings with a key', 'view-2=posts%3Dgrid%26k%3Dq8Jd02mfLx7Zt5vB1nRw9c; Path=/', true],
  ['a key, its bytes encoded', 'k=%8f%c2%07q%e1%b3%9aT%d5%f0%1c%aa%42%93%7f%e8%61%bd; Path=/', true],
])('%s are told from what opens a session as before', (_, line, opens) => {
  const { headers } = ofSignIn(caseAnswer({ path: '/in', body: '', headers: [['Set-Cookie', line]] }))
  const [told, plain] = [headers[0]?.[1] ?? '', line].map(parseSetCookie)
  expect(plain && isSessionCookie(plain, 'login')).toBe(opens)
  expect(told && isSessionCookie(told, 'login')).toBe(opens)
  expect(told?.value).not.toBe(plain?.value)
})

const { bench, serve } = benches()

it('a sign-in by a browser tells of its cookies as one by requests does', async () => {
  const site = await serve('HTTP/1.1 200 OK\r\nSet-Cookie: sid=canary4711; Path=/\r\nContent-Length: 2\r\n\r\nok')
  const told: HttpExchange[] = []
  const { run } = bench({
    target: { host: 'site.test', port: site.port },
    answered: (exchange, module, signsIn) => {
      expect([module, signsIn]).toEqual(['sign-in', true])
      told.push(exchange)
    },
  })
  const { signal } = new AbortController()
  const door = run.forModule('sign-in', { requests: 9, signal, judge: null, signsIn: true })
  const proxy = new URL((await door.browserProxy({ authenticated: false })).url)
  const authorization = `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')}`
  const asked = request({
    ...{ host: proxy.hostname, port: proxy.port, path: `http://site.test:${site.port}/login?token=canary` },
    headers: { 'Proxy-Authorization': authorization },
  }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  expect(answer.headers['set-cookie']).toEqual(['sid=canary4711; Path=/'])
  expect(told.map(({ headers }) => headers.map(([name]) => name))).toEqual([['Set-Cookie']])
  expect(told[0]?.headers[0]?.[1]).toMatch(/^sid=[a-z]{6}\d{4}; Path=\/$/)
  expect(JSON.stringify(told)).not.toContain('canary')
})
