/** A click in the steps of a sign-in, wherever a page keeps the control that it is for. */
import type { Locator, Page } from 'playwright-core'
import { sleep } from '../contract/sleep.ts'

/** Milliseconds for a menu or a dialog that comes in from the side. */
const SLIDING = 2_000
const EVERY = 100

/** Of libraries that draw their controls themselves the real one lies where nobody can scroll to, and a keyboard still presses it. */
export const clicked = async (at: Locator, patience: number): Promise<void> => {
  if (await liesOutside(at, patience)) await at.dispatchEvent('click', {}, { timeout: patience })
  else await at.click({ timeout: patience })
}

export interface Typed {
  readonly at: Locator
  readonly value: string
  /** The address of the page then. */
  readonly on: string
}

/** Milliseconds for one look at a field. */
const LOOKING = 1_000

/**
 * What a script has emptied since is typed once more: where a page is drawn by the server and taken over by its script later (hydration), the script
 * sets the fields to what it knows. On the same page alone.
 */
export const typedAgain = async (page: Page, typed: readonly Typed[]): Promise<void> => {
  for (const { at, value } of typed.filter((one) => one.value !== '' && one.on === page.url())) {
    try {
      if ((await at.inputValue({ timeout: LOOKING })) === '') await at.fill(value, { timeout: LOOKING })
    } catch (error) {
      // It is gone, or no field: the step itself tells what is amiss.
      if (!(error instanceof Error)) throw error
    }
  }
}

/** What kept somebody from doing it, as Playwright's log tells: of what lies over it the tag and its classes alone. */
export const hindranceIn = ({ message }: Error): string => {
  const over = /<([\w-]+)([^<>]*)>[^\n]{0,400} intercepts pointer events/.exec(message)
  const classes =
    /\bclass="([^"]{1,100})/
      .exec(over?.[2] ?? '')?.[1]
      ?.trim()
      .replace(/\s+/g, '.') ?? ''
  if (over) return `: ${over[1]}${classes === '' ? '' : `.${classes}`} lies over it`
  return /element is not enabled/.test(message) ? ': it is disabled' : ''
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
