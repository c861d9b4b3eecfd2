/**
 * The proof of a session that pages keep and no request to the site carries, as of a front end whose interface lies under another name: what a page
 * draws for who has it, in a browser, and draws for nobody else.
 */
import { within } from '../contract/within.ts'
import { isGone } from '../modules/browser.ts'
import { type BrowserPorts, openBrowser } from './by-steps.ts'
import { SignInFailed } from './failure.ts'
import type { StoredItem } from './page-storage.ts'

/** Milliseconds for the page, and for what it draws. */
const LOADING = 20_000
const DRAWING = 10_000
/** Of a script that never ends. */
const LONGEST = LOADING + DRAWING + 5_000

export const NEEDS_TEXT = 'a session that pages alone keep is proven by a text, which a page shows then'

/** Why it is no proof; null where it is one. @throws SignInFailed where there is no browser */
export const drawnProof = async (
  browser: BrowserPorts,
  url: string,
  text: string,
  items: readonly StoredItem[],
): Promise<string | null> => {
  const { pathname } = new URL(url)
  if (!(await shows(browser, url, text, items)))
    return `${pathname} shows no “${text}” in a browser that keeps what the sign-in left`
  return (await shows(browser, url, text, [])) ? `${pathname} shows “${text}” to nobody as well` : null
}

/** In a browser of its own, as one may have a single profile, which keeps what it was given. */
const shows = async (
  browser: BrowserPorts,
  url: string,
  text: string,
  items: readonly StoredItem[],
): Promise<boolean> => {
  const opened = await openBrowser(browser)
  const look = async (): Promise<boolean> => {
    const context = await opened.newContext({ authenticated: false })
    await context.addInitScript(filling(new URL(url).origin, items))
    const page = await context.newPage()
    try {
      await page.goto(url, { timeout: LOADING, waitUntil: 'domcontentloaded' })
      await page.getByText(text).first().waitFor({ state: 'visible', timeout: DRAWING })
      return true
    } catch (error) {
      // It is not there, or the page went away from it.
      if (error instanceof Error && (error.name === 'TimeoutError' || isGone(error))) return false
      throw error
    }
  }
  try {
    return await within(
      LONGEST,
      look(),
      () => new SignInFailed(`The page at ${new URL(url).pathname} answered nothing for ${LONGEST / 1_000} s`),
    )
  } finally {
    await opened.close()
  }
}

/** In the page, before its own code; nothing in frames of others. */
const filling = (origin: string, items: readonly StoredItem[]): string =>
  `if (location.origin === ${JSON.stringify(origin)})
    for (const { area, name, value } of ${JSON.stringify(items)})
      if (area === 'cookie') document.cookie = name + '=' + value + '; path=/'
      else (area === 'local' ? localStorage : sessionStorage).setItem(name, value)`
