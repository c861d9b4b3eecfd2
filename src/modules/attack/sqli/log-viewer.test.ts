/** A page that shows the errors which probes of other places have made is not the place that makes them. */
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const MESSAGE = 'You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version'

it('an error in a log is not the flaw of the page that shows the log', async () => {
  const log: string[] = []
  let views = 0
  const site = await serveCase(178, {
    http: (request, response) => {
      const url = new URL(request.url ?? '/', 'http://shop.test')
      const broken = url.searchParams.get('id')?.includes("'") ?? false
      // Whatever the other modules are about meanwhile, after the second view something has been logged.
      if (url.pathname === '/log') views += 1
      if (broken || views > 2) log.push(MESSAGE)
      const shown = url.pathname === '/log' ? `<pre>${log.join('\n')}</pre>` : broken ? MESSAGE : 'An item'
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Shop</title>${shown}`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 2_000 })
  cleanups.push(close)
  const requests = ['item?id=7', 'log?file=app.log'].map((path) =>
    caseRequest({ id: path, url: `http://shop.test/${path}`, shape: `http://shop.test/${path}` }),
  )
  const points = requests.map(({ id }) => {
    const [name = '', example = ''] = (id.split('?')[1] ?? '').split('=')
    return { id: `${id}:query:${name}`, request: id, place: 'query' as const, name, example }
  })
  const facts = await collect(ctx, { crawl: caseCrawl({ requests, points }), waf: { blockPage: null } })
  expect(facts.points.filter(({ hits }) => hits.length > 0).map(({ at }) => at.name)).toEqual(['id'])
})

it('nor is one that has gone from the end of the log a moment later', async () => {
  const asked = { broken: 0 }
  const site = await serveCase(179, {
    http: (request, response) => {
      const file = new URL(request.url ?? '/', 'http://shop.test').searchParams.get('file') ?? ''
      const broken = file.includes(`'"`)
      if (broken) asked.broken += 1
      // What others have logged since the last view, for the first that breaks; then other lines push it out.
      const shown = broken && asked.broken === 1 ? MESSAGE : 'all is well'
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<!doctype html><title>Log</title><pre>${shown}</pre>`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 2_000 })
  cleanups.push(close)
  const url = 'http://shop.test/log?file=app.log'
  const requests = [caseRequest({ id: 'log', url, shape: url })]
  const points = [{ id: 'log:query:file', request: 'log', place: 'query' as const, name: 'file', example: 'app.log' }]
  const facts = await collect(ctx, { crawl: caseCrawl({ requests, points }), waf: { blockPage: null } })
  expect(asked.broken).toBeGreaterThan(1)
  expect(facts.points.flatMap(({ hits }) => hits)).toEqual([])
})
