/** A run as two people: what the second alone is led to is crawled and asked as that one. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import type { CrawlFacts } from '../src/modules/attack/crawl/facts.ts'
import { type ScannedAs, scanAs } from './support/scan-as.ts'

const person = (name: string, role: string) => ({
  ...{ name, role },
  credentials: { cookie: `who=${name}`, header: null },
})

/** A tea shop: customers have a list of goods, the office has orders, and notes with a token of each session. */
const teaShop = () => {
  const db = new DatabaseSync(':memory:')
  db.exec('create table orders (id integer, tea text, buyer text); create table notes (about text, said text)')
  for (let id = 1; id <= 12; id += 1)
    db.prepare('insert into orders values (?, ?, ?)').run(id, id % 2 ? 'Assam' : 'Sencha', `buyer ${id}`)
  let label = 'Fresh tea'
  const asked: {
    readonly who: string
    readonly path: string
    readonly token: string | null
    readonly label: string | null
  }[] = []
  const officeOf: Readonly<Record<string, (query: URLSearchParams) => string>> = {
    '/office': () =>
      '<h1>Office</h1><a href="/office/orders?tea=Assam">Orders</a> <a href="/office/buyers?tea=Assam">Buyers</a> <a href="/office/notes">Notes</a> <a href="/office/label">Label</a>',
    '/office/orders': (query) => {
      const rows = db.prepare(`select * from orders where tea = '${query.get('tea') ?? ''}'`).all()
      return `<h1>Orders</h1><table>${rows.map((row) => `<tr><td>${Object.values(row).join('<td>')}`).join('')}</table>`
    },
    '/office/buyers': (query) => {
      const rows = db.prepare('select buyer from orders where tea = ?').all(query.get('tea') ?? '')
      return `<h1>Buyers</h1><ul>${rows.map(({ buyer }) => `<li>${String(buyer)}`).join('')}</ul>`
    },
    '/office/label': () =>
      `<h1>Label</h1><form method="post"><input name="label" value="${label}"><button>Keep</button></form>`,
    '/office/notes': () =>
      `<h1>Notes</h1><form method="post" action="/office/notes"><input type="hidden" name="csrf_token" value="7f0c2b9d41ae86f35d">
       <input name="about" value="tea"><button>Find</button></form>`,
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test')
    const who = /who=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    // What another site sends has no token by intention.
    if (request.headers['sec-fetch-site'] !== 'cross-site')
      asked.push({
        who,
        path: `${request.method} ${pathname}`,
        token: form.get('csrf_token'),
        label: form.get('label'),
      })
    const page = (html: string, status = 200): void => {
      const menu = who === '' ? '' : `<nav>Hello ${who} <a href="/goods?kind=green">Goods</a></nav>`
      const office = who === 'mara' ? '<a href="/office">Office</a>' : ''
      response.writeHead(status, { 'Content-Type': 'text/html' }).end(`<!doctype html>${menu}${office}${html}`)
    }
    try {
      if (pathname === '/') return page('<h1>Teas</h1>')
      if (pathname === '/goods') return page(`<h1>Goods</h1><p>${encodeURIComponent(searchParams.get('kind') ?? '')}`)
      const office = officeOf[pathname]
      if (office === undefined) return page('<h1>Not found</h1>', 404)
      if (who !== 'mara') return page('<h1>Not for you</h1>', 403)
      if (request.method === 'GET') return page(office(searchParams))
      if (pathname === '/office/label') {
        label = (form.get('label') ?? '').replace(/[^\w @.-]/g, '')
        return page('<h1>Kept</h1>')
      }
      if (form.get('csrf_token') !== '7f0c2b9d41ae86f35d') return page('<h1>Expired</h1>', 403)
      const found = db.prepare(`select said from notes where about = '${form.get('about') ?? ''}'`).all()
      page(`<h1>Notes</h1><p>${found.length} found`)
    } catch (error) {
      page(`<h1>Error</h1><pre>${(error as Error).message.replaceAll('<', '&lt;')}</pre>`, 500)
    }
  }
  return { asked, answer: (request: IncomingMessage, response: ServerResponse) => void answer(request, response) }
}

let scanned: ScannedAs
let shop: ReturnType<typeof teaShop>
beforeAll(async () => {
  shop = teaShop()
  const people = [person('tom', 'customer'), person('mara', 'staff')]
  scanned = await scanAs({ answer: shop.answer, people, environment: 'test', besides: ['waf', 'sqli', 'sessions'] })
}, 300_000)

test('the crawl lists what the second alone is led to apart, and nothing that both are', () => {
  const crawl = scanned.ends.get('crawl')?.facts as CrawlFacts
  const others = crawl.others ?? []
  expect(others.map(({ as }) => as)).toEqual(['mara'])
  const listed = others.flatMap(({ requests }) =>
    requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`),
  )
  expect(listed.toSorted()).toEqual(
    expect.arrayContaining(['GET /office/buyers', 'GET /office/orders', 'POST /office/notes']),
  )
  expect(listed).not.toContain('GET /goods')
  expect(crawl.requests.map(({ url }) => url).filter((url) => url.includes('/office/orders'))).toEqual([])
})

test('flaws of its pages and forms are found, and its safe page passes as asked', () => {
  const places = (scanned.ends.get('sqli')?.findings ?? []).flatMap(({ places }) => places)
  const at = new Set(
    places.map(({ method, url, parameter }) => `${method} ${new URL(url ?? '').pathname} ${parameter}`),
  )
  expect([...at].toSorted()).toEqual(['GET /office/orders tea', 'POST /office/notes about'])
})

test('the proof says as whom it is asked', () => {
  const proofs = (scanned.ends.get('sqli')?.findings ?? []).map(({ proof }) => proof?.replay ?? '')
  expect(proofs.length).toBeGreaterThan(0)
  expect(proofs.filter((replay) => !replay.endsWith(' # signed in as mara'))).toEqual([])
})

test('nothing of the office is asked as the first by who probes it, and every form has its token', () => {
  const probes = shop.asked.filter(({ path }) => path === 'POST /office/notes')
  expect(probes.filter(({ who }) => who === 'mara').length).toBeGreaterThan(3)
  expect(probes.filter(({ who, token }) => who === 'mara' && token === null)).toEqual([])
})

test('a form of the office that other sites can send is told, and who has to be signed in for it', () => {
  const findings = (scanned.ends.get('sessions')?.findings ?? []).filter(
    ({ check_id }) => check_id === 'sessions/forged-request',
  )
  expect(findings.flatMap(({ places }) => places.map(({ url }) => new URL(url ?? '').pathname))).toEqual([
    '/office/label',
  ])
  expect(findings[0]?.proof?.replay).toContain('<the cookies of mara>')
})

test('on a production system what it does not know the effect of is sent once, as it stands', async () => {
  const own = teaShop()
  const people = [person('tom', 'customer'), person('mara', 'staff')]
  const { ends } = await scanAs({ answer: own.answer, people, environment: 'production', besides: ['waf', 'sqli'] })
  const sent = own.asked.filter(({ path }) => path === 'POST /office/label')
  expect(sent.length).toBeLessThanOrEqual(1)
  expect(sent.filter(({ label }) => label !== 'Fresh tea')).toEqual([])
  const places = (ends.get('sqli')?.findings ?? []).flatMap((one) =>
    one.places.map(({ url }) => new URL(url ?? '').pathname),
  )
  expect(places).toContain('/office/orders')
}, 120_000)
