/** Buttons beside things of somebody: pressed by another, and by the owner. */
import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../egress/door/egress.ts'
import type { CollectContext } from '../../module.ts'
import { caseAnswer } from '../../testing/answers.ts'
import { caseRequest } from '../crawl/testing/crawl-facts.ts'
import { createWrites } from '../insertion-points/writes.ts'
import { createWrittenValues } from '../insertion-points/written-values.ts'
import { readAnswer } from './answers.ts'
import type { Case, World } from './judging.ts'
import { operationOf } from './operations.ts'
import type { Party } from './parties.ts'
import { pressedCase } from './pressed.ts'

interface Thing {
  readonly owner: string
  readonly title: string
  state: string
}

type How = 'asks whose it is' | 'asks nobody' | 'does nothing that shows' | 'forgets the row'

const ORIGIN = 'http://shop.test'

/** A list of repairs with a button each; `between`: what others do while it is looked at. */
const site = (how: How, between: (things: Map<string, Thing>) => void = () => undefined) => {
  const things = new Map<string, Thing>(
    Object.entries({
      '4100': { owner: 'mia', title: 'Kitchen tap', state: 'open' },
      '4101': { owner: 'noah', title: 'Window', state: 'open' },
      '4102': { owner: 'mia', title: 'Cellar light', state: 'open' },
      '4103': { owner: 'mia', title: 'Door bell', state: 'open' },
    }),
  )
  const pressed: string[] = []
  const pageOf = (name: string): string =>
    [...things]
      .filter(([, { owner }]) => owner === name)
      .map(
        ([id, { title, state }]) =>
          `<div><b>${title}</b> (${state})<form method="post" action="/repairs/cancel"><input type="hidden" name="id" value="${id}"><button>Cancel</button></form></div>`,
      )
      .join('')
  const askAs =
    (name: string) =>
    async ({ method = 'GET', body }: HttpRequest) => {
      if (method === 'GET') {
        between(things)
        return readAnswer(caseAnswer({ path: '/repairs', type: 'text/html', body: `<h1>Repairs</h1>${pageOf(name)}` }))
      }
      const id = new URLSearchParams(String(body)).get('id') ?? ''
      const thing = things.get(id)
      pressed.push(`${name} ${id}`)
      const isOwn = thing?.owner === name
      if (thing === undefined || (how === 'asks whose it is' && !isOwn))
        return readAnswer(caseAnswer({ path: '/repairs/cancel', status: 404, body: 'There is none' }))
      if (how === 'forgets the row') things.delete(id)
      else if (how !== 'does nothing that shows') thing.state = 'cancelled'
      return readAnswer(caseAnswer({ path: '/repairs/cancel', type: 'text/html', body: '<p>Done</p>' }))
    }
  return { askAs, pressed }
}

const looked = async (how: How, between?: (things: Map<string, Thing>) => void) => {
  const { askAs, pressed } = site(how, between)
  const list = operationOf(caseRequest({ method: 'GET', url: `${ORIGIN}/repairs`, encoding: 'none' }), 'test')
  const cancel = operationOf(
    caseRequest({
      ...{ method: 'POST', url: `${ORIGIN}/repairs/cancel`, encoding: 'urlencoded', seenOn: [`${ORIGIN}/repairs`] },
      fields: [{ name: 'id', value: '4100', type: 'hidden' }],
    }),
    'test',
  )
  const request = { method: 'GET', url: `${ORIGIN}/repairs` }
  const partyOf = async (name: string): Promise<Party> => {
    const ask = askAs(name)
    const own = new Map([[list, { request, values: new Map(), first: await ask(request) }]])
    return {
      ...{ name, role: '', rank: 1, isNobody: false, left: null, own, ask },
      ...{ objects: () => [], knows: () => false, knowsId: () => false, named: () => [] },
    } as unknown as Party
  }
  const [mia, noah] = [await partyOf('mia'), await partyOf('noah')]
  const nobody = { name: '', isNobody: true, own: new Map() } as unknown as Party
  const world: World = { identities: [mia, noah], nobody, operations: [list, cancel] }
  const first = await mia.ask(request)
  const seen = {
    ...{ victim: mia, operation: list, answers: [first, first], replies: new Map([[noah, first]]), stable: [] },
    asked: { request, values: new Map(), first },
  } as unknown as Case
  const ctx = {
    scope: { of: () => ({ writes: createWrites(), written: createWrittenValues() }) },
    evidence: () => ({ id: 'e', filename: 'e.txt' }),
  } as unknown as CollectContext
  return { ...(await pressedCase(ctx, cancel, world, [seen])), pressed }
}

test('a button that asks nobody whose it is changes what is another’s', async () => {
  const { flaw, kept, pressed } = await looked('asks nobody')
  expect([flaw, kept]).toMatchObject([
    { kind: 'object', writes: true, by: 'noah', owner: 'mia', confidence: 'confirmed', parameter: 'id' },
    null,
  ])
  expect(flaw?.detail).toBe(
    'noah sent it for id 4102 and 4103, which are named to mia alone, and their rows at /repairs then said “cancelled” and said “open” no more.',
  )
  // None of their own, and each once.
  expect(pressed).toEqual(['noah 4102', 'noah 4103'])
})

test('what takes the row away does, too', async () => {
  expect((await looked('forgets the row')).flaw?.detail).toMatch(/then said “.*cancel.*” no more\.$/)
})

test('one that asks whose it is refuses the other, and not the owner', async () => {
  const { flaw, kept, pressed } = await looked('asks whose it is')
  expect([flaw, kept]).toEqual([null, null])
  expect(pressed).toEqual(['noah 4102', 'mia 4102'])
})

test('of one whose work shows nowhere nothing is said', async () => {
  const { flaw, kept } = await looked('does nothing that shows')
  expect([flaw, kept]).toEqual([null, 'what mia does with it is not seen'])
})

test('a page on which others work at the same time tells nothing of it', async () => {
  let count = 0
  const { flaw, kept } = await looked('does nothing that shows', (things) => {
    count += 1
    for (const thing of things.values())
      thing.state = ['open', 'planned', 'late', 'done', 'paid', 'sent'][count % 6] ?? ''
  })
  expect([flaw, kept]).toEqual([null, 'the page that shows what it does changes by itself'])
})

test('rows that come in meanwhile are no change of another', async () => {
  let count = 0
  const { flaw } = await looked('asks whose it is', (things) => {
    count += 1
    things.set(String(5_000 + count), { owner: 'mia', title: `sonde${count} another`, state: 'new' })
  })
  expect(flaw).toBeNull()
})
