/** What may write is sent so often and no more, whichever place of its form is asked. */
import { afterEach, expect, it } from 'vitest'
import { BOUND } from './facts.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'
import { judgeProbed } from './verdict.ts'

afterEach(closeProbed)

it('ends with its form, and says so', async () => {
  const crawl = crawlOf(['a', 'b', 'c'].map((name) => pointOf('form', 'query', name, 'x')))
  const requests = crawl.requests.map((one) => ({ ...one, effect: 'writes' as const, bound: 9, tried: 1 }))
  const { facts, asked } = await probed((_request, response) => response.end(html('kept')), { ...crawl, requests })
  expect(asked).toBe(8)
  expect(facts.written).toEqual({ form: 8 })
  expect(facts.points.map(({ end }) => end)).toContain('cut')
  expect(judgeProbed(facts, () => [])).toMatchObject({ state: 'inconclusive', reason: `of 3 places: 3 ${BOUND}` })
})

it('is shared with other modules, and keeps writes for what follows the places', async () => {
  const crawl = crawlOf(['a', 'b', 'c', 'd', 'e'].map((name) => pointOf('form', 'query', name, 'x')))
  const requests = crawl.requests.map((one) => ({ ...one, effect: 'writes' as const, bound: 28 }))
  let asked = 0
  let before = 0
  const { facts } = await probed(
    (_request, response) => {
      asked += 1
      response.end(html('kept'))
    },
    { ...crawl, requests },
    null,
    null,
    {
      afterwards: async (at, [point]) => {
        before = asked
        const probe = point && at(point)
        for (let time = 0; probe && time < 3; time += 1) await probe.send(`${time}`)
        // What is left is for others, until something shows.
        await expect(probe?.send('one more')).rejects.toThrow(BOUND)
        probe?.pursue()
        for (let time = 0; probe && time < 5; time += 1) await probe.send(`${time}`)
        return []
      },
    },
    2,
  )
  expect([before, asked, facts.written]).toEqual([8, 16, { form: 16 }])
})
