/** Timed probes: one at a time for a host, against what the same request usually takes. */
import { randomInt } from 'node:crypto'
import type { Language, Probe, Reply } from './prober.ts'

export interface Delays {
  readonly payload: string
  readonly baseline: readonly number[]
  readonly trials: readonly { readonly delay: number; readonly ms: number }[]
  readonly replay: string
}

/** Seconds of the first probe: long enough to stand out, short enough for the many places that do not wait. */
const FIRST = 1.4
export const BASELINE_SAMPLES = 8
const LONGEST = 3

/**
 * One request where nothing waits. Where the first answer is late, a second with no wait must be fast; then six random
 * waits follow, two of them none. Null when the answers do not follow what was asked for even roughly.
 */
export const askDelays = (
  probe: Probe,
  payload: (seconds: string) => string,
  language: Language,
): Promise<Delays | null> =>
  probe.alone(async () => {
    const ask = (seconds: number): Promise<Reply> =>
      probe.send(payload(seconds.toFixed(1)), { language, timeout: 10_000 + seconds * 1_000 })
    const first = await ask(FIRST)
    if (first.ms < FIRST * 900 || first.status === 0) return null
    const baseline = await ordinaryTimes(probe)
    if (first.ms <= slowest(baseline)) return null
    const trials = [{ delay: FIRST, ms: first.ms }]
    const least = Math.min(LONGEST - 1, Math.max(0.8, (slowest(baseline) - meanOf(baseline)) / 1_000 + 0.2))
    for (const delay of [0, ...randomWaits(least)]) {
      const reply = await ask(delay)
      if (reply.status === 0) return null
      trials.push({ delay, ms: reply.ms })
      // A wait that was not kept, or none that took as long, decides.
      if (delay === 0 ? reply.ms > slowest(baseline) : reply.ms < delay * 900) return null
    }
    return { payload: first.value, baseline, trials, replay: first.replay }
  })

/** Seven standard deviations above the mean, with 50 ms for what is too even to have any. */
export const slowest = (times: readonly number[]): number => meanOf(times) + Math.max(50, 7 * deviationOf(times))

export const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

export const deviationOf = (values: readonly number[]): number => {
  const mean = meanOf(values)
  return Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, values.length - 1))
}

const ordinaryTimes = async (probe: Probe): Promise<readonly number[]> => {
  while (probe.timings().length < BASELINE_SAMPLES) {
    const before = probe.timings().length
    await probe.send(probe.point.value)
    if (probe.timings().length === before) break
  }
  return [...probe.timings()]
}

/** Five waits between `least` and the longest and one of none, in an order that no load follows by chance. */
const randomWaits = (least: number): readonly number[] => {
  const step = (LONGEST - least) / 4
  const waits = [0, ...[0, 1, 2, 3, 4].map((index) => Math.round((least + index * step) * 10) / 10)]
  return waits
    .map((wait) => ({ wait, order: randomInt(1_000_000) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ wait }) => wait)
}

/** Straight line through the trials, milliseconds over milliseconds, and how well it fits (Pearson's r). */
export const regressionOf = (
  trials: readonly { readonly delay: number; readonly ms: number }[],
): { readonly slope: number; readonly r: number } => {
  const x = trials.map((one) => one.delay * 1_000)
  const y = trials.map((one) => one.ms)
  const [mx, my] = [meanOf(x), meanOf(y)]
  const sum = (term: (index: number) => number): number => x.reduce((total, _, index) => total + term(index), 0)
  const xy = sum((index) => ((x[index] ?? 0) - mx) * ((y[index] ?? 0) - my))
  const xx = sum((index) => ((x[index] ?? 0) - mx) ** 2)
  const yy = sum((index) => ((y[index] ?? 0) - my) ** 2)
  return xx === 0 || yy === 0 ? { slope: 0, r: 0 } : { slope: xy / xx, r: xy / Math.sqrt(xx * yy) }
}

/**
 * True where the answers followed what was asked for: at least six waits against eight ordinary answers, slope 0.9 to
 * 1.1, r at least 0.98, every wait beyond seven deviations, every answer without one within.
 */
export const followsDelays = ({ baseline, trials }: Pick<Delays, 'baseline' | 'trials'>): boolean => {
  if (baseline.length < BASELINE_SAMPLES || trials.length < 6) return false
  const bound = slowest(baseline)
  const [waits, none] = [trials.filter((one) => one.delay > 0), trials.filter((one) => one.delay === 0)]
  if (none.length === 0 || none.some((one) => one.ms > bound) || waits.some((one) => one.ms <= bound)) return false
  const { slope, r } = regressionOf(trials)
  return slope >= 0.9 && slope <= 1.1 && r >= 0.98
}
