import { describe, expect, it } from 'vitest'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { askTwice, codeWays, multipleIn } from './arithmetic.ts'

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

describe('an expression whose value is counted with', () => {
  /** As a calculator does that evaluates the rent, times its months. */
  const worked = (value: string): number => {
    const [, a, b] = /^\[(\d+)\*(\d+)\]\[0\]$/.exec(value) ?? []
    return Number(a) * Number(b)
  }
  const found = (answer: (product: number) => string) => {
    const { probe } = fakeProbe((value) => ({
      text: `<p>In all ${answer(worked(value))}</p><p>Since 2026, no 4711</p>`,
    }))
    return firstOf(codeWays(probe, 'anywhere'))
  }

  it.each([
    ['by twelve', (product: number) => String(12 * product), 'expression, 12 times their product'],
    [
      'with thousands set apart',
      (product: number) => (3 * product).toLocaleString('en'),
      'expression, 3 times their product',
    ],
    ['with a tax, to cents', (product: number) => (1.19 * product).toFixed(2), 'expression, 1.19 times their product'],
    ['not at all', (product: number) => String(product), 'expression'],
  ])('is proven: %s', async (_name, answer, flavour) => {
    const hit = await found(answer)
    expect(hit?.flavour).toBe(flavour)
    expect(hit !== null && isProven(hit)).toBe(true)
  })

  let asked = 0
  it.each([
    ['another factor each time', (product: number) => String((2 + ++asked) * product)],
    ['a sum that is one more', (product: number) => String(12 * product + 1)],
    ['a number of its own', () => '43,957,980'],
  ])('is not: %s', async (_name, answer) => expect(await found(answer)).toBeNull())

  it('of a longer number none is taken for it', () => {
    expect(multipleIn('1.439,579,80 v1.43957980 x43957980', 3_663_165)).toBeNull()
    expect(multipleIn('= 43957980.', 3_663_165)).toEqual({ mark: '43957980', times: 12 })
  })
})
