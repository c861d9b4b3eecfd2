/** Runs what a payload made in a real browser, under the page's own policy, and sees whether its call comes. */
import { randomInt } from 'node:crypto'
import type { Frame, Page } from 'playwright-core'
import type { EvidenceRef } from '../../../contract/evidence.ts'
import type { ModuleBrowser } from '../../browser.ts'
import type { CollectContext } from '../../module.ts'
import { type Approach, arrive, serveForeign } from './browser/approach.ts'
import { CALL } from './payloads.ts'

/** Milliseconds for a call to come once the page has loaded. */
const WAIT = 1_000
/** For a link to be brought into sight and clicked, on a slow machine too. */
const CLICK = 4_000

export interface Proof {
  readonly ran: 'load' | 'click' | null
  readonly refused: boolean
  readonly screenshot: EvidenceRef | null
}

export interface Prover {
  readonly prove: (approach: Approach, nonce: number) => Promise<Proof>
  /** Whether the page, left to itself, goes on to this host. Nothing is asked of that host. */
  readonly leadsTo: (approach: Approach, host: string) => Promise<boolean>
  /** A visitor who has nothing to do with this one: another profile, signed in or not. The caller closes it. */
  readonly stranger: (options: { readonly authenticated: boolean }) => Promise<Prover>
  readonly browser: ModuleBrowser
  readonly close: () => Promise<void>
}

export const newNonce = (): number => randomInt(100_000, 999_999)

/** A message where there is no browser: nothing can be proven then, and that is said. */
export const openProver = async (ctx: CollectContext): Promise<Prover | string> => {
  try {
    return await proverOf(ctx, await ctx.browser(), true)
  } catch (error) {
    if (error instanceof Error && error.name === 'ModuleEnding') return error.message
    throw error
  }
}

const proverOf = async (ctx: CollectContext, browser: ModuleBrowser, authenticated: boolean): Promise<Prover> => {
  const profile = await browser.newContext({ authenticated })
  const host = ctx.target.host
  const called = new Map<number, () => void>()
  // Named by the page's own frame: a call from another host proves nothing about this one.
  await profile.exposeBinding(CALL, ({ frame }, nonce: unknown) => {
    const from = hostOf(frame)
    if (typeof nonce === 'number' && (from === host || from === `www.${host}`)) called.get(nonce)?.()
  })
  await serveForeign(profile)
  return {
    browser,
    stranger: (options) => proverOf(ctx, browser, options.authenticated),
    close: () => profile.close(),
    prove: async (approach, nonce) => {
      const call = Promise.withResolvers<true>()
      called.set(nonce, () => call.resolve(true))
      const came = (page: Page, ms = WAIT): Promise<boolean> =>
        Promise.race([call.promise, pause(page, ms).then(() => false)])
      let refused = false
      return withPages<Proof>(async (pages) => {
        const page = await arrive(profile, approach, pages, (one) => {
          one.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined)) // Gone with its page.
          one.on('console', (message) => {
            refused ||= /Content Security Policy/i.test(message.text())
          })
        })
        if (await came(page)) return { ran: 'load', refused, screenshot: await picture(ctx, page, nonce) }
        if ((await press(page, nonce)) && (await came(page, 2 * WAIT)))
          return { ran: 'click', refused, screenshot: await picture(ctx, page, nonce) }
        return { ran: null, refused, screenshot: null }
      }).finally(() => called.delete(nonce))
    },
    leadsTo: (approach, wanted) =>
      withPages(async (pages) => {
        const left = Promise.withResolvers<true>()
        const arrived = arrive(profile, approach, pages, (one) => {
          void one.route(
            (url) => url.hostname === wanted,
            (route) => {
              if (isOwnNavigation(route.request(), one)) left.resolve(true)
              return route.abort('aborted').catch(() => undefined) // The page is gone already.
            },
          )
        })
        arrived.catch(() => undefined) // Nobody waits for it once the page has left.
        // A page that was kept from leaving may never say that it has loaded.
        return Promise.race([left.promise, arrived.then((page) => pause(page)).then(() => false)])
      }),
  }
}

const isOwnNavigation = (
  request: { readonly isNavigationRequest: () => boolean; readonly frame: () => Frame },
  page: Page,
): boolean => {
  if (!request.isNavigationRequest()) return false
  try {
    return request.frame() === page.mainFrame()
  } catch (error) {
    // Playwright knows no frame yet for the request of a page that is just being opened.
    if (error instanceof Error) return true
    throw error
  }
}

const withPages = async <Value>(work: (pages: Page[]) => Promise<Value>): Promise<Value> => {
  const pages: Page[] = []
  try {
    return await work(pages)
  } finally {
    for (const page of pages) await page.close().catch(() => undefined) // It may have crashed.
  }
}

/** By our own clock: a page that is closed or busy has none. */
const pause = (page: Page, ms = WAIT): Promise<void> => (page.isClosed() ? Promise.resolve() : sleep(ms))
const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** What is invisible, covered, out of sight or gone cannot be clicked by a visitor either: the words of Playwright for it. */
const UNCLICKABLE = /Timeout|closed|destroyed|crashed|not visible|outside of the viewport|not attached|detached|hidden/i

/** Presses the link that the payload made. False where there is none. */
const press = async (page: Page, nonce: number): Promise<boolean> => {
  try {
    const link = page.locator(`[href*="${CALL}(${nonce})"]`).first()
    if ((await link.count()) === 0) return false
    await link.click({ timeout: CLICK, noWaitAfter: true, force: true })
    return true
  } catch (error) {
    if (error instanceof Error && UNCLICKABLE.test(`${error.name} ${error.message}`)) return false
    throw error
  }
}

/** A frame without an address of its own acts for the page around it. */
const hostOf = (frame: Frame): string => {
  let acting: Frame | null = frame
  while (acting?.parentFrame() && !URL.parse(acting.url())?.hostname) acting = acting.parentFrame()
  return URL.parse(acting?.url() ?? '')?.hostname ?? ''
}

const picture = async (ctx: CollectContext, page: Page, nonce: number): Promise<EvidenceRef | null> => {
  try {
    const body = await page.screenshot({ timeout: 3_000 })
    return ctx.evidence({ filename: `executed-${nonce}.png`, contentType: 'image/png', body })
  } catch (error) {
    // The proof is the call; a page that cannot be drawn in time is proven all the same.
    if (error instanceof Error && /Timeout|closed|crashed/i.test(`${error.name} ${error.message}`)) return null
    throw error
  }
}
