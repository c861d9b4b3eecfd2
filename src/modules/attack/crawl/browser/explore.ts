/**
 * What scripts build: pages are opened in a real browser, their requests noted, and what can be done there is done while it
 * shows something new. Each request is decided by the policy of the run.
 */
import type { BrowserContext } from 'playwright-core'
import { kindOf } from '../../../../page/shape.ts'
import type { BrowserFacts, RunningPage } from '../facts.ts'
import { HOOK } from './hook.ts'
import { createPressed, type ExploreParts, type Shared } from './parts.ts'
import { judgeOpened } from './requests.ts'
import { visitPage } from './visit.ts'

export interface Explorer {
  /** Opens pages while `next` gives one and there is time, and does there what was done nowhere before. `waiting`: how many it has still. */
  readonly open: (next: () => string | undefined, waiting?: () => number) => Promise<void>
  /** Opens some again, to do what was done on other pages; false where none is left. */
  readonly deepen: () => Promise<boolean>
  /** Opens once more those that nobody may have been shown signed in; false where there are none. */
  readonly repeat: () => Promise<boolean>
  /** Pages on which something is still left. */
  readonly left: () => number
  /** Things to do that nobody did: those behind the limits of their pages, and those that others alike stand for. */
  readonly undone: () => { readonly short: number; readonly alike: number }
  readonly facts: () => BrowserFacts
  readonly close: () => Promise<void>
}

/** Most of the time a page is waited for, not worked on. */
const PAGES_AT_ONCE = 5
/** What these show may be pages of their own, which come first. */
const DEEPENED_AT_ONCE = 6
const MOST_RUNNING = 3
const MOST_FAILURES = 5
/** A session that dies each time would have pages opened for ever. */
const MOST_REPEATS = 4

interface Visit {
  readonly url: string
  /** Its place among all pages. */
  readonly order: number
  readonly again: boolean
  /** What was left there. */
  readonly keys?: readonly string[]
}

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
    sockets: new Set(),
  }
  const failures: string[] = []
  let left: Visit[] = []
  const running: { readonly order: number; readonly page: RunningPage }[] = []
  let [pages, clicks, short, alike, listed] = [0, 0, 0, 0, 0]
  let toCome = (): number => 0
  let repeats = 0
  await context.addInitScript(HOOK)
  await context.route('**/*', (route) => judgeOpened(route, parts))

  /** What was given up meanwhile is no reason to open a page again. */
  const isDue = ({ url, keys = [] }: Visit): boolean => keys.some((key) => parts.pressed.isDue(key, kindOf(url)))

  const openOne = async ({ url, order, again }: Visit): Promise<void> => {
    parts.progress(again ? `browser: once more on ${url}` : `browser: page ${pages + 1} of ${listed + toCome()}`)
    const done = parts.doubt.begin(url)
    try {
      // The first of the list, not the first that are ready: the next run has to see the same.
      const seen = await visitPage(url, context, parts, { keepsRunning: !again && order < MOST_RUNNING, again })
      clicks += seen.clicks
      short += seen.short
      alike += seen.alike
      if (seen.running) running.push({ order, page: seen.running })
      if (seen.left.length > 0) left.push({ url, order, again: true, keys: seen.left })
      await noteCookies(context, url, parts)
      parts.opened(url, null, seen.outline, seen.requests)
    } catch (error) {
      parts.signal.throwIfAborted()
      // One page that hangs or crashes is one page not explored.
      const problem = firstLine(error)
      failures.push(`${url}: ${problem}`)
      if (!again) parts.opened(url, problem, '', 0)
    } finally {
      done()
    }
    if (!again) pages += 1
  }

  const visitAll = async (take: () => Visit | undefined): Promise<void> => {
    const worker = async (): Promise<void> => {
      for (let next = take(); next !== undefined; next = take()) {
        const broken = failures.length > MOST_FAILURES && failures.length >= pages
        if (broken || parts.signal.aborted || performance.now() > parts.until() || !(await parts.alive())) return
        await openOne(next)
      }
    }
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, worker))
  }

  return {
    open: (next, waiting = () => 0) => {
      toCome = waiting
      return visitAll(() => {
        const url = next()
        if (url === undefined) return undefined
        listed += 1
        return { url, order: listed - 1, again: false }
      })
    },
    deepen: async () => {
      left = left.filter(isDue)
      const some = left.toSorted((a, b) => a.order - b.order).slice(0, DEEPENED_AT_ONCE)
      left = left.filter((one) => !some.includes(one))
      await visitAll(each(some))
      return some.length > 0
    },
    repeat: async () => {
      if (repeats >= MOST_REPEATS) return false
      repeats += 1
      const urls = await parts.doubt.settle()
      await visitAll(each(urls.map((url) => ({ url, order: MOST_RUNNING, again: true }))))
      return urls.length > 0
    },
    left: () => left.filter(isDue).length,
    undone: () => ({ short, alike }),
    facts: () => ({
      version: parts.browser.version,
      reason: null,
      pages,
      clicks,
      states: parts.states.size,
      failures: failures.slice(0, 20),
      running: running.toSorted((a, b) => a.order - b.order).map(({ page }) => page),
      sockets: [...parts.sockets].toSorted(),
    }),
    close: () => closed(context),
  }
}

const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)

const each = <Item>(items: readonly Item[]): (() => Item | undefined) => {
  const waiting = [...items]
  return () => waiting.shift()
}

const noteCookies = async (context: BrowserContext, url: string, parts: ExploreParts): Promise<void> => {
  for (const { name, value, httpOnly } of await context.cookies(url)) if (!httpOnly) parts.cookie(name, value)
}

const closed = async (context: BrowserContext): Promise<void> => {
  await context.close().catch(() => undefined) // The browser may be gone; its module ends it in any case.
}
