/** A server that dies of names that no operator has is asked by few of them. */
import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { createTurns } from '../../insertion-points/turns.ts'
import { operatorNamesAsked } from './answers.ts'

const KNOWN = /"\$(?:in|eq|ne|nin|regex)"/
const turns = createTurns(1)

/** What was left of a place whose server answers operators, and ends at others. */
const asked = async (field: string): Promise<{ readonly deaths: number; readonly left: readonly string[] }> => {
  const left: string[] = []
  let deaths = 0
  const { probe } = fakeProbe(
    (_value, changed) => {
      const body = String(changed?.body ?? '')
      const dies = body.includes('"$') && !KNOWN.test(body)
      if (dies) deaths += 1
      return dies ? { status: 0, text: '' } : { text: '<p>Nobody of that name</p>' }
    },
    {
      ...{ place: 'json', name: `/${field}`, value: 'ida' },
      request: {
        ...{ id: field, method: 'POST', url: `http://shop.test/${field}`, body: `{"${field}":"ida"}` },
        ...{ headers: [['Content-Type', 'application/json']], effect: 'unknown' },
      },
    },
  )
  for (const way of operatorNamesAsked({ ...probe, turns, leave: (_way, reason) => void left.push(reason) }))
    expect(await way()).toBeNull()
  return { deaths, left }
}

it('silence proves nothing, and after two of it no more are sent', async () => {
  const [first, second, third] = [await asked('name'), await asked('mail'), await asked('city')]
  expect(first.deaths + second.deaths + third.deaths).toBe(2)
  expect(third).toEqual({ deaths: 0, left: [third.left[0], third.left[0]] })
  expect(third.left[0]).toMatch(/did not answer questions by operators/)
})
