/** Headers and cookies beyond the fourth address: by one text first, in every way when nothing else is left. */
import { afterEach, describe, expect, it } from 'vitest'
import { USUAL } from './facts.ts'
import { closeProbed, cookiesOf, crawlOf, html, pointOf, probed } from './testing/probing.ts'

afterEach(closeProbed)

const ADDRESSES = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']
const around = ADDRESSES.flatMap((id) => [
  pointOf(id, 'header', 'User-Agent', 'Mozilla'),
  pointOf(id, 'cookie', 'theme', 'light'),
])
const field = pointOf('p5', 'query', 'q', '1')

/** Addresses in the order in which they were asked. */
const watched = async (answer: (path: string, theme: string) => string, points = around) => {
  const order: string[] = []
  const result = await probed((request, response) => {
    const path = request.url?.slice(1, 3) ?? ''
    order.push(path)
    response.end(html(answer(path, cookiesOf(request.headers.cookie).theme ?? '')))
  }, crawlOf(points))
  return { ...result, order }
}

describe('headers and cookies of a late address', () => {
  it('are asked in every way, once all else was', async () => {
    const { order, ends, facts } = await watched(() => 'fine', [...around, field])
    expect(ends).toEqual(Array(13).fill('tested'))
    expect(facts.points.flatMap(({ leftWays = [] }) => leftWays)).toEqual([])
    const asked = (id: string): number => order.filter((path) => path === id).length
    // A field of the fifth is asked as well.
    // The one text costs one more.
    expect(asked('p4')).toBe(asked('p3') + 1)
    const whole = ADDRESSES.slice(0, 4).map((id) => order.lastIndexOf(id))
    const behind = order.slice(Math.max(...whole) + 1)
    expect(behind.length).toBeGreaterThanOrEqual(8)
  })

  it('are found by a question that the one text does not hold', async () => {
    const { hits, facts } = await watched((path, theme) => (path === 'p4' && theme.endsWith("'") ? 'boom' : 'fine'))
    expect(hits).toEqual(['cookie theme'])
    expect(facts.points.find((point) => point.hits.length > 0)?.at.url).toContain('/p4')
  })

  it('are left where a server answers some values by itself on every page, and say so', async () => {
    const refused = async (points: typeof around) => {
      const { facts, asked } = await probed((request, response) => {
        const isOdd = /['a]$/.test(request.headers['user-agent'] ?? '')
        response.writeHead(isOdd ? 400 : 200, { 'Content-Type': 'text/html' }).end(html(isOdd ? 'refused' : 'fine'))
      }, crawlOf(points))
      await closeProbed()
      return { asked, left: facts.points.flatMap(({ leftWays = [] }) => leftWays.map(({ reason }) => reason)) }
    }
    const four = await refused(around.slice(0, 8))
    const six = await refused(around)
    expect(four.left).toEqual([])
    expect(six.left).toEqual([USUAL, USUAL, USUAL, USUAL])
    // Two pages more, by as many questions as a group has until it stands out.
    expect(six.asked - four.asked).toBeLessThanOrEqual(2 * 10)
  })
})
