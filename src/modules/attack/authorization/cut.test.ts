import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import type { Case, World } from './judging.ts'
import { operationOf } from './operations.ts'
import type { Party } from './parties.ts'
import { factsOf, OUT_OF_TIME, objectsOf } from './rows.ts'

const orders = operationOf(caseRequest({ url: 'https://shop.test/orders' }), 'test')
const order = operationOf(caseRequest({ url: 'https://shop.test/orders/7' }), 'test')
const first = readAnswer(caseAnswer({ path: '/orders', type: 'application/json', body: '[{"item":"Tea"}]' }))
const mia = {
  ...{ name: 'mia', role: 'customer', rank: 1, isNobody: false, left: null, requests: 1 },
  own: new Map([[orders, { request: { url: 'https://shop.test/orders' }, values: new Map(), first }]]),
} as unknown as Party
const nobody = { ...mia, name: '', rank: null, isNobody: true, own: new Map() } as unknown as Party

/** Neither of the two operations was asked as the others: the one was shown to its owner, the other had no turn at all. */
const factsWhere = (isCut: boolean) => {
  const world = { identities: [mia], nobody, operations: [orders, order] } as unknown as World
  const written = { rows: [], objects: [], functions: [], flaws: [] }
  return factsOf({ world, cases: [], flaws: [], left: {}, written, open: [], isCut })
}

it('what had no turn before the time was over passes for nothing', () => {
  const { objects, functions, authentication } = factsWhere(true)
  expect(objects).toEqual({ asked: 0, known: 1, reasons: [{ reason: OUT_OF_TIME, count: 1 }] })
  for (const one of [functions, authentication])
    expect(one).toEqual({ asked: 0, known: 2, reasons: [{ reason: OUT_OF_TIME, count: 2 }] })
})

it('where nothing was cut, an object that nobody knows of is said to be none', () => {
  expect(factsWhere(false).objects.reasons.map(({ reason }) => reason)).toEqual(['no object for it was seen'])
})

it('an object within another is not passed where nobody came to ask it below somebody else’s', () => {
  const item = operationOf(caseRequest({ url: 'https://shop.test/orders/7/items/3' }), 'test')
  const one = { operation: item, victim: mia, asked: { values: new Map() }, replies: new Map([[nobody, first]]) }
  const world = { identities: [mia], nobody, operations: [item] } as unknown as World
  const written = { rows: [], objects: [], functions: [], flaws: [] }
  const reasonsOf = (isCut: boolean) =>
    objectsOf({ world, cases: [one as unknown as Case], flaws: [], left: {}, written, open: [], isCut })
  expect(item.slots).toHaveLength(2)
  expect(reasonsOf(true)).toEqual({ asked: 0, known: 1, reasons: [{ reason: OUT_OF_TIME, count: 1 }] })
  expect(reasonsOf(false)).toMatchObject({ asked: 1, known: 1 })
})
