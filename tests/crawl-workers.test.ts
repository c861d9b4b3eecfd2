/** What workers and service workers ask for is read, though no browser of the run lets them work. */
import { afterEach, expect, it } from 'vitest'
import { closeCrawled, crawl, paths } from '../src/modules/attack/crawl/testing/crawling.ts'

afterEach(closeCrawled)

const script = (body: string) => ({ type: 'text/javascript', body })

it.each([
  ['a service worker', `navigator.serviceWorker.register('/worker.js')`],
  ['a service worker by a scope of its own', `navigator.serviceWorker.register("worker.js", { scope: '/' })`],
  ['a worker', `const one = new Worker('/worker.js')`],
  ['a shared worker', `new SharedWorker("/worker.js", "all")`],
])('%s', async (_name, code) => {
  const { facts } = await crawl({
    '/': `<!doctype html><title>Shop</title><p>Tents</p><script src=/app.js></script>`,
    '/app.js': script(code),
    '/worker.js': script(`importScripts('/more.js'); fetch('/api/offline?of=start')
fetch('/api/keep', { method: 'PUT', body: JSON.stringify({ note: 'x' }) })`),
    '/more.js': script(`caches.open('v1').then((cache) => cache.addAll(['/kept-page?from=cache']))`),
    '/api/offline': { type: 'application/json', body: '{}' },
    '/kept-page': '<p>Kept</p>',
  })
  expect(paths(facts)).toEqual(expect.arrayContaining(['/api/offline?of=start', '/kept-page?from=cache']))
  expect(facts.points.map(({ place, name }) => `${place} ${name}`)).toEqual(
    expect.arrayContaining(['query of', 'query from', 'json /note']),
  )
})
