import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { crossCase, fillings, victimsOf } from './collect.ts'
import { judgeCase } from './judging.ts'
import { type Operation, operationOf, requestWith, type Slot } from './operations.ts'
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

test('what the crawl has found for the first is tried, too, where lists name things by another property', () => {
  const own = { ...operation, slots: [{ ...slot, value: '101' }] } as unknown as Operation
  const people = [party('mia', 1, ['5f2a', '6c11', '7b09']), party('noah', 1, ['9d30'])]
  const [mia, noah] = people.map((one) => fillings(own, one, people).map((values) => [...values.values()].join()))
  expect([mia, noah]).toEqual([['5f2a', '101', '6c11'], ['9d30']])
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

/** What two people of one role are answered by one operation to what is in `reference`; only Mia knows of KB-1. */
const judged = async (answer: (reference: string) => { readonly status?: number; readonly body: object | string }) => {
  const request = caseRequest({
    ...{ method: 'POST', url: 'http://shop.test/labels/checksum', encoding: 'json', effect: 'reads', tried: 1 },
    body: JSON.stringify({ reference: 'KB-1' }),
  })
  const checksum = operationOf(request, 'test')
  const ask = async ({ body }: HttpRequest) => {
    const { status = 200, body: shown } = answer(JSON.parse(String(body)).reference)
    return typeof shown === 'string'
      ? readAnswer(caseAnswer({ path: '/x', type: 'text/html', status, body: shown }))
      : readAnswer(caseAnswer({ path: '/x', type: 'application/json', status, body: JSON.stringify(shown) }))
  }
  const partyOf = (name: string, known: readonly string[]): Party =>
    ({
      ...{ name, role: 'customer', rank: 1, isNobody: name === '', left: null, own: new Map() },
      ...{ ask, objects: () => known, knows: () => false, knowsId: () => false, named: () => [] },
    }) as unknown as Party
  const [mia, noah] = [partyOf('mia', ['KB-1']), partyOf('noah', ['KB-2'])]
  const nobody = { ...partyOf('', []), ask: async () => readAnswer(caseAnswer({ path: '/x', status: 401, body: '' })) }
  const [slot] = checksum.slots
  if (slot === undefined) throw new Error('no place for an object')
  const sent = requestWith(checksum, new Map([[slot, 'KB-1']]))
  mia.own.set(checksum, { request: sent, values: new Map([[slot, 'KB-1']]), first: await mia.ask(sent) })
  const world = { identities: [mia, noah], nobody, operations: [checksum] }
  const one = await crossCase(checksum, mia, world)
  const ctx = { evidence: () => ({ id: 'e', filename: 'e.txt' }) } as unknown as CollectContext
  return judgeCase(ctx, one, world, [one])
}

test("what is worked out of what is sent is nobody's, whoever sends it", async () => {
  expect(await judged((reference) => ({ body: { checksum: `${3_427_212_234 + reference.length} bytes` } }))).toEqual([])
})

test('what is looked up by it is whose it is', async () => {
  const found = { body: { address: 'Quay 4, Kiel', note: 'left with the neighbour' } }
  for (const none of [{ status: 404, body: {} }, { body: { address: null } }, { body: {} }])
    expect(await judged((reference) => (reference === 'KB-1' ? found : none))).toMatchObject([{ kind: 'object' }])
})

test('what a page shows whichever object it is asked for is of none', async () => {
  const page = '<title>Notes of the week</title><p>ida@shop.test has moved to Quay 4, Kiel</p>'
  expect(await judged(() => ({ body: page }))).toEqual([])
  const found = await judged((reference) => ({ body: reference === 'KB-1' ? page : '<title>No such label</title>' }))
  expect(found).toMatchObject([{ kind: 'object' }])
})
