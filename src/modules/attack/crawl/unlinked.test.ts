import { expect, it } from 'vitest'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import type { RequestTemplate } from './facts.ts'
import { askForDebugging, unlinkedParameters } from './unlinked.ts'

const HOME = 'http://shop.test'
const link = (path: string): RequestTemplate =>
  ({ id: path, method: 'GET', url: `${HOME}${path}`, fields: [] }) as unknown as RequestTemplate

/** What each page shows of its query. */
const asked = async (
  show: (query: URLSearchParams, target: string) => string | { readonly to: string },
  pages: readonly string[] = ['/board'],
  requests: readonly RequestTemplate[] = [],
  mayName: (name: string) => boolean = () => true,
) => {
  const sent: string[] = []
  const found = await unlinkedParameters({
    pages: pages.map((path) => `${HOME}${path}`),
    requests,
    routeOf: (url) => new URL(url).pathname,
    maySend: ({ url }) => [...new URL(url).searchParams.keys()].every(mayName),
    send: async ({ url }) => {
      sent.push(url)
      const said = show(new URL(url).searchParams, url)
      const headers = typeof said === 'string' ? [['content-type', 'text/html']] : [['location', said.to]]
      const body = Buffer.from(typeof said === 'string' ? `<p>${said}</p>` : '')
      return { status: typeof said === 'string' ? 200 : 302, headers, body } as unknown as HttpExchange
    },
    isOver: () => false,
  })
  return { links: found.map(({ url }) => url.slice(HOME.length)), sent }
}

it('what a page shows of a name that nothing sends it is a place', async () => {
  const { links, sent } = await asked((query) => `Hello ${query.get('message') ?? 'you'}`)
  expect(links).toEqual(['/board?message=test'])
  expect(sent.length).toBe(2)
})

it('what it leads to as well', async () => {
  const { links } = await asked((query) => (query.has('next') ? { to: query.get('next') ?? '' } : 'Fine'))
  expect(links).toEqual(['/board?next=test'])
})

it('names that others of the site take are asked within the brackets that it has', async () => {
  const others = [link('/other?Id=1&shelf=3'), link('/list?filter%5BName%5D=a')]
  const { links } = await asked((query) => query.get('filter[Id]') ?? '', ['/board?view=list', '/other'], others)
  expect(links.toSorted()).toEqual(['/board?view=list&filter%5BId%5D=test', '/other?filter%5BId%5D=test'])
})

it.each<[string, Parameters<typeof asked>[0]]>([
  ['shows its own address', (_query, target) => target],
  ['shows one of them by chance, and not again', (query) => [...query.values()].slice(1, 2).join('')],
  ['shows nothing', () => 'Fine'],
])('a page that %s has no places by that', async (_name, show) => {
  const { links, sent } = await asked(show)
  expect(links).toEqual([])
  expect(sent.length).toBeLessThan(4)
})

it('names that the policy does not let be sent are not', async () => {
  const { links, sent } = await asked(
    (query) => query.get('message') ?? '',
    ['/board'],
    [],
    (name) => name !== 'message',
  )
  expect(links).toEqual([])
  expect(sent.join()).not.toContain('message=')
})

it('pages are asked to tell of themselves, one of each route', async () => {
  const sent: string[] = []
  const pages = ['/', '/list?debug=0', ...Array.from({ length: 20 }, (_, at) => `/p${at}`)].map((path) => HOME + path)
  await askForDebugging({
    pages,
    maySend: ({ url }) => !new URL(url).searchParams.has('verbose'),
    send: async ({ url }) => {
      sent.push(url.slice(HOME.length))
      return null
    },
    isOver: () => false,
  })
  expect(sent.slice(0, 3)).toEqual(['/?debug=1&trace=1', '/list?debug=0&trace=1', '/p0?debug=1&trace=1'])
  expect(sent).toHaveLength(12)
})
