/** Every kind of place that somebody can suppose a flaw at: proven on the careless page, and answered in full on its careful twin. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLACES, SiteRequest, type Supposed } from '../src/contract/place.ts'
import { type Weakness, weaknessOf } from '../src/contract/weaknesses.ts'
import { judgeModule } from '../src/engine/judge.ts'
import { collectPlace } from '../src/modules/attack/crawl/one-place.ts'
import { injection } from '../src/modules/attack/injection/module.ts'
import { sqli } from '../src/modules/attack/sqli/module.ts'
import { xss } from '../src/modules/attack/xss/module.ts'
import { collect as collectSite } from '../src/modules/passive/site/collect.ts'
import { type CaseServers, collectContext, serveCase } from '../src/modules/testing/collecting.ts'
import { caseContext } from '../src/modules/testing/judge-cases.ts'
import { page, type WebCase } from '../testbed/web/case.ts'
import { INJECTION_CASES } from '../testbed/web/injection-cases.ts'
import { serveCases } from '../testbed/web/server.ts'
import { DATABASES, type Sql } from '../testbed/web/sql.ts'
import { SQLI_CASES } from '../testbed/web/sqli-cases.ts'
import { XSS_CASES } from '../testbed/web/xss-cases.ts'

let sql: Sql
let server: CaseServers
let folder = ''
const asked: string[] = []
const MODULES = { sqli, injection, xss } as const

beforeAll(async () => {
  sql = await DATABASES.sqlite()
  folder = mkdtempSync(join(tmpdir(), 'sonde-places-'))
  writeFileSync(join(folder, 'terms.txt'), 'Goods remain ours until they are paid for.\n')
  const all = [...SQLI_CASES, ...INJECTION_CASES, ...XSS_CASES]
  const cases = serveCases(all, { databases: { sqlite: sql }, folder })
  const site: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const { pathname } = new URL(request.url ?? '/', 'http://shop.test/')
    if (pathname === '/members') return response.writeHead(302, { Location: '/door' }).end()
    if (pathname === '/door')
      return response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(page('<form method=post><input type=password name=p></form>'))
    if (pathname !== '/') return cases(request, response)
    const links = '<a href="/careless/other?q=1">other</a><a href="/careless/removed?id=4">Delete the product</a>'
    return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page(links))
  }
  server = await serveCase(98, { http: site })
})

afterAll(async () => {
  await server.close()
  await sql.close()
  rmSync(folder, { recursive: true })
})

const requestTo = (one: WebCase, twin: string): SiteRequest => {
  const url = `/${twin}/${one.id}`
  const value = one.value
  const posts = { method: 'POST', url } as const
  switch (one.place) {
    case 'query':
      return SiteRequest.parse({ url: `${url}?q=${encodeURIComponent(value)}` })
    case 'path':
      return SiteRequest.parse({ url: `${url}/${value}` })
    case 'form':
    case 'multipart':
      return SiteRequest.parse({ ...posts, form: [{ name: 'q', value }], multipart: one.place === 'multipart' })
    case 'json':
      return SiteRequest.parse({
        ...posts,
        body: { type: 'application/json', text: JSON.stringify({ item: { q: value } }) },
      })
    case 'xml':
      return SiteRequest.parse({ ...posts, body: { type: 'application/xml', text: `<order><q>${value}</q></order>` } })
    case 'cookie':
      return SiteRequest.parse({ url, cookies: [{ name: 'q', value }] })
    default:
      return SiteRequest.parse({ url })
  }
}

const POINTS: Readonly<Record<string, Supposed['point']>> = {
  query: { in: 'query', name: 'q' },
  path: { in: 'path', name: '3' },
  form: { in: 'form', name: 'q' },
  multipart: { in: 'form', name: 'q' },
  json: { in: 'json', name: '/item/q' },
  xml: { in: 'xml', name: 'q' },
  header: { in: 'header', name: 'referer' },
  cookie: { in: 'cookie', name: 'q' },
}

const supposedAt = async (
  given: Pick<Supposed, 'request' | 'point'>,
  environment: 'production' | 'test' = 'production',
  weakness: Weakness = 'sqli',
) => {
  const module = MODULES[weaknessOf(weakness).module as keyof typeof MODULES]
  const { ctx, close } = collectContext(server.address, { module: 'crawl', requests: 4_000 })
  try {
    const supposed: Supposed = { weakness, seen_on: null, ...given }
    const { target, options } = ctx
    const own = {
      ...ctx,
      target: { ...target, environment },
      options: { ...options, active: true, only: module.id, hypothesis: supposed },
    }
    const before = asked.length
    const crawl = await collectPlace(own, await collectSite(own), supposed)
    const known = { crawl, waf: { blockPage: null } }
    const crawled = asked.length
    const facts = await module.collect(own, known as never)
    const judged = judgeModule(module as never, facts, known, caseContext())
    return { crawl, ...judged, crawled: asked.slice(before, crawled), probed: asked.slice(crawled) }
  } finally {
    await close()
  }
}

/** What every check of the weakness that has to answer came to. */
const answersOf = (weakness: Weakness, { coverage }: Awaited<ReturnType<typeof supposedAt>>) =>
  coverage.flatMap(({ check_id, state, reason }) =>
    weaknessOf(weakness).asks.includes(check_id) ? [[state, reason]] : [],
  )

const CASES = SQLI_CASES.filter(({ id }) => /^sqlite-(?:at-|text-hidden$)/.test(id))

describe('SQL injection', () => {
  test('at every place that can be named', () => {
    const places = new Set(CASES.map(({ place }) => (place === 'multipart' ? 'form' : place)))
    expect([...places].toSorted()).toEqual([...PLACES].toSorted())
  })

  test.each(CASES.map((one) => [one.id, one] as const))('%s', async (_id, one) => {
    const point = POINTS[one.place] as Supposed['point']
    const careless = await supposedAt({ request: requestTo(one, 'careless'), point })
    const proven = careless.findings.filter(({ confidence }) => confidence === 'confirmed')
    expect(
      proven.map(({ module }) => module),
      JSON.stringify(careless.coverage),
    ).toContain('sqli')
    expect(new Set(careless.crawl.points.map(({ request }) => request)).size).toBe(1)
    const careful = await supposedAt({ request: requestTo(one, 'careful'), point })
    expect(careful.findings).toEqual([])
    expect(answersOf('sqli', careful)).toEqual(weaknessOf('sqli').asks.map(() => ['pass', null]))
    // Pages around it are looked at for what the place has stored.
    const elsewhere = careful.probed.filter((line) => !line.includes(`/careful/${one.id}`))
    expect(elsewhere.filter((line) => line !== 'GET /' && line !== 'GET /range')).toEqual([])
  })
})

/** The others need a browser (mcp.test.ts) or a listener for calls. */
const KINDS: readonly (readonly [Weakness, string])[] = [
  ['command', 'command-double-quoted'],
  ['code', 'code-javascript-single'],
  ['template', 'template-braces'],
  ['path_traversal', 'path-joined'],
  ['xxe', 'xml-entity'],
  ['ldap', 'ldap-filter'],
  ['xpath', 'xpath-single'],
  ['nosql', 'nosql-query'],
  ['open_redirect', 'redirect-plain'],
  ['header_injection', 'head-any-break'],
]

/** What is not shown again calls somebody, and nobody listens here: its absence refutes nothing. */
const BY_CALLS: ReadonlySet<Weakness> = new Set(['xxe'])

describe('each weakness is proven, and refuted at its careful twin', () => {
  test.each(KINDS)('%s', { timeout: 120_000 }, async (weakness, id) => {
    const one = [...INJECTION_CASES, ...XSS_CASES].find((each) => each.id === id)
    if (one === undefined) throw new Error(`The test bed has no page ${id}`)
    const point = POINTS[one.place] as Supposed['point']
    const ask = (twin: string) => supposedAt({ request: requestTo(one, twin), point }, 'production', weakness)
    const careless = await ask('careless')
    const proven = careless.findings.filter(({ confidence }) => confidence === 'confirmed')
    const { proves, asks } = weaknessOf(weakness)
    expect(
      proven.some(({ check_id }) => proves.includes(check_id)),
      JSON.stringify(careless.coverage),
    ).toBe(true)
    const careful = await ask('careful')
    expect(careful.findings).toEqual([])
    const open = ['inconclusive', expect.stringContaining('nothing listens for calls')]
    expect(answersOf(weakness, careful)).toEqual(asks.map(() => (BY_CALLS.has(weakness) ? open : ['pass', null])))
  })
})

describe('what the policy forbids, and what no program would read, is not asked', () => {
  const nothing = async (given: Parameters<typeof requestOf>[0], environment?: 'test') => {
    const { crawl, probed, coverage } = await supposedAt(requestOf(given), environment)
    expect(probed.filter((line) => line !== 'GET /')).toEqual([])
    return {
      harm: crawl.requests.map(({ harm }) => harm),
      reasons: new Set(coverage.map(({ state, reason }) => `${state}: ${reason}`)),
    }
  }
  const requestOf = (given: Partial<SiteRequest> & { readonly url: string }) => ({
    request: SiteRequest.parse(given),
    point: { in: 'query', name: 'id' } as const,
  })

  test.each([
    [
      'a method that changes what is stored',
      { method: 'PUT', url: '/careless/sqlite-text-hidden?id=1' } as const,
      'its method changes what is stored',
    ],
    ['the end of the session', { url: '/logout?id=1' }, 'it ends the session'],
    ['an address that a link calls a deletion', { url: '/careless/removed?id=4' }, 'it deletes'],
    [
      'an address where nothing is',
      { url: '/nothing/there?id=4' },
      'it answers 404 with these values, as what is not there does',
    ],
    [
      'what leads to a sign-in',
      { url: '/members?id=4' },
      'it leads to a sign-in, so it needs an identity that may ask it',
    ],
  ])('%s', async (_name, given, harm) => {
    const seen = await nothing(given)
    expect(seen.harm).toEqual([harm])
    expect([...seen.reasons].every((reason) => reason.includes('left alone'))).toBe(true)
  })
})
