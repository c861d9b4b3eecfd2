/** Waits that show behind nothing but the time an answer takes. */
import { expect, it } from 'vitest'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { soonestWaits, timeWays } from './time.ts'

const THANKS = '<p>Thank you, the warehouse has been asked.</p>'
/** An expression behind a quote of this kind waits; `signs`: what the page refuses. */
const waiting =
  (quote: string, signs: RegExp) =>
  (value: string): { text: string; ms?: number } => {
    if (signs.test(value)) return { text: '<p>No such signs, please.</p>' }
    const inside = new RegExp(`^[^${quote}]*${quote}Xor[^'"]*Sleep\\(([\\d.]+)\\)`).exec(value)
    return { text: THANKS, ms: 20 + Number(inside?.[1] ?? 0) * 1_000 }
  }

it.each([
  ["text in '", "'"],
  ['text in "', '"'],
])('%s behind a filter of spaces, on a page that says the same of all else', async (_name, quote) => {
  const { probe } = fakeProbe(waiting(quote, / /), { value: 'A1' })
  expect(await firstOf(timeWays(probe))).toMatchObject({ technique: 'time', dbms: 'MySQL' })
})

it('a page that does not wait is not found', async () => {
  const { probe } = fakeProbe(() => ({ text: THANKS, ms: 20 }), { value: 'A1' })
  expect(await firstOf(timeWays(probe))).toBeNull()
})

const withPostgres = (value: string): { text: string; ms?: number } => {
  const inside = /^[^']*'\|\|\(Select\(''\)From\/\*\*\/pg_sleep\(([\d.]+)\)\)/.exec(value)
  return { text: THANKS, ms: 20 + Number(inside?.[1] ?? 0) * 1_000 }
}

it('of the two that few requests leave room for, one is of another database', async () => {
  const { probe } = fakeProbe(withPostgres, { value: 'A1' })
  expect(await firstOf(soonestWaits(probe).slice(0, 2))).toMatchObject({ technique: 'time', dbms: 'PostgreSQL' })
})

it('the database that the site has shown is asked first', async () => {
  const { probe, sent } = fakeProbe(withPostgres, { value: 'A1' })
  const [first] = timeWays(probe, new Set(['PostgreSQL']))
  expect(await first?.()).toMatchObject({ technique: 'time', dbms: 'PostgreSQL' })
  expect(sent.filter((value) => value.includes('Sleep('))).toEqual([])
})
