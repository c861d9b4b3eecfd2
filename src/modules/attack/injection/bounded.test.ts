/** What a form that may write is asked with the few requests that it may be sent. */
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { closeProbed, crawlOf, html, pointOf, probed } from '../insertion-points/testing/probing.ts'
import { probePoint } from './collect.ts'
import { createOutside } from './probes/outside.ts'
import { siteFilesOf } from './site-files.ts'

afterEach(closeProbed)

const NAMES = ['name', 'mail', 'text']

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let body = ''
  for await (const chunk of request) body += chunk
  return new URLSearchParams(body)
}

it.each([
  ['a template', (name: string) => name.replace(/\{\{(\d+)\*(\d+)\}\}/g, (_, a, b) => String(Number(a) * Number(b)))],
  ['a shell', (name: string) => name.replace(/;\nprintf qv%dvq (0x[0-9a-f]+)/, (_, hex) => `qv${Number(hex)}vq`)],
])('one of three fields is worked out by %s', async (_kind, worked) => {
  const crawl = crawlOf(NAMES.map((name) => pointOf('a', 'form', name, 'tent')))
  const fields = NAMES.map((name) => ({ name, value: 'tent', type: 'text' }))
  const form = { method: 'POST', encoding: 'urlencoded', fields, bound: 40, source: 'form' } as const
  const known = { ...crawl, requests: crawl.requests.map((one) => ({ ...one, ...form })) }
  let posts = 0
  const { hits } = await probed(
    async (request, response) => {
      posts += request.method === 'POST' ? 1 : 0
      const name = (await bodyOf(request)).get('name') ?? ''
      response.end(html(`Thank you, ${worked(name).replace(/[<>]/g, '')}!`))
    },
    known,
    null,
    null,
    {
      probe: (probe, found) =>
        probePoint(probe, ({ kind }) => found(kind), createOutside(undefined), {
          site: siteFilesOf(known),
          served: async () => ({ status: 404, text: '' }),
          tests: true,
        }),
    },
  )
  expect(hits).toEqual(['form name'])
  expect(posts).toBeLessThanOrEqual(40)
})
