import { expect, test } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { readAnswer } from './answers.ts'
import { crossCase, victimsOf } from './collect.ts'
import type { Operation, Slot } from './operations.ts'
import type { Party } from './parties.ts'

const slot: Slot = { place: 'path', at: '1', name: 'orders', of: 'orders', value: '1' }
const operation = { slots: [slot] } as unknown as Operation

/** Each knows of some orders, and was shown the first of them. */
const party = (name: string, rank: number, orders: readonly string[]): Party =>
  ({
    ...{ name, rank, left: null, objects: () => orders },
    own: new Map([[operation, { values: new Map([[slot, orders[0]]]), first: { state: 'granted', exchange: {} } }]]),
  }) as unknown as Party

const ROOT = party('root', 3, ['5', '1', '3'])
const MIA = party('mia', 1, ['1'])
const NOAH = party('noah', 1, ['3'])

test.each([
  [
    'of the highest, and of one of two of a lower role, for what these have from each other',
    [ROOT, MIA, NOAH],
    ['root', 'mia'],
  ],
  ['of the highest alone, where the others may be shown what the lowest has', [ROOT, MIA], ['root']],
  ['of one of two of one role', [MIA, NOAH], ['mia']],
])('objects are tried: %s', (_name, identities, victims) => {
  expect(victimsOf(operation, { identities }).map(({ name }) => name)).toEqual(victims)
})

test('an object that is written to while it is asked about is compared with what its owner is shown around it', async () => {
  const shown = (text: string) =>
    readAnswer(caseAnswer({ path: '/orders/1', type: 'application/json', body: JSON.stringify({ item: text }) }))
  const asked: string[] = []
  const saying = (name: string, answers: readonly string[], first?: string): Party => {
    const left = [...answers]
    const own =
      first === undefined ? [] : [[operation, { request: { url: '' }, values: new Map(), first: shown(first) }]]
    const ask = async () => {
      asked.push(name)
      return shown(left.shift() ?? '')
    }
    return { ...{ name, left: null, ask }, own: new Map(own as never) } as unknown as Party
  }
  const nobody = saying('', ['Nothing to be seen here'])
  const noah = saying('noah', ['Tea for eleven people'])
  const mia = saying('mia', ['Tea for eleven people', 'Tea for eleven people'], 'Coffee for twelve')
  const { stable } = await crossCase(operation, mia, { identities: [mia, noah], nobody, operations: [] })
  expect(stable).toEqual([{ name: 'item', value: 'Tea for eleven people' }])
  expect(asked).toEqual(['mia', '', 'noah', 'mia'])
})
