/** A place that refuses what is no number, and looks at one line of what it is given. */
import type { RequestListener } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** `is`: what it takes for a number. */
const page = (is: RegExp): RequestListener => {
  const database = new DatabaseSync(':memory:')
  database.exec("create table goods (id int, name text); insert into goods values (7, 'Tent'), (8, 'Lamp')")
  cleanups.push(async () => database.close())
  return (request, response) => {
    const drawer = new URL(request.url ?? '/', 'http://shop.test').searchParams.get('drawer') ?? ''
    const send = (status: number, text: string) =>
      response
        .writeHead(status, { 'Content-Type': 'text/html' })
        .end(`<title>Drawers</title><h1>Drawer</h1><p>${text}</p>`)
    if (!is.test(drawer)) return void send(200, 'A number, please.')
    try {
      const rows = database.prepare(`select name from goods where id = ${drawer}`).all()
      send(200, rows.length === 0 ? 'There is nothing in it.' : rows.map(({ name }) => `It holds: ${name}.`).join(' '))
    } catch {
      send(500, 'That did not work.')
    }
  }
}

it.each([
  ['one line', /^\d+$/m, ['boolean']],
  ['the whole', /^\d+$/, []],
])('%s', { timeout: 120_000 }, async (_name, is, expected) => {
  const site = await serveCase(180, { http: page(is) })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 2_000 })
  cleanups.push(close)
  const url = 'http://shop.test/drawers?drawer=7'
  const requests = [caseRequest({ id: 'drawers', url, shape: url })]
  const points = [
    { id: 'drawers:query:drawer', request: 'drawers', place: 'query' as const, name: 'drawer', example: '7' },
  ]
  const facts = await collect(ctx, { crawl: caseCrawl({ requests, points }), waf: { blockPage: null } })
  expect(facts.points.flatMap(({ hits }) => hits.map(({ technique }) => technique))).toEqual(expected)
  expect(facts.points.map(({ end }) => end)).toEqual(['tested'])
})
