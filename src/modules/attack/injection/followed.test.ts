/** An interface that keeps addresses, and asks for one when it is told to try it out; a real listener, and nobody else on the network. */
import { get } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { openOobListener } from '../../../egress/oob/listener.ts'
import { createOobInbox, type OobInbox } from '../../../engine/out-of-band.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseCrawl, caseRequest } from '../crawl/testing/crawl-facts.ts'
import { collect } from './collect.ts'

const LISTENER = '127.0.176.2'
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const POSTED = { method: 'POST', encoding: 'json', source: 'script', effect: 'unknown' } as const
const store = caseRequest({
  ...{ ...POSTED, id: 'store', url: 'http://shop.test/api/hooks', shape: 'http://shop.test/api/hooks', bound: 40 },
  body: '{"url":"http://hooks.example/in"}',
})
const attempt = caseRequest({
  ...{ ...POSTED, id: 'try', url: 'http://shop.test/api/hooks/1/ping', shape: 'http://shop.test/api/hooks/{n}/ping' },
  ...{ bound: 40, body: '{}' },
})
const crawl = caseCrawl({
  urls: [{ url: 'http://shop.test/', status: 200, contentType: 'text/html', title: 'Shop', depth: 0, source: 'link' }],
  requests: [store, attempt],
  points: [
    { id: 's', request: 'store', place: 'json', name: '/url', example: 'http://hooks.example/in' },
    { id: 't', request: 'try', place: 'path', name: '2', example: '1' },
  ],
})

/** What is found where the trial of a kept address does `attempted` with it. */
const scanned = async (attempted: (url: string) => void) => {
  const listener = await openOobListener({ address: LISTENER, bind: LISTENER, domain: null, httpPort: 0, dnsPort: 0 })
  cleanups.push(listener.close)
  let inbox: OobInbox | null = null
  const { run } = listener.watch((hit) => inbox?.arrived(hit))
  inbox = createOobInbox(run, () => undefined)
  const kept = ['http://hooks.example/own']
  const server = await serveCase(176, {
    http: async (request, response) => {
      const [, id] = /^\/api\/hooks\/(\w+)\/ping/.exec(request.url ?? '') ?? []
      response.setHeader('Content-Type', 'application/json')
      if (request.method !== 'POST') return void response.end('{}')
      if (id === undefined) {
        const { url } = (await json(request).catch(() => ({}))) as { readonly url?: unknown }
        return void response.writeHead(201).end(JSON.stringify({ id: kept.push(String(url)) }))
      }
      const url = kept[Number(id) - 1]
      if (url === undefined) return void response.writeHead(404).end('{"error":"no such hook"}')
      attempted(url)
      response.end('{"tried":true}')
    },
  })
  cleanups.push(server.close)
  const { ctx, close } = collectContext(server.address, { module: 'injection', requests: 1_000, outOfBand: inbox })
  cleanups.push(close)
  const facts = await collect(ctx, { crawl, waf: { blockPage: null } }, 700)
  return facts.points.flatMap(({ hits }) => hits.flatMap((hit) => (hit.proof === 'called' ? [hit] : [])))
}

describe('an address that is kept', () => {
  it('is asked for by what is done with its record, and the proof names both', async () => {
    const [hit, ...more] = await scanned((url) => {
      if (URL.canParse(url) && url.startsWith(`http://${LISTENER}`))
        get(url, (response) => response.resume()).on('error', () => undefined)
    })
    expect([hit?.kind, hit?.calls.length, hit?.controlCalled, more.length]).toEqual(['ssrf', 2, false, 0])
    expect(hit?.calls[0]?.replay).toMatch(/\/api\/hooks'\n.*\/api\/hooks\/\d+\/ping'/s)
  }, 60_000)

  it('and where that asks nobody, nothing is', async () => {
    expect(await scanned(() => undefined)).toEqual([])
  }, 60_000)
})
