import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { askBelow, ownWayTo } from './below.ts'
import { type Case, judgeCase, type World } from './judging.ts'
import { operationOf, requestWith, type Slot } from './operations.ts'
import type { Party, Reply } from './parties.ts'
import { stableLeaves } from './telling.ts'

const template = caseRequest({ method: 'GET', url: 'http://shop.test/api/customers/3/orders/61', sent: true })
const operation = operationOf(template, 'test')
const [customer, order] = operation.slots as readonly [Slot, Slot]
const answer = (status: number, body: unknown): Reply =>
  readAnswer(
    caseAnswer({ path: '/api/customers/3/orders/61', status, type: 'application/json', body: JSON.stringify(body) }),
  )
const ORDERS: Readonly<Record<string, unknown>> = {
  61: { item: 'Tent for two', street: 'Harbour Road 4', phone: '+49 431 5550101' },
  62: { item: 'Stove', street: 'North Quay 9', phone: '+49 431 5550177' },
}
const REFUSED = answer(403, { error: 'not allowed' })

/** The one has customer 3 and order 61, the other 4 and 62; `server` says what the other is answered. */
const scene = (server: (of: string, id: string) => Reply) => {
  const asked: string[] = []
  const party = (name: string, of: string, id: string): Party => {
    const values = new Map([
      [customer, of],
      [order, id],
    ])
    return {
      ...{
        name,
        role: 'member',
        rank: 1,
        isNobody: false,
        left: null,
        named: () => [],
        knows: () => false,
        knowsId: () => false,
      },
      objects: (slot: Slot) => [slot === customer ? of : id],
      own: new Map([
        [operation, { request: requestWith(operation, values), values, first: answer(200, ORDERS[id] ?? {}) }],
      ]),
      ask: async ({ url }: HttpRequest) => {
        asked.push(new URL(url).pathname)
        const [, , , first = '', , second = ''] = new URL(url).pathname.split('/')
        return server(first, second)
      },
    } as unknown as Party
  }
  const [ada, ben] = [party('ada', '3', '61'), party('ben', '4', '62')]
  const nobody = { ...party('', '', ''), name: '', isNobody: true, own: new Map() } as unknown as Party
  const first = ada.own.get(operation)
  if (first === undefined) throw new Error('she was asked')
  const told = first.first as Case['answers'][0]
  const one: Case = {
    ...{ operation, victim: ada, asked: first, answers: [told, told], stable: stableLeaves(told, told) },
    replies: new Map<Party, Reply>([
      [nobody, REFUSED],
      [ben, REFUSED],
    ]),
  }
  const world: World = { identities: [ada, ben], nobody, operations: [operation] }
  return { one, ben, world, asked }
}
const ctx = { ...caseContext(), evidence: () => ({ id: 'a', filename: 'a' }) } as unknown as Parameters<
  typeof judgeCase
>[0]

test('what is asked for below one’s own and looked up by its last name alone is the flaw of an object', async () => {
  const { one, ben, world, asked } = scene((of, id) => (of === '4' ? answer(200, ORDERS[id]) : REFUSED))
  const below = await askBelow(one, ben)
  // As the other, and then as the owner, for what it is now.
  expect([...new Set(asked)]).toEqual(['/api/customers/4/orders/61', '/api/customers/3/orders/61'])
  const [flaw, ...more] = below ? judgeCase(ctx, below, world, [one]) : []
  expect(more).toEqual([])
  expect(flaw).toMatchObject({ kind: 'object', by: 'ben', url: 'http://shop.test/api/customers/4/orders/61' })
})

test.each<[string, (of: string, id: string) => Reply]>([
  ['both are looked at', (of, id) => (of === '4' && id === '62' ? answer(200, ORDERS[id]) : REFUSED)],
  ['their own is shown whatever is asked for', () => answer(200, ORDERS[62])],
])('%s: no flaw', async (_name, server) => {
  const { one, ben, world } = scene(server)
  const below = await askBelow(one, ben)
  expect(below === null ? [] : judgeCase(ctx, below, world, [one])).toEqual([])
})

test('who was given it by the way of the owner is not asked again', async () => {
  const { one, ben, asked } = scene(() => answer(200, ORDERS[61]))
  const given = { ...one, replies: new Map([...one.replies, [ben, answer(200, ORDERS[61])] as const]) }
  expect([await askBelow(given, ben), asked]).toEqual([null, []])
})

test.each<[string, string, boolean]>([
  ['the owner’s', '3', true],
  ['their own', '4', false],
  ['neither', '9', false],
])('an object that a directory names to all and that says it lies in %s', async (_name, customerId, isFlaw) => {
  const told = { ...(ORDERS[61] as object), customer_id: customerId, remark: 'Ring twice at the side door 2' }
  const { one, ben, world } = scene((of) => (of === '4' ? answer(200, told) : REFUSED))
  const first = answer(200, told) as Case['answers'][0]
  const known = { ...ben, objects: (slot: Slot) => (slot === customer ? ['4'] : ['61', '62']) } as Party
  const replies = new Map([...one.replies].map(([party, reply]) => [party === ben ? known : party, reply] as const))
  const own: Case = { ...one, answers: [first, first], stable: stableLeaves(first, first), replies }
  const below = await askBelow(own, known)
  const flaws = below ? judgeCase(ctx, below, { ...world, identities: [one.victim, known] }, [own]) : []
  expect(flaws.map(({ detail }) => detail.split(': ').at(-1))).toEqual(
    isFlaw ? ['it says that it lies in customers 3, where ben is refused.'] : [],
  )
})

test.each<[string, string, string | null]>([
  ['the owner’s', '3', '4'],
  ['their own', '4', null],
])('what is written to by one’s own way says that it lies in %s', (_name, customerId, way) => {
  const { ben } = scene(() => REFUSED)
  const values = new Map([
    [customer, '3'],
    [order, '61'],
  ])
  const own = ownWayTo(operation.slots, values, ben, answer(200, { id: 61, customer_id: customerId }))
  expect(own === null ? null : own.get(customer)).toBe(way)
  if (own !== null) expect(own.get(order)).toBe('61')
})

test('what others have written to it meanwhile is no other object', async () => {
  let told: object = { ...(ORDERS[61] as object), remark: 'Ring twice at the side door 2' }
  const { one, ben, world } = scene((of) => (of === '4' ? answer(200, told) : REFUSED))
  const victim = { ...one.victim, ask: async () => answer(200, told) } as unknown as Party
  told = {
    item: 'Lantern of brass',
    street: 'Mill Lane 12',
    phone: '+49 431 5550990',
    remark: 'Leave it at the gate 7',
  }
  const below = await askBelow({ ...one, victim }, ben)
  const flaws = below ? judgeCase(ctx, below, { ...world, identities: [victim, ben] }, [one]) : []
  expect(flaws.map(({ by }) => by)).toEqual(['ben'])
})
