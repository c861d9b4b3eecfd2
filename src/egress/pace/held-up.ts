/**
 * What the run has itself made the host wait for, and what that holds up: one script at a time has a session where it is locked (PHP's files of
 * sessions), and one statement a table. Whoever was asked meanwhile is answered late, and the host is under no strain.
 */

/** The last of them, each apart from the others. */
const KEPT = 32

export interface HeldUp {
  /** An answer that came as late as it was told to, by milliseconds of one clock. In the order in which they came. */
  readonly add: (from: number, to: number) => void
  /** So many milliseconds of that time others were made to wait. */
  readonly within: (from: number, to: number) => number
}

export const createHeldUp = (): HeldUp => {
  const spans: { from: number; readonly to: number }[] = []
  return {
    add: (from, to) => {
      let start = from
      for (let last = spans.at(-1); last && last.to >= start; last = spans.at(-1)) {
        start = Math.min(start, last.from)
        spans.pop()
      }
      spans.push({ from: start, to })
      if (spans.length > KEPT) spans.shift()
    },
    within: (from, to) =>
      spans.reduce((sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0),
  }
}
