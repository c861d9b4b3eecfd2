/** A page that stores a greeting, and one that makes a template of what is stored. */
import { afterEach, expect, it } from 'vitest'

import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseCrawl } from '../../crawl/testing/crawl-facts.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { createProber } from '../../insertion-points/prober.ts'
import { SHARED } from '../../insertion-points/shared.ts'
import { isProven } from '../proven.ts'
import { askTemplatesLater } from './later.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const FORM = '<title>Shop</title><form method="post"><input name="greeting"></form><a href="kept">See it</a>'

/**
 * `render` makes what the second page shows of what is stored; it fails where the engine would. With a `bound`, all places of the
 * form were asked before.
 */
const left: string[] = []
const asked = async (render: (stored: string) => string, bound?: number, isOver = false) => {
  let stored = 'Hello'
  const site = await serveCase(181, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      if (request.method === 'POST') stored = new URLSearchParams(body).get('greeting') ?? stored
      try {
        response.end(request.url === '/kept' ? `<title>Kept</title><p>${render(stored)}</p>` : FORM)
      } catch {
        response.writeHead(500).end('<h1>Internal error</h1>')
      }
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection' })
  cleanups.push(close)
  const request: ProbePoint['request'] = {
    ...{ id: 'keep', method: 'POST', url: 'http://shop.test/', body: 'greeting=Hello', effect: 'writes', seenOn: [] },
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    ...(bound === undefined ? {} : { bound }),
  }
  const points: readonly ProbePoint[] = [{ request, place: 'form', name: 'greeting', value: 'Hello' }]
  const prober = createProber(ctx.egress, SHARED.make(), null, undefined, (_point, way, why) =>
    left.push(`${way}: ${why}`),
  )
  if (bound !== undefined) prober.release()
  return askTemplatesLater(ctx, caseCrawl(), points, prober.at, () => isOver)
}

const mako = (stored: string): string => {
  if (stored.includes('<%')) throw new Error('SyntaxException')
  return stored.replace(/\$\{(\d+)\*(\d+)\}/g, (_, a, b) => String(Number(a) * Number(b)))
}

it('is found where the engine stumbles over the syntax of others', async () => {
  const [found] = await asked(mako)
  expect(found && isProven(found.hit)).toBe(true)
  expect(found?.hit.flavour).toContain('shown by /kept')
  expect(found?.hit.computed[0]?.replay).toMatch(/^curl .*\ncurl .*\/kept'$/s)
})

it('is proven with all that is left of the form once the page has broken', async () => {
  const [found] = await asked(mako, 40)
  expect(found && isProven(found.hit)).toBe(true)
})

it('is not looked for when its time is over, and says so', async () => {
  left.splice(0)
  expect(await asked(mako, undefined, true)).toEqual([])
  expect(left).toEqual(['template: whose values were looked for on other pages until the time for it was over'])
})

it('is not where the page shows what was stored', async () => expect(await asked((stored) => stored)).toEqual([]))

it('fields of one form are asked in one request, each by products of its own', async () => {
  const posted: string[] = []
  let stored = new URLSearchParams('name=Ida&subject=Hello&words=Hello')
  const site = await serveCase(181, {
    http: async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      if (request.method === 'POST') {
        posted.push(body)
        stored = new URLSearchParams(body)
      }
      const plain = (text: string | null): string => (text ?? '').replace(/[<{]/g, ' ')
      const kept = `<p>${plain(stored.get('name'))} ${plain(stored.get('subject'))}</p>${mustache(stored.get('words') ?? '')}`
      response.end(request.url === '/kept' ? `<title>Kept</title>${kept}` : FORM)
    },
  })
  cleanups.push(site.close)
  const { ctx, close } = collectContext(site.address, { module: 'injection' })
  cleanups.push(close)
  const request: ProbePoint['request'] = {
    ...{ id: 'keep', method: 'POST', url: 'http://shop.test/', body: stored.toString(), effect: 'writes', seenOn: [] },
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    bound: 8,
  }
  const points = [...stored].map(([name, value]): ProbePoint => ({ request, place: 'form', name, value }))
  const prober = createProber(ctx.egress, SHARED.make(), null)
  prober.release()
  const found = await askTemplatesLater(ctx, caseCrawl(), points, prober.at)
  expect(found.map(({ point }) => point.name)).toEqual(['words'])
  expect(posted).toHaveLength(3)
})

const mustache = (text: string): string =>
  text.replace(/\{\{(\d+)\*(\d+)\}\}/g, (_, a, b) => String(Number(a) * Number(b)))
