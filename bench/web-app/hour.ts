/**
 * An hour of watching a run, as long as it is: two pages, the run's and its audit log, twenty requests a second, and the
 * heap of each by the minute. `node bench/web-app/hour.ts [MINUTES]`
 *
 * Growth is what the second half adds: between the medians of the five minutes after the middle and of the last five, so
 * that one late collection makes no figure.
 */
import type { CDPSession } from 'playwright-core'
import { progress } from '../../src/store/lease.ts'
import { type Measurement, percentile, publish, row } from '../table.ts'
import { heap, launch, openBed } from './bed.ts'

const MINUTES = Number(process.argv[2] ?? 60)
/** Lines a second, the most that one target gets by default. */
const RATE = 20
/** Minutes that a figure is the median of. */
const AROUND = 5
const SECOND = 1_000
const PAGES = [
  ['run', ''],
  ['audit', '/audit'],
] as const

const bed = await openBed()
const browser = await launch()

/** One line a minute on stderr: seconds since the beginning, and megabytes of each page. */
const watch = async (pages: readonly CDPSession[], minutes: number, held: HeldRun): Promise<number[][]> => {
  const samples: number[][] = []
  const began = performance.now()
  let sent = 0
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let second = 1; second <= 60; second += 1) {
      await bed.append(held, sent, sent + RATE, RATE)
      sent += RATE
      if (second % 10 === 0) {
        const detail = `page ${sent} of the site`
        await progress(bed.service.runtime.db, held, { phase: 'passive', detail, progress: (90 * minute) / minutes })
      }
      const due = began + (minute * 60 + second) * SECOND
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    }
    const used: number[] = []
    for (const page of pages) used.push((await heap(page)) / 1e6)
    samples.push(used)
    process.stderr.write(`${minute + 1} min, ${sent} lines: ${used.map((one) => one.toFixed(3)).join(' ')} MB\n`)
  }
  return samples
}
type HeldRun = Awaited<ReturnType<typeof bed.startedRun>>

const median = (samples: readonly number[]): number => percentile(samples, 0.5)

try {
  const held = await bed.startedRun(20)
  const sessions: CDPSession[] = []
  for (const [, part] of PAGES) {
    const page = await bed.signedIn(browser)
    await page.goto(`${bed.service.baseUrl}/runs/${held.runId}${part}`)
    await page.locator('.live').waitFor()
    sessions.push(await page.context().newCDPSession(page))
  }
  const samples = await watch(sessions, MINUTES, held)
  const half = Math.floor(MINUTES / 2)
  const measured: readonly Measurement[] = PAGES.map(([name], at) => {
    const of = samples.map((used) => used[at] ?? Number.NaN)
    const grown = median(of.slice(-AROUND)) - median(of.slice(half, half + AROUND))
    return {
      id: `hour-${name}`,
      what: `heap growth of the page "${name}" in the second half of ${MINUTES} minutes (${of.at(-1)?.toFixed(1)} MB at the end)`,
      unit: 'MB',
      ours: grown,
      target: { text: 'under 1', met: (ours) => ours < 1 },
    }
  })
  publish('web-app-hour', measured.map(row))
} finally {
  await browser.close()
  await bed.close()
}
