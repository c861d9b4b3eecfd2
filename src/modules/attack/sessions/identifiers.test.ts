import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl } from '../crawl/testing/crawl-facts.ts'
import { askIdentifiers } from './probes/identifiers.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

it.each([
  ['that the run is signed in by is a session for nobody, too', 'shop=a1b2c3d4e5f60718a1b2c3d4', ['shop guessed']],
  ['that says nothing of who somebody is, is none', 'sid=a1b2c3d4e5f60718a1b2c3d4; shop=7', []],
])('a cookie %s, whatever its name', async (_name, cookie, expected) => {
  let given = 1_000
  const server = await serveCase(203, {
    http: (_request, response) => {
      given += 1
      response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': `shop=${given}` }).end('<p>Shop')
    },
  })
  cleanups.push(server.close)
  const { ctx, close } = collectContext(server.address, { module: 'sessions', cookie })
  cleanups.push(close)
  const urls = [
    { url: 'http://shop.test/', status: 200, contentType: 'text/html', title: '', depth: 0, source: 'start' as const },
  ]
  const { seen } = await askIdentifiers(ctx, caseCrawl({ urls }), 'no sign-in', performance.now() + 20_000)
  expect(seen.map(({ cookie: name, kind }) => `${name} ${kind}`)).toEqual(expected)
})
