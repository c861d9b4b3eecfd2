/** What may be a WebSocket and answers nothing is told. */
import { expect, it } from 'vitest'
import { EgressError } from '../../../../egress/door/egress.ts'
import type { CollectContext } from '../../../module.ts'
import { caseCrawl, caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { askSockets } from './sockets.ts'

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
