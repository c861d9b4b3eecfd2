/** Questions that are asked again of a form that may be sent a few times only. */
import { expect, it } from 'vitest'
import { Bounded } from '../../insertion-points/prober.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { askThrough, type Way } from './answers.ts'

const FORM = {
  method: 'PATCH',
  url: 'http://shop.test/rooms',
  body: '{"code":"A"}',
  effect: 'writes',
  bound: 40,
} as const

it('a proof that ran out goes on where it stopped', async () => {
  const { probe } = fakeProbe(() => ({ text: 'one room was changed' }), {
    place: 'json',
    name: '/code',
    value: 'A',
    request: FORM,
  })
  let left = 6
  const asked: boolean[] = []
  const way: Way = {
    ...{ kind: 'nosql', flavour: 'operator object', mode: 'narrows' },
    ask: async (truth) => {
      if (left === 0) throw new Bounded()
      left -= 1
      asked.push(truth)
      const [usual] = await probe.baseline()
      return { question: String(truth), reply: truth ? usual : { ...usual, text: 'no such room' } }
    },
    malformed: async () => ({ ...(await probe.baseline())[0], status: 500 }),
  }
  await expect(askThrough(probe, way)).rejects.toThrow(Bounded)
  left = 40
  const hit = await askThrough(probe, way)
  expect(hit?.trials).toHaveLength(8)
  expect(asked).toHaveLength(10)
})
