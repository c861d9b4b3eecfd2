/** What may be a WebSocket and answers nothing is told. */
import { expect, it } from 'vitest'
import { EgressError } from '../../../../egress/door/egress.ts'
import type { CollectContext } from '../../../module.ts'
import { caseCrawl, caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { askSockets } from './sockets.ts'

it('of what pages have asked for, what they have opened as a WebSocket is asked, and nothing else', async () => {
  const asked: string[] = []
  const ctx = {
    egress: {
      http: ({ url }: { readonly url: string }) => {
        asked.push(new URL(url).pathname)
        // Where no socket is the server leaves a handshake unanswered.
        return url.endsWith('/comms')
          ? Promise.resolve({ status: 101, headers: [], body: Buffer.alloc(0) })
          : Promise.reject(new EgressError('timeout', 'no answer within 2500 ms'))
      },
    },
    ...{ hasCredentials: true, signal: new AbortController().signal, progress: () => undefined },
  } as unknown as CollectContext
  const urls = ['a', 'b', 'c', 'd', 'e', 'f', 'comms'].map((name) => `http://shop.test/${name}`)
  const base = caseCrawl({ requests: urls.map((url) => caseRequest({ url, method: 'GET', source: 'browser' })) })
  const crawl = { ...base, browser: { ...base.browser, sockets: ['http://shop.test/comms'] } }
  const topic = await askSockets(ctx, crawl, null, performance.now() + 5_000)
  expect(new Set(asked)).toEqual(new Set(['/comms']))
  expect(topic).toMatchObject({
    known: 1,
    asked: 1,
    left: {},
    seen: [{ url: 'http://shop.test/comms', kind: 'anybody' }],
  })
})

it('guesses end at a server that leaves all of them unanswered', async () => {
  let asked = 0
  const ctx = {
    egress: {
      http: () => {
        asked += 1
        return Promise.reject(new EgressError('timeout', 'no answer within 2500 ms'))
      },
    },
    ...{ hasCredentials: true, signal: new AbortController().signal, progress: () => undefined },
  } as unknown as CollectContext
  const requests = Array.from({ length: 12 }, (_, at) =>
    caseRequest({ url: `http://shop.test/x${'abcdefghijkl'[at]}`, method: 'GET', source: 'script' }),
  )
  await askSockets(ctx, caseCrawl({ requests }), null, performance.now() + 5_000)
  expect(asked).toBe(4)
})

it.each([
  ['http://shop.test/ws/chat', { 'without an answer': 1 }],
  ['http://shop.test/prices', {}],
])('of a silent site %s', async (url, left) => {
  const ctx = {
    egress: { http: () => Promise.reject(new EgressError('unreachable', 'connection refused')) },
    ...{ hasCredentials: true, signal: new AbortController().signal, progress: () => undefined },
  } as unknown as CollectContext
  const crawl = caseCrawl({ requests: [caseRequest({ url, method: 'GET', source: 'browser' })] })
  const topic = await askSockets(ctx, crawl, null, performance.now() + 5_000)
  expect(topic.left).toEqual(left)
})
