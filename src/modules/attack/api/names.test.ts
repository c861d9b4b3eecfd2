import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { ownNamesOf } from './names.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const GUEST = '{"username":"guest","mail":"guest@shop.test"}'
const ADA = '{"username":"ada","mail":"ada@shop.test"}'

test.each([
  ['told to the account alone', (cookie: string) => (cookie === 'sid=1' ? ADA : GUEST), 'ada'],
  ['told to everybody is nobody’s', () => GUEST, null],
])('a name that is %s', async (_what, says, name) => {
  const site = await serveCase(76, {
    http: (request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(says(request.headers.cookie ?? ''))
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'api', requests: 20, cookie: 'sid=1' })
  cleanups.push(close)
  const request = caseRequest({ url: 'http://shop.test/api/me', sent: true })
  const names = await ownNamesOf(ctx, [], [{ request, operation: null }])
  expect(names).toEqual({ name, mail: name === null ? null : `${name}@shop.test` })
})
