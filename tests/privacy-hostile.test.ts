/**
 * Pages that hold, fill or outlive a browser: each visit ends by the module's deadline, and leaves no process behind.
 * All of them with SONDE_LONG=1.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseAddress } from '../src/modules/testing/collecting.ts'
import { HOSTILE } from '../testbed/privacy/pages/hostile.ts'
import { type PrivacyTestbed, startPrivacyTestbed } from '../testbed/privacy/server.ts'
import { type ProcessWatch, watchProcesses } from './privacy/processes.ts'
import { BRISK, visit } from './privacy/visit.ts'

/** Milliseconds: what the engine gives the module, shortened as the waits are. */
const DEADLINE = 20_000
/** A module that is told to end has this long (see module-run.ts). */
const GRACE = 12_000
const SHORT = ['hostile-loop', 'hostile-alerts']
const pages = HOSTILE.filter(({ name }) => process.env.SONDE_LONG || SHORT.includes(name))

let testbed: PrivacyTestbed
let watch: ProcessWatch

beforeAll(async () => {
  testbed = await startPrivacyTestbed(caseAddress(181), HOSTILE)
  watch = watchProcesses()
})

afterAll(async () => {
  watch.stop()
  await testbed.close()
})

describe.concurrent('a hostile page', { timeout: DEADLINE + GRACE + 10_000 }, () => {
  it.each(pages.map((page) => [page.name, page] as const))('%s', async (_name, page) => {
    const start = performance.now()
    const ended = await visit(
      testbed,
      page,
      { ...BRISK, load: 4_000, state: 6_000, whole: 14_000 },
      AbortSignal.timeout(DEADLINE),
    ).then(
      ({ facts }) => facts.states.map(({ missed }) => missed ?? 'reached').join('; '),
      (error: Error) => error.message,
    )
    const seconds = (performance.now() - start) / 1000
    process.stdout.write(`${page.name}: ${seconds.toFixed(1)} s: ${ended.slice(0, 160)}\n`)
    expect(ended).not.toBe('')
    expect(seconds * 1000).toBeLessThan(DEADLINE + GRACE)
  })
})

it('none of them left a process', { timeout: 20_000 }, async () => {
  expect(watch.seen()).toBeGreaterThan(pages.length)
  expect(await watch.left(8_000)).toEqual([])
})
