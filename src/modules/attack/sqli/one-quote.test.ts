/** A place that refuses one kind of quotes and hands on the other: what holds both tells nothing there. */
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

/** As MySQL would: the literal ends, and what follows is worked out before another begins. */
const waitOf = (value: string, quote: string): number => {
  const [, expression = '', ...more] = value.split(quote)
  return more.length === 1
    ? Number(/^Xor\(Select\(0\)From\(Select\(Sleep\(([\d.]+)\)\)\)x\)Xor$/.exec(expression)?.[1] ?? 0)
    : 0
}

/** `refuses`: that kind of quotes; `ends`: the kind that ends the literal, null where values are bound. */
const page =
  (refuses: string, ends: string | null): RequestListener =>
  (request, response) => {
    const value = new URL(request.url ?? '/', 'http://shop.test').searchParams.get('pattern') ?? ''
    const text = value.includes(refuses) ? 'That is no pattern.' : 'Nothing is listed here.'
    const wait = ends === null || value.includes(refuses) ? 0 : waitOf(value, ends)
    setTimeout(
      () => response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<title>Search</title><p>${text}</p>`),
      5 + wait * 1_000,
    )
  }

it.each([
  ['single quotes refused, double ones end the literal', "'", '"', ['time']],
  ['double quotes refused, single ones end the literal', '"', "'", ['time']],
  ['single quotes refused, values are bound', "'", null, []],
])('%s', { timeout: 120_000 }, async (_name, refuses, ends, expected) => {
  const site = await serveCase(178, { http: page(refuses, ends) })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 2_000 })
  cleanups.push(close)
  const url = 'http://shop.test/search?pattern=tent'
  const requests = [caseRequest({ id: 'search', url, shape: url })]
  const points = [
    { id: 'search:query:pattern', request: 'search', place: 'query' as const, name: 'pattern', example: 'tent' },
  ]
  const facts = await collect(ctx, { crawl: caseCrawl({ requests, points }), waf: { blockPage: null } })
  expect(facts.points.flatMap(({ hits }) => hits.map(({ technique }) => technique))).toEqual(expected)
  expect(facts.points.map(({ end }) => end)).toEqual(['tested'])
})

it.each([
  ['with a sign in front of each quote', false],
  ['that shows what was found before, too', true],
])('a value that finds something, %s', { timeout: 120_000 }, async (_name, keeps) => {
  let before: readonly unknown[] = []
  const database = new DatabaseSync(':memory:')
  cleanups.push(async () => database.close())
  database.exec("create table goods (name text); insert into goods values ('Tent for two'), ('Stove'), ('Lamp')")
  const site = await serveCase(177, {
    http: (request, response) => {
      const value = new URL(request.url ?? '/', 'http://shop.test').searchParams.get('pattern') ?? ''
      let found: readonly unknown[] = []
      try {
        found = database
          .prepare(`select name from goods where name like '%${value.replaceAll("'", "\\\\'")}%' order by name`)
          .all()
      } catch {
        // As the application does: what cannot be read has found nothing.
      }
      const shown = keeps && found.length > 0 ? [...before, ...found] : found
      before = shown
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(shown))
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 2_000 })
  cleanups.push(close)
  const url = 'http://shop.test/search?pattern=Tent'
  const requests = [caseRequest({ id: 'search', url, shape: url })]
  const points = [
    { id: 'search:query:pattern', request: 'search', place: 'query' as const, name: 'pattern', example: 'Tent' },
  ]
  const facts = await collect(ctx, { crawl: caseCrawl({ requests, points }), waf: { blockPage: null } })
  expect(facts.points.flatMap(({ hits }) => hits.map(({ technique }) => technique))).toEqual(['boolean'])
})
