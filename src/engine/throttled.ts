export interface Throttled {
  readonly now: () => void
  /** Once, `every` milliseconds later at most, however often it is said until then. */
  readonly soon: () => void
  /** Nothing is done any more for what was said before. */
  readonly stop: () => void
}

/** Work that may be wanted more often than it is worth doing. `every`: milliseconds. */
export const throttled = (every: number, work: () => void): Throttled => {
  let timer: NodeJS.Timeout | null = null
  const stop = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  const now = (): void => {
    stop()
    work()
  }
  const soon = (): void => {
    timer ??= setTimeout(now, every)
  }
  return { now, soon, stop }
}
