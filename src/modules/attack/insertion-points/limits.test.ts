/** Forms with a limit of their own: places of others go on, what was refused is asked again, and nobody waits for ever. */
import type { RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { LIMITED } from './facts.ts'
import { createLimits, patienceFor } from './limits.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'
import { judgeProbed } from './verdict.ts'

afterEach(closeProbed)

const ids = ['help', ...Array.from({ length: 12 }, (_, index) => `p${index}`)]
const POINTS = [
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => pointOf('help', 'query', name)),
  ...ids.slice(1).map((id) => pointOf(id, 'query', 'q')),
]

/** So many in so many milliseconds at `/help`, as a limit in front of one form has it. */
const site = (
  most: number,
  window: number,
  retry: string,
  seen: { readonly other: number[]; readonly ours: number[] },
): RequestListener => {
  const times: number[] = []
  return (request, response) => {
    const now = performance.now()
    if (!request.url?.startsWith('/help')) seen.other.push(now)
    else {
      while (times[0] !== undefined && times[0] < now - window) times.shift()
      if (times.length >= most) {
        seen.ours.push(now)
        response.writeHead(429, { 'Retry-After': retry }).end('too many')
        return
      }
      times.push(now)
    }
    const value = new URL(request.url ?? '', 'http://shop.test').searchParams.get('g') ?? ''
    response
      .writeHead(value.includes("'") ? 500 : 200, { 'Content-Type': 'text/html' })
      .end(html(value.includes("'") ? 'boom' : ''))
  }
}

it('what is refused for a time is asked again when it has come, and others are asked meanwhile', async () => {
  const seen = { other: [], ours: [] as number[] }
  const { facts, hits, ends } = await probed(site(30, 1_000, '1', seen), crawlOf(POINTS), null, null, { groups: false })
  expect(hits).toEqual(['query g'])
  expect(new Set(ends)).toEqual(new Set(['tested']))
  expect(facts.points.flatMap(({ leftWays = [] }) => leftWays)).toEqual([])
  expect(seen.ours.length).toBeGreaterThan(0)
})

it('what goes on to refuse is left, and says so', async () => {
  const seen = { other: [] as number[], ours: [] as number[] }
  const { facts, ends } = await probed(site(3, 600_000, '1', seen), crawlOf(POINTS), null, null, { groups: false })
  expect(ends.filter((end) => end === 'tested')).toHaveLength(12)
  expect(ends.filter((end) => end === 'cut')).toHaveLength(7)
  expect(judgeProbed(facts, () => [])).toMatchObject({
    state: 'inconclusive',
    reached: { reasons: [{ reason: LIMITED, count: 7 }] },
  })
  expect(seen.ours.length).toBeLessThan(13)
})

it('whoever is kept out for longer than a run can wait is not waited for', async () => {
  const limits = createLimits()
  const request = { method: 'POST', url: 'http://shop.test/help' }
  const exchange = { status: 429, headers: [['Retry-After', '900']] } as never
  expect(
    await limits.ask(
      request,
      async () => ({ exchange }),
      () => new AbortController().signal,
    ),
  ).toBeNull()
  expect(limits.isLeft(request)).toBe(true)
})

it('a module waits so long and no longer with nothing else to do', async () => {
  const limits = createLimits()
  const patience = patienceFor(limits, 30)
  patience.begin()
  const request = { method: 'POST', url: 'http://shop.test/help?a=1' }
  const exchange = { status: 429, headers: [['Retry-After', '100']] } as never
  const asked = limits.ask(request, async () => ({ exchange }), patience.signal)
  await limits.changed()
  expect(patience.allowed([request])).toMatchObject({ waiting: 1 })
  expect(patience.allowed([]).when({ method: 'POST', url: 'http://shop.test/help' })).toBe('later')
  expect(patience.allowed([]).when({ method: 'GET', url: 'http://shop.test/help' })).toBe('now')
  await patience.idle([])
  expect(await asked).toBeNull()
  expect(patience.allowed([]).when(request)).toBe('never')
})
