/** A form that takes a file of XML, reads what it knows of it, and may write: few requests, and a real listener. */
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { openOobListener } from '../../../egress/oob/listener.ts'
import { judgeModule } from '../../../engine/judge.ts'
import { createOobInbox, type OobInbox } from '../../../engine/out-of-band.ts'
import { collectContext, serveCase } from '../../testing/collecting.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { SHARED } from '../insertion-points/shared.ts'
import { crawlOf, pointOf } from '../insertion-points/testing/probing.ts'
import { collect } from './collect.ts'
import { injection } from './module.ts'

const LISTENER = '127.0.178.2'
const MOST = 40
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const imported = async (loads: boolean) => {
  const listener = await openOobListener({ address: LISTENER, bind: LISTENER, domain: null, httpPort: 0, dnsPort: 0 })
  cleanups.push(listener.close)
  let inbox: OobInbox | null = null
  const { run } = listener.watch((hit) => inbox?.arrived(hit))
  inbox = createOobInbox(run, () => undefined)
  let posts = 0
  const server = await serveCase(178, {
    http: async (request, response) => {
      const body = await text(request)
      posts += request.method === 'POST' ? 1 : 0
      for (const [, url = ''] of loads ? body.matchAll(/SYSTEM "(http:[^"]+)"/g) : [])
        get(url, (answer) => answer.resume()).on('error', () => undefined)
      const rows = [...body.matchAll(/<listing>([^<&]*)/g)].map(([, row]) => `<li>${row}</li>`)
      response
        .setHeader('Content-Type', 'text/html')
        .end(`<!doctype html><title>Import</title><ul>${rows.join('')}</ul>`)
    },
  })
  cleanups.push(server.close)
  const { ctx, close } = collectContext(server.address, { module: 'injection', requests: 1_000, outOfBand: inbox })
  cleanups.push(close)
  const points = [pointOf('import', 'file', 'listings', ''), pointOf('import', 'file-name', 'listings', 'test.txt')]
  const form = { method: 'POST', encoding: 'multipart', bound: MOST, source: 'form', effect: 'unknown' } as const
  const fields = [{ name: 'listings', value: '', type: 'file' }]
  const crawl = crawlOf(points)
  const known = {
    crawl: { ...crawl, requests: crawl.requests.map((one) => ({ ...one, ...form, fields })) },
    waf: { blockPage: null },
  }
  // Two other modules ask meanwhile, and have their parts of the form's requests.
  const { writes } = ctx.scope.of(SHARED)
  for (const leave of [writes.join(), writes.join()]) cleanups.push(async () => leave())
  const facts = await collect(ctx, known, 700)
  const { findings } = judgeModule(injection as never, facts, known, caseContext())
  return { posts, found: findings.map(({ check_id, confidence }) => `${check_id} ${confidence}`) }
}

it.each([
  ['loads document types is made to call', true, ['injection/xml-external-entity confirmed']],
  ['ignores them is not', false, []],
] as const)(
  'a parser that %s while few requests are left',
  async (_name, loads, expected) => {
    const { posts, found } = await imported(loads)
    expect(found).toEqual(expected)
    expect(posts).toBeLessThanOrEqual(MOST)
  },
  60_000,
)
