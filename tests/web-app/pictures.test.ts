/**
 * Pictures of every page in every state, to be looked at: full, loading, failed and empty, wide and as narrow as a phone, in
 * German and English, light and dark. `npm run pictures` makes them, with a page that shows them side by side; SONDE_PICTURES
 * names the folder.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApi } from '../support/api.ts'
import {
  arrived,
  coverPng,
  openBrowser,
  openPage,
  openServedApi,
  overflows,
  signIn,
  turnTo,
} from '../support/web-app.ts'
import { NO_IDS, PAGES, type SeededIds, seedPages } from './seeded.ts'

const FOLDER = resolve(process.env.SONDE_PICTURES ?? 'pictures')
/** Milliseconds for the pages of one look; each is loaded anew where it must not know anything yet. */
const LIMIT = 1_200_000
const SIZES = { wide: { width: 1280, height: 860 }, phone: { width: 360, height: 740 } } as const
type Size = keyof typeof SIZES
/** Taller pages are cut: what comes below looks like what is above. */
const TALLEST = 2_400

let api: TestApi & { url: string }
let browser: Browser
let ids: SeededIds = NO_IDS
const made: { readonly name: string; readonly look: string; readonly file: string }[] = []

describe('pictures', () => {
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true })
    api = await openServedApi({ mail: true, drawCover: async () => coverPng() })
    browser = await openBrowser()
    ids = await seedPages(api)
    await api.send('DELETE', `/v1/domains/${api.other.domainId}`, { secret: api.other.secret })
  }, 240_000)
  afterAll(async () => {
    writeFileSync(join(FOLDER, 'index.html'), overview())
    await browser?.close()
    await api?.close()
  })

  /** All pages of one look: one file each, and none wider than its window. */
  const looked = async (
    look: { readonly locale: string; readonly size: Size; readonly dark?: boolean; readonly of?: 'nobody' },
    pages: readonly (readonly [name: string, path: string])[],
    show: (page: Page, path: string) => Promise<void>,
  ): Promise<void> => {
    const { locale, size, dark = false, of } = look
    const context = await browser.newContext({ locale, viewport: SIZES[size], colorScheme: dark ? 'dark' : 'light' })
    const { page, problems } = await openPage(context)
    await signIn(page, api.url, of === 'nobody' ? api.other.secret : api.mine.secret)
    const wrong: string[] = []
    for (const [name, path] of pages) {
      await show(page, path)
      await picture(page, name, `${expect.getState().currentTestName?.split(' > ').at(-1)}`)
      if (await overflows(page)) wrong.push(`${name} is wider than the window`)
    }
    expect([...wrong, ...problems]).toEqual([])
    await context.close()
  }
  const picture = async (page: Page, name: string, look: string): Promise<void> => {
    const file = `${name} ${look}.jpg`.replaceAll(/[^\w.]+/g, '-')
    const height = Math.min(TALLEST, Number(await page.evaluate('document.documentElement.scrollHeight')))
    const { width = 0 } = page.viewportSize() ?? {}
    await page.screenshot({
      ...{ path: join(FOLDER, file), type: 'jpeg', quality: 70, fullPage: true },
      ...{ clip: { x: 0, y: 0, width, height }, animations: 'disabled' },
    })
    made.push({ name, look, file })
  }
  const all = () => PAGES.map(([name, path]) => [name, path(ids)] as const)
  const withoutIds = () =>
    PAGES.filter(([, path]) => path(NO_IDS) === path(ids)).map(([name, path]) => [name, path(ids)] as const)

  test.each([
    ['full, wide, English', { locale: 'en-GB', size: 'wide' }],
    ['full, phone, German', { locale: 'de-DE', size: 'phone' }],
    ['full, wide, German, dark', { locale: 'de-DE', size: 'wide', dark: true }],
    ['full, phone, English', { locale: 'en-GB', size: 'phone' }],
  ] as const)('%s', { timeout: LIMIT }, (_, look) => looked(look, all(), turnTo))

  test.each([
    ['empty, wide, German', { locale: 'de-DE', size: 'wide', of: 'nobody' }],
    ['empty, phone, English', { locale: 'en-GB', size: 'phone', of: 'nobody' }],
  ] as const)('%s', { timeout: LIMIT }, (_, look) => looked(look, withoutIds(), turnTo))

  test.each([
    ['loading, wide, English', { locale: 'en-GB', size: 'wide' }],
    ['loading, phone, German', { locale: 'de-DE', size: 'phone' }],
  ] as const)('%s', { timeout: LIMIT }, (_, look) =>
    looked(look, all(), async (page, path) => {
      await answered(page.context(), 'never')
      await page.goto(api.url + path)
      await page.locator('h1, .ghost').first().waitFor()
      // What is looked at is the page that waits for its content, not the one that waits for its file.
      await page.locator('.arriving').waitFor({ state: 'detached' })
    }),
  )

  test.each([
    ['failed, wide, German', { locale: 'de-DE', size: 'wide' }],
    ['failed, phone, English', { locale: 'en-GB', size: 'phone' }],
  ] as const)('%s', { timeout: LIMIT }, (_, look) =>
    looked(look, all(), async (page, path) => {
      await answered(page.context(), 'by a fault')
      await page.goto(api.url + path)
      await arrived(page)
    }),
  )
})

const FAULT = {
  ...{ type: 'about:blank', title: 'Internal error', status: 500, code: 'internal', detail: 'A fault of the service.' },
  request_id: '00000000-0000-4000-8000-000000000000',
}

/** What pages ask for their content; who is signed in is answered. */
const answered = async (context: BrowserContext, how: 'never' | 'by a fault'): Promise<void> => {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.route('**/v1/**', (route) => {
    if (new URL(route.request().url()).pathname === '/v1/session') return route.continue()
    if (how === 'never') return undefined
    return route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(FAULT) })
  })
}

/** The pictures of each page beside each other. */
const overview = (): string => {
  const rows = [...Map.groupBy(made, ({ name }) => name)].map(
    ([name, list]) =>
      `<h2>${name}</h2><div>${list.map(({ look, file }) => `<figure><a href="${file}"><img loading="lazy" alt="${name}, ${look}" src="${file}"></a><figcaption>${look}</figcaption></figure>`).join('')}</div>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pages of Sonde</title><style>body{font:14px sans-serif;margin:24px}div{display:flex;gap:16px;overflow-x:auto;align-items:start}figure{margin:0;flex:none}img{height:520px;border:1px solid #bbb}</style>${rows.join('\n')}</html>\n`
}
