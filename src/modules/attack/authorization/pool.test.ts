/** A queue that a team works on: what shows to one of them alone, as lists end, is no object of theirs. */
import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { readAnswer } from './answers.ts'
import { type Case, sharedWith } from './judging.ts'
import type { Slot } from './operations.ts'
import type { Party } from './parties.ts'
import { isPartOfShared, isSharedInPart, POOL } from './shared-address.ts'

const slotOf = (name: string): Slot => ({ place: 'query', at: name, name, of: null, value: '3' })

const person = (ids: readonly string[], role = 'agent', rank = 2): Party =>
  ({ role, rank, objects: () => ids, knowsId: () => false, own: new Map() }) as unknown as Party

/** Of ticket 3, which the one is shown. */
const asked = (victim: Party, slot = slotOf('ticket')): Case =>
  ({
    ...{ victim, asked: { request: { url: 'http://shop.test/ticket?ticket=3' }, values: new Map([[slot, '3']]) } },
  }) as unknown as Case

it('what one is shown alone is in common where all that the other is shown shows to both', () => {
  expect(sharedWith(asked(person(['1', '2', '3'])), person(['1', '2']))).toBe(POOL)
})

it.each([
  ['the other has one of their own', person(['1', '2', '3']), person(['1', '2', '9'])],
  ['one in common may be public', person(['1', '3']), person(['1'])],
  ['nothing of the other is known', person(['1', '3']), person([])],
  ['the one is of a higher role', person(['1', '2', '3'], 'manager', 3), person(['1', '2'])],
])('%s: nothing says that it is', (_name, victim, other) => {
  expect(sharedWith(asked(victim), other)).toBeNull()
})

it('people are nobody’s pool', () => {
  expect(sharedWith(asked(person(['1', '2', '3']), { ...slotOf('id'), of: 'users' }), person(['1', '2']))).toBeNull()
})

/** So many that a list may have ended. */
const many = (...more: readonly string[]): readonly string[] => [
  ...Array.from({ length: 8 }, (_, n) => `${n + 20}`),
  ...more,
]

/** What one is shown of a kind: of the page of a ticket, and of the other pages in its folder nothing. */
const agent = (ids: readonly string[], role = 'agent'): Party => {
  const page = { ...slotOf('id'), of: 'ticket' }
  const own = new Map([[{ slots: [page], template: { url: 'http://shop.test/tickets/show?id=1' } }, {}]])
  return { role, rank: 2, objects: ({ of }: Slot) => (of === 'ticket' ? ids : []), own } as unknown as Party
}
const history = { ...slotOf('id'), of: 'history' }
const HISTORY = 'http://shop.test/tickets/history?id=3'

it.each([
  ['many in common, some of either alone', HISTORY, agent(many('3')), agent(many('9')), true],
  ['few in all', HISTORY, agent(['1', '2', '3']), agent(['1', '2', '9']), false],
  ['one in common', HISTORY, agent(['20', '3']), agent(many('9')), false],
  ['none in common', HISTORY, agent(['3', '4']), agent(many('9')), false],
  ['another folder', 'http://shop.test/bills/show?id=3', agent(many('3')), agent(many('9')), false],
  ['another role', HISTORY, agent(many('3')), agent(many('9'), 'manager'), false],
])('a kind is shared in part by %s', (_name, address, victim, other, expected) => {
  expect(isSharedInPart(history, address, victim, other)).toBe(expected)
})

it.each([
  ['a page that leads to it by the same id', '/timers/show?id=3', '<a href="/tickets/show?id=3">Ticket</a>', true],
  ['a page that leads to another', '/timers/show?id=3', '<a href="/tickets/show?id=4">Ticket</a>', false],
  ['a page that leads to no ticket', '/bills/show?id=3', '<a href="/bills/print?id=3">Print</a>', false],
  ['what lies below its home alone', '/tickets/bills/show?id=3', 'A bill.', false],
])('what belongs to an object of a kind that is shared in part: %s', (_name, path, body, expected) => {
  const slot = { ...slotOf('id'), of: 'other' }
  const answer = readAnswer(caseAnswer({ path, body, type: 'text/html' }))
  const one = {
    ...{ asked: { request: { url: `http://shop.test${path}` }, values: new Map([[slot, '3']]) } },
    ...{ answers: [answer] as const, victim: agent(many('3')) },
  }
  expect(isPartOfShared(slot, one, agent(many('9')))).toBe(expected)
  expect(isPartOfShared(slot, one, agent(['1', '2', '9']))).toBe(false)
})
