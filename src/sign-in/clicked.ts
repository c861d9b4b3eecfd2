/** A click in the steps of a sign-in, wherever a page keeps the control that it is for. */
import type { Locator } from 'playwright-core'
import { sleep } from '../contract/sleep.ts'

/** Milliseconds for a menu or a dialog that comes in from the side. */
const SLIDING = 2_000
const EVERY = 100

/** Of libraries that draw their controls themselves the real one lies where nobody can scroll to, and a keyboard still presses it. */
export const clicked = async (at: Locator, patience: number): Promise<void> => {
  if (await liesOutside(at, patience)) await at.dispatchEvent('click', {}, { timeout: patience })
  else await at.click({ timeout: patience })
}

/** Left of the page or above it, after what slides in has had its time. */
const liesOutside = async (at: Locator, patience: number): Promise<boolean> => {
  const until = performance.now() + Math.min(patience, SLIDING)
  for (;;) {
    // What is scrolled to and still lies there is out of reach; one that is gone meanwhile is found so by the click.
    await at.evaluate((element) => element.scrollIntoView(), undefined, { timeout: patience })
    const box = await at.boundingBox({ timeout: patience })
    if (box === null || (box.x + box.width > 0 && box.y + box.height > 0)) return false
    if (performance.now() > until) return true
    await sleep(EVERY)
  }
}
