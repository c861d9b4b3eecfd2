import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { casePage, caseSite } from '../../testing/site-facts.ts'
import { collectDisclosure } from './collect.ts'
import type { DisclosureFacts } from './facts.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const address = caseAddress(78)
const MAP = { version: 3, sources: ['a.ts', 'b.ts'], sourcesContent: ['let a', null], mappings: '' }
const INLINE = `x()\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(MAP)).toString('base64')}`

const collectFrom = async (
  answers: Readonly<Record<string, string | RequestListener>>,
  body: string,
): Promise<{ readonly facts: DisclosureFacts; readonly asked: readonly string[] }> => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const answer = answers[request.url ?? '']
    if (typeof answer === 'function') return answer(request, response)
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'text/plain' })
    return response.end(answer ?? 'not here')
  })
  server.listen(0, address)
  await once(server, 'listening')
  cleanups.push(() => new Promise((resolve) => server.close(resolve)))
  cleanups.push(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo
  const { ctx, close } = collectContext(address, { module: 'disclosure', port })
  cleanups.push(close)
  const baseUrl = `http://shop.test:${port}/`
  const site = caseSite({ baseUrl, pages: [casePage({ url: baseUrl, body })] })
  return { facts: await collectDisclosure(ctx, site), asked }
}

describe('collectDisclosure', () => {
  it('fetches what an import map names', async () => {
    const { facts } = await collectFrom(
      {
        '/assets/rooms-77aa01ff.js': 'a()\n//# sourceMappingURL=rooms.js.map\n',
        '/assets/rooms.js.map': JSON.stringify(MAP),
      },
      '<script type="importmap">{"imports": {"rooms": "/assets/rooms-77aa01ff.js"}}</script><script type="module">import "rooms"</script>',
    )
    expect(facts.maps).toMatchObject([{ sources: ['a.ts', 'b.ts'], withContent: 1 }])
  })

  it('fetches what a script within a page imports, and what is loaded ahead of it', async () => {
    const { facts } = await collectFrom(
      {
        '/_app/start.js': 'a()\n//# sourceMappingURL=start.js.map\n',
        '/_app/start.js.map': JSON.stringify(MAP),
        '/b.js': 'b()',
        '/c.mjs': 'c()',
      },
      '<link rel="modulepreload" href="/c.mjs"><script>{ Promise.all([import("./_app/start.js"), import("lib")]) }</script><script type=module>import { b } from "/b.js"</script>',
    )
    expect(facts.scripts.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([
      '/_app/start.js',
      '/b.js',
      '/c.mjs',
    ])
    expect(facts.maps).toMatchObject([{ sources: ['a.ts', 'b.ts'], withContent: 1 }])
  })

  it('fetches scripts of the host, their maps, and nothing of other hosts', async () => {
    const { facts, asked } = await collectFrom(
      {
        '/static/a.js': 'a()\n//# sourceMappingURL=a.js.map\n',
        '/static/a.js.map': JSON.stringify(MAP),
        '/b.js': INLINE,
        '/c.js': 'c()\n//# sourceMappingURL=https://other.test/c.js.map\n',
      },
      '<script src="/static/a.js"></script><script src="/b.js"></script><script src="c.js"></script><script src="/gone.js"></script><script src="https://other.test/d.js"></script>',
    )
    expect(facts.scripts.map(({ url }) => new URL(url).pathname)).toEqual(['/static/a.js', '/b.js', '/c.js'])
    expect(facts.unfetched).toBe(1)
    expect(facts.maps).toMatchObject([
      { sources: ['a.ts', 'b.ts'], withContent: 1, text: 'let a' },
      { withContent: 1, text: 'let a' },
    ])
    expect(facts.folders.map(({ url, status }) => [new URL(url).pathname, status])).toEqual([['/static/', 404]])
    expect(asked).toContain('/%c0%ae%c0%ae')
    expect(asked).not.toContain('/d.js')
  })

  it('asks for the folders of files that links lead to, the rest of its way left alone', async () => {
    const links = ['/papers/2026/prices.txt?x=1', '/papers/2026/other.pdf', '/about', '/notes/', 'list.html']
    const { facts } = await collectFrom(
      { '/papers/2026/': '<title>Index of /papers/2026/</title>' },
      `${links.map((one) => `<a href="${one}">x</a>`).join('')}<a href="https://other.test/a/b.txt">y</a>`,
    )
    expect(facts.folders.map(({ url, status }) => [new URL(url).pathname, status])).toEqual([['/papers/2026/', 200]])
  })

  it('takes a map named by a header', async () => {
    const { facts } = await collectFrom(
      {
        '/a.js': (_request, response) => response.writeHead(200, { SourceMap: '/maps/a.json' }).end('a()'),
        '/maps/a.json': `)]}'\n${JSON.stringify(MAP)}`,
      },
      '<script src="/a.js"></script>',
    )
    expect(facts.maps).toHaveLength(1)
  })

  it.each([
    ['a page', '<!doctype html><p>Not found</p>'],
    ['version 2', JSON.stringify({ ...MAP, version: 2 })],
    ['no sources', JSON.stringify({ version: 3 })],
  ])('takes no map from %s', async (_name, text) => {
    const { facts } = await collectFrom(
      { '/a.js': '//# sourceMappingURL=a.map', '/a.map': text },
      '<script src="/a.js"></script>',
    )
    expect(facts.maps).toEqual([])
  })

  it('follows security.txt on the host, and stops at twenty scripts', async () => {
    const scripts = Array.from({ length: 30 }, (_, index) => `<script src="/${index}.js"></script>`).join('')
    const { facts, asked } = await collectFrom(
      {
        '/.well-known/security.txt': (_request, response) =>
          response.writeHead(302, { Location: '/security.txt' }).end(),
        '/security.txt': 'Contact: mailto:a@shop.test',
      },
      scripts,
    )
    expect(facts.securityTxt).toMatchObject({ status: 200, body: 'Contact: mailto:a@shop.test' })
    expect(asked.filter((path) => path.endsWith('.js'))).toHaveLength(20)
  })

  it('goes on when the server hangs up on the malformed path', async () => {
    const { facts } = await collectFrom({ '/%c0%ae%c0%ae': (request) => request.socket.destroy() }, '<p>Hello</p>')
    expect(facts.malformed).toBeNull()
    expect(facts.robots).toMatchObject({ status: 404 })
  })
})
