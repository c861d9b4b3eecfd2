import { expect, it } from 'vitest'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import type { RequestTemplate } from './facts.ts'
import { otherMethods } from './methods.ts'

const HOME = 'http://shop.test'
const form = (method: string, path: string, change: Partial<RequestTemplate> = {}): RequestTemplate => ({
  ...{
    id: path,
    method,
    url: `${HOME}${path}`,
    shape: `${HOME}${path.replace('=test', '')}`,
    encoding: 'none',
    fields: [],
    body: null,
  },
  ...{ source: 'form', seenOn: [`${HOME}/`], sent: true, harm: null, effect: 'reads' },
  ...change,
})
const note = { encoding: 'urlencoded', fields: [{ name: 'note', value: 'test', type: 'text' }] } as const

/** Each program shows what stands in one place of the request. */
const SHOWS: Readonly<Record<string, (sent: HttpRequest, query: URLSearchParams) => string | null>> = {
  '/find': ({ body }) => new URLSearchParams(String(body ?? '')).get('q'),
  '/both': ({ body }, query) => new URLSearchParams(String(body ?? '')).get('q') ?? query.get('q'),
  '/tell': (_, query) => query.get('note'),
  '/save': (_, query) => query.get('note'),
  '/': ({ body }, query) => (query.get('view') === 'list' ? new URLSearchParams(String(body ?? '')).get('q') : null),
}
const asked = async (requests: readonly RequestTemplate[], methods = ['GET', 'POST']): Promise<readonly string[]> => {
  const found = await otherMethods({
    requests,
    maySend: ({ method }) => methods.includes(method),
    send: async (request) => {
      const url = new URL(request.url)
      const body = Buffer.from(`<p>${SHOWS[url.pathname]?.(request, url.searchParams) ?? ''}</p>`)
      return { status: 200, headers: [['content-type', 'text/html']], body } as unknown as HttpExchange
    },
    isOver: () => false,
  })
  return found.map(({ method, url }) => `${method} ${url.replace(HOME, '')}`)
}

it('keeps a form by the other method where the page shows another value', async () => {
  expect(await asked([form('GET', '/find?q=test'), form('GET', '/both?q=test')])).toEqual(['POST /find'])
  expect(await asked([form('POST', '/tell', note)])).toEqual(['GET /tell?note=test'])
})

it('leaves in the address what chooses the page', async () => {
  const list = form('GET', '/?view=list&q=test', { shape: `${HOME}/?q&view=list` })
  expect(await asked([list])).toEqual(['POST /?view=list'])
})

it('makes no link of what may write, and sends what the policy allows', async () => {
  expect(await asked([form('POST', '/save', { ...note, effect: 'unknown' })])).toEqual([])
  expect(await asked([form('GET', '/find?q=test')], ['GET'])).toEqual([])
})
