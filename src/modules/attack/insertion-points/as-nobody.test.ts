/** A sign-in is asked as nobody, also where the run itself is signed in. */
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { mayWiden } from './sign-in.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const FORM = 'http://shop.test/login'
const crawl = crawlOf([pointOf('login', 'form', 'user', 'test'), pointOf('news', 'query', 'q', '1')])
const fields = [
  { name: 'user', value: 'test', type: 'text' },
  { name: 'password', value: 'test', type: 'password' },
  { name: 'csrf_token', value: 'Zm9vYmFyMTIzNDU2Nzg5', type: 'hidden' },
]
const known = {
  ...crawl,
  session: { ...crawl.session, state: 'live' as const },
  requests: crawl.requests.map((one) =>
    one.id === 'login'
      ? {
          ...{ ...one, method: 'POST', url: FORM, encoding: 'urlencoded' as const, fields, source: 'form' as const },
          ...{ seenOn: [FORM], effect: 'reads' as const },
        }
      : one,
  ),
}

it('without the session of the run, with a token of its own page and the cookie that belongs to it', async () => {
  const seen: { readonly asked: string; readonly cookie: string; readonly body: string }[] = []
  let widened: boolean | undefined
  const answer = async (request: IncomingMessage): Promise<{ readonly text: string; readonly cookie?: string }> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    seen.push({
      asked: `${method} ${url.split('?')[0]}`,
      cookie: headers.cookie ?? '',
      body: `${Buffer.concat(chunks)}`,
    })
    if (url !== '/login') return { text: html('News') }
    const form = '<form method=post><input name=user><input name=csrf_token value=bmV3VG9rZW45ODc2NTQz></form>'
    return method === 'POST' ? { text: html('Wrong'), cookie: 'sid=stranger' } : { text: html(form), cookie: 'pre=1' }
  }
  await probed(
    async (request, response) => {
      const { text, cookie } = await answer(request)
      if (cookie !== undefined) response.setHeader('Set-Cookie', cookie)
      response.end(text)
    },
    known,
    null,
    'sid=ada',
    {
      probe: async (probe) => {
        if (probe.request.id === 'login') widened = mayWiden(probe.request)
        await probe.send(`${probe.point.value}a`)
      },
    },
  )
  const cookiesOf = (asked: string): readonly string[] => [
    ...new Set(seen.filter((one) => one.asked === asked).map(({ cookie }) => cookie)),
  ]
  expect(widened).toBe(true)
  expect(cookiesOf('POST /login')).toEqual(['pre=1'])
  expect(cookiesOf('GET /news')).toEqual(['sid=ada'])
  expect(seen.filter(({ asked }) => asked === 'POST /login').every(({ body }) => body.includes('bmV3VG9rZW45'))).toBe(
    true,
  )
})

it('with the session of the run where nobody else gets its page, and then it is not widened', async () => {
  const posts: string[] = []
  let widened: boolean | undefined
  await probed(
    (request, response) => {
      const isOwn = request.headers.cookie === 'sid=ada'
      if (request.method === 'POST') posts.push(isOwn ? 'own' : 'nobody')
      const form = '<form method=post><input name=user><input name=password type=password></form>'
      if (isOwn) response.end(html(request.url === '/login' ? form : 'News'))
      else response.writeHead(302, { Location: '/welcome' }).end()
    },
    known,
    null,
    'sid=ada',
    {
      probe: async (probe) => {
        if (probe.request.id === 'login') widened = mayWiden(probe.request)
        await probe.send(`${probe.point.value}a`)
      },
    },
  )
  expect(new Set(posts)).toEqual(new Set(['own']))
  expect(widened).toBe(false)
})
