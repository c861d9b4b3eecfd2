/** What carries no text and does something to an object, sent by another and by the owner. */
import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { createWrites } from '../insertion-points/writes.ts'
import { createWrittenValues } from '../insertion-points/written-values.ts'
import { readAnswer } from './answers.ts'
import type { Case, World } from './judging.ts'
import { operationOf, requestWith } from './operations.ts'
import type { Party } from './parties.ts'
import { pressedObject } from './pressed-objects.ts'

const ORIGIN = 'http://shop.test'

interface How {
  /** Whose it is, where the deed is done, and where it is shown. */
  readonly asks: { readonly deed: boolean; readonly shown: boolean }
  readonly does: 'removes' | 'approves' | 'counts' | 'nothing'
}

const looked = async ({ asks, does }: How) => {
  const orders = new Map(
    ['71', '72', '73', '74'].map((id, at) => [id, { owner: at === 1 ? 'ben' : 'ada', status: 'pending', likes: 0 }]),
  )
  const sent: string[] = []
  const askAs =
    (name: string) =>
    async ({ method = 'GET', url }: HttpRequest) => {
      const id = new URL(url).pathname.split('/')[2] ?? ''
      const order = orders.get(id)
      if (method !== 'GET') sent.push(`${name} ${id}`)
      const isRefused = order?.owner !== name && (method === 'GET' ? asks.shown : asks.deed)
      const answer = (status: number, body: object) =>
        readAnswer(caseAnswer({ path: `/orders/${id}`, status, type: 'application/json', body: JSON.stringify(body) }))
      if (order === undefined || isRefused) return answer(404, { error: 'not found' })
      if (method !== 'GET') {
        if (does === 'removes') orders.delete(id)
        if (does === 'approves') order.status = 'approved'
        if (does === 'counts') order.likes += 1
      }
      return answer(200, { id, ...order })
    }
  const show = operationOf(caseRequest({ url: `${ORIGIN}/orders/71` }), 'test')
  const method = does === 'removes' ? 'DELETE' : 'POST'
  const deed = operationOf(
    caseRequest({ method, url: `${ORIGIN}/orders/71${does === 'removes' ? '' : '/approve'}`, bound: 40 }),
    'test',
  )
  const partyOf = (name: string): Party =>
    ({
      ...{ name, role: 'member', rank: 1, isNobody: false, left: null, own: new Map(), ask: askAs(name) },
      ...{ objects: () => [...orders].filter(([, { owner }]) => owner === name).map(([id]) => id) },
      ...{ knows: () => false, knowsId: () => false, named: () => [] },
    }) as unknown as Party
  const [ada, ben] = [partyOf('ada'), partyOf('ben')]
  const nobody = { name: '', isNobody: true, own: new Map() } as unknown as Party
  const values = new Map(show.slots.map((slot) => [slot, '71']))
  const request = requestWith(show, values)
  const [first, theirs] = [await ada.ask(request), await ben.ask(request)]
  const seen = {
    ...{ victim: ada, operation: show, answers: [first, first], replies: new Map([[ben, theirs]]), stable: [] },
    asked: { request, values, first },
  } as unknown as Case
  const ctx = {
    scope: { of: () => ({ writes: createWrites(), written: createWrittenValues() }) },
    evidence: () => ({ id: 'e', filename: 'e.txt' }),
  } as unknown as CollectContext
  const world: World = { identities: [ada, ben], nobody, operations: [show, deed] }
  return { ...(await pressedObject(ctx, deed, world, [seen])), sent }
}

test('what removes the objects of others is a flaw, though it is shown to all', async () => {
  const { flaw, kept, sent } = await looked({ asks: { deed: false, shown: false }, does: 'removes' })
  expect([flaw, kept]).toMatchObject([
    { kind: 'object', writes: true, by: 'ben', owner: 'ada', method: 'DELETE' },
    null,
  ])
  expect(flaw?.detail).toBe(
    'ben (member) sent it for orders 74 and 73, which are named to ada and not to ben, and ada was then answered with “status 404” for both.',
  )
  expect(sent).toEqual(['ben 74', 'ben 73'])
})

test('what changes an object that is refused to whoever sends it is one', async () => {
  const { flaw } = await looked({ asks: { deed: false, shown: true }, does: 'approves' })
  expect(flaw?.values).toEqual(['status: approved'])
})

test.each<[string, How, string | null]>([
  ['it asks whose it is', { asks: { deed: true, shown: true }, does: 'approves' }, null],
  [
    'others may do it to what they are shown',
    { asks: { deed: false, shown: false }, does: 'counts' },
    'what is shown to others as well, they may do something to',
  ],
  [
    'nothing is seen of it',
    { asks: { deed: false, shown: true }, does: 'nothing' },
    'what ada does with it is not seen',
  ],
])('no flaw where %s', async (_name, how, reason) => {
  const { flaw, kept } = await looked(how)
  expect([flaw, kept]).toEqual([null, reason])
})
