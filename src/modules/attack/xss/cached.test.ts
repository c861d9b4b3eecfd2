/** A real cache in front of pages that show a header, with keys that tell visitors apart and keys that do not. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { escapeHtml, type WebCase } from '../../../../testbed/web/case.ts'
import { inventoryOf } from '../../../../testbed/web/inventory.ts'
import { caseAddress, collectContext } from '../../testing/collecting.ts'
import { judgeCases } from '../../testing/judge-cases.ts'
import type { RequestTemplate } from '../crawl/facts.ts'
import { CASE_CRAWL } from '../insertion-points/testing/probed-facts.ts'
import { cachedHeader } from './cached.ts'
import type { CachedFacts, XssFacts } from './facts.ts'
import { askCached, fromCache } from './probes/cached.ts'

/** Debian's package: apt-get install nginx-light */
const NGINX = '/usr/sbin/nginx'
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const CASE: WebCase = {
  id: 'home',
  module: 'xss',
  finds: [],
  place: 'query',
  value: 'tent',
  answer: () => ({ body: '' }),
}

/** nginx keeps answers under `key`, those below `kept`, and says so, or does not. */
const cached = async (key: string, page: (request: IncomingMessage) => string, says = true, others = 0, kept = '/') => {
  const seen: IncomingMessage[] = []
  const origin = createServer((request, response) => {
    seen.push(request)
    response.writeHead(200, { 'Content-Type': 'text/html', 'Cache-Control': 'max-age=60' }).end(page(request))
  })
  origin.listen(0, '127.0.0.1')
  await once(origin, 'listening')
  cleanups.push(async () => {
    origin.closeAllConnections()
    origin.close()
  })
  const folder = await mkdtemp(join(tmpdir(), 'sonde-cache-'))
  await chmod(folder, 0o755)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const address = caseAddress(182)
  const upstream = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; user root; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off; ${paths.join(' ')} proxy_cache_path ${folder}/kept keys_zone=kept:1m;
  server { listen ${address}:80; ${kept === '/' ? '' : `location / { proxy_pass ${upstream}; }`} location ${kept} {
    proxy_cache kept; proxy_cache_key "${key}"; proxy_pass ${upstream};
    ${says ? 'add_header X-Cache-Status $upstream_cache_status;' : ''} } }
}`,
  )
  const server = spawn(NGINX, ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const ended = once(server, 'exit')
  cleanups.push(async () => {
    server.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const get = async (path: string): Promise<string> => (await fetch(`http://${address}${path}`)).text()
  for (const deadline = Date.now() + 10_000; ; await delay(30)) {
    try {
      await get('/ready')
      break
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw new Error('nginx did not start', { cause: error })
    }
  }
  const { ctx, close } = collectContext(address, { module: 'xss', requests: 200, cookie: 'staff=1' })
  cleanups.push(close)
  const crawl = inventoryOf([CASE], 'http://shop.test', 'careless')
  const more = crawl.requests.flatMap((one) => Array.from({ length: others }, (_, at) => pageOf(one, at)))
  return { facts: await askCached(ctx, { ...crawl, requests: [...crawl.requests, ...more] }), seen, get }
}

const pageOf = (one: RequestTemplate, at: number): RequestTemplate => ({
  // The last takes none.
  ...{ ...one, id: `${one.id}${at}`, url: `http://shop.test/page/${at}${at < 60 ? '?q=tent' : ''}` },
  shape: `http://shop.test/page/${at}`,
})

const shop = ({ headers }: IncomingMessage): string =>
  `<!doctype html><title>Shop</title><link rel=canonical href="https://${escapeHtml(String(headers['x-forwarded-host'] ?? 'shop.test'))}/">`
const plain = (): string => '<!doctype html><title>Shop</title>'
const WITH_HEADER = (request: IncomingMessage): boolean => request.headers['x-forwarded-host'] !== undefined

describe('a cache in front', () => {
  it('keeps what a header says: found, and no visitor gets it', async () => {
    const { facts, seen, get } = await cached('$host$request_uri', shop)
    expect(facts).toMatchObject({ pages: 1, kept: 1, hits: [{ header: 'X-Forwarded-Host' }] })
    expect(facts.hits[0]?.rounds).toHaveLength(2)
    expect(seen.filter(WITH_HEADER).filter(({ url }) => !/[?&]qx[0-9a-f]{10}=qx[0-9a-f]{10}/.test(url ?? ''))).toEqual(
      [],
    )
    expect(seen.filter(({ headers }) => headers.cookie !== undefined)).toEqual([])
    expect(await get('/careless/home/search?q=tent&page=1')).toContain('https://shop.test/')
  })

  it.each([
    ['is asked of every page of the site', '$host$request_uri', { pages: 16, kept: 16, left: 0 }],
    ['is asked of a dozen where none of them comes out of one', '$host$uri', { pages: 12, kept: 0, left: 4 }],
  ] as const)('%s', async (_name, key, expected) =>
    expect((await cached(key, plain, true, 15)).facts).toMatchObject(expected),
  )

  it('that stands before one page alone, among many without one, is found', async () => {
    const { facts } = await cached('$host$request_uri', shop, true, 15, '/page/14')
    expect(facts).toMatchObject({ pages: 16, kept: 1, hits: [{ url: 'http://shop.test/page/14?q=tent' }] })
  })

  it('that keeps a page which takes no values is met before many that take some', async () => {
    const { facts } = await cached('$host$request_uri', shop, true, 61, '/page/60')
    expect(facts.hits.map(({ url }) => url)).toEqual(['http://shop.test/page/60'])
  })

  it.each([
    ['tells senders of the header apart', '$host$request_uri$http_x_forwarded_host', shop, true, { kept: 1 }],
    ['keeps a page that shows none', '$host$request_uri', plain, true, { kept: 1 }],
  ] as const)('%s', async (_name, key, page, says, expected) => {
    const { facts } = await cached(key, page, says)
    expect(facts).toMatchObject({ ...expected, hits: [] })
  })

  it.each([
    ['keeps one copy whatever the query', '$host$uri', true],
    ['keeps one copy whatever our parameter', '$host$uri$arg_q', true],
    ['does not tell', '$host$request_uri', false],
  ] as const)('%s: nothing is sent in a header', async (_name, key, says) => {
    const { facts, seen } = await cached(key, shop, says)
    expect(facts).toMatchObject({ kept: 0, hits: [] })
    expect(seen.filter(WITH_HEADER)).toEqual([])
  })
})

describe('an answer says where it comes from', () => {
  it.each([
    ['Cache-Status', 'ExampleCache; hit; ttl=30', 'yes'],
    ['Cache-Status', 'ExampleCache; fwd=uri-miss; stored', 'no'],
    ['X-Cache', 'HIT from proxy.example', 'yes'],
    ['CF-Cache-Status', 'DYNAMIC', 'no'],
    ['X-Varnish', '32770 5', 'yes'],
    ['X-Varnish', '32770', 'no'],
    ['Age', '7', 'yes'],
    ['Age', '0', 'no'],
    ['Cache-Control', 'max-age=60', 'unsaid'],
  ] as const)('%s: %s is %s', (name, value, expected) => expect(fromCache({ headers: [[name, value]] })).toBe(expected))
})

const round = (word: string) => ({ word, excerpt: `https://${word}.example/`, replay: 'curl' })
const facts = (change: Partial<CachedFacts>): XssFacts =>
  ({ cached: { pages: 2, kept: 1, hits: [], ...change } }) as unknown as XssFacts
const hit = (...words: readonly string[]) => [
  { url: 'https://shop.test/?a=1', header: 'X-Host', rounds: words.map(round) },
]

judgeCases(cachedHeader, [
  { name: 'two words', known: CASE_CRAWL, facts: facts({ hits: hit('qxa', 'qxb') }), expect: ['xss/cached-header'] },
  { name: 'one word', known: CASE_CRAWL, facts: facts({ hits: hit('qxa') }), expect: [] },
  { name: 'no cache', known: CASE_CRAWL, facts: facts({ kept: 0 }), expect: [], unjudged: 'not_applicable' },
  {
    name: 'pages behind a cache that were not asked',
    known: CASE_CRAWL,
    facts: facts({ pages: 60, left: 9 }),
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'not asked', known: CASE_CRAWL, facts: {} as XssFacts, expect: [], unjudged: 'not_tested' },
])
