/** Addresses that scripts put together around a value which the site shows elsewhere. */
import { afterEach, expect, it } from 'vitest'
import { type Answer, closeCrawled, crawl, json, paths } from './testing/crawling.ts'

afterEach(closeCrawled)

const script = (body: string): Answer => ({ type: 'text/javascript', body })

it('names things as their list does', async () => {
  const { facts, seen } = await crawl(
    {
      '/': '<script src=/main.js></script>',
      '/main.js': script(`fetch('/api/orders');fetch('/api/articles')
        function show(n) { fetch('/api/articles/' + n + '/notes') }
        function send(n) { fetch('/api/orders/' + n + '/export', { method: 'POST', body: JSON.stringify({ template: t }) }) }
        function tell(n) { fetch('/api/articles/' + n + '/notes', { method: 'POST', body: JSON.stringify({ text: t }) }) }
        function drop(n) { fetch('/api/orders/' + n, { method: 'DELETE' }) }`),
      '/api/orders': json([{ id: 4101, total: 3 }]),
      '/api/articles': json({ items: [{ id: 17, slug: 'green-lamp' }] }),
      '/api/articles/green-lamp/notes': json([]),
      '/api/articles/17/notes': { status: 404, type: 'application/json', body: '{"error":"none"}' },
    },
    {},
    'test',
  )
  expect(paths(facts)).toContain('/api/articles/green-lamp/notes')
  const posts = facts.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url }) => `${method} ${new URL(url).pathname}`)
  // A word may be another page than a number, so that the example is listed beside it.
  expect(posts).toEqual(expect.arrayContaining(['POST /api/orders/4101/export', 'POST /api/articles/green-lamp/notes']))
  expect(posts).not.toContain('POST /api/orders/1/export')
  expect(posts.filter((line) => line.startsWith('DELETE'))).toEqual(['DELETE /api/orders/1'])
  expect(seen).not.toContain('POST /api/orders/1/export')
})

it('knows what described operations list, and waits for what another request makes', async () => {
  const hooks: object[] = []
  const { seen } = await crawl(
    {
      '/': '<script src=/main.js></script>',
      '/main.js': script(`fetch('/api/orders')
        function send(n) { fetch('/api/orders/' + n + '/export', { method: 'POST', body: JSON.stringify({ template: t }) }) }
        function test(n) { fetch('/api/hooks/' + n + '/test', { method: 'POST', body: JSON.stringify({ kind: t }) }) }
        function add(u) { fetch('/api/hooks', { method: 'POST', body: JSON.stringify({ url: u }) }) }`),
      '/openapi.json': json({ openapi: '3.0.3', paths: { '/api/orders': { get: {} } } }),
      '/api/orders': json([{ id: 4101, total: 3 }]),
      '/api/hooks': ({ method }) => {
        if (method === 'POST') hooks.push({ id: 812 })
        return json(hooks)
      },
    },
    {},
    'test',
  )
  const posts = [...new Set(seen.filter((line) => /^POST \/api\/(?:hooks|orders)/.test(line)))]
  expect(posts.toSorted()).toEqual(['POST /api/hooks', 'POST /api/hooks/812/test', 'POST /api/orders/4101/export'])
})

it('follows no file of the server that a stack trace quotes', async () => {
  const { seen } = await crawl({
    '/': '<script src=/main.js></script>',
    '/main.js': script("fetch('/api/state')"),
    '/api/state': json({ trace: 'File "/srv/app/main.py", line 3, in run', next: '/api/more' }),
    '/api/more': json({}),
  })
  expect(seen).toContain('GET /api/more')
  expect(seen.filter((line) => line.includes('/srv/'))).toEqual([])
})
