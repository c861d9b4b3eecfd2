/**
 * From a key to the frame that shows it, in a list of 100,000 problems with the processor throttled four-fold, and what the
 * same page takes for a frame in which nothing has to be done: what a busy machine adds is in both. `node bench/web-app/keys.ts [PROBLEMS]`
 */
import type { CDPSession, Page } from 'playwright-core'
import { firstOf } from '../../src/main/service.ts'
import { createDomain } from '../../src/store/domains.ts'
import { type Measurement, percentile, publish, row } from '../table.ts'
import { launch, openBed } from './bed.ts'

const PROBLEMS = Number(process.argv[2] ?? 100_000)
const KEYS = 100
/** How slow the processor is made; 1 leaves it as it is. */
const THROTTLE = Number(process.env.THROTTLE ?? 4)

const bed = await openBed()
const browser = await launch()

const addProblems = async (): Promise<void> => {
  const { db } = bed.service.runtime
  const { organisationId } = firstOf(bed.service)
  const domain = await createDomain(db, { organisationId, domain: 'bench.example.com', context: null, token: 'bench' })
  if (domain === 'domain_exists') throw new Error('The domain exists')
  await db.query(
    `insert into problems (organisation_id, domain_id, domain, fingerprint, identity_rule, check_id, module, title, location,
            places, place, kev, confidence, seen_severity, first_seen, last_seen, last_run, finding_id, seen_passive)
     select $1, $2, 'bench.example.com', md5(n::text) || md5(n::text), 2, 'headers/c' || n % 200, 'headers', 'Problem ' || n,
            '{"url": "http://bench.example.com/"}', 1, '', false, 'firm', 'high', now() - n * interval '1 minute', now(), $2, $2, true
       from generate_series(1, $3::int) as n`,
    [organisationId, domain.id, PROBLEMS],
  )
  await db.query('analyze problems', [])
}

/** To the frame that shows it, in milliseconds, by the page's own clock; `i` does nothing there. */
const LISTEN = `
  window.took = []
  addEventListener('keydown', () => {
    const started = performance.now()
    requestAnimationFrame(() => setTimeout(() => window.took.push(performance.now() - started)))
  }, { capture: true })`

/** Milliseconds to the frame, and of the processor for each key with all that follows: what other work on the machine adds is in the first alone. */
interface Pressed {
  readonly took: readonly number[]
  readonly processor: readonly number[]
}

const pressed = async (page: Page, devtools: CDPSession, key: string, times: number): Promise<Pressed> => {
  await page.evaluate('window.took = []')
  const processor: number[] = []
  for (let i = 0; i < times; i += 1) {
    const before = await busy(devtools)
    await page.keyboard.press(key)
    await page.evaluate(`new Promise((resolve) => {
      const look = () => (window.took.length > ${i} ? resolve() : setTimeout(look, 10))
      look()
    })`)
    processor.push((await busy(devtools)) - before)
  }
  return { took: (await page.evaluate('window.took')) as number[], processor }
}

/** Milliseconds that the page's thread has had of the processor, slowed as it is. */
const busy = async (devtools: CDPSession): Promise<number> => {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

/** TRACE names a file for a trace of the browser: time of the processor, which no other work on the machine is in. */
const traced = async <T>(page: Page, work: () => Promise<T>): Promise<T> => {
  const path = process.env.TRACE
  if (path === undefined) return work()
  await browser.startTracing(page, { path, categories: ['devtools.timeline', 'blink', 'cc', 'toplevel'] })
  const result = await work()
  await browser.stopTracing()
  return result
}

try {
  await addProblems()
  const page = await bed.signedIn(browser)
  await page.goto(`${bed.service.baseUrl}/findings`)
  await page.locator('.problem-row').first().waitFor()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE })
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.evaluate(LISTEN)
  const idle = await pressed(page, devtools, 'i', KEYS)
  const { took: keys, processor } = await traced(page, () => pressed(page, devtools, 'j', KEYS))
  const again = await pressed(page, devtools, 'i', KEYS)
  const still = [...idle.took, ...again.took]
  const nothing = percentile(still, 0.95)
  const measured: readonly Measurement[] = [
    {
      id: 'key-50',
      what: `key to paint, ${PROBLEMS} problems, throttled ${THROTTLE}-fold, median`,
      unit: 'ms',
      ours: percentile(keys, 0.5),
      peer: { name: 'a key that does nothing', value: percentile(still, 0.5) },
    },
    {
      id: 'key-95',
      what: 'the same, 95 of 100',
      unit: 'ms',
      ours: percentile(keys, 0.95),
      peer: { name: 'a key that does nothing', value: nothing },
      target: { text: 'under 100', met: (ours) => ours < 100 },
    },
    {
      id: 'key-max',
      what: 'the same, the longest',
      unit: 'ms',
      ours: Math.max(...keys),
      peer: { name: 'a key that does nothing', value: Math.max(...still) },
    },
    {
      id: 'key-processor',
      what: 'of the processor for a key and all that follows it, 95 of 100',
      unit: 'ms',
      ours: percentile(processor, 0.95),
      peer: { name: 'a key that does nothing', value: percentile([...idle.processor, ...again.processor], 0.95) },
      target: { text: 'under 100', met: (ours) => ours < 100 },
    },
  ]
  publish('web-app-keys', measured.map(row))
} finally {
  await browser.close()
  await bed.close()
}
