import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { CrawlFacts } from '../../attack/crawl/facts.ts'
import { caseCrawl } from '../../attack/crawl/testing/crawl-facts.ts'
import type { Finding } from '../../module.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { collect as collectSite } from '../site/collect.ts'
import { cacheControl } from './cache-control.ts'
import { collectHeaders, interfacePaths } from './collect.ts'
import { cors } from './cors.ts'
import { headers } from './module.ts'
import { similarity } from './with-and-without.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

let last = 60
const visit = async (
  https: RequestListener,
  cookie: string | null = null,
  crawl: CrawlFacts | null = null,
  span?: number,
) => {
  last += 1
  const server = await serveCase(last, { https })
  cleanups.push(server.close)
  const { ctx, evidence, close } = collectContext(server.address, { module: 'headers', cookie })
  cleanups.push(close)
  const site = await collectSite(ctx)
  return { site, facts: await collectHeaders(ctx, { site, crawl }, span), evidence }
}
const html = (body: string) => `<!doctype html><html lang=en><title>Shop</title>${body}</html>`
const idsOf = (facts: Awaited<ReturnType<typeof visit>>['facts'], site: Awaited<ReturnType<typeof visit>>['site']) =>
  (cors.judge(facts, { site }, caseContext()) as readonly Finding[]).map(({ definition, confidence }) => [
    definition.id,
    confidence,
  ])

describe('foreign origins', () => {
  it('are tried on the page and on an interface that it names, and one that grants all is proven', async () => {
    const asked: string[] = []
    const { facts, site, evidence } = await visit((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.origin ?? ''}`)
      if (request.url === '/api/me') {
        const origin = request.headers.origin
        const grant = origin
          ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true', Vary: 'Origin' }
          : {}
        response.writeHead(200, { 'Content-Type': 'application/json', ...grant }).end('{}')
      } else
        response
          .writeHead(200, { 'Content-Type': 'text/html' })
          .end(html('<script>fetch("/api/me");fetch("/api/logout")</script>'))
    })
    expect([...new Set(facts.cors.map(({ url }) => url))]).toEqual(['https://shop.test/', 'https://shop.test/api/me'])
    expect(asked).toContain('GET /api/me null')
    expect(asked).toContain('OPTIONS /api/me https://sonde-probe.example')
    expect(asked.some((line) => line.includes('/api/logout'))).toBe(false)
    expect(idsOf(facts, site)).toEqual([['headers/cors-any-origin-credentials', 'confirmed']])
    expect(evidence.filter(({ filename }) => filename.startsWith('cors-')).length).toBeGreaterThan(0)
    expect(facts.anonymous).toEqual([])
  })

  it.each([
    ['shows whose session it is', 200, (name: string) => `{"user":"${name}"}`, 'confirmed'],
    ['shows a number of theirs alone', 200, (name: string) => `{"left":${name === 'robin' ? 12 : 0}}`, 'confirmed'],
    ['is answered alike without the session', 200, () => '{"routes":["posts","pages"]}', 'tentative'],
    ['has another id of a frame each time', 200, () => `{"frame":"${randomBytes(4).toString('hex')}"}`, 'tentative'],
    [
      'has a name beside what is another each time',
      200,
      (name: string) => `{"frame":"${randomBytes(4).toString('hex')}","user":"${name}"}`,
      'confirmed',
    ],
    [
      'has a key that is another each time for whoever is signed in',
      200,
      (name: string) => `{"key":"${name === 'robin' ? randomBytes(4).toString('hex') : '00000000'}"}`,
      'confirmed',
    ],
    [
      'has the token of a form, which is another for each session',
      200,
      (name: string) =>
        JSON.stringify({
          page: `<input type="hidden" id="_f" name="_f" value="${name === 'robin' ? '802a04bfb7' : '4a0864d6e5'}" />`,
        }),
      'tentative',
    ],
    [
      'has a number of theirs in a field that nobody sees',
      200,
      (name: string) => `<input type="hidden" name="user" value="${name === 'robin' ? '80240437' : '00000000'}" />`,
      'confirmed',
    ],
    ['asks for more than the session', 401, () => '{"error":"sign in"}', 'tentative'],
    ['is read by another method alone', 405, () => '{"error":"method"}', 'confirmed'],
  ] as const)('are let in to what %s: told as that', async (_name, status, body, confidence) => {
    const { facts, site } = await visit((request, response) => {
      if (request.url !== '/api/me')
        return response.writeHead(200, { 'Content-Type': 'text/html' }).end(html('<script>fetch("/api/me")</script>'))
      const { origin, cookie } = request.headers
      const grant = origin ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' } : {}
      response.writeHead(status, { 'Content-Type': 'application/json', ...grant })
      return response.end(body(cookie === undefined ? 'nobody' : 'robin'))
    }, 'sid=robin')
    expect(idsOf(facts, site)).toEqual([
      ['headers/cors-any-origin-credentials', confidence],
      ['headers/cors-vary-missing', 'confirmed'],
    ])
  })

  it.each([
    ['a token that scripts alone send', 'Authorization: Bearer abcdefgh12345678', 'tentative'],
    ['a name and password, which a browser sends by itself', 'Authorization: Basic cm9iaW46cm9iaW4=', 'confirmed'],
  ] as const)('read nothing of a session by %s', async (_name, header, confidence) => {
    last += 1
    const server = await serveCase(last, {
      https: (request, response) => {
        const { origin, authorization } = request.headers
        const grant = origin
          ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }
          : {}
        const isData = request.url === '/api/me'
        response.writeHead(200, { 'Content-Type': isData ? 'application/json' : 'text/html', Vary: 'Origin', ...grant })
        response.end(
          isData
            ? `{"user":"${authorization === undefined ? 'nobody' : 'robin'}"}`
            : html('<script>fetch("/api/me")</script>'),
        )
      },
    })
    cleanups.push(server.close)
    const { ctx, close } = collectContext(server.address, { module: 'headers', header })
    cleanups.push(close)
    const site = await collectSite(ctx)
    expect(idsOf(await collectHeaders(ctx, { site }), site)).toEqual([
      ['headers/cors-any-origin-credentials', confidence],
    ])
  })

  it('are tried as long as there is time, and what is left is said beside what was seen', async () => {
    const grant = { 'Access-Control-Allow-Credentials': 'true', Vary: 'Origin', 'Content-Type': 'text/html' }
    const { facts, site } = await visit(
      (request, response) => {
        response.writeHead(200, { ...grant, 'Access-Control-Allow-Origin': request.headers.origin ?? '' })
        response.end(html('<script>fetch("/api/me");fetch("/api/orders")</script>'))
      },
      'sid=1',
      null,
      0,
    )
    expect([new Set(facts.cors.map(({ url }) => url)).size, facts.corsUnasked]).toEqual([1, 2])
    expect(facts.anonymous.length).toBeGreaterThan(0)
    expect(cors.judge(facts, { site }, caseContext())).toMatchObject({
      state: 'inconclusive',
      findings: [{ definition: { id: 'headers/cors-any-origin-credentials' } }],
    })
  })

  it('are tried on what a crawl met as data, and what is left of that is said', async () => {
    const met = (path: string) =>
      ({ url: `https://shop.test${path}`, status: 200, contentType: 'application/json; charset=utf-8' }) as const
    const urls = [
      '/partners?id=1',
      '/partners?id=2',
      ...Array.from({ length: 30 }, (_, at) => `/data/${'x'.repeat(at + 1)}`),
    ]
    const crawl = caseCrawl({
      urls: urls.map((path) => ({ ...met(path), title: '', depth: 1, source: 'script' })),
    })
    const { facts, site } = await visit(
      (request, response) => {
        const origin = request.headers.origin ?? ''
        const grants = request.url?.startsWith('/partners') && origin.endsWith('shop.test')
        const grant = {
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Allow-Credentials': 'true',
          Vary: 'Origin',
        }
        response.writeHead(200, { 'Content-Type': 'text/html', ...(grants ? grant : {}) }).end(html(''))
      },
      null,
      crawl,
    )
    const asked = new Set(facts.cors.map(({ url }) => url))
    expect([asked.size, asked.has('https://shop.test/partners?id=1')]).toEqual([30, true])
    const judged = cors.judge(facts, { site }, caseContext())
    expect(judged).toMatchObject({ state: 'inconclusive', reason: expect.stringContaining('2 further addresses') })
    const ids = ('state' in judged ? (judged.findings ?? []) : judged).map(({ definition }) => definition.id)
    expect(ids).toContain('headers/cors-loose-origin-credentials')
  })

  it('are tried on what scripts ask for in the browser, which no crawl has fetched itself', async () => {
    const told = { shape: '', encoding: 'none', fields: [], body: null, seenOn: [], sent: true, harm: null } as const
    const crawl = caseCrawl({
      requests: [
        { ...told, id: 'a', method: 'GET', url: 'https://shop.test/cards/7', source: 'browser' },
        { ...told, id: 'b', method: 'GET', url: 'https://shop.test/cards/8/close', source: 'browser', harm: 'it ends' },
        { ...told, id: 'c', method: 'POST', url: 'https://shop.test/cards', source: 'browser' },
        { ...told, id: 'e', method: 'PATCH', url: 'https://shop.test/api/me', source: 'browser', harm: 'it writes' },
        {
          ...told,
          id: 'f',
          method: 'PUT',
          url: 'https://shop.test/api/me/revoke',
          source: 'browser',
          harm: 'it writes',
        },
      ],
    })
    const { facts, site } = await visit(
      (request, response) => {
        const grant = {
          'Access-Control-Allow-Origin': request.headers.origin ?? '',
          'Access-Control-Allow-Credentials': 'true',
        }
        response
          .writeHead(200, {
            'Content-Type': 'text/html',
            ...(/^\/(?:cards\/7|api\/me)$/.test(request.url ?? '') ? grant : {}),
          })
          .end(html(''))
      },
      null,
      crawl,
    )
    expect([...new Set(facts.cors.map(({ url }) => new URL(url).pathname))]).toEqual(['/', '/cards/7', '/api/me'])
    expect(facts.cors.filter(({ url, method }) => url.endsWith('/me') && method !== 'OPTIONS')).toSatisfy(
      (probes: readonly { method: string }[]) => probes.length > 0 && probes.every(({ method }) => method === 'GET'),
    )
    expect(idsOf(facts, site)).toContainEqual(['headers/cors-any-origin-credentials', 'confirmed'])
  })

  it('come to no finding on a site that compares the whole origin', async () => {
    const { facts, site } = await visit((request, response) => {
      const known = request.headers.origin === 'https://app.shop.test'
      const grant = known ? { 'Access-Control-Allow-Origin': 'https://app.shop.test' } : {}
      response.writeHead(200, { 'Content-Type': 'text/html', ...grant }).end(html(''))
    })
    expect(facts.cors.every(({ status }) => status === 200)).toBe(true)
    expect(idsOf(facts, site)).toEqual([])
  })
})

describe('answers for one person', () => {
  const NAMES = ['/api/me', '/api/orders.csv', '/api/news', '/feed.xml', '/api/closed', '/api/busy', '/style.css']
  const serve = (url: string, known: boolean): readonly [status: number, cache: string | null, body: string] => {
    if (url === '/api/me') return [known ? 200 : 401, 'public, max-age=60', '{"name":"Ada"}']
    if (url === '/api/orders.csv') return [200, null, known ? 'id,total\n7,12' : 'id,total\n']
    if (url === '/api/news') return [200, 'public, max-age=60', `{"at":"${randomBytes(4).toString('hex')}"}`]
    if (url === '/feed.xml')
      return [200, null, `<date>2026-11-29T21:2${known ? 8 : 7}:05+00:00</date><item>Ferns</item>`]
    if (url === '/api/closed') return [200, 'private, max-age=60', known ? 'Ada' : 'nobody']
    if (url === '/api/busy') return [known ? 200 : 503, 'public', 'Ada']
    return [200, 'public', known ? 'a{}' : 'b{}']
  }

  it('are told from those for everybody, whatever they are made of', async () => {
    const urls = NAMES.map((path) => ({
      url: `https://shop.test${path}`,
      status: 200,
      contentType: path.endsWith('css') ? 'text/css' : path.endsWith('csv') ? 'text/csv' : 'application/json',
      title: '',
      depth: 1,
      source: 'script' as const,
    }))
    const { facts, site } = await visit(
      (request, response) => {
        const [status, cache, body] = serve(request.url ?? '', request.headers.cookie !== undefined)
        const control = cache === null ? {} : { 'Cache-Control': cache }
        response.writeHead(status, { 'Content-Type': 'text/html', ...control }).end(body)
      },
      'sid=0123456789abcdef',
      caseCrawl({ urls }),
    )
    expect(facts).toMatchObject({ personalClosed: 1, personalUnasked: 1, sessionHeaders: ['cookie'] })
    expect(facts.personal?.map(({ url }) => new URL(url).pathname)).toEqual(['/api/me', '/api/orders.csv'])
    const judged = cacheControl.judge(facts, { site }, caseContext())
    const found = 'state' in judged ? (judged.findings ?? []) : judged
    expect(found.map(({ definition, at }) => [definition.id, at.url])).toContainEqual([
      'headers/cache-control-private-page-public',
      'https://shop.test/api/me',
    ])
  })

  it('are not told of an address whose answer somebody changed between two looks', async () => {
    let looks = 0
    const url = 'https://shop.test/guestbook.csv'
    const { facts } = await visit(
      (request, response) => {
        const words = request.url === '/guestbook.csv' && looks++ === 0 ? 'Hello Ada,' : 'Hello Robin,'
        response.writeHead(200, { 'Content-Type': 'text/csv' }).end(words)
      },
      'sid=0123456789abcdef',
      caseCrawl({
        urls: [{ url, status: 200, contentType: 'text/csv', title: '', depth: 1, source: 'script' }],
      }),
    )
    expect(facts).toMatchObject({ personal: [], personalUnasked: 1 })
  })

  it('are nobody else’s where the run carries no session', async () => {
    const { facts } = await visit((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(html('<script>fetch("/api/me")</script>')),
    )
    expect(facts).not.toHaveProperty('personal')
  })
})

it('tells a page that belongs to the signed-in person', async () => {
  const { facts, site } = await visit((request, response) => {
    const known = request.headers.cookie?.includes('sid=0123456789abcdef') === true
    const words = known
      ? 'Welcome back Ada, here are your orders and invoices <a href=/logout>Sign out</a>'
      : 'Please sign in'
    response
      .writeHead(200, {
        'Content-Type': 'text/html',
        'Cache-Control': 'public, max-age=60',
        'Set-Cookie': 'PHPSESSID=8f7e6d5c4b3a2910; Secure',
      })
      .end(html(words))
  }, 'sid=0123456789abcdef')
  expect(facts.anonymous).toEqual([{ url: 'https://shop.test/', status: 200, differs: true }])
  const found = headers.checks.flatMap((check) => {
    const judgement = check.judge(facts, { site }, caseContext())
    return 'state' in judgement ? (judgement.findings ?? []) : judgement
  })
  const ids = found.map(({ definition }) => definition.id)
  expect(ids).toContain('headers/cache-control-private-page-public')
  expect(ids).toContain('headers/cache-control-session-cookie-public')
  expect(JSON.stringify([found, headers.tables?.(facts), facts.response])).not.toContain('8f7e6d5c4b3a2910')
  expect(headers.grade?.(facts, { site })).toMatchObject({ id: 'headers', grade: expect.any(String) })
})

it('says why when nobody answers any more', async () => {
  let served = 0
  const { facts, site } = await visit((request, response) => {
    served += 1
    if (request.headers.origin === undefined) response.writeHead(200, { 'Content-Type': 'text/html' }).end(html(''))
    else request.socket.destroy()
  })
  expect(served).toBeGreaterThan(0)
  expect(facts.cors.map(({ status }) => status)).toEqual(facts.cors.map(() => null))
  expect(cors.judge(facts, { site }, caseContext())).toMatchObject({ state: 'not_tested' })
})

it.each([
  [`fetch("/api/v2/items")`, ['/api/v2/items']],
  ["url: '/rest/cart/'", ['/rest/cart/']],
  ['`/graphql`', ['/graphql']],
  ['"/api/session/sign-out" "/api/items/delete"', []],
  ['"/apiary" "/about"', []],
])('interface paths in %s', (text, expected) => {
  expect(interfacePaths(text)).toEqual(expected)
})

it('takes a changing token for the same page and another text for another', () => {
  const text = Array.from(
    { length: 60 },
    (_, index) => `wort${String.fromCharCode(97 + (index % 26))}${'x'.repeat(index)}`,
  ).join(' ')
  expect(similarity(`${text} abcdef`, `${text} fedcba`)).toBeGreaterThan(0.9)
  expect(similarity(text, 'Please sign in')).toBeLessThan(0.1)
  expect(similarity('', '')).toBe(1)
})
