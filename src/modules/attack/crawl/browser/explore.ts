/**
 * What scripts build: pages are opened in a real browser, their requests noted, and what can be done there is done while it
 * shows something new. Each request is decided by the policy of the run.
 */
import type { BrowserContext } from 'playwright-core'
import type { BrowserFacts, RunningPage } from '../facts.ts'
import { HOOK } from './hook.ts'
import { createPressed, type ExploreParts, type Shared } from './parts.ts'
import { judgeOpened } from './requests.ts'
import { visitPage } from './visit.ts'

export interface Explorer {
  /** Opens these pages, as many as there is time for. */
  readonly open: (pages: readonly string[]) => Promise<void>
  readonly facts: () => BrowserFacts
  readonly close: () => Promise<void>
}

/** Most of the time a page is waited for, not worked on. */
const PAGES_AT_ONCE = 3
const MOST_RUNNING = 3
const MOST_FAILURES = 5

/** One profile for all pages: what one stores another may show. */
export const createExplorer = async (given: ExploreParts): Promise<Explorer> => {
  const context = await given.browser.newContext({ viewport: { width: 1280, height: 900 } })
  const parts: Shared = {
    ...given,
    states: new Set(),
    writes: new Map(),
    pressed: createPressed(),
    dead: new Set(),
    opening: new Set(),
    passed: new WeakSet(),
  }
  const failures: string[] = []
  const running: { readonly order: number; readonly page: RunningPage }[] = []
  let pages = 0
  let clicks = 0
  let listed = 0
  await context.addInitScript(HOOK)
  await context.route('**/*', (route) => judgeOpened(route, parts))

  const openOne = async (url: string, order: number): Promise<void> => {
    parts.progress(`browser: page ${pages + 1} of ${listed}`)
    try {
      // The first of the list, not the first that are ready: the next run has to see the same.
      const done = await visitPage(url, context, parts, order < MOST_RUNNING)
      clicks += done.clicks
      if (done.running) running.push({ order, page: done.running })
      await noteCookies(context, url, parts)
      parts.opened(url, null, done.outline)
    } catch (error) {
      parts.signal.throwIfAborted()
      // One page that hangs or crashes is one page not explored.
      const problem = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      failures.push(`${url}: ${problem}`)
      parts.opened(url, problem, '')
    }
    pages += 1
  }

  return {
    open: async (list) => {
      const waiting = list.map((url, index) => [url, listed + index] as const)
      listed += list.length
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const broken = failures.length > MOST_FAILURES && failures.length >= pages
          if (broken || parts.signal.aborted || performance.now() > parts.until || !(await parts.alive())) return
          await openOne(...next)
        }
      }
      await Promise.all(Array.from({ length: PAGES_AT_ONCE }, worker))
    },
    facts: () => ({
      version: parts.browser.version,
      reason: null,
      pages,
      clicks,
      states: parts.states.size,
      failures: failures.slice(0, 20),
      running: running.toSorted((a, b) => a.order - b.order).map(({ page }) => page),
    }),
    close: () => closed(context),
  }
}

const noteCookies = async (context: BrowserContext, url: string, parts: ExploreParts): Promise<void> => {
  for (const { name, value, httpOnly } of await context.cookies(url)) if (!httpOnly) parts.cookie(name, value)
}

const closed = async (context: BrowserContext): Promise<void> => {
  await context.close().catch(() => undefined) // The browser may be gone; its module ends it in any case.
}
