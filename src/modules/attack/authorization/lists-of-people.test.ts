import { expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import type { Case, World } from './judging.ts'
import { operationOf } from './operations.ts'
import type { Party, Reply } from './parties.ts'
import { functionsOf, OF_PEOPLE } from './rows.ts'

const answer = (body: unknown) =>
  readAnswer(caseAnswer({ path: '/api/members', type: 'application/json', body: JSON.stringify(body) }))
const people = (count: number) =>
  [...'abcdef']
    .slice(0, count)
    .map((letter, at) => ({ id: at + 1, name: `Person ${letter}`, email: `${letter}@club.test` }))
const partyOf = (name: string, rank: number | null) =>
  ({ name, role: name, rank, isNobody: rank === null, left: null, own: new Map() }) as unknown as Party
const REFUSED: Reply = readAnswer(caseAnswer({ path: '/api/members', status: 403, body: '' }))

/** What the check of functions says of `/api/members`, which an administrator is shown, and somebody of a lower role as well. */
const reasons = (
  shown: Reply,
  { of = people(5), low = 1, nobody = REFUSED }: { of?: unknown; low?: number; nobody?: Reply } = {},
) => {
  const operation = operationOf(caseRequest({ url: 'https://club.test/api/members' }), 'test')
  const [admin, lower, none] = [partyOf('admin', 3), partyOf('lower', low), partyOf('', null)]
  const caseOf = (victim: Party, other: Party, reply: Reply) => ({
    ...{ operation, victim, asked: { request: { url: '' }, values: new Map() }, stable: [] },
    answers: [answer(of), answer(of)],
    replies: new Map([[other, reply] as const, [none, nobody] as const]),
  })
  const cases = [caseOf(admin, lower, shown), caseOf(lower, admin, answer(of))] as unknown as readonly Case[]
  const world = { identities: [admin, lower], nobody: none, operations: [operation] } as unknown as World
  const written = { rows: [], objects: [], functions: [], flaws: [] }
  return functionsOf({ world, cases, flaws: [], left: {}, written, open: [], isCut: false }).reasons
}

it('a list of people with their mail addresses that a lower role is shown as well is passed by nobody', () => {
  expect(reasons(answer(people(5)))).toEqual([{ reason: OF_PEOPLE, count: 1 }])
})

it('one that shows each role its own, that colleagues or all are shown, or that is about things, says nothing', () => {
  expect(reasons(answer(people(1)))).toEqual([])
  expect(reasons(answer(people(5)), { low: 2 })).toEqual([])
  expect(reasons(answer(people(5)), { nobody: answer(people(5)) })).toEqual([])
  expect(reasons(REFUSED)).toEqual([])
  const things = people(5).map(({ id, name }) => ({ id, title: name }))
  expect(reasons(answer(things), { of: things })).toEqual([])
})
