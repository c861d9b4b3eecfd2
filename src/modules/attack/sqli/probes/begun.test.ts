/** Conditions that are asked again of a form that may be sent a few times only. */
import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { DISGUISES, disguised } from '../disguises.ts'
import { begunAt, isRefuted } from './begun.ts'
import { booleanWays } from './boolean.ts'

const FORM = { method: 'POST', url: 'http://shop.test/join', body: 'q=', effect: 'writes', bound: 40 } as const
const few = (answer: Parameters<typeof fakeProbe>[0]) => fakeProbe(answer, { place: 'form', request: FORM })

it('are kept for what may be sent a few times, and for nothing else', () => {
  const { probe } = few(() => ({ text: 'fine' }))
  expect(begunAt(probe, 'way')).toBe(begunAt(probe, 'way'))
  const { probe: free } = fakeProbe(() => ({ text: 'fine' }))
  expect(begunAt(free, 'way')).not.toBe(begunAt(free, 'way'))
})

it('have nothing in common with those of another spelling', () => {
  const { probe } = few(() => ({ text: 'fine' }))
  const kept = DISGUISES.map((disguise) => begunAt(disguised(probe, disguise), 'way'))
  expect(new Set([begunAt(probe, 'way'), ...kept]).size).toBe(DISGUISES.length + 1)
})

it('one that was answered wrongly is not passed over when they are asked once more', async () => {
  let asked = 0
  const { probe, sent } = few((value) => {
    if (!value.includes("'and")) return { text: value.includes("'") ? 'none' : 'a tent for two' }
    asked += 1
    // True and false at first, and then whatever is asked.
    return { text: asked === 2 ? 'none' : 'a tent for two' }
  })
  const ask = async () => {
    const hits = []
    for (const way of await booleanWays(probe, await probe.broken())) hits.push(await way())
    return hits.filter((hit) => hit !== null)
  }
  expect(await ask()).toEqual([])
  expect(isRefuted(begunAt(probe, "text in '"))).toBe(true)
  const before = sent.length
  expect(await ask()).toEqual([])
  expect(sent.filter((value, at) => at >= before && value.includes("'and("))).toEqual([])
})
