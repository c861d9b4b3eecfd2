/**
 * One person's way through the application against the real service: from the first sign-in to the downloaded PDF. With
 * SONDE_LONG=1; jobs.test.ts and pages.test.ts have its parts, whole-run.test.ts the run.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as httpRequest, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHALLENGE_PATH } from '../../src/contract/verification.ts'
import { type CaseServers, caseAddress, serveCase } from '../../src/modules/testing/collecting.ts'
import { startTestbed, type Testbed } from '../../testbed/server.ts'
import { copyTemplate } from '../support/databases.ts'
import { type Serving, serve } from '../support/sonde.ts'
import { openBrowser, openPage, type WatchedPage } from '../support/web-app.ts'

/** Milliseconds for a whole run with its report on a busy machine. */
const RUN = 150_000

let shop: Testbed
let site: CaseServers
let service: Serving
let browser: Browser
let watched: WatchedPage
let folder = ''
/** What the owner has put on the site; null before they did. */
let challenge: string | null = null

/** The demo shop, and what its owner adds to prove that it is theirs. */
const front: RequestListener = (asked, reply) => {
  if (challenge !== null && asked.url === CHALLENGE_PATH) {
    reply.writeHead(200, { 'Content-Type': 'text/plain' }).end(challenge)
    return
  }
  const to = { host: shop.flawed.address, port: shop.flawed.http, path: asked.url, method: asked.method }
  const onward = httpRequest({ ...to, headers: asked.headers }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(reply)
  })
  onward.on('error', () => reply.destroy())
  asked.pipe(onward)
}

beforeAll(async () => {
  shop = await startTestbed({
    flawed: { host: 'shop.test', address: caseAddress(91), ports: { http: 0, https: 0 } },
    fixed: { host: 'shop-fixed.test', address: caseAddress(92), ports: { http: 0, https: 0 } },
  })
  site = await serveCase(93, { http: front })
  folder = mkdtempSync(join(tmpdir(), 'sonde-walk-'))
  const data = join(folder, 'data')
  await copyTemplate(data)
  chmodSync(data, 0o700)
  service = await serve([], {
    SONDE_DATA: data,
    SONDE_HOSTS: `shop.test=${site.address}`,
    SONDE_ALLOW_NETWORKS: '127.0.0.0/8',
    SONDE_TARGET_REQUESTS_PER_SECOND: '200',
    SONDE_LOG_LEVEL: 'warn',
  })
  browser = await openBrowser()
  watched = await openPage(await browser.newContext({ locale: 'en-GB', acceptDownloads: true }))
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await service?.end('SIGKILL')
  await site?.close()
  await shop?.close()
  rmSync(folder, { recursive: true, force: true })
})

const WAY = 'sign in, add a domain, prove it, start a run, watch it, read a finding, take the report'
test.runIf(process.env.SONDE_LONG)(WAY, { timeout: RUN }, async () => {
  const { page, problems } = watched
  const { base_url: url, api_key: key } = service.ready

  await page.goto(url)
  await page.waitForURL(/sign-in/)
  await page.getByLabel('API key', { exact: true }).fill(key ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Three steps to the first report').waitFor()
  const stored = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie')
  expect(stored).not.toContain(key)

  await page.getByRole('link', { name: 'Add a domain' }).click()
  await page.getByLabel('Domain', { exact: true }).fill('shop.test')
  await page.getByLabel('Kind of site').selectOption('shop')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'shop.test' }).waitFor()

  await page.getByText('Quickest where you can upload').click()
  await page.getByRole('button', { name: 'Check now' }).click()
  const seen = page.locator('.attempts')
  await seen.getByText(/404/).first().waitFor()
  challenge = await page.locator('.pieces code').nth(1).textContent()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Verified', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Start a run' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('without a limit').waitFor()
  await dialog.getByText('Passive', { exact: true }).click()
  await dialog.getByLabel('Privacy check').uncheck()
  await dialog.getByRole('button', { name: 'Start the passive run' }).click()

  await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
  const bar = page.locator('.live [role="progressbar"]')
  await bar.waitFor()
  await page.locator('.doing li').first().waitFor()
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page
    .getByRole('cell', { name: /GET http:\/\/shop\.test/ })
    .first()
    .waitFor()
  await page.getByRole('link', { name: /^Findings/ }).click()
  await page.locator('.finding-row').first().waitFor()
  // It is over without anybody having loaded the page again.
  await page.getByText('Done', { exact: true }).waitFor({ timeout: RUN })

  await page.locator('.finding-row').first().click()
  await page.getByRole('heading', { name: 'How to fix it' }).waitFor()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.getByRole('button', { name: 'Show the exchange' }).first().click()
  await page.locator('figcaption', { hasText: 'Response' }).waitFor()
  expect(await page.locator('pre', { hasText: 'HTTP/1.1' }).first().textContent()).toContain('Host: shop.test')

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'shop.test' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the report' }).click()
  const report = await saving
  expect(report.suggestedFilename()).toBe('report.pdf')
  expect(
    readFileSync(await report.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect(page.url()).toMatch(/\/runs\//)

  await page.getByRole('link', { name: 'Coverage' }).click()
  await page.getByRole('heading', { name: /Could not look/ }).waitFor()
  await page.getByText('only an active run').first().waitFor()

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByText('Started a run').waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/sign-in/)
  await page.goto(`${url}/runs`)
  await page.waitForURL(/sign-in\?next=/)
  expect(problems).toEqual([])
})
