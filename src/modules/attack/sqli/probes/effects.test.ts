/** What a place is asked hangs on what its request does; no rule of the one refuses what the other chose. */
import { afterEach, expect, it } from 'vitest'
import type { Plan } from '../../insertion-points/run.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from '../../insertion-points/testing/probing.ts'
import { probePoint } from '../collect.ts'

afterEach(closeProbed)

const probe: Plan<string>['probe'] = (one, found) => probePoint(one, (hit) => found(hit.technique))

it.each(['reads', 'unknown', 'writes'] as const)(
  'a place whose example finds nothing is asked without a fault where its request %s',
  async (effect) => {
    const crawl = crawlOf([pointOf('a', 'query', 'q', 'none')])
    const requests = crawl.requests.map((one) => ({ ...one, effect }))
    const { ends, hits } = await probed(
      (_request, response) => response.end(html('Nothing.')),
      { ...crawl, requests },
      null,
      null,
      { probe },
    )
    expect(ends).toEqual(['tested'])
    expect(hits).toEqual([])
  },
)
