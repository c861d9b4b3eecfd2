/** Lists of who asked for a page, read by the account that asks. */
import { afterEach, expect, it } from 'vitest'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { compose } from '../../insertion-points/compose.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import type { Probe } from '../../insertion-points/prober.ts'
import { lookAt, type Shown } from './stored-pages.ts'
import { createVisits } from './visits.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const LIST = 'http://shop.test/visits'

/** `shows`: what the list says of the headers of who asked for the start page. */
const asked = async (
  environment: 'production' | 'test',
  shows: (said: Readonly<Record<string, unknown>>) => unknown,
) => {
  const visits: unknown[] = []
  let sent = 0
  const site = await serveCase(185, {
    http: ({ url, headers }, response) => {
      sent += 1
      if (url === '/') visits.push(shows(headers))
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<ul><li>${visits.slice(-3).join('<li>')}</ul>`)
    },
  })
  const { ctx: about, close } = collectContext(site.address, { module: 'xss' })
  cleanups.push(site.close, close)
  const ctx = { ...about, target: { ...about.target, environment } }
  const request = { id: 'start', method: 'GET', url: 'http://shop.test/', headers: [], body: null, seenOn: [] }
  const at = (point: ProbePoint): Probe =>
    ({
      ...{ point, request, pursue: () => undefined },
      send: async (value: string) => {
        const composed = compose(point, value)
        if (composed) await ctx.egress.http(composed)
        return { status: 200, text: '', replay: 'curl' }
      },
    }) as unknown as Probe
  const point = { request, place: 'header', name: 'User-Agent', value: '' } as unknown as ProbePoint
  const visited = createVisits([at(point)], at)
  await ctx.egress.http({ url: 'http://shop.test/', method: 'GET' })
  await lookAt(ctx, [{ url: LIST, drawnOn: null }], [], (page: Shown) => visited.heard(page))
  const before = sent
  const seen = await visited.ask(ctx, () => false)
  return { names: [...seen.keys()].map(({ probe }) => probe.point.name), sent: sent - before }
}

it('each header is told that a list keeps', async () => {
  const { names } = await asked('test', (said) => `${said['user-agent']} from ${said['x-forwarded-for'] ?? 'here'}`)
  expect(names.toSorted()).toEqual(['User-Agent', 'X-Forwarded-For'])
})

it.each<[string, ...Parameters<typeof asked>]>([
  ['in production', 'production', (said) => said['user-agent']],
  ['where no page shows who asked', 'test', () => 'somebody'],
])('nothing is sent %s', async (_where, environment, shows) => {
  expect(await asked(environment, shows)).toEqual({ names: [], sent: 0 })
})
