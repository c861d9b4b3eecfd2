/** What pages do later: the browser tells when the last of their timers is due. */
import type { Page } from 'playwright-core'
import { tolerant } from './approach.ts'

/** Milliseconds; what waits longer is not waited for. */
const LATEST = 3_000

/** Runs before a page's own code, as text: this project has no types of the DOM. */
export const TIMERS = `(() => {
  let due = 0
  for (const name of ['setTimeout', 'setInterval']) {
    const own = window[name]
    window[name] = function (work, wait, ...given) {
      const ms = Number(wait) || 0
      if (ms <= ${LATEST} && performance.now() < ${LATEST}) due = Math.max(due, performance.now() + ms)
      return own.call(window, work, wait, ...given)
    }
  }
  Object.defineProperty(window, '__sondeDue', { get: () => Math.max(0, due - performance.now()) })
})()`

/** Milliseconds until the last timer that the page has set fires, 0 where none is left. */
export const timersDue = async (page: Page): Promise<number> => {
  let due = 0
  await tolerant(
    page.evaluate<number>('window.__sondeDue || 0').then((ms) => {
      due = ms
    }),
  )
  return due
}

/** Milliseconds. */
export interface Patience {
  /** Without a request under way, after which a page has done what it does. */
  readonly quiet: number
  readonly longest: number
}

/** Until the page asks for nothing more and no timer of it is left; `ended` ends it at once. */
export const settled = async (
  page: Page,
  busy: { readonly pending: number },
  { quiet, longest }: Patience,
  ended: () => boolean = () => false,
): Promise<void> => {
  const end = performance.now() + longest
  let since = performance.now()
  while (!ended() && performance.now() < end) {
    await pause(30)
    if (busy.pending > 0) since = performance.now()
    if (performance.now() - since < quiet) continue
    const due = await timersDue(page)
    if (due === 0) return
    await pause(Math.min(due, end - performance.now()) + 30)
    since = performance.now()
  }
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, ms))
  })
