import { describe, expect, test } from 'vitest'
import { RunOptions, StartRun } from './run.ts'
import { RUN_SWITCHES, runSwitches, SWITCH_DEFAULTS } from './run-switches.ts'

const domain_id = '00000000-0000-4000-8000-000000000001'

test('a start without a word about them has the defaults, and nothing of what came later', () => {
  const written = runSwitches.filter(([, { fallback }]) => fallback !== undefined).map(([name]) => name)
  const run = StartRun.parse({ domain_id })
  for (const name of written) expect([name, run[name]]).toEqual([name, SWITCH_DEFAULTS[name]])
  expect(Object.keys(run).filter((key) => key in RUN_SWITCHES)).toEqual(written)
})

describe.each(runSwitches)('%s', (name, { inPassive }) => {
  test('may be said of a run, and is kept with it', () => {
    for (const on of [true, false]) {
      const { domain_id: _d, ...started } = StartRun.parse({ domain_id, active: true, [name]: on })
      expect(RunOptions.strip().parse(started)).toMatchObject({ [name]: on })
    }
  })
  test('in a passive run', () => {
    const { error } = StartRun.safeParse({ domain_id, active: false, [name]: true })
    expect(error?.issues.map(({ path }) => path) ?? []).toEqual(inPassive === 'refused' ? [[name]] : [])
  })
})
