/** A server that serves one request at a time: a page that is held up by another's wait is not one that waits. */
import type { RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Milliseconds that a page takes by itself; those named `update…` keep what a value makes the database wait. */
const PAGES = { 'update-stock': 5, 'update-price': 5, report: 350, offers: 5, journal: 5 } as const

const waitOf = (url: URL): number => {
  if (!url.pathname.startsWith('/update')) return 0
  return Number(/^7-\(Select\(0\)From\(Select\(Sleep\(([\d.]+)\)/.exec(url.searchParams.get('id') ?? '')?.[1] ?? 0)
}

/** One after the other, in the order in which they came. */
const oneWorker = (): RequestListener => {
  let before: Promise<void> = Promise.resolve()
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop.test')
    const own = Object.entries(PAGES).find(([name]) => url.pathname === `/${name}`)?.[1] ?? 0
    before = before.then(
      () =>
        new Promise((resolve) => {
          setTimeout(
            () => {
              response
                .writeHead(200, { 'Content-Type': 'text/html' })
                .end(`<!doctype html><title>Shop</title><p>${url.pathname} is up to date.</p>`)
              resolve()
            },
            own + waitOf(url) * 1_000,
          )
        }),
    )
  }
}

it('those that wait are told from those that wait behind them', { timeout: 120_000 }, async () => {
  const site = await serveCase(179, { http: oneWorker() })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'sqli', requests: 5_000 })
  cleanups.push(close)
  const requests = Object.keys(PAGES).map((name) =>
    caseRequest({ id: name, url: `http://shop.test/${name}?id=7`, shape: `http://shop.test/${name}?id` }),
  )
  const points = requests.map(({ id }) => ({
    ...{ id: `${id}:query:id`, request: id, place: 'query' as const, name: 'id', example: '7' },
  }))
  const facts = await collect(ctx, { crawl: caseCrawl({ requests, points }), waf: { blockPage: null } })
  const waiting = facts.points.filter(({ hits }) => hits.some(({ technique }) => technique === 'time'))
  expect(waiting.map(({ at }) => new URL(at.url).pathname).toSorted()).toEqual(['/update-price', '/update-stock'])
  expect(facts.points.filter(({ hits }) => hits.length > 0)).toHaveLength(2)
  expect(facts.points.every(({ end }) => end === 'tested')).toBe(true)
})
