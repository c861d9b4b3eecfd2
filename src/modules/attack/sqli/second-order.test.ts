/** A form that stores with bound values, and a page that puts what is stored into a statement; and its careful twin. */
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { fillShop, startSqlite } from '../../../../testbed/web/sql.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext, judgeCases } from '../../testing/judge-cases.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { CASE_CRAWL, caseProbed } from '../insertion-points/testing/probed-facts.ts'
import { collect } from './collect.ts'
import type { LaterHit, SqliHit } from './facts.ts'
import { sqli } from './module.ts'
import { secondOrder } from './second-order.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const form = caseRequest({
  id: 'profile',
  method: 'POST',
  url: 'http://shop.test/profile',
  shape: 'http://shop.test/profile',
  encoding: 'urlencoded',
  fields: [
    { name: 'city', value: 'Bergen', type: 'text' },
    { name: 'note', value: 'none', type: 'text' },
  ],
  seenOn: ['http://shop.test/account'],
})
const crawl = (pages: readonly string[] = []): CrawlFacts =>
  caseCrawl({
    urls: pages.map((url) => ({ url, status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' })),
    requests: [form],
    points: form.fields.map(({ name, value }) => ({
      ...{ id: `profile:form:${name}`, request: 'profile', place: 'form', name, example: value },
    })),
  })

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

type Flaw =
  | 'read, with errors'
  | 'read, without'
  | 'read, and found nowhere'
  | 'written'
  /** By a page that nothing leads to from the form. */
  | 'read, on a page apart'
  /** Kept, and shown nowhere. */
  | 'nowhere'

const WITHOUT: readonly Flaw[] = ['read, without', 'read, on a page apart']

const found = async (
  careful: boolean,
  flaw: Flaw = 'read, with errors',
  posted: string[] = [],
): Promise<readonly string[]> => {
  const sqlite = await fillShop(await startSqlite())
  cleanups.push(sqlite.close)
  let city = 'Bergen'
  const write = async (value: string): Promise<void> => {
    if (flaw !== 'written' || careful) {
      city = value
      return
    }
    try {
      const [row] = await sqlite.run(`select '${value}' as city`)
      city = String(row?.city ?? city)
    } catch {
      // As a program does that hides errors: nothing is written.
    }
  }
  const site = await serveCase(180, {
    http: async (request, response) => {
      response.setHeader('Content-Type', 'text/html')
      if (request.method === 'POST') {
        const body = await bodyOf(request)
        posted.push(decodeURIComponent(body.replaceAll('+', ' ')))
        await write(new URLSearchParams(body).get('city') ?? city)
        response.end('<!doctype html><title>Shop</title><p>Thank you, it is kept.</p>')
        return
      }
      try {
        if (flaw === 'nowhere' || (flaw === 'read, on a page apart' && request.url !== '/team')) {
          response.end('<!doctype html><title>Shop</title><p>Tents and packs.</p>')
          return
        }
        if (flaw === 'written') {
          response.end(`<!doctype html><title>Account</title><p>You live in ${city.replaceAll('<', '&lt;')}.</p>`)
          return
        }
        const text = `select id, name from products where ${WITHOUT.includes(flaw) ? "'Bergen'" : 'note'}`
        const rows = await (careful ? sqlite.bind(`${text}=?`, [city]) : sqlite.run(`${text}='${city}'`))
        response.end(`<!doctype html><title>Account</title><p>Near you: ${rows.length}</p>`)
      } catch (error) {
        if (WITHOUT.includes(flaw)) response.end('<!doctype html><title>Account</title><p>Near you: 0</p>')
        else if (flaw === 'read, and found nowhere')
          response.end('<!doctype html><title>Account</title><p>Come back later.</p>')
        else response.writeHead(500).end(`<!doctype html><title>Error</title><pre>${error}</pre>`)
      }
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 1_000 })
  cleanups.push(close)
  const many = Array.from({ length: 30 }, (_, index) => `/part${index}`)
  const pages = flaw === 'read, on a page apart' ? [...many, '/team'].map((path) => `http://shop.test${path}`) : []
  const known = { crawl: crawl(pages), waf: { blockPage: null } }
  const { findings } = judgeModule(sqli as never, await collect(ctx, known), known, caseContext())
  return findings.map(({ check_id, confidence, location }) => `${check_id} ${confidence} ${location.parameter}`)
}

describe('stored here, used there', () => {
  it('is found at the place that stores, and at no other', async () =>
    expect(await found(false)).toEqual(['sqli/second-order confirmed city']))

  it.each(['read, without', 'read, and found nowhere', 'written', 'read, on a page apart'] as const)(
    'is found where no error shows: %s',
    async (flaw) => expect(await found(false, flaw)).toEqual(['sqli/second-order confirmed city']),
  )

  it('no sums and conditions are stored where no page says anything else for quotes', async () => {
    const posted: string[] = []
    expect(await found(false, 'nowhere', posted)).toEqual([])
    expect(posted.filter((body) => body.includes('\'"\\)')).length).toBeGreaterThan(1)
    expect(posted.filter((body) => /\(Select\(\d+\*\d+\)\)/.test(body))).toEqual([])
  })

  it.each([
    'read, with errors',
    'read, without',
    'read, and found nowhere',
    'written',
    'read, on a page apart',
  ] as const)('the careful twin is silent: %s', async (flaw) => expect(await found(true, flaw)).toEqual([]))
})

const known = CASE_CRAWL
const computed = (a: number, seen = true) => ({
  payload: `x'||(json_extract(json_array(),Char(126)||(${a}*3000)))||'`,
  expected: String(a * 3_000),
  seen,
  excerpt: `~${a * 3_000}`,
  replay: 'curl',
})
const later = (...list: LaterHit['computed']): LaterHit => ({
  ...{ technique: 'later', dbms: 'SQLite', page: 'https://shop.test/account', computed: list },
})
judgeCases(secondOrder, [
  {
    name: 'two products',
    known,
    facts: caseProbed<SqliHit>([later(computed(2_000), computed(2_001))]),
    expect: ['sqli/second-order'],
  },
  {
    name: 'worked out by the statement of the place, which waits, too',
    known,
    facts: caseProbed<SqliHit>([
      { ...later(computed(2_000), computed(2_001)), written: true },
      { technique: 'time', dbms: 'SQLite', payload: 'x', baseline: [1], trials: [], replay: 'curl' },
    ]),
    expect: [],
  },
  {
    name: 'a place whose values were not looked for elsewhere',
    known,
    facts: caseProbed<SqliHit>([], { leftWays: [{ way: 'later', reason: 'beyond the first' }] }),
    expect: [],
    unjudged: 'inconclusive',
  },
  { name: 'one product', known, facts: caseProbed<SqliHit>([later(computed(2_000))]), expect: [] },
  {
    name: 'the same product twice: it was stored as text',
    known,
    facts: caseProbed<SqliHit>([later(computed(2_000), computed(2_000))]),
    expect: [],
  },
])
