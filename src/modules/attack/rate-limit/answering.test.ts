/** Of an interface that is for who is signed in, what answers a stranger is asked for a limit. */
import type { RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collectRateLimit } from './collect.ts'

let close: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const one of close.reverse()) await one()
  close = []
})

const PATHS = ['/api/activity', '/api/orders', '/api/search']

const measured = async (place: number, answer: RequestListener) => {
  const servers = await serveCase(place, { http: answer })
  const made = collectContext(servers.address, { requests: 200 })
  close = [servers.close, made.close]
  const requests = PATHS.map((path) => caseRequest({ id: path, url: `http://shop.test${path}`, sent: true }))
  const urls = requests.map(({ url }) => ({ url, status: 200, contentType: 'application/json' }))
  const crawl = caseCrawl({ requests, urls: urls as unknown as ReturnType<typeof caseCrawl>['urls'] })
  return (await collectRateLimit(made.ctx, crawl, { timeout: 2_000, quiet: [] })).endpoints
}

const site =
  (open: readonly string[]): RequestListener =>
  ({ url = '/' }, response) => {
    const isOpen = open.some((path) => url.startsWith(path))
    response.writeHead(isOpen ? 200 : 401, { 'Content-Type': 'application/json' }).end(isOpen ? '{"a":1}' : '{}')
  }

it('the first that answers nobody', async () => {
  const [endpoint] = await measured(138, site(['/api/search']))
  expect(endpoint).toMatchObject({ kind: 'interface', url: 'http://shop.test/api/search' })
  expect(new Set(endpoint?.answers.map(({ status }) => status))).toEqual(new Set([200]))
})

it('the first, where none of them does', async () => {
  const [endpoint] = await measured(139, site([]))
  expect(endpoint).toMatchObject({ url: 'http://shop.test/api/activity' })
  expect(endpoint?.answers[0]?.status).toBe(401)
})
