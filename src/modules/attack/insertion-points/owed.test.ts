/** A form of few requests that ended in the middle of a proof, on a real site. */
import { afterEach, expect, it } from 'vitest'
import type { Plan } from './plan.ts'
import { Bounded } from './prober.ts'
import { firstOf } from './techniques.ts'
import { closeProbed, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

/** The proof takes two answers, and other questions before it take what the form has for one place. `shows`: whether the first answer tells. */
const found = async (shows: boolean, answers = true) => {
  const crawl = crawlOf([pointOf('a', 'form', 'q', 'v')])
  const form = { method: 'POST', encoding: 'urlencoded', bound: 20, source: 'form' } as const
  const fields = [{ name: 'q', value: 'v', type: 'text' }]
  let [tries, posts] = [0, 0]
  const probe: Plan<string>['probe'] = async (place, told) => {
    if (shows) place.pursue()
    const before = async (): Promise<null> => {
      for (let count = 0; tries === 0 && count < 15; count += 1) await place.send(`w${count}`)
      return null
    }
    const proof = async (): Promise<string | null> => {
      tries += 1
      await place.send('first')
      return (await place.send('second')).text.includes('proven') ? 'proven' : null
    }
    const hit = await firstOf([before, proof])
    if (hit) told(hit)
  }
  const { facts } = await probed(
    (request, response) => {
      posts += request.method === 'POST' ? 1 : 0
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => response.end(html(answers && body.includes('second') ? 'proven' : 'thanks')))
    },
    { ...crawl, requests: crawl.requests.map((one) => ({ ...one, ...form, fields })) },
    null,
    null,
    { groups: false, probe },
  )
  return { tries, posts, hits: facts.points.flatMap(({ hits }) => hits), ends: facts.points.map(({ end }) => end) }
}

it('is proven when all places were asked', async () => {
  expect(await found(true)).toMatchObject({ tries: 2, hits: ['proven'], ends: ['cut'] })
})

it('finds nothing where the second answer tells nothing', async () => {
  expect(await found(true, false)).toMatchObject({ tries: 2, hits: [] })
})

it('is not asked for again where nothing had shown', async () => {
  const { tries, hits } = await found(false)
  expect([tries <= 1, hits]).toEqual([true, []])
})

it('is a way of its own for each who is refused the same', async () => {
  const refused = new Bounded()
  const ways = [1, 2].map(() => () => Promise.reject(refused))
  const told = await Promise.all(ways.map((way) => firstOf([way]).catch((error: Bounded) => error.way)))
  expect(told).toEqual(ways)
  expect(refused.way).toBeUndefined()
})
