import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseContext } from '../../testing/judge-cases.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { readAnswer } from './answers.ts'
import { type Case, judgeCase, type World } from './judging.ts'
import { withoutLedBoth } from './led-both.ts'
import { operationOf, requestWith, type Slot } from './operations.ts'
import type { Party, Reply } from './parties.ts'
import { stableLeaves } from './telling.ts'

const TICKET = 'https://shop.test/tickets?no=3'
const FILE = '/files/22'
const page = (path: string, body: string, status = 200): Reply => readAnswer(caseAnswer({ path, status, body }))
const ctx = { ...caseContext(), evidence: () => ({ id: 'a', filename: 'a' }) } as unknown as Parameters<
  typeof judgeCase
>[0]

/** Ada alone was shown number 22. `ticket`: what Ben is answered to the page on which it stands; `seenOn`: that page. */
const told = async (ticket: Reply, { seenOn = TICKET } = {}) => {
  const asked: string[] = []
  const template = caseRequest({ method: 'GET', url: `https://shop.test${FILE}`, sent: true, seenOn: [seenOn] })
  const operation = operationOf(template, 'test')
  const [slot] = operation.slots as readonly [Slot]
  const party = (name: string, ids: readonly string[]): Party =>
    ({
      ...{ name, role: 'agent', rank: 1, isNobody: false, left: null, own: new Map() },
      ...{ named: () => [], knows: () => false, knowsId: () => false, objects: () => ids },
      ask: async ({ url }: HttpRequest) => {
        asked.push(`${name} ${url}`)
        return ticket
      },
    }) as unknown as Party
  const [ada, ben] = [party('ada', ['22', '23']), party('ben', ['31', '32'])]
  const stranger = { ...party('', []), isNobody: true } as unknown as Party
  const shown = page(FILE, `<h1>Offer for Harbour Road 7</h1><p>robin.berg@mail.test<p>the whole offer`)
  const mine = shown as Case['answers'][0]
  const values = new Map([[slot, '22']])
  const one: Case = {
    ...{ operation, victim: ada, answers: [mine, mine], stable: stableLeaves(mine, mine) },
    asked: { request: requestWith(operation, values), values, first: mine },
    replies: new Map<Party, Reply>([
      [stranger, page(FILE, '', 403)],
      [ben, shown],
    ]),
  }
  const world: World = { identities: [ada, ben], nobody: stranger, operations: [operation] }
  const flaws = judgeCase(ctx, one, world, [one])
  const kept = await withoutLedBoth(flaws, [one], [ada, ben])
  return { before: flaws.map(({ confidence }) => confidence), after: kept.map(({ confidence }) => confidence), asked }
}

test('what a page that the other is shown leads to is told as tentative', async () => {
  const { before, after, asked } = await told(page('/tickets?no=3', '<h1>Ticket 3</h1><a href="/files/22">Offer</a>'))
  expect([before, after]).toEqual([['confirmed'], ['tentative']])
  expect(asked).toEqual([`ben ${TICKET}`])
})

test.each<[string, Reply, { seenOn?: string }?]>([
  ['the page is refused', page('/tickets?no=3', '', 403)],
  ['the page leads the other elsewhere', page('/tickets?no=3', '<h1>Ticket 3</h1><a href="/files/31">Offer</a>')],
  [
    'it is a page of the same flaw',
    page('/files/24', '<h1>Offer</h1><a href="/files/22">Before</a>'),
    { seenOn: 'https://shop.test/files/24' },
  ],
])('it is confirmed where %s', async (_, ticket, how) => {
  const { before, after } = await told(ticket, how)
  expect([before, after]).toEqual([['confirmed'], ['confirmed']])
})

test('what an address asks for says nothing of whose its answer is', () => {
  const search = page(
    '/find?query=owner+%3D+robin%40mail.test++and+open',
    '<p>owner = robin@mail.test and open</p><p>7 Harbour Road',
  )
  const answer = search as Case['answers'][0]
  expect(stableLeaves(answer, answer).map(({ value }) => value)).toEqual(['7 Harbour Road'])
})
