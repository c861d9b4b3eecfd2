/** A cookie that holds an object of a language, beside others of its request. */
import { afterEach, expect, it } from 'vitest'
import { closeProbed, crawlOf, html, pointOf, probed } from '../insertion-points/testing/probing.ts'
import { askAgain, probePoint } from './collect.ts'
import type { InjectionHit } from './facts.ts'
import { createOutside } from './probes/outside.ts'
import { siteFilesOf } from './site-files.ts'

afterEach(closeProbed)

const MAP = 'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3Rvcg=='
const NAMES = ['theme', 'width', 'unit', 'tab', 'role', 'seen', 'mode', 'shop', 'part', 'rows']

it('is asked alone, and the others stay together', async () => {
  const crawl = crawlOf([
    ...NAMES.map((name) => pointOf('a', 'cookie', name, 'light')),
    pointOf('a', 'cookie', 'cart', MAP),
  ])
  const shown = new Map<string, InjectionHit>()
  const { hits, asked } = await probed((_request, response) => void response.end(html('Welcome.')), crawl, null, null, {
    probe: (probe, found) =>
      probePoint(
        probe,
        (hit) => {
          shown.set(hit.kind, hit)
          found(hit.kind)
        },
        createOutside(undefined, 50),
        { site: siteFilesOf(crawl), served: async () => ({ status: 404, text: '' }), tests: true },
      ),
    again: async (probe, kind, found) => {
      const hit = shown.get(kind)
      if (hit) await askAgain(probe, hit, (own) => found(own.kind))
    },
  })
  expect(hits).toEqual(['cookie cart'])
  // Each of them alone costs some twenty.
  expect(asked).toBeLessThan(100)
})
