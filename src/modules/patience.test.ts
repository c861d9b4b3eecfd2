import { expect, it } from 'vitest'
import { patiently } from './patience.ts'
import { collectContext, serveCase } from './testing/collecting.ts'

it.each([
  ['is sent again', 1, 200, 2],
  ['is sent three times at most', 9, 429, 3],
])('what is answered with 429 %s', async (_name, refused, status, times) => {
  let asked = 0
  const site = await serveCase(77, {
    http: (_request, response) => {
      asked += 1
      response.writeHead(asked > refused ? 200 : 429).end()
    },
  })
  const { ctx, close } = collectContext(site.address, { module: 'crawl' })
  const answer = await patiently(() => ctx.egress.http({ url: 'http://shop.test/' }))
  expect([answer.status, asked]).toEqual([status, times])
  await close()
  await site.close()
})
