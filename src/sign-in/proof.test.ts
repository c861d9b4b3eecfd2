import { expect, it } from 'vitest'
import type { HttpExchange } from '../egress/door/egress.ts'
import { proven } from './proof.ts'

const answering = (body: string) => ({
  http: async (): Promise<HttpExchange> =>
    ({ status: 200, headers: [['Content-Type', 'text/html']], body: Buffer.from(body) }) as unknown as HttpExchange,
})
const PROOF = { path: '/account', text: 'Ada' }

it.each([
  ['a page that scripts draw', '<title>Shop</title><div id=root></div><script src=/a.js></script>', /scripts draw/],
  [
    'a page of its own',
    `<p>${'Please sign in to see your orders. '.repeat(9)}</p><script src=/a.js></script>`,
    /“Ada”$/,
  ],
  ['a page without scripts', '<p>Sign in</p>', /“Ada”$/],
])('without its text says of %s what is missing', async (_name, body, why) => {
  expect(await proven(answering(body), 'http://shop.test', PROOF)).toMatchObject({
    isSignedIn: false,
    why: expect.stringMatching(why),
  })
})

it('with its text is one, whoever drew it', async () => {
  expect(await proven(answering('<p>Ada'), 'http://shop.test', PROOF)).toMatchObject({ isSignedIn: true, why: '' })
})
