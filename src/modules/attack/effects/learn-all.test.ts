import { expect, it } from 'vitest'
import type { HttpExchange, HttpRequest } from '../../../egress/door/egress.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { learn } from './learn.ts'
import { learnAll } from './learn-all.ts'

const WORDS = 'oak elm ash fir yew box bay fig nut rue sage mint dill'.split(' ')

const PAGE = 'https://shop.test/things'

const exchange = (request: HttpRequest, status: number, body: string): HttpExchange => ({
  request: { method: request.method ?? 'GET', url: request.url, headers: [], body: null },
  ...{ address: '192.0.2.1', port: 443, httpVersion: '1.1', status, statusText: '' },
  headers: [['Content-Type', 'text/html']],
  ...{ body: Buffer.from(body), truncated: false, certificateError: null },
  timing: { connect: 0, firstByte: 0, total: 0 },
})

/** What thirteen forms are learned to do, one under each of `WORDS`. `stores`: whether a word's page shows what it was sent. */
const learned = async (field: (word: string) => string, stores: (word: string) => boolean) => {
  const kept = new Map<string, string[]>()
  let posts = 0
  const templates = WORDS.map((word) =>
    caseRequest({
      ...{ id: word, method: 'POST', url: `https://shop.test/goods/${word}/reviews`, encoding: 'urlencoded' },
      ...{ seenOn: [`https://shop.test/goods/${word}`], fields: [{ name: field(word), value: 'fine', type: 'text' }] },
    }),
  )
  const send = async (request: HttpRequest) => {
    const word = new URL(request.url).pathname.split('/')[2] ?? ''
    if (request.method !== 'POST') return exchange(request, 200, `<h1>${word}</h1>${kept.get(word)?.join('') ?? ''}`)
    posts += 1
    if (stores(word)) kept.set(word, [...(kept.get(word) ?? []), '<p>fine'])
    return exchange(request, 200, '<p>Here it is')
  }
  const seen: string[] = []
  await learnAll(
    templates,
    { send, mayRead: () => true, cookies: () => new Set(), careful: false },
    () => false,
    (_template, one) => void seen.push(one.seen),
  )
  return { posts, seen: [...new Set(seen)].toSorted(), all: seen.length }
}

it('what one program stores for some of its records it stores for all', async () => {
  const { posts, ...others } = await learned(
    () => 'body',
    () => true,
  )
  expect(others).toEqual({ seen: ['writes'], all: WORDS.length })
  // Those that were under way when the first were known among them.
  expect(posts).toBeLessThan(8)
})

it('what reads is learned of each', async () => {
  const { posts, seen } = await learned(
    () => 'body',
    () => false,
  )
  expect({ posts, seen }).toEqual({ posts: 2 * WORDS.length, seen: ['reads'] })
})

it('where some of the first store and others do not each is learned itself', async () => {
  const { posts, seen } = await learned(
    () => 'body',
    (word) => word !== 'oak',
  )
  expect(seen).toEqual(['reads', 'writes'])
  expect(posts).toBeGreaterThanOrEqual(WORDS.length)
})

it('forms of other fields are no program', async () => {
  const { posts, all } = await learned(
    (word) => word,
    () => true,
  )
  expect([posts, all]).toEqual([WORDS.length, WORDS.length])
})

it.each([
  ['a production system', true, 6],
  ['a test system, where what is stored later is seen later', false, 4],
] as const)('on %s what reads is told by few reads of its pages', async (_name, careful, reads) => {
  const asked: string[] = []
  const template = caseRequest({
    ...{ method: 'POST', url: `${PAGE}/find`, encoding: 'urlencoded', seenOn: [PAGE] },
    fields: [{ name: 'word', value: 'tent', type: 'text' }],
  })
  const learned = await learn(template, {
    send: async (request) => {
      asked.push(`${request.method} ${request.url}`)
      return exchange(request, 200, request.method === 'GET' ? '<p>Find things' : '<p>No result')
    },
    ...{ mayRead: () => true, cookies: () => new Set(['sid']), careful },
    // What stood in its form is read from the page that was asked for.
    note: async (_template, get) => expect((await get(PAGE))?.status).toBe(200),
  })
  expect(learned).toMatchObject({ seen: 'reads', sent: 2 })
  expect(asked.filter((line) => line.startsWith('GET'))).toHaveLength(reads)
})

it('what another request has changed on every page meanwhile is not taken for the work of this one', async () => {
  let name = 'Ada'
  const posts: string[] = []
  const renamed = Promise.withResolvers<void>()
  const form = (path: string, value: string) =>
    caseRequest({
      ...{ id: path, method: 'POST', url: `https://shop.test/${path}`, encoding: 'urlencoded' },
      ...{ seenOn: [`https://shop.test/${path}`], fields: [{ name: 'text', value, type: 'text' }] },
    })
  const send = async (request: HttpRequest) => {
    const path = new URL(request.url).pathname
    if (request.method !== 'POST') return exchange(request, 200, `<p>${name}</p><h1>${path}</h1>`)
    posts.push(path)
    if (path === '/name') {
      name = 'Robin'
      renamed.resolve()
    }
    await renamed.promise
    return exchange(request, 200, `<p>${name}</p><h1>${path}</h1><p>${'As it would be read. '.repeat(12)}`)
  }
  const seen = new Map<string, string>()
  await learnAll(
    [form('letter', 'Good morning'), form('name', 'Robin')],
    { send, mayRead: () => true, cookies: () => new Set(), careful: false },
    () => false,
    ({ id }, one) => void seen.set(id, `${one.seen} ${one.sent}`),
  )
  expect(Object.fromEntries(seen)).toEqual({ letter: 'reads 3', name: 'writes 1' })
  expect(posts).toEqual(['/letter', '/name', '/letter', '/letter'])
})
