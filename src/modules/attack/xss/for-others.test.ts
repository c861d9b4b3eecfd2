/** Messages that only whoever gets them is shown: a real browser in the place of a second identity of the run. */
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { escapeHtml, type WebCase } from '../../../../testbed/web/case.ts'
import { inventoryOf } from '../../../../testbed/web/inventory.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { sharedBrowser } from '../../../engine/testing/shared-browser.ts'
import type { RunSession } from '../../module.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import type { CrawlFacts } from '../crawl/facts.ts'
import { collect } from './collect.ts'
import { xss } from './module.ts'

const CASE: WebCase = {
  ...{ id: 'message', module: 'xss', finds: [], place: 'form', effect: 'writes', value: 'Hello' },
  answer: () => ({ body: '' }),
}
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Keeps = (request: IncomingMessage, body: string) => string | null

/** `shown` is how the inbox of the other writes a message; whoever sends it sees it nowhere. */
const scannedAs = async (
  failed: string | null,
  shown: (message: string) => string,
  headers: Readonly<Record<string, string>> = {},
  /** Where her sign-in ends, and the one page that leads to her inbox. */
  desk: string | null = null,
  {
    crawl = inventoryOf([CASE], 'http://shop.test', 'careless'),
    keeps = (_request, body) => new URLSearchParams(body).get('q'),
  }: { readonly crawl?: CrawlFacts; readonly keeps?: Keeps } = {},
) => {
  const messages: string[] = []
  const server = await serveCase(182, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const message = keeps(request, body)
      if (message !== null) messages.push(message)
      const isOther = request.headers.cookie === 'who=mara'
      const list = isOther && (desk === null || request.url === desk) ? `<a href="/inbox">Inbox</a>` : ''
      const inbox = request.url === '/inbox' && isOther ? messages.slice(-5).map(shown).join('<hr>') : ''
      response
        .writeHead(200, { 'Content-Type': 'text/html', ...headers })
        .end(`<!doctype html><p>Thank you</p>${list}${inbox}`)
    },
  })
  const about = { module: 'xss' as const, requests: 1_000 }
  const scan = collectContext(server.address, { ...about, launchBrowser: sharedBrowser })
  const mara = collectContext(server.address, { ...about, cookie: 'who=mara' })
  cleanups.push(server.close, scan.close, mara.close)
  const { egress, target } = scan.ctx
  const identity = (name: string, as: string | null) => ({
    ...{ name, role: 'member', as },
    begin: async () => ({
      session: desk === null ? null : ({ landed: [`http://shop.test${desk}`] } as unknown as RunSession),
      failed,
    }),
  })
  const ctx = {
    ...scan.ctx,
    target: { ...target, environment: 'test' as const },
    egress: {
      ...egress,
      http: ({ as, ...request }: Parameters<typeof egress.http>[0]) =>
        (as === 'mara' ? mara.ctx.egress : egress).http(request),
    },
    identities: [identity('tom', null), identity('mara', 'mara')],
  }
  const known = { crawl, waf: { blockPage: null } }
  const facts = await collect(ctx, known)
  return judgeModule(xss as never, facts, known, caseContext())
}
const scanned = async (...how: [(message: string) => string, Readonly<Record<string, string>>?]) => {
  const { findings } = await scannedAs(null, ...how)
  return findings.map(({ check_id, confidence, detail }) => `${check_id} ${confidence}: ${detail}`)
}

it('a script that runs in a page of another identity alone is found there', async () => {
  const found = await scanned((message) => message)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(
    /^xss\/stored confirmed: .* at http:\/\/shop\.test\/inbox, asked for by mara, another identity of the run\.$/,
  )
}, 60_000)

it('pages that begin where the other’s sign-in ends are looked at as well', async () => {
  const { findings } = await scannedAs(null, (message) => message, {}, '/desk')
  expect(findings.map(({ check_id, detail }) => [check_id, detail.includes('/inbox, asked for by mara')])).toEqual([
    ['xss/stored', true],
  ])
}, 60_000)

it.each([
  [
    'is shown as it is',
    (agent: string) => `<li>${agent}`,
    ['xss/stored confirmed User-Agent http://shop.test/inbox mara'],
  ],
  ['is encoded', (agent: string) => `<li>${escapeHtml(agent)}`, []],
] as const)(
  'who asked for a page, of which the other is shown the last alone, %s',
  { timeout: 60_000 },
  async (_what, shown, expected) => {
    const start = 'http://shop.test/'
    const asked = { method: 'GET', encoding: 'none', url: start, shape: start, sent: true, source: 'link' } as const
    const inventory = inventoryOf([{ ...CASE, listed: true }], 'http://shop.test', 'careless')
    const crawl: CrawlFacts = {
      ...inventory,
      urls: inventory.urls.map((one) => ({ ...one, url: start })),
      requests: inventory.requests.map((one) => ({ ...one, ...asked, effect: 'reads' as const })),
      points: inventory.points.map((one) => ({ ...one, place: 'header' as const, name: 'User-Agent' })),
    }
    const keeps: Keeps = ({ url, headers }) => (url === '/' ? (headers['user-agent'] ?? '') : null)
    const { findings } = await scannedAs(null, shown, {}, null, { crawl, keeps })
    const told = findings.map(({ check_id, confidence, detail }) =>
      [
        check_id,
        confidence,
        ...(/header (\S+) ran .* at (\S+), asked for by (\w+)/.exec(detail)?.slice(1) ?? [detail]),
      ].join(' '),
    )
    expect(told).toEqual(expected)
  },
)

it.each([
  ['where it is encoded', escapeHtml, {}],
  [
    'where the policy of the page forbids it',
    (message: string) => message,
    { 'Content-Security-Policy': "default-src 'self'" },
  ],
] as const)('and none is told %s', { timeout: 60_000 }, async (_where, shown, headers) => {
  expect(await scanned(shown, headers)).toEqual([])
})

it('as whom nobody looked is said, and passes nothing', async () => {
  const { findings, coverage } = await scannedAs('its password is refused', (message) => message)
  expect(findings).toEqual([])
  expect(coverage.find(({ check_id }) => check_id === 'xss/stored')).toMatchObject({
    state: 'inconclusive',
    reason: expect.stringContaining('nobody looked as mara, who could not be signed in'),
  })
}, 60_000)

it('a script in what keeps one value is sent anew for the other, who is shown it as well', async () => {
  let kept = ''
  const site = await serveCase(183, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      kept = new URLSearchParams(body).get('q') ?? kept
      const shown = request.method === 'GET' && request.headers.cookie !== undefined ? `<p>${kept}</p>` : ''
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><h1>Board</h1>${shown}`)
    },
  })
  const about = { module: 'xss' as const, requests: 1_000 }
  const scan = collectContext(site.address, { ...about, launchBrowser: sharedBrowser, cookie: 'who=tom' })
  const mara = collectContext(site.address, { ...about, cookie: 'who=mara' })
  cleanups.push(site.close, scan.close, mara.close)
  const { egress, target } = scan.ctx
  const begin = async () => {
    // Somebody else has written meanwhile.
    kept = 'Hello again'
    return { session: null, failed: null }
  }
  const ctx = {
    ...scan.ctx,
    target: { ...target, environment: 'test' as const },
    egress: {
      ...egress,
      http: ({ as, ...request }: Parameters<typeof egress.http>[0]) =>
        (as === 'mara' ? mara.ctx.egress : egress).http(request),
    },
    identities: [{ name: 'mara', role: 'member', as: 'mara', begin }],
  }
  const facts = await collect(ctx, {
    crawl: inventoryOf([CASE], 'http://shop.test', 'careless'),
    waf: { blockPage: null },
  })
  expect(facts.stored.hits.map(({ seenBy, viewer }) => [seenBy, viewer])).toEqual([['other', 'mara']])
}, 60_000)
