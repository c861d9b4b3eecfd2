/**
 * What people do after a scan that a whole service has to answer: deliveries, further runs, a drawn cover. Each job from the
 * sign-in to its end, in a real Chromium. With SONDE_LONG=1; the other jobs are in jobs.test.ts.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/contract/client.ts'
import { watchScan } from '../../src/contract/event-stream.ts'
import { CHALLENGE_PATH } from '../../src/contract/verification.ts'
import { type CaseServers, caseAddress, serveCase } from '../../src/modules/testing/collecting.ts'
import { copyTemplate } from '../support/databases.ts'
import { type Serving, serve } from '../support/sonde.ts'
import { until } from '../support/until.ts'
import {
  accessibilityProblems,
  openBrowser,
  openPage,
  overflows,
  signIn,
  type WatchedPage,
} from '../support/web-app.ts'

const LIMIT = 60_000
const COOKIE = 'session=kanarie-vogel-im-keller'
const CHECK = 'headers/content-security-policy-missing'

let site: CaseServers
let hooks: Server
let mailServer: SMTPServer
let service: Serving
let client: Client
let browser: Browser
let folder = ''
const ids = { domain: '', run: '', finding: '' }
/** What the owners have put on their site. */
const owners = { challenge: '', fixed: false }
const calls: string[] = []
const mails: string[] = []

/** A start page with a weakness that can be fixed, and an account behind a login. */
const shop: RequestListener = (asked, reply) => {
  if (asked.url === CHALLENGE_PATH) return reply.writeHead(200, { 'Content-Type': 'text/plain' }).end(owners.challenge)
  const signed = asked.headers.cookie?.includes(COOKIE) === true
  if (asked.url === '/account' && !signed) return reply.writeHead(302, { Location: '/login' }).end()
  reply.writeHead(200, {
    'Content-Type': 'text/html',
    ...(owners.fixed ? { 'Content-Security-Policy': "default-src 'self'" } : {}),
  })
  const what = asked.url === '/login' ? '<form><input type=password name=p></form>' : signed ? 'Hello Ada' : 'Welcome'
  return reply.end(`<!doctype html><html lang=en><title>${asked.url}</title><p>${what}</p>`)
}

beforeAll(async () => {
  site = await serveCase(96, { http: shop })
  hooks = createServer(async (asked, reply) => {
    calls.push(await text(asked))
    reply.writeHead(204).end()
  })
  await new Promise<void>((resolve) => hooks.listen(0, caseAddress(97), resolve))
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, done) =>
      void text(stream).then((mail) => {
        mails.push(mail)
        done()
      }, done),
  })
  await new Promise<void>((resolve) => mailServer.listen(0, caseAddress(98), resolve))
  folder = mkdtempSync(join(tmpdir(), 'sonde-jobs-'))
  const data = join(folder, 'data')
  await copyTemplate(data)
  chmodSync(data, 0o700)
  service = await serve([], {
    SONDE_DATA: data,
    SONDE_HOSTS: `shop.test=${site.address} hooks.test=${caseAddress(97)}`,
    SONDE_ALLOW_NETWORKS: '127.0.0.0/8',
    SONDE_TARGET_REQUESTS_PER_SECOND: '200',
    SONDE_SMTP_URL: `smtp://${caseAddress(98)}:${(mailServer.server.address() as AddressInfo).port}`,
    SONDE_MAIL_FROM: 'sonde@example.test',
    SONDE_LOG_LEVEL: 'warn',
  })
  client = createClient({ baseUrl: service.ready.base_url, apiKey: service.ready.api_key ?? '' })
  const domain = await client.createDomain({ body: { domain: 'shop.test' } })
  owners.challenge = domain.verification.http_file.content
  await client.verifyDomain({ params: { id: domain.id } })
  await client.createMailSubscription({ body: { address: 'security@example.test', events: ['scan.finished'] } })
  const run = await client.startScan({ body: { domain_id: domain.id, privacy: false, make_pdf: false } })
  for await (const _ of watchScan(client, run.id));
  const { items } = await client.listFindings({ params: { id: run.id }, query: { limit: 100 } })
  const finding = items.find(({ check_id }) => check_id === CHECK)
  if (finding === undefined) throw new Error(`The run found ${items.map(({ check_id }) => check_id)}`)
  Object.assign(ids, { domain: domain.id, run: run.id, finding: finding.id })
  browser = await openBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await service?.end('SIGKILL')
  hooks?.close()
  mailServer?.close()
  await site?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Signed in, does the job, and has broken no rule of the house on the way. */
const job = async (work: (page: Page) => Promise<void>): Promise<void> => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 860 } })
  const watched: WatchedPage = await openPage(context)
  await signIn(watched.page, service.ready.base_url, service.ready.api_key ?? '')
  await work(watched.page)
  expect(watched.problems).toEqual([])
  await context.close()
}
const wellMade = async (page: Page): Promise<void> => {
  expect(await accessibilityProblems(page)).toEqual([])
  expect(await overflows(page)).toBe(false)
}
const toFinding = async (page: Page): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
  await page.getByRole('link', { name: 'shop.test' }).last().click()
  await page.locator(`.finding-row[href$="${ids.finding}"], a[href$="${ids.finding}"]`).first().click()
  await page.getByRole('heading', { name: 'How to fix it' }).waitFor()
}
const toDomain = async (page: Page): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' }).click()
  await page.getByRole('link', { name: 'shop.test' }).first().click()
  await page.getByRole('heading', { name: 'shop.test' }).waitFor()
}

describe.runIf(process.env.SONDE_LONG)('with a service', () => {
  test('a webhook: add it, send a test, see it delivered', { timeout: LIMIT }, () =>
    job(async (page) => {
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('link', { name: 'Webhooks' }).click()
      await page.getByRole('button', { name: 'Add a webhook' }).click()
      const dialog = page.getByRole('dialog')
      const { port } = hooks.address() as AddressInfo
      await dialog.getByRole('textbox', { name: 'Address' }).fill(`http://hooks.test:${port}/`)
      await dialog.getByLabel('Name').fill('Chat')
      await dialog.getByRole('button', { name: 'Add a webhook' }).click()
      await dialog.getByText(/^whsec_/).waitFor()
      await wellMade(page)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByText('Deliveries').click()
      await page.getByText('delivered', { exact: true }).waitFor()
      await wellMade(page)
      expect(calls.map((call) => JSON.parse(call).type)).toContain('webhook.test')
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('button', { name: 'Resume' }).waitFor()
    }),
  )

  test(
    'test a finding again: still there with proof, then fixed and gone, both in its history',
    { timeout: LIMIT },
    () =>
      job(async (page) => {
        await toFinding(page)
        const again = async (): Promise<void> => {
          await page.getByRole('button', { name: 'Test again now' }).click()
          await wellMade(page)
          await page.getByRole('dialog').getByRole('button', { name: 'Test again now' }).click()
        }
        await again()
        await page.getByRole('link', { name: 'Watch the run' }).waitFor()
        await wellMade(page)
        await page.getByText('Still there.').waitFor({ timeout: 30_000 })
        await page.getByText('The decisive part, as seen now').waitFor()
        await wellMade(page)
        owners.fixed = true
        await again()
        await page.getByText('Gone.', { exact: true }).waitFor({ timeout: 30_000 })
        await page.getByText('One earlier look').click()
        await page.locator('.history').getByRole('link', { name: 'Still there.' }).waitFor()
        await wellMade(page)
        owners.fixed = false
        // The end of these runs was told to whoever subscribed.
        await until(async () => mails.some((mail) => mail.includes('shop.test')), 15_000)
      }),
  )

  test('a pace, quiet hours and a login: store it, test it, scan with it, delete it', { timeout: LIMIT }, () =>
    job(async (page) => {
      await toDomain(page)
      await page.getByRole('spinbutton', { name: 'Pace' }).fill('50')
      await page.locator('form[aria-labelledby="pace"]').getByRole('button', { name: 'Save' }).click()
      await page.locator('form[aria-labelledby="pace"]').getByText('Saved').waitFor()

      const quiet = page.locator('form[aria-labelledby="quiet-hours"]')
      const save = async (from: string, to: string): Promise<void> => {
        await quiet.getByLabel('Quiet from').fill(from)
        await quiet.getByLabel('Quiet until').fill(to)
        await quiet.getByRole('button', { name: 'Save' }).click()
        await quiet.getByText('Saved').waitFor()
        await page.reload()
        expect(await quiet.getByLabel('Quiet from').inputValue()).toBe(from)
      }
      await save('22:00', '06:00')
      await wellMade(page)
      await save('', '')

      await page.getByRole('button', { name: 'Store a login' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Cookie').fill('session=one-that-has-expired')
      await dialog.getByLabel('Page to test it by').fill('/account')
      await wellMade(page)
      await dialog.getByRole('button', { name: 'Store a login' }).click()
      const section = page.locator('section[aria-labelledby="login"]')
      await section.getByRole('button', { name: 'Replace' }).waitFor()
      await section.getByRole('button', { name: 'Test the login' }).click()
      // It leads to the form, as none does.
      await section.getByText('Makes no difference').waitFor()
      await wellMade(page)

      await section.getByRole('button', { name: 'Replace' }).click()
      await dialog.getByLabel('Cookie').fill(COOKIE)
      await dialog.getByRole('button', { name: 'Store a login' }).click()
      await section.getByRole('button', { name: 'Test the login' }).click()
      await section.getByText('Works', { exact: true }).waitFor()
      await section.getByText(/Without the login: 200 at .*\/login\. With it: 200 at .*\/account/).waitFor()
      await wellMade(page)
      expect(await page.content()).not.toContain('kanarie')

      await page.getByRole('button', { name: 'Start a run' }).click()
      await dialog.getByLabel('As whom').selectOption('default')
      await dialog.getByText('Passive', { exact: true }).click()
      await dialog.getByLabel('Privacy check').uncheck()
      await dialog.getByLabel('PDF report').uncheck()
      await wellMade(page)
      await dialog.getByRole('button', { name: 'Start the passive run' }).click()
      await page.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 30_000 })
      await page.getByText('Done', { exact: true }).waitFor()

      await toDomain(page)
      await section.getByRole('button', { name: 'Delete' }).click()
      await section.getByRole('button', { name: 'Store a login' }).waitFor()
      expect((await client.readDomain({ params: { id: ids.domain } })).login).toBeNull()
    }),
  )

  test('the cover of reports is shown as it will be', { timeout: LIMIT }, () =>
    job(async (page) => {
      await page.getByRole('link', { name: 'Settings' }).click()
      const cover = page.getByRole('img', { name: /^Cover of a report for/ })
      await cover.waitFor({ timeout: 30_000 })
      await until(async () => (await page.evaluate('document.querySelector("img.cover").naturalWidth')) === 910, 10_000)
      await wellMade(page)
    }),
  )
})
