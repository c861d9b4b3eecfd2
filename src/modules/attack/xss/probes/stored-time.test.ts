/** What was stored is looked for until a time, and says where that was over. */
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../../crawl/testing/crawl-facts.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { askStored } from './storage.ts'
import type { Planted } from './stored-pages.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const FORM = { ...caseRequest({ id: 'a', method: 'POST', url: 'http://shop.test/notes' }), effect: 'writes' as const }
const PAGES = Array.from({ length: 40 }, (_, at) => ({
  ...{
    url: `http://shop.test/page${at}`,
    status: 200,
    contentType: 'text/html',
    title: '',
    depth: 1,
    source: 'link' as const,
  },
}))

/** In a time that ends so many seconds from now. */
const looked = async (last: number, seconds: number) => {
  let asked = 0
  const site = await serveCase(last, {
    http: (_request, response) => {
      asked += 1
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Nothing here')
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'xss' })
  cleanups.push(close)
  const probe = {
    ...{ request: FORM, point: { request: FORM, place: 'form', name: 'note', value: 'ok' }, pursue: () => undefined },
    send: async () => ({ status: 200, text: '', replay: 'curl' }),
  } as unknown as Probe
  const planted: readonly Planted[] = [{ word: 'qx0123456789', probe, location: '' }]
  const facts = await askStored(ctx, caseCrawl({ urls: PAGES, requests: [FORM] }), planted, 'none', () => probe, {
    ...{ isShort: true, until: performance.now() + seconds * 1_000 },
  })
  return { facts, asked }
}

it('asks for nothing once its time is over, and says so', async () => {
  const { facts, asked } = await looked(181, -1)
  expect(asked).toBe(0)
  expect(facts).toMatchObject({ hits: [], isCut: true })
})

it('asks for every page where it has the time, and is whole', async () => {
  const { facts, asked } = await looked(182, 600)
  expect(asked).toBeGreaterThanOrEqual(PAGES.length)
  expect(facts).not.toHaveProperty('isCut')
})
