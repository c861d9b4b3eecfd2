/** A value that is a whole expression, of a language with lists in braces, and of a calculator that has numbers alone. */
import { expect, it } from 'vitest'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { probePoint } from './collect.ts'
import type { InjectionHit } from './facts.ts'

const outside = { addresses: () => [], documents: () => [], commands: () => [], ways: () => [], objects: () => [] }
const sources = {
  site: { namesFiles: () => false, programs: () => [] },
  served: async () => ({ status: 404, text: '' }),
}

const NUMBER = String.raw`\d+(?:\.\d+)?`
/** Products of numbers. @throws on anything else */
const product = (expression: string): number => {
  if (!new RegExp(`^${NUMBER}(?:\\s*\\*\\s*${NUMBER})*$`).test(expression)) throw new SyntaxError('unexpected')
  return expression.split('*').reduce((all, one) => all * Number(one), 1)
}
/** With lists in braces, of which an index takes one. */
const listed = (expression: string): number =>
  product(expression.replace(/\{([\d,]+)\}\[(\d+)\]/g, (_all, list: string, at) => list.split(',')[Number(at)] ?? '?'))

const found = async (evaluate: (expression: string) => number): Promise<readonly string[]> => {
  const said = (value: string): string => {
    try {
      return `Result: ${evaluate(value)}`
    } catch {
      return 'The formula is not valid.'
    }
  }
  const { probe } = fakeProbe((value) => ({ text: `<p>${said(value)}</p>` }), {
    ...{ name: 'formula', value: '100 * 1.19' },
  })
  const hits: InjectionHit[] = []
  await probePoint(probe, (hit) => hits.push(hit), outside as never, sources as never)
  return hits.map(({ kind, proof }) => `${kind} ${proof}`)
}

it('is found where the language has more than numbers', async () => {
  expect(await found(listed)).toEqual(['code computed'])
})

it('a calculator is silent', async () => {
  expect(await found(product)).toEqual([])
})
