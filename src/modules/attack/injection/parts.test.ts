/** Of many places each is asked a first part, and later the rest: together they are the whole. */
import { expect, it } from 'vitest'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { type Asked, inOrder, soonest, type Way } from './order.ts'

const ways = (count: number): readonly Way[] => Array.from({ length: count }, () => async () => null)
const made = (templates: number): Asked => ({
  ...{ promised: ways(1), spellings: ways(2), files: ways(6), opened: ways(1), likelyFiles: 0, code: ways(4) },
  ...{ within: [], moreCode: async () => [], templates: ways(templates), commands: ways(3), waits: [], calls: ways(2) },
  ...{ unseen: ways(3), silent: ways(1), documents: ways(1), objects: ways(2), built: [], operators: ways(2) },
})
const ofForm = (bound?: number, value = 'lamp') =>
  fakeProbe(() => ({ text: '<p>Kept' }), {
    ...{ place: 'form', name: 'note', value },
    request: { method: 'POST', url: 'http://shop.test/a', effect: 'reads', ...(bound === undefined ? {} : { bound }) },
  }).probe

it.each([
  ['that may be sent any number of times', inOrder],
  [
    'that may be sent a few times',
    async (...[probe, asked, part]: Parameters<typeof inOrder>) => soonest(probe, asked, true, part),
  ],
] as const)('of a form %s the first part and the rest are the whole, each way once', async (_name, order) => {
  const [probe, asked] = [ofForm(40), made(3)]
  const own = new Set(Object.values(asked).flatMap((one) => (Array.isArray(one) ? (one as readonly Way[]) : [])))
  const of = async (part: 'whole' | 'first' | 'rest', from = asked) =>
    (await order(probe, from, part)).filter((way) => own.has(way) || from !== asked)
  const [first, rest] = [await of('first'), await of('rest')]
  expect(first.length).toBeGreaterThan(3)
  expect(rest.filter((way) => first.includes(way))).toEqual([])
  expect(new Set([...first, ...rest])).toEqual(new Set(await of('whole')))
  // Where the place is another by then, what the first part asked was made of something else.
  const other = made(4)
  expect(await of('rest', other)).toHaveLength((await of('whole', other)).length)
})

it('a wait of what shows nothing belongs to the first part', async () => {
  const [probe, asked] = [ofForm(), made(3)]
  expect(await inOrder(probe, asked, 'first')).toContain(asked.silent[0])
  expect(await inOrder(probe, asked, 'rest')).not.toContain(asked.silent[0])
})

it.each([
  ['{{ name }}', true],
  ['#{total}', true],
  ['<%= title %>', true],
  ['{ a lamp }', false],
])('%s is asked for templates before all else: %s', async (value, isFirst) => {
  const asked = made(3)
  const few = soonest(ofForm(40, `Dear ${value},`), asked, true, 'whole')
  const many = await inOrder(ofForm(undefined, `Dear ${value},`), asked, 'first')
  for (const order of [few, many]) {
    expect(order.slice(0, 3).every((way) => asked.templates.includes(way))).toBe(isFirst)
    expect(new Set(order).size).toBe(order.length)
  }
})

it.each([
  ['gARdlC4=', true],
  ['lamp', false],
])('of a value that holds an object the first part builds others: %s', async (value, isFirst) => {
  const asked = { ...made(3), built: ways(2) }
  const first = await inOrder(ofForm(undefined, value), asked, 'first')
  expect(first.slice(0, 2).every((way) => asked.built.includes(way))).toBe(isFirst)
  const rest = await inOrder(ofForm(undefined, value), asked, 'whole')
  expect(rest.filter((way) => asked.built.includes(way))).toHaveLength(2)
})
