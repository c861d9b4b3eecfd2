/**
 * A number that never falls where the version rises, in every scheme, for versions of two numbers or more: what an index
 * can sort by. Equal numbers say nothing, so the
 * comparator has the last word. Made of the epoch and the first two numbers, within 2^53.
 */
const MOST_FIRST = 2 ** 27 - 1
const MOST_SECOND = 2 ** 20 - 1

export const coarse = (version: string): number => {
  const [, epoch = '0', first = '', second = ''] =
    /^[\s=v]*(?:(\d+)[:!])?(\d*)(?:\.(\d+))?/i.exec(version.slice(0, 128)) ?? []
  const age = Math.min(Number(epoch), 3)
  // Where a number does not fit, what follows it may not decide.
  if (Number(epoch) > 3) return ((3 + 1) * 2 ** 27 - 1) * 2 ** 20 + MOST_SECOND
  const major = Math.min(Number(first), MOST_FIRST)
  const minor = Number(first) > MOST_FIRST ? MOST_SECOND : Math.min(Number(second), MOST_SECOND)
  return (age * 2 ** 27 + major) * 2 ** 20 + minor
}
