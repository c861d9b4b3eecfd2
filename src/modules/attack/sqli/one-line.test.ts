/** A place that refuses what is no number, and looks at one line of what it is given. */
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { Unsendable } from '../insertion-points/prober.ts'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { probePoint } from './collect.ts'

/** `is`: what it takes for a number. */
const drawers = (is: RegExp) => {
  const database = new DatabaseSync(':memory:')
  database.exec("create table goods (id int, name text); insert into goods values (7, 'Tent'), (8, 'Lamp')")
  const page = (value: string): { status?: number; text: string } => {
    if (!is.test(value)) return { text: '<h1>Drawer</h1><p>A number, please.</p>' }
    try {
      const rows = database.prepare(`select name from goods where id = ${value}`).all()
      const names = rows.map(({ name }) => `It holds: ${name}.`).join(' ') || 'There is nothing in it.'
      return { text: `<h1>Drawer</h1><p>${names}</p>` }
    } catch {
      return { status: 500, text: '<h1>Drawer</h1><p>That did not work.</p>' }
    }
  }
  return fakeProbe(page, { name: 'drawer', value: '7' })
}

it.each([
  ['one line', /^\d+$/m, ['boolean']],
  ['the whole', /^\d+$/, []],
])('%s', async (_name, is, expected) => {
  const hits: string[] = []
  await probePoint(drawers(is).probe, ({ technique }) => void hits.push(technique))
  expect(hits).toEqual(expected)
})

it('where no line break can be put, all else is asked', async () => {
  const { probe, sent } = drawers(/^\d+$/)
  const send: typeof probe.send = async (value, asking) => {
    if (value.includes('\n')) throw new Unsendable('no line break')
    return probe.send(value, asking)
  }
  expect(await probePoint({ ...probe, send }, () => undefined)).toBe('whole')
  expect(sent.length).toBeGreaterThan(10)
})
