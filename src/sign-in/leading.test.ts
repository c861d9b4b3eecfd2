/** A sign-in whose success leads on, on a site of the test's own. */
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import type { SignIn } from '../contract/identity.ts'
import { collectContext, serveCase } from '../modules/testing/collecting.ts'
import { leadingOf } from './leading.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const HOST = 'qx01.example'
const REQUESTS = [
  { url: '/login', read: { csrf: { field: '_csrf' } } },
  { url: '/session', form: { user: 'ada', password: 'right', _csrf: '{{csrf}}', next: '/account' } },
]

/** `after`: where a right password leads, by what the form said. */
const leading = async (after: (next: string) => string, password = 'right', status = 403) => {
  const seen: string[] = []
  const from: unknown[] = []
  const bodies: string[] = []
  const site = await serveCase(64, {
    http: async (request, response) => {
      const sent = await text(request)
      const body = new URLSearchParams(sent)
      bodies.push(sent)
      seen.push(`${request.method} ${request.url}`)
      from.push(request.headers['x-forwarded-for'])
      if (request.url === '/account')
        return void response.writeHead(request.headers.cookie?.includes('sid=1') ? 200 : 302).end('Account')
      if (request.method !== 'POST') return void response.end('<form><input type=hidden name=_csrf value=t1></form>')
      const right = body.get('password') === password && body.get('_csrf') === 't1'
      if (right) response.writeHead(303, { Location: after(body.get('next') ?? ''), 'Set-Cookie': 'sid=1' }).end()
      else response.writeHead(status, status === 200 ? { 'Set-Cookie': 'sid=0' } : {}).end('Wrong.')
    },
  })
  closing.push(site.close)
  const made = collectContext(site.address)
  closing.push(made.close)
  const how = { request: { requests: REQUESTS }, proof: { path: '/account', status: 200 } } as SignIn
  const { ctx } = made
  const found = leadingOf(how, 'http://shop.test', {
    ...{ egress: ctx.egress, place: { domain: 'shop.test', hosts: [] }, clock: () => 0, sleep: async () => undefined },
    browser: { open: ctx.browser },
  })
  const led = await found?.to([['next', `https://${HOST}/`]], HOST)
  const told = seen.slice()
  const taken = await found?.saying([['X-Forwarded-For', 'a word']])
  const behind = [
    await found?.behind('password', ''),
    await found?.behind('password', 'x'),
    await found?.behind('no', 'x'),
  ]
  const before = bodies.length
  await found?.instead('password', { $ne: 'q', $nin: ['a', 'b'] })
  return {
    ...{ fields: found?.fields, behind, instead: bodies.slice(before).filter((body) => body !== '') },
    led,
    paths: [...(found?.paths ?? [])],
    seen: told,
    taken,
    from: from.slice(told.length).filter((one) => one !== undefined),
  }
}

test.each([
  ['anywhere', (next: string) => next, 'right', `https://${HOST}/`],
  ['to paths of its own alone', (next: string) => (next.startsWith('/') ? next : '/account'), 'right', null],
  ['to a page that names it', (next: string) => `/leave?to=${encodeURIComponent(next)}`, 'right', null],
  ['nobody anywhere, as the password is wrong by now', (next: string) => next, 'another', false],
])('that leads %s', async (_name, after, password, expected) => {
  const { led, paths, seen } = await leading(after, password)
  expect(led).toBe(expected)
  expect(paths).toEqual(['/login', '/session'])
  expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(1)
})

test.each([
  ['right', true],
  ['another', false],
])('says headers in all of its requests, and whether it was taken: %s', async (password, taken) => {
  expect(await leading(() => '/account', password)).toMatchObject({ taken, from: ['a word', 'a word'] })
})

test.each([403, 200])('says something behind the name or the password, and nowhere else: %i', async (status) => {
  const { fields, behind } = await leading(() => '/account', 'right', status)
  expect(fields).toEqual(['user', 'password'])
  expect(behind).toEqual([true, false, true])
})

test('is asked of requests alone', () => {
  expect(leadingOf({ steps: { steps: [] } } as unknown as SignIn, 'http://shop.test', {} as never)).toBeNull()
})

test('an object stands in place of a field as frameworks read one', async () => {
  const { instead } = await leading(() => '/account')
  expect(instead.map((body) => [...new URLSearchParams(body)].filter(([name]) => name.startsWith('password')))).toEqual(
    [
      [
        ['password[$ne]', 'q'],
        ['password[$nin][]', 'a'],
        ['password[$nin][]', 'b'],
      ],
    ],
  )
})
