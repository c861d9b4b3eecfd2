import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import type { CalledHit } from '../facts.ts'
import { settleCalls } from './settling.ts'

const call = { payload: 'x', protocol: 'http', from: '192.0.2.9', detail: 'GET /', agent: '', replay: '' } as const
const hitOf = (kind: CalledHit['kind'], controlCalled: boolean): CalledHit => ({
  ...{ kind, proof: 'called', flavour: 'x', calls: [call, call], controlCalled },
})
const places = Array.from(
  { length: 9 },
  (_, index) => fakeProbe(() => ({ text: '' }), { name: `p${index}` }).probe.point,
)

it('places are waited for side by side, and each is told of', async () => {
  const open: (() => void)[] = []
  const told: string[] = []
  let most = 0
  const settled = settleCalls(
    places.map((point) => ({ point, sent: { kind: 'ssrf' as const } })),
    async () => {
      await new Promise<void>((done) => {
        open.push(done)
        most = Math.max(most, open.length)
        if (open.length === 6 || most === 6) setImmediate(() => open.splice(0).forEach((end) => void end()))
      })
      return hitOf('ssrf', false)
    },
    (done, all) => told.push(`${done} of ${all}`),
  )
  expect(await settled).toHaveLength(9)
  expect(most).toBe(6)
  expect(told.at(-1)).toBe('9 of 9')
})

it('one proof of a kind is enough for a place, and what is none is no reason to stop', async () => {
  const [point] = places
  const sent = [
    ['ssrf', true],
    ['ssrf', false],
    ['ssrf', false],
    ['command', false],
  ] as const
  const asked: string[] = []
  const found = await settleCalls(
    point ? sent.map(([kind, control]) => ({ point, sent: { kind, control } })) : [],
    async ({ sent: { kind, control } }) => {
      asked.push(`${kind} ${control}`)
      return hitOf(kind, control)
    },
    () => undefined,
  )
  expect(asked).toEqual(['ssrf true', 'ssrf false', 'command false'])
  expect(found.map(({ hit }) => hit.controlCalled)).toEqual([true, false, false])
})
