import { describe, expect, test } from 'vitest'
import { RunOptions, StartRun } from './run.ts'
import { isOffered, RUN_SWITCHES, runSwitches, SWITCH_DEFAULTS, settleSwitches } from './run-switches.ts'

const domain_id = '00000000-0000-4000-8000-000000000001'

test('a start without a word about them has the defaults, and nothing of what came later', () => {
  const written = runSwitches.filter(([, { fallback }]) => fallback !== undefined).map(([name]) => name)
  const run = StartRun.parse({ domain_id })
  for (const name of written) expect([name, run[name]]).toEqual([name, SWITCH_DEFAULTS[name]])
  expect(Object.keys(run).filter((key) => key in RUN_SWITCHES)).toEqual(written)
})

describe.each(runSwitches)('%s', (name, { inPassive, inActive, without = [] }) => {
  test('may be said of a run, and is kept with it', () => {
    for (const on of [true, false]) {
      const { domain_id: _d, ...started } = StartRun.parse({ domain_id, active: inActive === undefined, [name]: on })
      expect(RunOptions.strip().parse(started)).toMatchObject({ [name]: on })
    }
  })
  test.each([
    [false, inPassive],
    [true, inActive],
  ])('in a run that is active: %s', (active, becomes) => {
    const { error } = StartRun.safeParse({ domain_id, active, [name]: true })
    expect(error?.issues.map(({ path }) => path) ?? []).toEqual(becomes === 'refused' ? [[name]] : [])
    expect(isOffered(name, { ...SWITCH_DEFAULTS, active })).toBe(becomes === undefined)
  })
  test('turns off what it has no use for', () => {
    const all = Object.fromEntries(runSwitches.map(([one]) => [one, one === name || without.includes(one)]))
    const settled = settleSwitches(all)
    expect(Object.keys(settled).filter((one) => settled[one])).toEqual([name])
    for (const other of without) {
      const chosen = { ...SWITCH_DEFAULTS, [name]: true, active: false }
      expect(isOffered(other as typeof name, chosen)).toBe(false)
    }
  })
})
