/** Pages behind a form, asked again for the script that ran there. */
import { afterEach, expect, test } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseRequest } from '../../crawl/testing/crawl-facts.ts'
import { requestOf } from '../../insertion-points/inventory.ts'
import type { ReflectedHit } from '../facts.ts'
import type { Prover } from '../proving.ts'
import { withKeeping } from './kept.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const MARK = '<svg onload=qxproof(1)>'
const HIT: ReflectedHit = {
  ...{
    kind: 'reflected',
    context: { kind: 'text', tag: 'p', attribute: null, quote: '' },
    payload: MARK,
    parsed: true,
  },
  ...{ ran: 'load', refused: false, unproven: null, behind: 'http://shop.test/photos', guarded: true },
  ...{ excerpt: MARK, mark: MARK, replay: 'curl', address: null, screenshot: null },
}

test.each<[string, (cookie: string) => boolean, Partial<ReflectedHit>, 'writes' | 'reads', ReflectedHit['kept']]>([
  ['a list for everybody', () => true, {}, 'writes', 'anyone'],
  ['a list of the account', (cookie) => cookie.includes('sid=1'), {}, 'writes', 'account'],
  ['a notice that was shown', () => false, {}, 'writes', undefined],
  ['a search that goes on to its answer', () => true, {}, 'reads', undefined],
  ['an answer of its own', () => true, { behind: undefined as never }, 'writes', undefined],
  ['what did not run', () => true, { ran: null }, 'writes', undefined],
  ['another script', () => true, { mark: 'qxproof%2812%29' }, 'writes', undefined],
])('%s', async (_what, shows, change, effect, kept) => {
  const site = await serveCase(77, {
    http: (request, response) => {
      const list = shows(request.headers.cookie ?? '') ? MARK : 'Nothing'
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<p>${list}</p>`)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'xss', requests: 20, cookie: 'sid=1' })
  cleanups.push(close)
  const template = caseRequest({ method: 'POST', url: 'http://shop.test/upload', encoding: 'urlencoded', effect })
  const request = { ...requestOf(template), effect }
  expect((await withKeeping(ctx, { request }, { ...HIT, ...change }, 'no browser')).kept).toBe(kept)
})

test.each([
  ['load', true],
  [null, undefined],
] as const)('what another browser session makes of it: %s', async (ran, ranAgain) => {
  const site = await serveCase(77, {
    http: (_request, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<p>${MARK}</p>`),
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'xss', requests: 20, cookie: 'sid=1' })
  cleanups.push(close)
  const asked: unknown[] = []
  const stranger: Prover['stranger'] = async ({ authenticated }) =>
    ({
      prove: async ({ url }: { url: string }, nonce: number) => {
        asked.push([url, nonce, authenticated])
        return { ran, refused: false, screenshot: null }
      },
      close: async () => undefined,
    }) as unknown as Prover
  const template = caseRequest({ method: 'POST', url: 'http://shop.test/upload', encoding: 'multipart' })
  const request = { ...requestOf(template), effect: 'writes' as const }
  const hit = await withKeeping(ctx, { request }, { ...HIT, nonce: 271_828 }, { stranger } as unknown as Prover)
  expect([hit.kept, hit.ranAgain]).toEqual(['anyone', ranAgain])
  expect(asked).toEqual([['http://shop.test/photos', 271_828, false]])
})
