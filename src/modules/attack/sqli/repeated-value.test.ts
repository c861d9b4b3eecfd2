/** A name that is kept, shown wherever its owner is named, and put into the statement of a page that hides its errors. */
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { fillShop, startSqlite } from '../../../../testbed/web/sql.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import type { CrawledUrl } from '../crawl/facts.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'
import { sqli } from './module.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const FIELDS = [
  { name: 'name', value: 'Mira Lund', type: 'text' },
  { name: 'city', value: 'Kiel', type: 'text' },
]
const ACCOUNT = 'http://shop.test/account'
const PAGE: Omit<CrawledUrl, 'url'> = { status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' }

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#039;')

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** `leadsTo`: the page that the form leads to; the other says of a name how long it is. */
const found = async (careful: boolean, leadsTo: '/account' | '/kept'): Promise<readonly string[]> => {
  const sqlite = await fillShop(await startSqlite())
  cleanups.push(sqlite.close)
  const kept = new Map(FIELDS.map(({ name, value }) => [name, value]))
  const own = (name: string): string => kept.get(name) ?? ''
  const comments = async (): Promise<number> => {
    try {
      const text = "select 'Lovely boat.' as text where 'Mira Lund'"
      const rows = careful
        ? await sqlite.bind(`${text}=?`, [own('name')])
        : await sqlite.run(`${text}='${own('name')}'`)
      return rows.length
    } catch {
      return 0 // As pages do that hide errors.
    }
  }
  const site = await serveCase(182, {
    http: async (request, response) => {
      response.setHeader('Content-Type', 'text/html')
      if (request.method === 'POST') {
        for (const [name, value] of new URLSearchParams(await bodyOf(request))) kept.set(name, value)
        return void response.writeHead(303, { Location: leadsTo }).end()
      }
      const fields = FIELDS.map(({ name }) => `<input name=${name} value="${escaped(own(name))}">`).join('')
      const body =
        request.url === '/kept'
          ? `<h1>Kept</h1><p>A name of ${own('name').length} letters.</p>`
          : `<h1>Account</h1><form method=post>${fields}</form><h2>Comments</h2>${'<p>Lovely boat.</p>'.repeat(await comments())}`
      response.end(`<!doctype html><title>Club</title><nav>Account of ${escaped(own('name'))}</nav>${body}`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 1_000 })
  cleanups.push(close)
  const request = caseRequest({
    ...{ id: 'profile', method: 'POST', url: 'http://shop.test/profile', shape: 'http://shop.test/profile' },
    ...{ encoding: 'urlencoded', source: 'form', bound: 40, fields: FIELDS, seenOn: [ACCOUNT] },
  })
  const points = FIELDS.map(({ name, value }) => ({
    ...{ id: `profile:form:${name}`, request: 'profile', place: 'form' as const, name, example: value },
  }))
  const crawl = caseCrawl({ urls: [{ ...PAGE, url: ACCOUNT }], requests: [request], points })
  const known = { crawl, waf: { blockPage: null } }
  const { findings } = judgeModule(sqli as never, await collect(ctx, known), known, caseContext())
  return findings.map(({ check_id, confidence, location }) => `${check_id} ${confidence} ${location.parameter}`)
}

it('is found by the page that the form leads to', async () =>
  expect(await found(false, '/account')).toEqual(['sqli/boolean confirmed name']))

it('is found by another page, though what the form leads to is another for each name', async () =>
  expect(await found(false, '/kept')).toEqual(['sqli/second-order confirmed name']))

it.each(['/account', '/kept'] as const)('the careful twin is silent: %s', async (leadsTo) =>
  expect(await found(true, leadsTo)).toEqual([]),
)
