/** Forms that keep what they are sent, and pages that work with what was kept; the form itself says thank you. */
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'
import { isProven } from './proven.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const FORM = caseRequest({
  ...{ id: 'add', method: 'POST', url: 'http://shop.test/hosts', encoding: 'urlencoded', bound: 40 },
  fields: [{ name: 'host', value: 'tent', type: 'text' }],
  seenOn: ['http://shop.test/hosts'],
})
const page = (path: string) => ({
  ...{
    url: `http://shop.test${path}`,
    status: 200,
    contentType: 'text/html',
    title: '',
    depth: 1,
    source: 'link' as const,
  },
})

/** Hits of a form whose values the list draws as `drawn` does, the last of them; and how often it was sent. */
const asked = async (drawn: (value: string) => string) => {
  const kept: string[] = []
  const site = await serveCase(183, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.setHeader('Content-Type', 'text/html')
      if (request.method === 'POST') kept.push(new URLSearchParams(body).get('host') ?? '')
      const list = `<p>${drawn(kept.at(-1) ?? '').replace(/[<>]/g, '')}</p>`
      response.end(`<!doctype html><title>Hosts</title>${request.url === '/hosts/list' ? list : '<p>Thank you.</p>'}`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 1_000 })
  cleanups.push(close)
  const crawl = caseCrawl({
    urls: ['/hosts', '/hosts/list'].map(page),
    requests: [FORM],
    points: [{ id: 'add:form:host', request: 'add', place: 'form', name: 'host', example: 'tent' }],
  })
  const { points } = await collect(ctx, { crawl }, 50)
  return { hits: points.flatMap(({ hits }) => hits), posts: kept.length }
}

const numbers = (pattern: RegExp) => (value: string) =>
  value.replace(pattern, (_, a, b) => String(Number(a) * Number(b)))

it.each([
  ['command', 'a shell', (value: string) => `Looking up ${numbers(/\$\(\((\d+)\*(\d+)\)\)/g)(value)}`],
  ['code', 'code', numbers(/^\[(\d+)\*(\d+)\]\[0\]$/)],
  ['template', 'a template', (value: string) => `Dear ${numbers(/\{\{(\d+)\*(\d+)\}\}/g)(value)}`],
])('%s: what is kept is worked out by %s where another page shows it', async (kind, _by, drawn) => {
  const { hits, posts } = await asked(drawn)
  expect(hits.map((hit) => [hit.kind, hit.proof, isProven(hit)])).toEqual([[kind, 'computed', true]])
  const [hit] = hits
  if (hit?.proof !== 'computed') throw new Error('nothing was computed')
  expect(hit.flavour).toContain('shown by /hosts/list')
  expect(hit.computed[0]?.replay).toMatch(/^curl .*\/hosts'?[\s\S]*\ncurl -isk 'http:\/\/shop\.test\/hosts\/list'$/)
  expect(posts).toBeLessThanOrEqual(40)
})

it('what another page shows as it was kept is none', async () => {
  expect((await asked((value) => `Looking up ${value}`)).hits).toEqual([])
})
