/** Where jobs of people are done: the interface with something in it, a browser, and somebody in it who has signed in. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { TestApi } from './api.ts'
import { type Look, openLook, wellMade } from './looks.ts'
import { openBrowser, openServedApi, type WatchedPage } from './web-app.ts'

/** Milliseconds that a job may take, and that what it needs may take. */
export const LIMIT = 60_000
const SET_UP = 240_000

export type ServedApi = TestApi & { url: string }

export interface Desk {
  readonly api: ServedApi
  readonly browser: Browser
  readonly watched: WatchedPage
  /** Does the job wherever the one before has left the person, and has broken no rule of the house on the way. */
  readonly job: (work: (page: Page) => Promise<void>) => Promise<void>
  /** As the page is now: nothing that axe finds, and nothing wider than the window. */
  readonly wellMade: () => Promise<void>
  /** Somebody else in the same look, in a window of their own. */
  readonly beside: (secret: string) => Promise<WatchedPage>
}

/**
 * For the tests of the block in which it is called: opened before them, closed after them. `seed` makes what is there when the person
 * signs in.
 */
export const deskOf = (
  look: Look,
  changes: Parameters<typeof openServedApi>[0],
  seed: (api: ServedApi) => Promise<void>,
): Desk => {
  let api: ServedApi | undefined
  let browser: Browser | undefined
  let watched: WatchedPage | undefined
  const beside = (secret: string): Promise<WatchedPage> =>
    openLook(opened(browser), look, { url: opened(api).url, secret })
  beforeAll(async () => {
    api = await openServedApi(changes)
    browser = await openBrowser()
    await seed(api)
    watched = await beside(api.mine.secret)
  }, SET_UP)
  afterAll(async () => {
    await browser?.close()
    await api?.close()
  })
  return {
    get api() {
      return opened(api)
    },
    get browser() {
      return opened(browser)
    },
    get watched() {
      return opened(watched)
    },
    job: async (work) => {
      await work(opened(watched).page)
      expect(opened(watched).problems).toEqual([])
    },
    wellMade: () => wellMade(opened(watched)),
    beside,
  }
}

const opened = <T>(thing: T | undefined): T => {
  if (thing === undefined) throw new Error('The desk is set up before the tests, not before that')
  return thing
}

/** To a part of the application, by its navigation. `part` in English. */
export const goTo = async (page: Page, { say }: Look, part: string): Promise<void> => {
  const navigation = page.getByRole('navigation', { name: say('Main') })
  await navigation.getByRole('link', { name: say(part) }).click()
}

/** To a domain, by the list of them. */
export const goToDomain = async (page: Page, look: Look, domain: string): Promise<void> => {
  await goTo(page, look, 'Domains')
  await page.getByRole('link', { name: domain, exact: true }).first().click()
  await page.getByRole('heading', { name: domain, exact: true }).waitFor()
}

/** To a finding, by the list of runs and its run, the oldest of the domain. */
export const goToFinding = async (page: Page, look: Look, domain: string, finding: string): Promise<void> => {
  await goTo(page, look, 'Runs')
  await page.getByRole('link', { name: domain }).last().click()
  await page.locator(`.finding-row[href$="${finding}"], a[href$="${finding}"]`).first().click()
  await page.getByRole('heading', { name: look.say('How to fix it') }).waitFor()
}
