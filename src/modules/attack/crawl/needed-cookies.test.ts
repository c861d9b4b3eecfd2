import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)

const WELCOME = '<a href=/offers>Offers</a><form method=post action=/basket/add><input name=item value=7></form>'
/** A shop whose last step wants what the first has begun; `asks` tells who came to it how. */
const shopOf = (own: string) => {
  const asks: string[] = []
  const isBegun = ({ headers }: IncomingMessage) => /basket=[a-z0-9]{20}/.test(headers.cookie ?? '')
  const note = (request: IncomingMessage, answer: Answer): Answer => {
    asks.push(`${request.method} ${request.url} ${request.headers.cookie ?? '-'}`)
    return isBegun(request) ? answer : { status: 302, headers: { Location: '/' } }
  }
  const basket = own || 'q4m7x1z9c2v5b8n3l6k0'
  return {
    asks,
    pages: {
      '/': WELCOME,
      '/offers': '<form action=/offers><input name=q></form>',
      '/basket/add': {
        status: 302,
        headers: { Location: '/basket', 'Set-Cookie': [`basket=${basket}; Path=/`, 'theme=dark; Path=/'] },
      },
      '/basket': '<a href=/delivery>Delivery</a>',
      '/delivery': (request: IncomingMessage) =>
        note(request, '<form method=post action=/delivery/to><input name=street value="Elm 4"></form>'),
      '/delivery/to': (request: IncomingMessage) => note(request, 'thank you'),
    },
  }
}

describe('a form that stands only where something was begun', () => {
  it.each([
    ['nobody', null],
    ['somebody', 'sid=a1b2c3d4e5f60718'],
  ])('is asked with the cookie that began it, by %s', async (_name, cookie) => {
    const { asks, pages } = shopOf('')
    const { facts, egress } = await crawl(pages, { cookie }, 'test')
    expect(facts.requests.some(({ url, method }) => method === 'POST' && url.endsWith('/delivery/to'))).toBe(true)
    asks.length = 0
    await egress.http({ url: 'http://shop.test/delivery?x=1' })
    await egress.http({ url: 'http://shop.test/delivery/to', method: 'POST', body: 'street=1' })
    await egress.http({ url: 'http://shop.test/delivery', authenticated: false })
    await egress.http({ url: 'http://shop.test/delivery', headers: [['Cookie', 'basket=mine']] })
    const session = cookie === null ? '' : `${cookie}; `
    expect(asks).toEqual([
      `GET /delivery?x=1 ${session}basket=q4m7x1z9c2v5b8n3l6k0; theme=dark`,
      `POST /delivery/to ${session}basket=q4m7x1z9c2v5b8n3l6k0; theme=dark`,
      'GET /delivery -',
      `GET /delivery ${session}theme=dark; basket=mine`,
    ])
  })

  it('is none where everybody is shown it', async () => {
    const { pages } = shopOf('')
    let brought: string | undefined
    const offers = ({ headers }: IncomingMessage) => {
      brought = headers.cookie
      return '<form action=/offers><input name=q></form>'
    }
    const { egress } = await crawl({ ...pages, '/offers': offers }, {}, 'test')
    await egress.http({ url: 'http://shop.test/offers' })
    expect(brought).toBeUndefined()
  })
})
