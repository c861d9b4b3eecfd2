/** What was stored is looked for until a time, and says where that was over. */
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../../crawl/testing/crawl-facts.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { askStoredForOthers } from './for-others.ts'
import { askStored } from './storage.ts'
import type { Planted } from './stored-pages.ts'
import { createVisits } from './visits.ts'

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

const WORDS = ['qx0123456789', 'qx9876543210'] as const

/** In a time that ends so many seconds from now; where one of two forms is `shown` the first page shows what it keeps. `sent`: by form, in turn. */
const looked = async (last: number, seconds: number, shown = false) => {
  let asked = 0
  let kept: string = WORDS[0]
  const sent: string[] = []
  const site = await serveCase(last, {
    http: ({ url }, response) => {
      asked += 1
      const text = shown && url === '/page0' ? kept : 'Nothing here'
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<p>${text}</p>`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'xss' })
  cleanups.push(close)
  const planted = WORDS.slice(0, shown ? 2 : 1).map((word, at): Planted => {
    const request = { ...FORM, id: `form${at}`, url: `http://shop.test/notes${at}` }
    const probe = {
      ...{
        request,
        point: { request, place: 'form', name: 'note', value: 'ok' },
        pursue: () => undefined,
        end: () => undefined,
      },
      send: async (value: string) => {
        if (at === 0) kept = value
        sent.push(`${at} ${value.startsWith('qx') ? 'word' : 'payload'}`)
        return { status: 200, text: '', replay: 'curl' }
      },
    } as unknown as Probe
    return { word, probe, location: '' }
  })
  const at: () => Probe = () => {
    throw new Error('no word is of several places')
  }
  const facts = await askStored(
    ctx,
    caseCrawl({ urls: PAGES, requests: [FORM] }),
    planted,
    'none',
    { at, visits: createVisits([], at) },
    { isShort: true, until: performance.now() + seconds * 1_000 },
  )
  return { facts, asked, sent }
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

it('tries what shows before it sends anew what may', async () => {
  const { facts, sent } = await looked(183, 600, true)
  expect(sent.slice(0, 2)).toEqual(['0 payload', '1 word'])
  expect(facts.hits).toHaveLength(1)
})

it('looks as nobody else any more once its time is over, and says so', async () => {
  let asked = 0
  const site = await serveCase(184, {
    http: (_request, response) => {
      asked += 1
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Nothing here')
    },
  })
  const { ctx, close } = collectContext(site.address, { module: 'xss' })
  cleanups.push(site.close, close)
  const mara = { name: 'mara', role: 'member', as: 'mara', begin: async () => ({ session: null, failed: null }) }
  const run = { ...ctx, identities: [mara], target: { ...ctx.target, environment: 'test' as const } }
  const probe = {
    request: FORM,
    point: { request: FORM, place: 'form', name: 'note', value: 'ok' },
  } as unknown as Probe
  const parts = {
    ctx: run,
    crawl: caseCrawl({ urls: PAGES, requests: [FORM] }),
    prover: 'none',
    at: () => probe,
    probes: [],
  }
  const found = await askStoredForOthers(parts, [{ word: WORDS[0], probe, location: '' }], [], () => true)
  expect([asked, found]).toEqual([0, { hits: [], isCut: true }])
})
