import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { askTwice } from './arithmetic.ts'

it('the two results of a proof are never the same, however few there are', async () => {
  const way = {
    flavour: 'of two',
    with: (_v: string, a: number) => `{{${a % 2}}}`,
    expected: (a: number) => `qv${a % 2}vq`,
  }
  const { probe } = fakeProbe((value) => ({ text: value.replace(/\{\{(\d)\}\}/, 'qv$1vq') }))
  for (let run = 0; run < 20; run += 1) {
    const hit = await askTwice(probe, 'template', way)
    expect(hit !== null && isProven(hit)).toBe(true)
  }
})
