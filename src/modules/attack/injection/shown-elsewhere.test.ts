/** Forms that keep what they are sent, and pages that work with what was kept; the form itself says thank you. */
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'
import { isProven } from './proven.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const formOf = (name: string, value: string) =>
  caseRequest({
    ...{ id: 'add', method: 'POST', url: 'http://shop.test/hosts', encoding: 'urlencoded', bound: 40 },
    fields: [{ name, value, type: 'text' }],
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
const asked = async (drawn: (value: string) => string, { name = 'host', value = 'tent', shown = 1 } = {}) => {
  const kept: string[] = []
  const site = await serveCase(183, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.setHeader('Content-Type', 'text/html')
      if (request.method === 'POST') kept.push(new URLSearchParams(body).get(name) ?? '')
      const drawnLast = kept.slice(-shown).map((one) => drawn(one).replace(/[<>]/g, ''))
      const list = drawnLast.map((one) => `<p>${one}</p>`).join('')
      response.end(`<!doctype html><title>Hosts</title>${request.url === '/hosts/list' ? list : '<p>Thank you.</p>'}`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection', requests: 1_000 })
  cleanups.push(close)
  const crawl = caseCrawl({
    urls: ['/hosts', '/hosts/list'].map(page),
    requests: [formOf(name, value)],
    points: [{ id: `add:form:${name}`, request: 'add', place: 'form', name, example: value }],
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

const FILES: Readonly<Record<string, string>> = {
  '/srv/texts/terms.txt': 'Our terms',
  '/proc/version': 'Linux version 6.1.0',
  '/proc/filesystems': 'nodev\tsysfs\nnodev\ttmpfs',
}
const opened = (name: string): string => FILES[join('/srv/texts', name)] ?? `No file ${name}`

it.each([
  ['the last', 1],
  ['the last three, older ones among them', 3],
])('a file whose name is kept is shown by another page, which has %s', async (_which, shown) => {
  const { hits, posts } = await asked(opened, { name: 'doc', value: 'terms.txt', shown })
  expect(hits.map((hit) => [hit.kind, hit.proof, isProven(hit)])).toEqual([['traversal', 'file', true]])
  const [hit] = hits
  if (hit?.proof !== 'file') throw new Error('no file was shown')
  expect(hit.flavour).toContain('shown by /hosts/list')
  expect(hit.files[0]?.replay).toMatch(/\ncurl -isk 'http:\/\/shop\.test\/hosts\/list'$/)
  expect(posts).toBeLessThanOrEqual(40)
})

it.each([
  ['says by itself what a file does', (name: string) => `Linux version 6.1.0, nodev\tsysfs ${name}`],
  ['opens the last part of the name alone', (name: string) => opened(name.split('/').at(-1) ?? '')],
])('a page that %s is none', async (_which, drawn) => {
  expect((await asked(drawn, { name: 'doc', value: 'terms.txt' })).hits).toEqual([])
})
