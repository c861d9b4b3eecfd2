/** Addresses that texts of libraries and of bundlers name, and that nothing stands behind. */
import { afterEach, expect, it } from 'vitest'
import { collect as collectSite } from '../../passive/site/collect.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { collectCrawl } from './collect.ts'
import { createScripts } from './scripts.ts'
import { cleanups, closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)

const namedBy = (code: string, url: string) =>
  createScripts()
    .add(code, url)
    .map(({ address }) => address)

it.each([
  ['a comment of the application', '// was "/old/report" once', 'turbopack:///[project]/app/page.js', ['/old/report']],
  ['of a library', '// for example "/foo/bar/"', 'turbopack:///[project]/node_modules/next/src/parse.ts', []],
  ['of a bundler', '/* see `/a/b` */', 'turbopack:///[turbopack]/browser/runtime.ts', []],
  ['where a package lay', 'o.ab="/ROOT/node_modules/next/dist/"', 'https://shop.test/a.js', []],
])('%s', (_what, code, url, expected) => {
  expect(namedBy(code, url)).toEqual(expected)
})

it('what a guess is answered with its other form, or may not be read at all, is none', async () => {
  const { facts } = await crawl({
    '/': '<script>go("/made/up/");go("/real/");go("/api/note");go("/api/list")</script>',
    '/made/up/': { status: 308, headers: { Location: '/made/up' } },
    '/real/': { status: 301, headers: { Location: '/real' } },
    '/real': 'real',
    '/api/note': { status: 405, headers: { Allow: 'POST' } },
    '/api/list': 'list',
  })
  const asked = facts.requests.map(({ url }) => new URL(url).pathname)
  expect(asked.toSorted()).toEqual(['/', '/api/list', '/real'])
})

it('what a link leads to with a slash more or less is asked there, with its values', async () => {
  const { facts } = await crawl({
    '/': '<a href="/list/?sort=a">list</a><a href="/go?to=1">go</a><a href="/part/file.csv?columns=a">file</a>',
    '/list/': { status: 308, headers: { Location: '/list?sort=a' } },
    '/list': 'list',
    '/go': { status: 302, headers: { Location: '/go/' } },
    '/go/': 'gone',
    '/part/file.csv': 'a',
    '/part/': { status: 308, headers: { Location: '/part' } },
    '/part': 'part',
  })
  const asked = facts.requests.map(({ url }) => new URL(url)).map(({ pathname, search }) => pathname + search)
  expect(asked).toEqual(
    expect.arrayContaining(['/go/', '/go?to=1', '/list?sort=a', '/part', '/part/file.csv?columns=a']),
  )
  expect(asked).not.toContain('/list/?sort=a')
  expect(asked).not.toContain('/part/')
})

it('where a script opens a WebSocket no page is asked for, and it is known all the same', async () => {
  const { facts, seen } = await crawl({ '/': '<script>new WebSocket("ws://"+location.host+"/talk/ws")</script>' })
  expect(seen).not.toContain('GET /talk/ws')
  expect(facts.requests).toContainEqual(
    expect.objectContaining({
      method: 'GET',
      url: expect.stringMatching(/\/talk\/ws$/),
      source: 'script',
      sent: false,
    }),
  )
})

it('an address of the site under a name that no host has holds nothing, and is told of', async () => {
  const site = await serveCase(97, {
    http: ({ url }, response) =>
      url === '/out'
        ? response.writeHead(302, { Location: 'http://www.shop.test/links' }).end()
        : response.setHeader('Content-Type', 'text/html').end('<a href=/out>friends</a>'),
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, {
    ...{ module: 'crawl', requests: 1_000, hosts: { 'shop.test': [site.address] } },
  })
  cleanups.push(close)
  const { reach } = await collectCrawl(ctx, await collectSite(ctx))
  expect(reach?.counts.filter(({ reason }) => reason !== null)).toEqual([
    { kind: 'address', fate: 'left_out', reason: 'no host has its name', holds: false, count: 1 },
  ])
})
