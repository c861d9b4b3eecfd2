/**
 * Every page in a real Chromium: no violation of WCAG 2.2 AA, none of the page's policy, nothing wider than a phone; one of each layout
 * light and wide, then all as narrow as a phone. In German, whose words are the longer ones; with SONDE_LONG=1 in English too, every page
 * wide and dark, and asked by axe on every page and dialog.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../src/store/api-keys.ts'
import { keyWith, type TestApi } from '../support/api.ts'
import { until } from '../support/until.ts'
import {
  accessibilityProblems,
  coverPng,
  openBrowser,
  openPage,
  openServedApi,
  overflows,
  signIn,
  turnTo,
  type WatchedPage,
} from '../support/web-app.ts'
import { NO_IDS, PAGES, type SeededIds, seedPages } from './seeded.ts'

let api: TestApi & { url: string }
let browser: Browser
let ids: SeededIds

beforeAll(async () => {
  api = await openServedApi({ mail: true, drawCover: async () => coverPng() })
  browser = await openBrowser()
  ids = await seedPages(api)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await api?.close()
})

/** Pages of one part by turns with those of others: the way from part to part is half as long. */
const BY_TURNS = ((): typeof PAGES => {
  const isOfRuns = ([, path]: (typeof PAGES)[number]): boolean => path(NO_IDS).startsWith('/runs')
  const runs = PAGES.filter(isOfRuns)
  return PAGES.filter((page) => !isOfRuns(page)).flatMap((page, at) => [page, ...runs.slice(at, at + 1)])
})()

const WIDE = { width: 1280, height: 860 }
const PHONE = { width: 360, height: 740 }

/** One of each layout, with what it is made of: wide and asked by axe always, the others with SONDE_LONG=1. */
const LAYOUTS = new Set([
  ...[
    'sign-in',
    'overview',
    'findings',
    'findings by cause',
    'finding over its runs',
    'batches',
    'hypotheses',
    'run that is done',
    'run under way',
    'coverage',
    'finding',
    'domain that is verified',
  ],
  ...['keys', 'address of nothing', 'start a run', 'start a batch', 'make the report again', 'store a login'],
])
/** Pages with every kind of mark and colour: asked in the dark always. */
const COLOURFUL = new Set(['run that is done', 'coverage'])
const LONG = Boolean(process.env.SONDE_LONG)

/** As people have it: light and wide, then narrow, where only the width is asked again; in the dark what colours can change. */
const wellMade = async (page: Page, name: string): Promise<void> => {
  if (!isWide(name)) return expect(await overflows(page)).toBe(false)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
  await page.setViewportSize(PHONE)
  expect(await overflows(page)).toBe(false)
  if (LONG || COLOURFUL.has(name)) {
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibilityProblems(page, 'looks')).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.setViewportSize(WIDE)
}
const isWide = (name: string): boolean => LONG || LAYOUTS.has(name)
/** The others stay narrow: to change the width draws a page anew. */
const sized = async (page: Page, name: string): Promise<void> => {
  const wanted = isWide(name) ? WIDE : PHONE
  if (page.viewportSize()?.width !== wanted.width) await page.setViewportSize(wanted)
}
/** Those of one width after those of the other. */
const bySize = <Case extends readonly [string, ...unknown[]]>(cases: readonly Case[]): Case[] =>
  cases.toSorted(([a], [b]) => Number(isWide(b)) - Number(isWide(a)))

describe.each(LONG ? ['de-DE', 'en-GB'] : ['de-DE'])('%s', (locale) => {
  let context: BrowserContext
  let watched: WatchedPage
  beforeAll(async () => {
    context = await browser.newContext({ locale, colorScheme: 'light', viewport: WIDE })
    watched = await openPage(context)
  })
  afterAll(() => context?.close())

  test('sign-in', async () => {
    await watched.page.goto(`${api.url}/sign-in?failed=provider`)
    await watched.page.locator('[role="alert"]').waitFor()
    await wellMade(watched.page, 'sign-in')
    await signIn(watched.page, api.url, api.mine.secret)
    expect(watched.problems).toEqual([])
  })

  test.each(bySize(BY_TURNS))('%s', async (name, path) => {
    await sized(watched.page, name)
    await turnTo(watched.page, path(ids))
    await wellMade(watched.page, name)
    expect(watched.problems).toEqual([])
    expect(await watched.page.title()).toMatch(/ · Sonde$/)
  })

  test.each(
    bySize([
      ['start a run', '/runs', 'header .actions button'],
      ['start a batch', '/batches', 'header .actions button'],
      ['make the report again', () => `/runs/${ids.run}`, '.summary .mantine-Button-root[data-variant="default"]'],
      ['make a key', '/settings/keys', 'section .mantine-Button-root[data-variant="filled"], section .row > button'],
      [
        'decide about a finding',
        () => `/runs/${ids.run}/findings/${ids.finding}`,
        'section[aria-labelledby="triage"] button',
      ],
      ['add a schedule', () => `/domains/${ids.domain}`, 'section[aria-labelledby="schedule"] button'],
      [
        'test a finding again',
        () => `/runs/${ids.run}/findings/${ids.finding}`,
        'section[aria-labelledby="retest"] button',
      ],
      [
        'store a login',
        () => `/domains/${ids.domain}`,
        'section[aria-labelledby="login"] button[data-variant="default"]',
      ],
      ['remove a domain', () => `/domains/${ids.domain}`, 'section:last-of-type > button'],
    ] as const),
  )('the dialog to %s: it takes the focus, Escape closes it', async (name, path, button) => {
    const { page } = watched
    await sized(page, name)
    await turnTo(page, typeof path === 'string' ? path : path())
    await page.locator(button).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await wellMade(page, name)
    expect(await page.evaluate('document.querySelector("dialog").contains(document.activeElement)')).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(watched.problems).toEqual([])
  })
})

test('on a phone the chosen part of the settings is in sight, and each line of the log', async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  const { page } = await openPage(context)
  await signIn(page, api.url, api.mine.secret)
  await turnTo(page, '/settings/mail')
  await page.locator('.tabs a[aria-current="page"]').waitFor()
  const right = 'document.querySelector(".tabs a[aria-current=page]").getBoundingClientRect().right'
  await until(async () => (await page.evaluate(`${right} <= innerWidth`)) === true, 5_000)

  // What a request was is read without scrolling aside.
  await turnTo(page, `/runs/${ids.run}/audit`)
  await page.locator('.log td').first().waitFor()
  const frame = 'document.querySelector(".log")'
  expect(await page.evaluate(`${frame}.scrollWidth - ${frame}.clientWidth`)).toBe(0)
  expect(await page.evaluate(`document.querySelector(".log td.break").clientWidth > ${frame}.clientWidth / 2`)).toBe(
    true,
  )
  await context.close()
})

test('of many domains it is told which are shown, and any is found by its name', async () => {
  await api.db.query(
    `insert into domains (organisation_id, domain, token, created_at)
     select $1, 'site-' || n || '.example.com', 'many' || n, now() - interval '1 day' from generate_series(1, 1100) n`,
    [api.other.organisationId],
  )
  const context = await browser.newContext({ locale: 'en-GB', viewport: WIDE })
  const { page, problems } = await openPage(context)
  await signIn(page, api.url, api.other.secret)
  await page.getByText(/The 100 of 1,101 domains that were scanned last/).waitFor()
  await turnTo(page, '/domains')
  await page.getByText(/The newest 1,000 of 1,101 are listed/).waitFor()
  expect(await page.locator('tbody tr').count()).toBe(100)
  const names = async (part: string): Promise<readonly string[]> => {
    await page.getByLabel('Search').fill(part)
    // While it is looked for, none is listed.
    await until(async () => {
      const count = await page.locator('tbody tr').count()
      return count > 0 && count < 100
    }, 5_000)
    return page.locator('tbody .name').allTextContents()
  }
  const oldest = await api.db.query<{ domain: string }>(
    'select domain from domains where organisation_id = $1 order by created_at, id limit 1',
    [api.other.organisationId],
  )
  expect(await names(oldest[0]?.domain ?? '')).toEqual([oldest[0]?.domain])
  await page.getByLabel('Search').fill('nowhere')
  await page.getByText('No domain has this in its name').waitFor()
  expect(problems).toEqual([])
  await api.db.query(`delete from domains where domain like 'site-%'`)
  await context.close()
})

describe('states that are no success', () => {
  /** Signed in, for the tests that leave it so. */
  let owner: WatchedPage
  beforeAll(async () => {
    owner = await openPage(await browser.newContext({ locale: 'en-GB' }))
  })
  afterAll(() => owner?.page.context().close())

  /** Nobody is signed in any more, and the application is loaded anew. */
  const afresh = async (): Promise<WatchedPage> => {
    await owner.page.context().clearCookies()
    owner.problems.length = 0
    return owner
  }

  test('an organisation with nothing in it is led on, never to a dead end', async () => {
    const { page, problems } = await afresh()
    await api.send('DELETE', `/v1/domains/${api.other.domainId}`, { secret: api.other.secret })
    await signIn(page, api.url, api.other.secret)
    for (const path of ['/', '/runs', '/domains']) {
      await turnTo(page, path)
      expect(await accessibilityProblems(page)).toEqual([])
    }
    expect(problems).toEqual([])
  })

  test('a key that may only read is offered nothing that it may not do, and told so where it asks', async () => {
    const { secret } = await createKey(api.db, keyWith(api.mine.organisationId, ['scans:read']))
    const { page } = await afresh()
    await signIn(page, api.url, secret)
    expect(await page.getByRole('button', { name: 'Start a run' }).count()).toBe(0)
    await turnTo(page, '/domains')
    await page.getByText('You may not do this.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  test('a service that gives no answer is said, and gone on with by itself', async () => {
    const { page } = await afresh()
    await signIn(page, api.url, api.mine.secret)
    const context = page.context()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await context.setOffline(true)
    // The browser believes that there is no network: nothing to say before the service itself gives no answer.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
    await page.getByText('The service does not answer. What you see').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await context.setOffline(false)
    await page.getByText('The service does not answer. What you see').waitFor({ state: 'detached' })
  })

  test('what the service refuses is said at the field that it is about, and goes when that is changed', async () => {
    const { page, problems } = owner
    problems.length = 0
    await turnTo(page, '/domains')
    const field = page.getByLabel('Domain', { exact: true })
    await field.fill('no domain')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('alert').waitFor()
    const described = await field.getAttribute('aria-describedby')
    const words = (await page.locator(`[id="${described}"]`).textContent()) ?? ''
    expect(words).toMatch(/^[A-Z].+\.$/)
    expect(await page.getByRole('alert').textContent()).not.toContain(words.slice(1))
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await page.evaluate('document.activeElement.dataset.path')).toBe('domain')
    expect(await accessibilityProblems(page)).toEqual([])
    await field.fill('no domain.')
    expect(await field.getAttribute('aria-invalid')).toBe(null)
    expect(problems).toEqual([])
  })

  test('a run whose answer was lost is started once, however often it is pressed', async () => {
    const { page } = owner
    await turnTo(page, '/')
    let lost = 0
    await page.route('**/v1/scans', async (route) => {
      if (route.request().method() !== 'POST' || lost === 1) return route.continue()
      lost += 1
      await route.fetch()
      return route.abort()
    })
    const runs = async () => (await api.db.query<{ n: number }>('select count(*)::int as n from runs', []))[0]?.n ?? 0
    const before = await runs()
    await page.getByRole('button', { name: 'Start a run' }).first().click()
    const start = page.getByRole('dialog').locator('button[type="submit"]')
    await start.click()
    await page.getByRole('dialog').getByText('The service does not answer.').waitFor()
    expect(await runs()).toBe(before + 1)
    await start.click()
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
    expect(await runs()).toBe(before + 1)
    await page.unroute('**/v1/scans')
  })

  test('a session that ended elsewhere leads to sign-in, and from there back', async () => {
    const { page } = owner
    await api.db.query('delete from sessions', [])
    await page.goto(`${api.url}/runs?tier=active`)
    await page.waitForURL(/sign-in\?next=/)
    await page.locator('input[autocomplete="off"]').fill(api.mine.secret)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${api.url}/runs?tier=active`)
  })

  test('a wrong key is refused beside the field', async () => {
    const { page } = await afresh()
    await page.goto(`${api.url}/sign-in`)
    await page.locator('input[autocomplete="off"]').fill('sonde_wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain('sonde_wrong')
  })
})
