/**
 * How the runs on one address share its pace: each holds a part of it for a few seconds at a time, and the parts that are
 * held at once are never more than the whole. Who keeps the parts is no matter here.
 */

/** A part of the pace of an address, 0 to 1, for so many milliseconds. 0: none is free, and it may be asked for again then. */
export interface Slice {
  readonly share: number
  readonly milliseconds: number
}

/** Long enough that it costs no query a request, short enough that who comes does not wait long. */
export const SLICE_MS = 4_000
/** Until a run that was given nothing asks again. */
const RETRY_MS = 500
/** Part of a fair share that is worth beginning with. */
const WORTH = 1 / 4

/** `others`: what other runs hold now, 0 of those that wait. Who holds more than is fair gets less when it asks again. */
export const sliceBeside = (others: readonly number[]): Slice => {
  const fair = 1 / (others.length + 1)
  const free = 1 - others.reduce((sum, share) => sum + share, 0)
  const share = Math.min(fair, free)
  return share < fair * WORTH ? { share: 0, milliseconds: RETRY_MS } : { share, milliseconds: SLICE_MS }
}
