/** The built web application in a real Chromium. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { ensureWebApp } from '../../src/main/web-app.ts'
import { openApi, type TestApi } from './api.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
export const PROGRAM = '/usr/bin/chromium-headless-shell'

/** The build of the present sources. */
export const builtWebApp = (): Promise<string> =>
  ensureWebApp((reason) => {
    throw new Error(reason)
  }).then((folder) => {
    if (folder === null) throw new Error('There is no web application to test')
    return folder
  })

/** Not sandboxed: it runs as root and shows pages of ours only. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: PROGRAM,
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--num-raster-threads=1'],
    timeout: 30_000,
  })

/** The interface with the application, listening. */
export const openServedApi = async (
  changes: Parameters<typeof openApi>[0] = {},
): Promise<TestApi & { url: string }> => {
  let url = ''
  const api = await openApi({ webFolder: await builtWebApp(), baseUrl: () => url, ...changes })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...api, url }
}

/** Everything that a page must never do is written down; `problems` is empty while all is well. */
export interface WatchedPage {
  readonly page: Page
  readonly problems: string[]
}

export const openPage = async (context: BrowserContext): Promise<WatchedPage> => {
  const problems: string[] = []
  // The policy forbids scripts of others, so axe comes in through the debugger, not through the page.
  const page = await context.newPage()
  page.on('console', (message) => {
    // The line about a refused request is the browser's own; what the page makes of it is looked at.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.setDefaultTimeout(15_000)
  return { page, problems }
}

export const signIn = async (page: Page, url: string, key: string): Promise<void> => {
  await page.goto(`${url}/sign-in`)
  await page.locator('input[autocomplete="off"]').fill(key)
  await page.locator('button[type="submit"]').click()
  await page.waitForURL(`${url}/`)
  await page.locator('nav a[aria-current="page"]').waitFor()
}

/** From one part to another nothing of the page before stands on the next one; within a part, over one of these. */
const BETWEEN = ['/domains', '/settings', '/runs']
const partOf = (path: string): string | undefined => path.split(/[/?]/)[1]

/** What of a page is used below; the debugger runs it there. */
type Heading = {
  setAttribute: (name: string, value: string) => void
  ownerDocument: {
    defaultView: { history: { pushState: (state: object, title: string, to: string) => void } } & EventTarget
  }
}

const leave = (heading: Heading, to: string): void => {
  heading.setAttribute('data-left', '')
  const { defaultView } = heading.ownerDocument
  defaultView.history.pushState({}, '', to)
  defaultView.dispatchEvent(Object.assign(new Event('popstate'), { state: {} }))
}

/**
 * To another page as a link goes there, without loading the application again, which costs more than most pages. Resolves when
 * the page is shown, and its data with it.
 */
export const turnTo = async (page: Page, path: string): Promise<void> => {
  await arrived(page)
  const parts = [path, new URL(page.url()).pathname].map(partOf)
  const between = BETWEEN.find((one) => !parts.includes(partOf(one))) ?? '/'
  for (const to of parts[0] === parts[1] ? [between, path] : [path]) {
    // Where the page before was still coming, its heading may go away once more: it is waited for.
    await page.locator('h1').first().evaluate(leave, to)
    await page.locator('h1[data-left]').waitFor({ state: 'detached' })
    await arrived(page)
  }
}

/** Shown, and its data with it. */
export const arrived = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor()
  await page.locator('.ghost').first().waitFor({ state: 'detached' })
}

/** For states of pages on the way through a job: pages.test.ts asks everything of each layout. */
export const STATE_RULES = process.env.SONDE_LONG ? 'all' : 'names'

const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  /** What colours, width and language can change: for a page that was looked at whole already. */
  looks: ['color-contrast', 'target-size', 'html-has-lang', 'html-lang-valid', 'valid-lang'],
  /** What has a name, a role and a label: of what a state shows for the first time. */
  names: ['wcag2a', 'wcag21a'],
} as const

/** What axe finds, in a line each. The debugger evaluates it, so the page's policy stays as strict as it is. */
export const accessibilityProblems = async (page: Page, what: keyof typeof RULES = 'all'): Promise<string[]> => {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const options = JSON.stringify({ runOnly: RULES[what], resultTypes: ['violations'] })
  const found = (await page.evaluate(`axe.run(document, ${options}).then((r) => r.violations.flatMap((v) =>
    v.nodes.map((n) => v.id + ': ' + n.target.join(' ') + ' — ' + (n.any[0]?.message ?? n.all[0]?.message ?? v.help))))`)) as string[]
  return found
}

/** True when the page is wider than its window: somebody would have to scroll sideways. */
export const overflows = async (page: Page): Promise<boolean> =>
  (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')) as boolean

/** One white pixel. */
export const coverPng = (): Buffer =>
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=', 'base64')
