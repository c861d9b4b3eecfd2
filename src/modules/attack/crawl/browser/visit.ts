/** One page in the browser: what it shows, and what it shows when somebody does what can be done there. */
import type { BrowserContext, Page } from 'playwright-core'
import { globalsScript } from '../../../../knowledge/fingerprints/globals.ts'
import { findSecrets, maskAll } from '../../../../knowledge/secrets/find.ts'
import { findPasswords } from '../../../../page/passwords.ts'
import { deedsAsked } from '../../../../safety/asking-first.ts'
import { ASKS_FIRST } from '../../../../safety/form-effect.ts'
import { isGone, openTab } from '../../../browser.ts'
import type { RunningPage } from '../facts.ts'
import { actAll, type Done } from './acting.ts'
import { OUTLINE } from './page-script.ts'
import type { OpenedPage, Shared } from './parts.ts'
import { type Gate, judgeRoute, standing } from './requests.ts'
import { load, mayDo } from './showing.ts'
import { noteMessage, openedAnew } from './sockets.ts'

/** Milliseconds for one page, and how long one that is open may go on when the time for all is over. */
const LONGEST_VISIT = 60_000
const GRACE = 3_000
/**
 * Of the time that is left for all pages, what the first visit of one may take, and no less than so many milliseconds: a start page on which much
 * can be done would take all of it before the views that it leads to were opened once.
 */
const OF_TIME_LEFT = 1 / 3
const SHORTEST_TURN = 3_000
const LONGEST_HTML = 65_536

/** Opens one page and does what there is to do; what was done elsewhere is done `again`, or left. */
export const visitPage = async (
  url: string,
  context: BrowserContext,
  parts: Shared,
  { keepsRunning, again }: { readonly keepsRunning: boolean; readonly again: boolean },
): Promise<OpenedPage> => {
  const page = await openTab(context)
  const gate: Gate = { clicked: false, pending: 0, streams: false, spoke: 0, news: 0, requests: 0, arrivals: 0 }
  // A page that goes elsewhere for ever answers no question; closed, it refuses them all.
  const most = Math.max(0, Math.min(LONGEST_VISIT, parts.until() - performance.now() + GRACE))
  const began = performance.now()
  const turn = again ? Infinity : began + Math.max(SHORTEST_TURN, (parts.until() - began) * OF_TIME_LEFT)
  let isOver = false
  const closing = setTimeout(() => {
    isOver = true
    void page.close().catch(() => undefined) // It may have crashed.
  }, most)
  try {
    await listen(page, url, gate, parts)
    await load(page, url, gate, parts)
    const running = keepsRunning ? await readRunning(page, url, parts.expressions) : null
    const outline = await page.evaluate<string>(OUTLINE)
    const done: Done = { deeds: 0, left: new Set(), short: 0, alike: 0 }
    try {
      await actAll({ page, url, gate, parts, again, turn, done, own: new Set() })
    } catch (error) {
      // Its time was over: what it has shown stays shown.
      if (!isOver || !isGone(error)) throw error
      done.short = Math.max(done.short, 1)
    }
    return {
      clicks: done.deeds,
      left: [...done.left],
      short: done.short,
      alike: done.alike,
      requests: gate.requests,
      running,
      outline,
    }
  } finally {
    clearTimeout(closing)
    await page.close().catch(() => undefined) // It may have crashed.
  }
}

const listen = async (page: Page, url: string, gate: Gate, parts: Shared): Promise<void> => {
  // A host that did not answer once would hold up every page that names it.
  const note = (address: string) => {
    const failed = URL.parse(address)
    if (failed && !parts.inScope(failed)) parts.dead.add(failed.host)
  }
  page.on('dialog', (dialog) => {
    const agrees =
      dialog.type() !== 'confirm' || mayDo(parts, { url, labels: deedsAsked(dialog.message()), told: ASKS_FIRST })
    void (agrees ? dialog.accept(dialog.defaultValue() || 'test') : dialog.dismiss()).catch(() => undefined) // Gone with its page.
  })
  page.on('popup', (popup) => void popup.close().catch(() => undefined)) // Its address was noted already.
  page.on('requestfailed', (request) => {
    const failed = request.failure()?.errorText ?? ''
    if (!/ABORTED|BLOCKED/.test(failed)) note(request.url())
  })
  page.on('response', (response) => {
    if ((response.headers()['sonde-refused'] ?? 'budget') !== 'budget') note(response.url())
  })
  page.on('websocket', (socket) => {
    const speaks = () => {
      gate.spoke = performance.now()
    }
    speaks()
    socket.on('framesent', ({ payload }) => {
      speaks()
      noteMessage(socket.url(), payload, { on: standing(page, url), clicked: gate.clicked }, parts)
    })
    socket.on('framereceived', speaks)
    noteSocket(socket.url(), url, parts)
  })
  await page.route('**/*', (route) => judgeRoute(route, page, url, gate, parts))
}

/** Facts are kept; what a page gives away has no place in them. */
const masked = (html: string): string =>
  maskAll(html, [...findSecrets(html).map(({ secret }) => secret), ...findPasswords(html)])

const readRunning = async (page: Page, url: string, expressions: readonly string[]): Promise<RunningPage> => ({
  url,
  globals: await page.evaluate<Record<string, string>>(globalsScript(expressions)),
  html: masked((await page.content()).slice(0, LONGEST_HTML)),
})

const noteSocket = (address: string, on: string, parts: Shared): void => {
  const url = URL.parse(address.replace(/^ws/, 'http'))
  if (url && parts.inScope(url)) {
    parts.sockets.add(openedAnew(url))
    parts.request({ method: 'GET', url: openedAnew(url), source: 'browser', seenOn: on, sent: true, harm: null })
  }
}
