import type { IncomingMessage, RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { isBlockPage } from '../../../page/block-page.ts'
import { collect as collectSite } from '../../passive/site/collect.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import { blocking, challenged, edgeNetwork, notBlocking } from './checks.ts'
import { collectWaf } from './collect.ts'
import type { Category, RecognisedProduct, Sample, WafFacts } from './facts.ts'

const CATEGORIES: readonly Category[] = ['xss', 'sqli', 'path-traversal', 'command', 'xxe']
const sample = (kind: Sample['kind'], category: Category, change: Partial<Sample> = {}): Sample => ({
  kind,
  category,
  url: `https://shop.test/?x=${category}`,
  status: 200,
  location: '',
  title: 'Shop',
  text: 'Shop',
  likeness: 0.95,
  evidence: null,
  ...change,
})
const thrice = (category: Category, probe: Partial<Sample>, control: Partial<Sample> = {}): readonly Sample[] =>
  [1, 2, 3].flatMap(() => [sample('control', category, control), sample('probe', category, probe)])
const facts = (samples: readonly Sample[], change: Partial<WafFacts> = {}): WafFacts => ({
  url: 'https://shop.test/',
  products: [],
  samples,
  blockPage: null,
  challenged: false,
  ...change,
})
const product = (name: string, kind: RecognisedProduct['kind']): RecognisedProduct => ({
  id: 'x',
  name,
  kind,
  certainty: 'firm',
  signals: ['cf-ray'],
})
const passed = CATEGORIES.flatMap((category) => [sample('control', category), sample('probe', category)])
const all = (probe: Partial<Sample>, control?: Partial<Sample>) =>
  CATEGORIES.flatMap((category) => thrice(category, probe, control))

const CASES: readonly (readonly [
  name: string,
  facts: WafFacts,
  blocked: readonly string[],
  absent: boolean,
  unjudged?: 'not_tested' | 'blocked',
])[] = [
  ['everything passes', facts(passed), [], true],
  ['everything is blocked', facts(all({ status: 403, likeness: 0 })), ['waf/present'], false],
  ['connections are cut', facts(all({ status: null, likeness: 0 })), ['waf/present'], false],
  ['a page of refusal with success', facts(all({ likeness: 0.1 })), ['waf/present'], false],
  [
    'SQL alone is blocked',
    facts([...passed.filter(({ category }) => category !== 'sqli'), ...thrice('sqli', { status: 406 })]),
    ['waf/present', 'waf/gap'],
    false,
  ],
  ['controls are refused as well', facts(all({ status: 403 }, { status: 403 })), [], true],
  ['once only', facts([sample('control', 'xss'), sample('probe', 'xss', { status: 403 })]), [], true],
  ['now and then', facts([...thrice('xss', { status: 403 }), sample('probe', 'xss')]), [], true],
  ['the application fails at it', facts(all({ status: 500, likeness: 0 })), [], true],
  ['a value that the page echoes', facts(all({ likeness: 0.85 })), [], true],
  ['no answer at all', facts(all({ status: null }, { status: null })), [], false, 'not_tested'],
  ['a challenge in front', facts(passed, { challenged: true }), [], false, 'blocked'],
]

const state = (unjudged: 'not_tested' | 'blocked' | undefined) => (unjudged ? { unjudged } : {})
judgeCases(
  blocking,
  CASES.map(([name, given, expected, , unjudged]) => ({ name, facts: given, expect: expected, ...state(unjudged) })),
)
judgeCases(
  notBlocking,
  CASES.map(([name, given, , found, unjudged]) => ({
    name,
    facts: given,
    expect: found ? ['waf/absent'] : [],
    ...state(unjudged),
  })),
)

judgeCases(challenged, [
  {
    name: 'asked to prove',
    facts: facts(passed, { challenged: true, products: [product('Anubis', 'bot-defence')] }),
    expect: ['waf/challenge'],
  },
  { name: 'let in', facts: facts(passed), expect: [] },
])

judgeCases(edgeNetwork, [
  {
    name: 'two networks',
    facts: facts(passed, { products: [product('Cloudflare', 'edge'), product('Varnish', 'edge')] }),
    expect: ['waf/edge', 'waf/edge'],
  },
  {
    name: 'a firewall is no network',
    facts: facts(passed, { products: [product('ModSecurity', 'firewall')] }),
    expect: [],
  },
])

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const PAGE = `<!doctype html><title>Shop</title><p>${'Tents, packs and small comforts for people who come home later than planned. '.repeat(5)}</p>`
const ATTACK = /script|union|proc\/version|entity/i

const look = async (last: number, http: RequestListener) => {
  const site = await serveCase(last, { http })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'waf' })
  cleanups.push(close)
  const collected = await collectWaf(ctx, await collectSite(ctx))
  const judged = [blocking, notBlocking].map((check) => check.judge(collected, {}, caseContext()))
  const findings = judged.flatMap((judgement) => (Array.isArray(judgement) ? judgement : []))
  return { facts: collected, ids: findings.map(({ definition }) => definition.id) }
}
const decoded = (request: IncomingMessage) => decodeURIComponent((request.url ?? '').replace(/\+/g, ' '))

describe('against a server', () => {
  it('bare: ten probes and controls, nothing more', async () => {
    const { facts: found, ids } = await look(120, (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE),
    )
    expect(ids).toEqual(['waf/absent'])
    expect(found.samples).toHaveLength(10)
    expect(found.blockPage).toBeNull()
  })

  it('that blocks and names itself', async () => {
    const { facts: found, ids } = await look(121, (request, response) =>
      ATTACK.test(decoded(request))
        ? response
            .writeHead(406, { 'Content-Type': 'text/html' })
            .end('<title>Not Acceptable!</title>This error was generated by Mod_Security.')
        : response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE),
    )
    expect(ids).toEqual(['waf/present'])
    expect(found.products.map(({ id }) => id)).toEqual(['modsecurity'])
    expect(
      isBlockPage(found.blockPage, {
        status: 406,
        text: '<title>Not Acceptable!</title>This error was generated by Mod_Security.',
      }),
    ).toBe(true)
    expect(isBlockPage(found.blockPage, { status: 406, text: '{"error":"format"}' })).toBe(false)
  })

  const refusing = (isRefused: (path: string, query: string) => boolean): RequestListener => {
    return (request, response) => {
      const { pathname, search } = new URL(request.url ?? '', 'http://shop.test')
      if (ATTACK.test(decoded(request)) || isRefused(pathname, search))
        response.writeHead(403, { 'Content-Type': 'text/html' }).end('<title>403 Forbidden</title><h1>Forbidden</h1>')
      else if (pathname === '/') response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE)
      else response.writeHead(404, { 'Content-Type': 'text/html' }).end('<title>Not found</title>Nothing is here.')
    }
  }
  const ENDINGS = /\.(?:bak|csproj|htw|ini|log|rdb|sql)$/

  it.each([
    ['names by their endings as the Core Rule Set does', refusing((path) => ENDINGS.test(path)), ['crs']],
    ['one ending of three alone', refusing((path) => /\.(?:bak|csproj|config)$/.test(path)), []],
    ['such endings wherever they stand', refusing((path, query) => ENDINGS.test(path) || ENDINGS.test(query)), []],
    ['every name that it does not know', refusing((path) => path !== '/'), []],
    ['attacks alone', refusing(() => false), []],
  ] as const)('that refuses %s, with a page that says no name', async (_, listener, expected) => {
    const { facts: found, ids } = await look(124, listener)
    expect(ids).toEqual(['waf/present'])
    expect(found.products.map(({ id }) => id)).toEqual(expected)
  })

  it('that cuts the connection', async () => {
    const { ids } = await look(122, (request, response) => {
      if (ATTACK.test(decoded(request))) request.socket.destroy()
      else response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE)
    })
    expect(ids).toEqual(['waf/present'])
  })

  it('that shows every visitor another page is no firewall', async () => {
    let asked = 0
    const { ids } = await look(123, (_request, response) => {
      asked += 1
      const words = Array.from({ length: 60 }, (_, index) => `word${asked}x${index}`).join(' ')
      response.writeHead(asked % 7 === 0 ? 503 : 200, { 'Content-Type': 'text/html' }).end(`<p>${words}</p>`)
    })
    expect(ids).toEqual(['waf/absent'])
  })
})
