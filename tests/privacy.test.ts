/**
 * The privacy module over the testbed, in a real Chromium: everything that is planted is found, and nothing else is said.
 * All sites with SONDE_LONG=1; else the two compound ones, which carry most behaviours.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TIMES } from '../src/modules/privacy/visit/times.ts'
import { caseAddress } from '../src/modules/testing/collecting.ts'
import { COMPOUNDS } from '../testbed/privacy/pages/compounds.ts'
import { PRIVACY_PAGES } from '../testbed/privacy/pages.ts'
import { type PrivacyTestbed, startPrivacyTestbed } from '../testbed/privacy/server.ts'
import { lanes } from './privacy/lanes.ts'
import { type ProcessWatch, watchProcesses } from './privacy/processes.ts'
import { score } from './privacy/truth.ts'
import { judge, visit } from './privacy/visit.ts'

const pages = process.env.SONDE_LONG ? [...COMPOUNDS, ...PRIVACY_PAGES] : COMPOUNDS
/** Milliseconds for one site while others run beside it. */
const ONE_SITE = 150_000
/** Browsers at once on two cores: most of a visit is waiting. */
const lane = lanes(3)
const MOST_MEMORY = 1_200e6
const MOST_SECONDS = 45

let testbed: PrivacyTestbed
let watch: ProcessWatch
const times: number[] = []
let planted = 0
let found = 0
let alarms = 0

beforeAll(async () => {
  testbed = await startPrivacyTestbed(caseAddress(182), pages)
  watch = watchProcesses()
})

afterAll(async () => {
  watch.stop()
  await testbed.close()
})

it('the testbed has more than forty behaviours, a twin for most families, and no site twice', () => {
  const names = PRIVACY_PAGES.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(PRIVACY_PAGES.filter(({ must }) => must.length > 0).length).toBeGreaterThan(55)
  expect(PRIVACY_PAGES.filter(({ must }) => must.length === 0).length).toBeGreaterThan(25)
})

describe.concurrent('a site', { timeout: 3 * ONE_SITE }, () => {
  it.each(pages.map((page) => [page.name, page.shows, page] as const))('%s: %s', async (_name, _shows, page) => {
    const { facts, seconds } = await lane(() => visit(testbed, page))
    const result = score(page, judge(facts, page).said)
    times.push(seconds)
    planted += page.must.length
    found += page.must.length - result.missed.length
    alarms += result.alarms.length
    const states = facts.states.map(({ name, missed }) => `${name}: ${missed ?? 'reached'}`).join('; ')
    expect(result, states).toEqual({ missed: [], alarms: [] })
    expect(seconds * 1000).toBeLessThan(ONE_SITE)
  })
})

it('recall is 1, nothing false is said, and no process is left', { timeout: 20_000 }, async () => {
  const longest = Math.max(...times).toFixed(1)
  process.stdout.write(
    `recall ${(found / planted).toFixed(3)} (${found} of ${planted}), false alarms ${alarms}, ${times.length} sites, longest ${longest} s\n`,
  )
  expect(found).toBe(planted)
  expect(alarms).toBe(0)
  expect(await watch.left(8_000)).toEqual([])
})

it.runIf(process.env.SONDE_LONG)(
  'one site alone stays below the bounds of memory and time',
  { timeout: ONE_SITE },
  async () => {
    const [first] = COMPOUNDS
    if (first === undefined) throw new Error('no compound site')
    const alone = watchProcesses({ memory: true })
    const { seconds } = await visit(testbed, first, TIMES)
    alone.stop()
    process.stdout.write(
      `alone: ${seconds.toFixed(1)} s, memory at its highest ${(alone.peak() / 1e6).toFixed(0)} MB\n`,
    )
    expect(alone.peak()).toBeGreaterThan(50e6)
    expect(alone.peak()).toBeLessThan(MOST_MEMORY)
    expect(seconds).toBeLessThan(MOST_SECONDS)
  },
)
