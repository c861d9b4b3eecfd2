import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { type CaseServers, collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl } from '../crawl/testing/crawl-facts.ts'
import { askBatches } from './batching.ts'

let servers: CaseServers | null = null
let close: () => Promise<void> = async () => undefined
afterEach(async () => {
  await close()
  await servers?.close()
  servers = null
})

/** Two interfaces for accounts alone: `/graphql` takes one query at a time, `/partner` as many as come. */
const asked = async (place: number, cookie: string | null, urls: readonly string[]) => {
  servers = await serveCase(place, {
    http: async (request, response) => {
      const sent: unknown = JSON.parse(await text(request))
      const type = { 'Content-Type': 'application/json' }
      if (request.headers.cookie !== 'sid=1') return void response.writeHead(401, type).end('{}')
      const many = Array.isArray(sent) ? sent : []
      if (request.url === '/graphql') return void response.writeHead(400, type).end('{"errors":["one at a time"]}')
      response.writeHead(200, type).end(JSON.stringify(many.map(() => ({ data: { __typename: 'Query' } }))))
    },
  })
  const made = collectContext(servers.address, { cookie })
  close = made.close
  const graphql = urls.map((url) => ({ url })) as unknown as ReturnType<typeof caseCrawl>['graphql']
  return askBatches(made.ctx, caseCrawl({ graphql }))
}
const BOTH = ['http://shop.test/graphql', 'http://shop.test/partner']

it('what asks who is there is asked as the account, and so is each interface', async () => {
  expect(await asked(160, 'sid=1', BOTH)).toMatchObject({ url: BOTH[1], accepted: true, signedIn: true })
})

it('what refuses whoever asks was not looked at', async () => {
  expect(await asked(161, null, BOTH)).toMatchObject({ url: BOTH[0], accepted: false, refused: true })
})

it('what answers one query at a time takes none of them', async () => {
  const seen = await asked(162, 'sid=1', BOTH.slice(0, 1))
  expect([seen?.accepted, seen?.refused]).toEqual([false, undefined])
})
