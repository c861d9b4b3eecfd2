import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { ask, replayOf } from './asking.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

test('a command brings the token against forged requests that the request left with', async () => {
  const site = await serveCase(77, {
    http: ({ headers }, response) => {
      const isTaken = headers['x-xsrf-token'] === 'a1b2c3d4e5f6'
      response
        .writeHead(isTaken || !headers['x-xsrf-token'] ? 200 : 403, { 'Set-Cookie': 'XSRF-TOKEN=a1b2c3d4e5f6; Path=/' })
        .end('{}')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 20 })
  cleanups.push(close)
  const token = { page: 'http://shop.test/', kind: 'cookie', name: 'XSRF-TOKEN' } as const
  const of = caseRequest({
    ...{ method: 'POST', url: 'http://shop.test/api/lines', encoding: 'json', body: '{"quantity":1}' },
    antiForgery: { headers: ['X-XSRF-TOKEN'], token },
  })
  const request = { method: 'POST', url: of.url, body: '{"quantity":-7}' }
  expect((await ask(ctx, request, of)).status).toBe(200)
  expect(replayOf(request)).toMatch(/-H 'X-XSRF-TOKEN: a1b2c3d4e5f6'.* -H 'Cookie: XSRF-TOKEN=a1b2c3d4e5f6'/)
  expect(replayOf({ url: of.url })).toBe("curl -isk --path-as-is 'http://shop.test/api/lines'")
})
