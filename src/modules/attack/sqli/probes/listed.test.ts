/** Columns that a value chooses, by name. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { probePoint } from '../collect.ts'
import type { SqliHit } from '../facts.ts'

const asked = async (name: string, columnsOf: (value: string) => string | null, own = 'name') => {
  const shop = new DatabaseSync(':memory:')
  shop.exec(`Create Table tents(name, price);Insert Into tents Values('Arctic', 3),('Brook', 4)`)
  const rows = (value: string): readonly unknown[] => {
    try {
      const columns = columnsOf(value)
      return columns === null ? [] : shop.prepare(`Select ${columns} From tents t`).all()
    } catch {
      return [] // As interfaces do that hide errors.
    }
  }
  const { probe, sent } = fakeProbe((value) => ({ text: JSON.stringify(rows(value)) }), { name, value: own })
  const hits: SqliHit[] = []
  await probePoint(probe, (hit) => hits.push(hit))
  shop.close()
  return { hits, sent: sent.length }
}

it.each(['fields', 'columns[]', '/query/selectTents/0', 'tentFields'])(
  'are proven by one more, of any table, as %s',
  async (name) => {
    const { hits } = await asked(name, (value) => `t.${value}`)
    expect(hits).toMatchObject([{ technique: 'union', listed: true, computed: [{ seen: true }, { seen: true }] }])
  },
)

it('are proven behind several as well', async () => {
  const { hits } = await asked('columns', (value) => value, 'name,price')
  expect(hits).toMatchObject([{ technique: 'union', listed: true }])
})

it.each([
  ['chosen from a list', (value: string) => (value === 'name' ? 't.name' : null)],
  [
    'taken apart at commas, and chosen',
    (value: string) =>
      value
        .split(',')
        .filter((one) => one === 'name')
        .join() || null,
  ],
  ['quoted', (value: string) => `t."${value.replaceAll('"', '""')}"`],
])('are nothing where they are %s', async (_name, columnsOf) => {
  expect((await asked('fields', columnsOf)).hits).toEqual([])
})

it('cost two requests more, and nothing where a name does not speak of them', async () => {
  const list = (value: string) => (value === 'name' ? 't.name' : null)
  const [listed, other] = [await asked('fields', list), await asked('q', list)]
  expect(listed.sent - other.sent).toBe(2)
})
