/** Signing in beside the run's own session, on a site of the test's own. */
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import type { SignIn } from '../contract/identity.ts'
import { EgressError } from '../egress/door/egress.ts'
import { collectContext, serveCase } from '../modules/testing/collecting.ts'
import { type Spare, spareOf } from './spare.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const HOW = {
  request: { requests: [{ url: '/login' }, { url: '/session', form: { user: 'ada', password: 'right' } }] },
  proof: { path: '/account', text: 'ada' },
} as SignIn

const open = async (last: number, how = HOW) => {
  const seen: string[] = []
  const hidden: string[] = []
  const site = await serveCase(last, {
    http: async (request, response) => {
      await text(request)
      const { cookie = '' } = request.headers
      seen.push(`${request.method} ${request.url} ${cookie}`)
      if (request.url === '/login') response.setHeader('Set-Cookie', ['sid=before; Path=/; SameSite=Lax', 'lang=de'])
      if (request.url === '/session') response.setHeader('Set-Cookie', 'sid=after; Path=/; SameSite=None; Secure')
      response.end(/sid=after/.test(cookie) ? 'ada' : 'nobody')
    },
  })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address)
  closing.push(close)
  const spare = spareOf(
    how,
    'http://shop.test',
    { path: '/account', text: 'ada' },
    {
      ...{
        egress: ctx.egress,
        place: { domain: 'shop.test', hosts: [] },
        clock: () => 0,
        sleep: async () => undefined,
      },
      browser: { open: ctx.browser },
      hide: ({ cookie }) => void hidden.push(cookie ?? ''),
      admit: ({ url }) => {
        if (url.endsWith('/forbidden')) throw new EgressError('excluded', 'not this one')
      },
    },
  )
  return { spare: spare as Spare, seen, hidden }
}

test('what was there before, what carries it afterwards, and what the cookie says of other sites', async () => {
  const { spare, hidden } = await open(66)
  const session = await spare.begin()
  expect(session?.before).toBe('sid=before; lang=de')
  expect(session?.after.cookie).toContain('lang=de')
  expect(Object.fromEntries(session?.sameSite ?? [])).toEqual({ sid: 'none', lang: 'absent' })
  expect(hidden).toEqual([session?.after.cookie])
  expect(await spare.isSignedIn({ cookie: 'sid=after', header: null })).toBe(true)
  expect(await spare.isSignedIn({ cookie: null, header: null })).toBe(false)
})

test('a planted cookie is brought along until the site sets its own', async () => {
  const { spare, seen } = await open(67)
  await spare.begin({ planted: 'sid=planted; other=1' })
  const of = (path: string) => seen.find((line) => line.includes(path))
  expect(of('GET /login')).toBe('GET /login sid=planted; other=1')
  expect(of('POST /session')).toBe('POST /session other=1; sid=before; lang=de')
})

test('it asks as whoever carries it, and nothing that the policy keeps in', async () => {
  const { spare, seen } = await open(68)
  const session = await spare.begin()
  await session?.send({ url: 'http://shop.test/account' }, { cookie: 'sid=x', header: null })
  expect(seen.at(-1)).toBe('GET /account sid=x')
  await expect(session?.send({ url: 'http://shop.test/forbidden' })).rejects.toThrow('not this one')
  expect(seen.at(-1)).toBe('GET /account sid=x')
})

test('there is none of a sign-in in a browser, or whose session stands in bodies', () => {
  const of = (how: object) => spareOf(how as SignIn, 'http://shop.test', { path: '/' }, {} as never)
  expect(of({ steps: { steps: [] } })).toBeNull()
  expect(of({ request: { requests: [], member: { name: 'token', value: '{{t}}' } } })).toBeNull()
})
