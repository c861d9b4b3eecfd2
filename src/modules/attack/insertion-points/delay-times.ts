/** What times of answers say: how far a page's own lie apart, and whether late ones follow the waits that were asked for. */

export interface DelayTrial {
  /** Seconds asked for. */
  readonly delay: number
  /** Milliseconds that the answer took. */
  readonly ms: number
}

export interface DelayTimes {
  /** Milliseconds of ordinary answers. */
  readonly baseline: readonly number[]
  readonly trials: readonly DelayTrial[]
}

/** Ordinary answers that waits are held against. */
export const BASELINE_SAMPLES = 8
/** Share of a wait that a kept one lasts at least, as clocks differ; and of one wait against another. */
export const KEPT = 0.9

/** Seven standard deviations above the mean, with 50 ms for what is too even to have any. */
export const slowest = (times: readonly number[]): number => meanOf(times) + Math.max(50, 7 * deviationOf(times))

export const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

/** 0 of none. Of all answers of a place, for each that is timed: sorted as numbers, without a call for each pair. */
export const medianOf = (values: readonly number[]): number =>
  Float64Array.from(values).sort()[Math.floor(values.length / 2)] ?? 0

/** 0 of none. */
export const fastestOf = (values: readonly number[]): number =>
  values.reduce((least, one) => Math.min(least, one), values[0] ?? 0)

/** Half of the values lie no further from their middle; a few far off change nothing. */
export const spreadOf = (values: readonly number[]): number => {
  const middle = medianOf(values)
  return medianOf(values.map((one) => Math.abs(one - middle)))
}

const deviationOf = (values: readonly number[]): number => {
  const mean = meanOf(values)
  return Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, values.length - 1))
}

/** Straight line through the trials, milliseconds over milliseconds, and how well it fits (Pearson's r). */
export const regressionOf = (trials: readonly DelayTrial[]): { readonly slope: number; readonly r: number } => {
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
export const followsDelays = ({ baseline, trials }: DelayTimes): boolean => {
  if (baseline.length < BASELINE_SAMPLES || trials.length < 6) return false
  const bound = slowest(baseline)
  const [waits, none] = [trials.filter((one) => one.delay > 0), trials.filter((one) => one.delay === 0)]
  if (new Set(waits.map(({ delay }) => delay)).size < 4) return false
  if (none.length === 0 || none.some((one) => one.ms > bound) || waits.some((one) => one.ms <= bound)) return false
  const { slope, r } = regressionOf(trials)
  return slope >= KEPT && r >= 0.98
}
