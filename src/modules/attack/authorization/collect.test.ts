import { expect, test } from 'vitest'
import { victimsOf } from './collect.ts'
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
