import { expect, it } from 'vitest'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { DISGUISES, disguised } from './disguises.ts'

const spelt = (name: string, sql: string): string => DISGUISES.find((one) => one.name === name)?.of(sql) ?? ''

it.each([
  ['spaces as comments', "' Union All Select 1-- -", "'/**/Union/**/All/**/Select/**/1-- -"],
  ['comments as spaces', '1/**/And(2=2)', '1 And(2=2)'],
  ['line breaks for both', '1/**/And 2', '1\nAnd\n2'],
  ['words within words', '1 And(Select 2)', '1 AAndnd(SSelectelect 2)'],
])('%s', (name, sql, expected) => expect(spelt(name, sql)).toBe(expected))

it('a filter that takes words out once leaves the statement', () => {
  const sql = "' Union All Select 1,2 From(Select 3)x"
  expect(spelt('words within words', sql).replace(/union|all|select|from/gi, '')).toBe(sql)
})

it("leaves the place's own value as it is", async () => {
  const { probe, sent } = fakeProbe((value) => ({ text: value }), { value: 'Select tents or not' })
  const [, , , words] = DISGUISES
  if (!words) throw new Error('four')
  await disguised(probe, words).send("Select tents or not' Or 1")
  expect(sent).toEqual(["Select tents or not' OOrr 1"])
})
