import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { crossCase } from './collect.ts'
import { countOwn } from './counted.ts'
import { judgeCase } from './judging.ts'
import { operationOf, type Slot } from './operations.ts'
import type { Party } from './parties.ts'

type Order = Readonly<Record<string, unknown>>
const ORDERS: Readonly<Record<number, Order>> = {
  3: { id: 3, address: 'Quay 9, Kiel', owner: { id: 7, name: 'erna' } },
  11: { id: 11, address: 'Quay 4, Kiel', owner: { id: 1, name: 'carla' } },
  12: { id: 12, address: 'Mole 9, Lübeck', owner: { id: 2, name: 'dirk' } },
}

/** `may`: whether this one is shown an order. */
const counted = async (
  may: (name: string, order: Order) => boolean,
  { orders = ORDERS, environment = 'test' }: { readonly orders?: typeof ORDERS; readonly environment?: string } = {},
) => {
  const operation = operationOf(caseRequest({ url: 'https://shop.test/orders/1' }), 'test')
  let asked = 0
  const partyOf = (name: string): Party => {
    const ask = async ({ url }: HttpRequest) => {
      asked += 1
      const order = orders[Number(url.split('/').at(-1))]
      const isShown = order !== undefined && may(name, order)
      const body = isShown ? JSON.stringify(order) : '{}'
      return readAnswer(caseAnswer({ path: '/o', type: 'application/json', status: isShown ? 200 : 404, body }))
    }
    const named = (slot: Slot) => (slot.name === 'name' && name !== '' ? [name] : [])
    const known = { objects: () => [], knows: () => false, knowsId: () => false, named }
    return {
      ...{ name, role: 'member', rank: 1, isNobody: name === '', left: null, own: new Map(), ask },
      ...known,
    } as unknown as Party
  }
  const people = [partyOf('carla'), partyOf('dirk')]
  const ctx = {
    target: { environment },
    signal: new AbortController().signal,
    evidence: () => ({ id: 'e', filename: 'e.txt' }),
  } as unknown as CollectContext
  await countOwn(ctx, [operation], people)
  const world = { identities: people, nobody: partyOf(''), operations: [operation] }
  const flaws = []
  for (const victim of people.filter(({ own }) => own.has(operation))) {
    const one = await crossCase(operation, victim, world)
    flaws.push(...judgeCase(ctx, one, world, [one]))
  }
  return { flaws, asked }
}
const isTheirs = (name: string, { owner }: Order): boolean => (owner as { readonly name: string }).name === name

test('an order that no answer names, and that says whose it is, is shown to another', async () => {
  const { flaws } = await counted((name) => name !== '')
  expect(flaws).toMatchObject([
    { kind: 'object', owner: 'carla', by: 'dirk', confidence: 'firm' },
    { kind: 'object', owner: 'dirk', by: 'carla', confidence: 'firm' },
  ])
  expect(flaws[0]?.detail).toContain('its owner is carla')
})

test('is shown to its owner alone', async () => {
  expect((await counted(isTheirs)).flaws).toEqual([])
})

test.each<[string, Parameters<typeof counted>[0], Parameters<typeof counted>[1]]>([
  ['is for everybody', () => true, {}],
  ['says nothing private', (name) => name !== '', { orders: { 2: { id: 2, note: 'for hall two', owner: 'carla' } } }],
  ['names nobody of the run', (name) => name !== '', { orders: { 3: ORDERS[3] ?? {} } }],
])('none where it %s', async (_name, may, change) => {
  expect((await counted(may, change)).flaws).toEqual([])
})

test('nothing is counted on a production system', async () => {
  expect((await counted((name) => name !== '', { environment: 'production' })).asked).toBe(0)
})
