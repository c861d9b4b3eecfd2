/** Rows whose order a value chooses, where nothing else of the answer tells of a statement. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isAnsweredExactly } from '../boolean.ts'
import { probePoint } from '../collect.ts'
import type { SqliHit } from '../facts.ts'

const COLUMNS = ['name', 'price']
const NAMES = ['Arctic', 'Brook', 'Cirrus', 'Dune', 'Estuary', 'Fjord']

/** `grows`: so many answers later there is one more row. */
const asked = async (name: string, orderOf: (sort: string) => string | null, value = 'name', grows = 0) => {
  const shop = new DatabaseSync(':memory:')
  shop.exec(
    `Create Table tents(name, price);${NAMES.map((one, at) => `Insert Into tents Values('${one}', ${(at * 5) % 6})`).join(';')}`,
  )
  for (let row = 0; grows > 0 && row < 40; row += 1)
    shop.exec(`Insert Into tents Values('Hill ${row}', ${(row * 7) % 40})`)
  const rows = (sort: string): readonly unknown[] => {
    try {
      const order = orderOf(sort)
      return shop.prepare(`Select name From tents Order By ${order ?? 'name'}`).all()
    } catch {
      return shop.prepare('Select name From tents Order By name').all() // As pages do that hide errors.
    }
  }
  let answers = 0
  const growing = (): void => {
    answers += 1
    if (grows > 0 && answers % grows === 0) shop.exec(`Insert Into tents Values('Gully ${answers}', ${answers})`)
  }
  const { probe, sent } = fakeProbe(
    (sort) => ({
      text: `${growing() ?? ''}<ul>${rows(sort)
        .map((row) => `<li>${Object.values(row as object)}`)
        .join('')}</ul>`,
    }),
    { name, value },
  )
  const hits: SqliHit[] = []
  await probePoint(probe, (hit) => hits.push(hit))
  shop.close()
  return { hits, sent: sent.length }
}

it.each([
  ['turned round, as what fails looks like the usual order', 'name', 'order of rows, turned round'],
  ['otherwise than they lie', 'price', 'order of rows'],
])('are proven where they come %s', async (_name, value, boundary) => {
  const { hits } = await asked('sort', (sort) => sort, value)
  expect(hits).toHaveLength(1)
  const [hit] = hits
  expect(hit?.technique === 'boolean' && isAnsweredExactly(hit) && hit.boundary).toBe(boundary)
})

it('are proven whatever the parameter is called', async () => {
  const { hits } = await asked('unit', (sort) => sort, 'price')
  expect(hits).toMatchObject([{ technique: 'boolean', boundary: 'order of rows' }])
})

it.each([
  ['chosen from a list', (sort: string) => (COLUMNS.includes(sort) ? sort : null)],
  ['turned round by a word of its own', (sort: string) => (/\bdesc\b/i.test(sort) ? 'name Desc' : 'name')],
])('are nothing where they are %s', async (_name, orderOf) => {
  const { hits } = await asked('sort', orderOf)
  expect(hits).toEqual([])
})

it('are asked turned round where a name speaks of an order', async () => {
  const list = (sort: string) => (COLUMNS.includes(sort) ? sort : null)
  const [ordered, other] = [await asked('sort', list), await asked('q', list)]
  expect(ordered.sent - other.sent).toBe(1)
})

it.each([
  ['are proven all the same', (sort: string) => sort, 1],
  ['chosen from a list are nothing', (sort: string) => (COLUMNS.includes(sort) ? sort : null), 0],
] as const)('of a list that grows meanwhile %s', async (_what, orderOf, hits) => {
  expect((await asked('sort', orderOf, 'price', 6)).hits).toHaveLength(hits)
})

/** As interfaces read it: a sign in front turns the order round. */
const bySign = (sort: string) => (sort.startsWith('-') ? `${sort.slice(1)} Desc` : sort)

it('are proven behind the sign that turns them round', async () => {
  const { hits } = await asked('sort', bySign, '-name')
  expect(hits).toMatchObject([{ technique: 'boolean' }])
  expect(hits[0]?.technique === 'boolean' && isAnsweredExactly(hits[0])).toBe(true)
})

it('chosen from a list are nothing, with a sign as without', async () => {
  const { hits } = await asked(
    'sort',
    (sort) => (COLUMNS.includes(sort.replace('-', '')) ? bySign(sort) : null),
    '-name',
  )
  expect(hits).toEqual([])
})

it.each([
  ['price asc', 'order of rows'],
  ['name asc', 'order of rows, turned round'],
  ['tents.price DESC, name', 'order of rows'],
])('a column with its direction is one, whatever it is called: %s', async (value, boundary) => {
  const { hits } = await asked('q[s]', (sort) => sort, value)
  expect(hits.map((hit) => hit.technique === 'boolean' && hit.boundary)).toEqual([boundary])
})

/** As Spring Data takes it apart: the column and its direction, each put into the statement. */
const byPair = (sort: string) => {
  const [column, direction] = sort.split(',')
  return `${column}${direction === 'desc' ? ' desc' : ''}`
}

it('a column and its direction that a program takes apart are proven as they are put together again', async () => {
  for (const value of ['price,asc', 'name,asc']) {
    const { hits } = await asked('sort', byPair, value)
    expect(hits.map((hit) => hit.technique === 'boolean' && isAnsweredExactly(hit))).toEqual([true])
  }
  const chosen = (sort: string) => (COLUMNS.includes(sort.split(',')[0] ?? '') ? byPair(sort) : null)
  expect((await asked('sort', chosen, 'price,asc')).hits).toEqual([])
})
