import { expect, it } from 'vitest'
import { stretched, TIMES } from './times.ts'

it('waits longer where the browser was slow to start, but for what counts as quiet, and never beyond two and a half times', () => {
  expect(stretched(TIMES, 400)).toEqual(TIMES)
  expect(stretched(TIMES, 2_400)).toMatchObject({ load: 30_000, late: 18_000, whole: 80_000, quiet: TIMES.quiet })
  expect(stretched(TIMES, 60_000)).toMatchObject({ whole: 100_000, state: 75_000, quiet: TIMES.quiet })
})
