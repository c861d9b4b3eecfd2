/** A form that saves searches, each with a page of its own, to which the list links: what was saved goes into the statement of that page. */
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { fillShop, startSqlite } from '../../../../testbed/web/sql.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'
import { sqli } from './module.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const form = caseRequest({
  ...{ id: 'save', method: 'POST', url: 'http://shop.test/searches', shape: 'http://shop.test/searches' },
  encoding: 'urlencoded',
  fields: [
    { name: 'name', value: 'Mine', type: 'text' },
    { name: 'note', value: 'Bergen', type: 'text' },
  ],
  seenOn: ['http://shop.test/searches'],
})

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** `order`: of the list, the newest first or last. */
const found = async (careful: boolean, order: 'first' | 'last') => {
  const sqlite = await fillShop(await startSqlite())
  cleanups.push(sqlite.close)
  const saved = [{ name: 'All', note: '' }]
  const page = (title: string, text: string): string => `<!doctype html><title>${title}</title><h1>${title}</h1>${text}`
  const list = (): string => {
    const rows = saved.map(({ name }, at) => `<li><a href="/searches/${at + 1}/run">${escaped(name)}</a></li>`)
    return page('Searches', `<ul>${(order === 'first' ? rows.toReversed() : rows).join('')}</ul>`)
  }
  const run = async (note: string): Promise<string> => {
    try {
      const text = 'select id, name from products where note'
      const rows = await (careful ? sqlite.bind(`${text}=?`, [note]) : sqlite.run(`${text}='${note}'`))
      return `<p>${rows.length} found</p>`
    } catch {
      return '<p>This search is not possible.</p>'
    }
  }
  const site = await serveCase(181, {
    http: async (request, response) => {
      response.setHeader('Content-Type', 'text/html')
      if (request.method === 'POST') {
        const sent = new URLSearchParams(await bodyOf(request))
        saved.push({ name: sent.get('name') ?? '', note: sent.get('note') ?? '' })
        response.writeHead(303, { Location: '/searches' }).end()
        return
      }
      const one = saved[Number(/^\/searches\/(\d+)\/run$/.exec(request.url ?? '')?.[1] ?? 0) - 1]
      response.end(one ? page(escaped(one.name), await run(one.note)) : list())
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 1_000 })
  cleanups.push(close)
  const seen = { status: 200, contentType: 'text/html', title: '', depth: 1, source: 'link' } as const
  const crawl = caseCrawl({
    urls: [{ ...seen, url: 'http://shop.test/searches/1/run' }],
    requests: [form],
    points: form.fields.map(({ name, value }) => ({
      ...{ id: `save:form:${name}`, request: 'save', place: 'form', name, example: value },
    })),
  })
  const known = { crawl, waf: { blockPage: null } }
  const { findings } = judgeModule(sqli as never, await collect(ctx, known), known, caseContext())
  return findings.map(
    ({ check_id, location, detail }) => `${check_id} ${location.parameter} ${/\/\S+$/.exec(detail)?.[0]}`,
  )
}

it.each(['first', 'last'] as const)('is found by the page of each, the newest %s', async (order) =>
  expect(await found(false, order)).toEqual(['sqli/second-order note /searches/{n}/run.']),
)

it('the careful twin is silent', async () => expect(await found(true, 'first')).toEqual([]))
