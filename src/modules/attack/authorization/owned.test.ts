import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { readAnswer } from './answers.ts'
import type { Case } from './judging.ts'
import type { Slot } from './operations.ts'
import { namedOwnerFlaw, ownedFlaw } from './owned.ts'
import type { Party } from './parties.ts'

const called = (name: string) =>
  ({ name, named: (slot: Slot) => (slot.name === 'sub' ? [name] : []) }) as unknown as Party
const SLOT: Slot = { place: 'path', at: '2', name: 'records', of: 'records', value: 'diary' }

const judged = (record: object, { by = 'gregor', slot = SLOT } = {}) => {
  const first = readAnswer(
    caseAnswer({ path: '/v1/records/diary', type: 'application/json', body: JSON.stringify(record) }),
  )
  const asked = { values: new Map([[slot, slot.value]]) }
  const one = { asked, victim: called('frida'), answers: [first, first] } as unknown as Case
  return ownedFlaw(one, called(by), first, first.leaves)
}

it("a secret of what its answer says is another one's", () => {
  const flaw = judged({ title: 'diary', owner: 'frida', secret: 'under the stone' })
  expect(flaw).toMatchObject({ kind: 'object', confidence: 'firm', because: 'its owner is frida' })
  expect(flaw?.leaves.map(({ name }) => name)).toEqual(['secret'])
})

it.each<[string, object, object]>([
  ['nothing is called a secret', { owner: 'frida', text: 'All are invited' }, {}],
  ['nobody owns it', { secret: 'under the stone' }, {}],
  ['somebody else owns it', { owner: 'hanna', secret: 'under the stone' }, {}],
  ['it is its own', { owner: 'frida', secret: 'under the stone' }, { by: 'frida' }],
  ['it is a profile', { user: 'frida', private: 'hidden away' }, { slot: { ...SLOT, name: 'users', of: 'users' } }],
])('none where %s', (_name, record, change) => {
  expect(judged(record, change)).toBeNull()
})

const PEOPLE = { slot: { ...SLOT, name: 'members', of: 'members' } }
it.each<[string, object, number]>([
  ['the bank account', { username: 'frida', city: 'Kiel', iban: 'DE02120300000000202051' }, 1],
  ['a masked one', { username: 'frida', iban: 'DE02 **** **** 2051' }, 0],
  ['that it is hidden', { username: 'frida', private: true }, 0],
  ['what profiles show', { username: 'frida', city: 'Kiel', phone: '0431 123456' }, 0],
])('a profile that everybody may open, with %s of its owner', (_name, record, flaws) => {
  expect(judged(record, PEOPLE) === null ? 0 : 1).toBe(flaws)
})

it.each<[string, Partial<Party>, Partial<Party>, number]>([
  ['two members of one rank are shown it', { rank: 1 }, { rank: 1 }, 1],
  ['the one is named like it', { name: 'ida', rank: 3 }, { rank: 1 }, 1],
  ['nothing says whose it is, and the one may do more', { rank: 3 }, { rank: 1 }, 0],
  ['the other is named like it', { rank: 3 }, { name: 'ida', rank: 1 }, 0],
  ['two of the staff are shown it', { rank: 2 }, { rank: 2 }, 0],
])('the bank account of somebody, where %s', (_name, mine, theirs, flaws) => {
  const record = { email: 'ida@shop.test', iban: 'DE02120300000000202051' }
  const first = readAnswer(caseAnswer({ path: '/members/7', type: 'application/json', body: JSON.stringify(record) }))
  const [victim, party] = [mine, theirs].map((change) => ({ ...called('nobody'), name: 'some', ...change }) as Party)
  if (victim === undefined || party === undefined) throw new Error('no party')
  const asked = { values: new Map([[PEOPLE.slot, '7']]) }
  const one = { asked, victim, answers: [first, first] } as unknown as Case
  expect(ownedFlaw(one, party, first, first.leaves) === null ? 0 : 1).toBe(flaws)
})

const BASKET: Slot = { place: 'path', at: '2', name: 'baskets', of: 'baskets', value: '2' }
const holding = (id: string) =>
  ({
    name: id,
    named: (slot: Slot) => (slot.name === 'id' && slot.of === 'customer' ? [id] : []),
  }) as unknown as Party

it.each<[string, object, object, number]>([
  ['the number that its sign-in knows the one by', { customer: 2, items: [] }, { customer: 2, items: [] }, 1],
  ['that of another', { customer: 7 }, { customer: 7 }, 0],
  ['that of who asks', { customer: 3 }, { customer: 3 }, 0],
  ['nobody', { items: [] }, { items: [] }, 0],
  ['the one, and another to who asks', { customer: 2 }, { customer: 3 }, 0],
])('an object that the sign-in gave, which names %s', (_name, mine, theirs, flaws) => {
  const [first, reply] = [mine, theirs].map((body) =>
    readAnswer(caseAnswer({ path: '/baskets/2', type: 'application/json', body: JSON.stringify(body) })),
  )
  if (first === undefined || reply === undefined) throw new Error('no answer')
  const one = { victim: holding('2'), answers: [first, first] } as unknown as Case
  const flaw = namedOwnerFlaw(one, holding('3'), reply, BASKET)
  expect(flaw === null ? 0 : 1).toBe(flaws)
})
