/** Timed probes: one at a time for a host, against what the same request usually takes. */
import { randomInt } from 'node:crypto'
import type { Language, Probe, Reply } from './prober.ts'

export interface Delays {
  readonly payload: string
  readonly baseline: readonly number[]
  readonly trials: readonly { readonly delay: number; readonly ms: number }[]
  readonly replay: string
}

/**
 * Seconds of the first probe: long enough to stand out, short enough for the many places that do not wait; and so many times
 * what a page's own answers lie apart.
 */
const FIRST = 1.4
const APART = 4
/** Seconds of the first probe where the answer to the other never came: the wait is kept for each of many rows. */
const LEAST = 0.1
export const BASELINE_SAMPLES = 8
/** Seconds that a place is made to wait at most, however often it keeps each wait. */
const LONGEST = 3
/** Share of a wait that a kept one lasts at least, as clocks differ; and of one wait against another. */
const KEPT = 0.9
/** A term stands in the statement so often, or is worked out for so many rows, at most. */
const MOST_OFTEN = 100

/** One bad moment of the target or of the machine breaks a series; two of them in a row are its habit. */
const MOST_SERIES = 2

/**
 * One request where nothing waits: late is what takes longer than the page's own time by the wait. Where the answer is
 * late, everything else that waits is kept away and it is asked again, then with no wait, which must be fast; then six
 * random waits follow, one of them none, so short that a place which keeps each several times waits no longer. Null when
 * the answers do not follow what was asked for, in two series.
 */
export const askDelays = async (
  probe: Probe,
  payload: (seconds: string) => string,
  language: Language,
): Promise<Delays | null> => {
  const ask = (seconds: number): Promise<Reply> =>
    probe.send(payload(seconds.toFixed(3)), { language, timeout: 10_000 + seconds * 1_000 })
  const isLate = ({ ms }: Reply, wait: number): boolean => ms >= medianOf(probe.timings()) + wait * KEPT * 1_000
  const longer = Math.min(LONGEST, Math.max(FIRST, (APART * spreadOf(probe.timings())) / 1_000))
  const begun = await probe.turns.few(() => ask(longer))
  if (!isLate(begun, longer)) return null
  probe.pursue()
  return probe.turns.alone(async () => {
    const wait = begun.status === 0 ? LEAST : longer
    const first = await ask(wait)
    if (first.status === 0 || !isLate(first, wait)) return null
    let baseline = await ordinaryTimes(probe)
    // Ordinary answers were taken while much else was asked: a few slow ones hide every wait. Now only one thing is timed,
    // unless the page is late without a wait, too.
    if (first.ms <= slowest(baseline)) {
      if (isLate(await ask(0), wait) && isLate(await ask(0), wait)) return null
      baseline = await freshTimes(probe)
    }
    if (first.ms <= slowest(baseline)) return null
    for (let series = 0; series < MOST_SERIES; series += 1) {
      const often = Math.max(1, Math.round((first.ms - meanOf(baseline)) / (wait * 1_000)))
      if (often > MOST_OFTEN) return null
      const asked = await seriesOf(ask, baseline, often)
      if (asked === null) return null
      const trials = series === 0 ? [{ delay: wait, ms: first.ms }, ...asked] : asked
      if (followsDelays({ baseline, trials })) return { payload: first.value, baseline, trials, replay: first.replay }
      // Slow without a wait twice: the payload is slow by itself.
      if (asked.length === 0 && (await ask(0)).ms > slowest(baseline)) return null
      baseline = await freshTimes(probe)
    }
    return null
  })
}

/**
 * What came until an answer without a wait was slow; null where a wait was not kept, which no bad moment explains.
 * `often`: how many times the place keeps each wait.
 */
const seriesOf = async (
  ask: (seconds: number) => Promise<Reply>,
  baseline: readonly number[],
  often: number,
): Promise<Delays['trials'] | null> => {
  const trials: Delays['trials'][number][] = []
  const least = Math.min(LONGEST - 1, Math.max(0.8, (slowest(baseline) - meanOf(baseline)) / 1_000 + 0.2))
  for (const delay of [0, ...randomWaits(least, often)]) {
    const { ms, status } = await ask(delay)
    if (status === 0 || (delay > 0 && ms < delay * KEPT * 1_000)) return null
    if (delay === 0 && ms > slowest(baseline)) return trials
    trials.push({ delay, ms })
  }
  return trials
}

/** Seven standard deviations above the mean, with 50 ms for what is too even to have any. */
export const slowest = (times: readonly number[]): number => meanOf(times) + Math.max(50, 7 * deviationOf(times))

export const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

/** 0 of none. Of all answers of a place, for each that is timed: sorted as numbers, without a call for each pair. */
const medianOf = (values: readonly number[]): number =>
  Float64Array.from(values).sort()[Math.floor(values.length / 2)] ?? 0

/** Half of the values lie no further from their middle; a few far off change nothing. */
const spreadOf = (values: readonly number[]): number => {
  const middle = medianOf(values)
  return medianOf(values.map((one) => Math.abs(one - middle)))
}

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

const freshTimes = async (probe: Probe): Promise<readonly number[]> => {
  const times: number[] = []
  for (let sample = 0; sample < BASELINE_SAMPLES; sample += 1) {
    const { ms, status } = await probe.send(probe.point.value)
    if (status !== 0) times.push(ms)
  }
  return times
}

/** Five waits that come to between `least` and the longest, and one of none, in an order that no load follows by chance. */
const randomWaits = (least: number, often: number): readonly number[] => {
  const step = (LONGEST - least) / 4
  const waits = [0, ...[0, 1, 2, 3, 4].map((index) => Math.round(((least + index * step) / often) * 1_000) / 1_000)]
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
 * True where the answers followed what was asked for: at least six waits of four lengths or more against eight ordinary
 * answers, one line through all of them (r at least 0.98) that rises as fast as the waits or faster (a term that stands in
 * three columns waits threefold), every wait beyond seven deviations, every answer without one within.
 */
export const followsDelays = ({ baseline, trials }: Pick<Delays, 'baseline' | 'trials'>): boolean => {
  if (baseline.length < BASELINE_SAMPLES || trials.length < 6) return false
  const bound = slowest(baseline)
  const [waits, none] = [trials.filter((one) => one.delay > 0), trials.filter((one) => one.delay === 0)]
  if (new Set(waits.map(({ delay }) => delay)).size < 4) return false
  if (none.length === 0 || none.some((one) => one.ms > bound) || waits.some((one) => one.ms <= bound)) return false
  const { slope, r } = regressionOf(trials)
  return slope >= KEPT && r >= 0.98
}
