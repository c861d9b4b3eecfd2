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
import { goToDomain, goToFinding, LIMIT } from '../support/desk.ts'
import { LOOKS, type Look, wellMade as looksWell, openLook } from '../support/looks.ts'
import { type Serving, serve } from '../support/sonde.ts'
import { until } from '../support/until.ts'
import { openBrowser } from '../support/web-app.ts'

const COOKIE = 'session=kanarie-vogel-im-keller'
const CHECK = 'headers/content-security-policy-missing'

let site: CaseServers
let hooks: Server
let mailServer: SMTPServer
let service: Serving
let client: Client
let browser: Browser
let folder = ''
/** What the owners have put on each of their sites, by its name. */
const owners = new Map<string, { challenge: string | null; fixed: boolean }>()
/** Each look has a site of its own: what one person does is nothing to another. */
const siteOf = (look: Look): string => `shop${LOOKS.indexOf(look)}.test`
const calls: string[] = []
const mails: string[] = []

/** A start page with a weakness that can be fixed, and an account behind a login. */
const shop: RequestListener = (asked, reply) => {
  const own = owners.get(asked.headers.host?.split(':')[0] ?? '')
  if (asked.url === CHALLENGE_PATH && own?.challenge)
    return reply.writeHead(200, { 'Content-Type': 'text/plain' }).end(own.challenge)
  const signed = asked.headers.cookie?.includes(COOKIE) === true
  if (asked.url === '/account' && !signed) return reply.writeHead(302, { Location: '/login' }).end()
  reply.writeHead(200, {
    'Content-Type': 'text/html',
    ...(own?.fixed ? { 'Content-Security-Policy': "default-src 'self'" } : {}),
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
    SONDE_HOSTS: [...LOOKS.map((look) => `${siteOf(look)}=${site.address}`), `hooks.test=${caseAddress(97)}`].join(' '),
    SONDE_ALLOW_NETWORKS: '127.0.0.0/8',
    SONDE_TARGET_REQUESTS_PER_SECOND: '200',
    SONDE_SMTP_URL: `smtp://${caseAddress(98)}:${(mailServer.server.address() as AddressInfo).port}`,
    SONDE_MAIL_FROM: 'sonde@example.test',
    SONDE_LOG_LEVEL: 'warn',
  })
  client = createClient({ baseUrl: service.ready.base_url, apiKey: service.ready.api_key ?? '' })
  await client.createMailSubscription({ body: { address: 'security@example.test', events: ['scan.finished'] } })
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

describe.runIf(process.env.SONDE_LONG).each(LOOKS)('with a service, $name', (look) => {
  const { say } = look
  const shopName = siteOf(look)
  const own = { challenge: null as string | null, fixed: false }
  const ids = { domain: '', finding: '' }

  beforeAll(async () => {
    owners.set(shopName, own)
    ids.domain = (await client.createDomain({ body: { domain: shopName } })).id
    const run = await client.startScan({ body: { domain_id: ids.domain, privacy: false, make_pdf: false } })
    for await (const _ of watchScan(client, run.id));
    const { items } = await client.listFindings({ params: { id: run.id }, query: { limit: 100 } })
    const finding = items.find(({ check_id }) => check_id === CHECK)
    if (finding === undefined) throw new Error(`The run found ${items.map(({ check_id }) => check_id)}`)
    ids.finding = finding.id
  }, 120_000)

  /** Signed in, does the job, and has broken no rule of the house on the way. */
  const job = async (work: (page: Page) => Promise<void>): Promise<void> => {
    const { base_url: url, api_key: key } = service.ready
    const watched = await openLook(browser, look, { url, secret: key ?? '' })
    await work(watched.page)
    expect(watched.problems).toEqual([])
    await watched.page.context().close()
  }
  const wellMade = (page: Page): Promise<void> => looksWell({ page })
  const toFinding = (page: Page) => goToFinding(page, look, shopName, ids.finding)
  const toDomain = (page: Page) => goToDomain(page, look, shopName)

  test('a domain: prove that it is yours, and see what each way showed', { timeout: LIMIT }, () =>
    job(async (page) => {
      await toDomain(page)
      await page.getByText(say('Quickest where you can upload.')).click()
      await page.getByRole('button', { name: say('Check now') }).click()
      await page.locator('.attempts').getByText(say('does not hold')).first().waitFor({ state: 'attached' })
      await wellMade(page)
      own.challenge = await page.locator('.pieces code').nth(1).textContent()
      await page.getByRole('button', { name: say('Check now') }).click()
      await page.getByText(say('Verified'), { exact: true }).waitFor()
      await wellMade(page)
      expect((await client.readDomain({ params: { id: ids.domain } })).verified_at).not.toBeNull()
    }),
  )

  test('a webhook: add it, send a test, see it delivered', { timeout: LIMIT }, () =>
    job(async (page) => {
      await page.getByRole('link', { name: say('Settings') }).click()
      await page.getByRole('link', { name: say('Webhooks') }).click()
      await page.getByRole('button', { name: say('Add a webhook') }).click()
      const dialog = page.getByRole('dialog')
      const { port } = hooks.address() as AddressInfo
      await dialog.getByRole('textbox', { name: say('Address') }).fill(`http://hooks.test:${port}/`)
      await dialog.getByLabel(say('Name')).fill('Chat')
      await dialog.getByRole('button', { name: say('Add a webhook') }).click()
      await dialog.getByText(/^whsec_/).waitFor()
      await wellMade(page)
      await dialog.getByRole('button', { name: say('Done') }).click()
      await page.getByRole('button', { name: say('Send a test') }).click()
      await page.getByText(say('Deliveries')).click()
      await page.getByText(say('delivered'), { exact: true }).waitFor()
      await wellMade(page)
      expect(calls.map((call) => JSON.parse(call).type)).toContain('webhook.test')
      await page.getByRole('button', { name: say('Pause') }).click()
      await page.getByRole('button', { name: say('Resume') }).waitFor()
      await page.getByRole('button', { name: say('Remove') }).click()
      await page.getByText('Chat', { exact: true }).waitFor({ state: 'detached' })
    }),
  )

  test(
    'test a finding again: still there with proof, then fixed and gone, both in its history',
    { timeout: LIMIT },
    () =>
      job(async (page) => {
        await toFinding(page)
        const again = async (): Promise<void> => {
          await page.getByRole('button', { name: say('Test again now') }).click()
          await wellMade(page)
          await page
            .getByRole('dialog')
            .getByRole('button', { name: say('Test again now') })
            .click()
        }
        await again()
        await page.getByRole('link', { name: say('Watch the run') }).waitFor()
        await wellMade(page)
        await page.getByText(say('Still there.')).waitFor({ timeout: 30_000 })
        await page.getByText(say('The decisive part, as seen now')).waitFor()
        await wellMade(page)
        own.fixed = true
        await again()
        await page.getByText(say('Gone.'), { exact: true }).waitFor({ timeout: 30_000 })
        await page.getByText(say('#earlierRetests', { n: 1 })).click()
        await page
          .locator('.history')
          .getByRole('link', { name: say('Still there.') })
          .waitFor()
        await wellMade(page)
        own.fixed = false
        // The end of these runs was told to whoever subscribed.
        await until(async () => mails.some((mail) => mail.includes(shopName)), 15_000)
      }),
  )

  test('a pace, quiet hours and a login: store it, test it, scan with it, delete it', { timeout: LIMIT }, () =>
    job(async (page) => {
      await toDomain(page)
      await page.getByRole('spinbutton', { name: say('Pace') }).fill('50')
      await page
        .locator('form[aria-labelledby="pace"]')
        .getByRole('button', { name: say('Save') })
        .click()
      await page.locator('form[aria-labelledby="pace"]').getByText(say('Saved')).waitFor()

      const quiet = page.locator('form[aria-labelledby="quiet-hours"]')
      const save = async (from: string, to: string): Promise<void> => {
        await quiet.getByLabel(say('Quiet from')).fill(from)
        await quiet.getByLabel(say('Quiet until')).fill(to)
        await quiet.getByRole('button', { name: say('Save') }).click()
        await quiet.getByText(say('Saved')).waitFor()
        await page.reload()
        expect(await quiet.getByLabel(say('Quiet from')).inputValue()).toBe(from)
      }
      await save('22:00', '06:00')
      await wellMade(page)
      await save('', '')

      await page.getByRole('button', { name: say('Store a login') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('Cookie')).fill('session=one-that-has-expired')
      await dialog.getByLabel(say('Page to test it by')).fill('/account')
      await wellMade(page)
      await dialog.getByRole('button', { name: say('Store a login') }).click()
      const section = page.locator('section[aria-labelledby="login"]')
      await section.getByRole('button', { name: say('Replace') }).waitFor()
      await section.getByRole('button', { name: say('Test the login') }).click()
      // It leads to the form, as none does.
      await section.getByText(say('Makes no difference')).waitFor()
      await wellMade(page)

      await section.getByRole('button', { name: say('Replace') }).click()
      await dialog.getByLabel(say('Cookie')).fill(COOKIE)
      await dialog.getByRole('button', { name: say('Store a login') }).click()
      await section.getByRole('button', { name: say('Test the login') }).click()
      await section.getByText(say('Works'), { exact: true }).waitFor()
      await section.getByText(/200 .*\/login\. .*: 200 .*\/account/).waitFor()
      await wellMade(page)
      expect(await page.content()).not.toContain('kanarie')

      await page.getByRole('button', { name: say('Start a run') }).click()
      await dialog.getByLabel(say('As whom')).selectOption('default')
      await dialog.getByText(say('Passive'), { exact: true }).click()
      await dialog.getByLabel(say('Privacy check')).uncheck()
      await dialog.getByLabel(say('PDF report')).uncheck()
      await wellMade(page)
      await dialog.getByRole('button', { name: say('Start the passive run') }).click()
      await page.getByRole('button', { name: say('Run again') }).waitFor({ timeout: 30_000 })
      await page.getByText(say('Done'), { exact: true }).waitFor()

      await toDomain(page)
      await section.getByRole('button', { name: say('Delete') }).click()
      await section.getByRole('button', { name: say('Store a login') }).waitFor()
      expect((await client.readDomain({ params: { id: ids.domain } })).login).toBeNull()
    }),
  )

  test('the cover of reports is shown as it will be', { timeout: LIMIT }, () =>
    job(async (page) => {
      await page.getByRole('link', { name: say('Settings') }).click()
      const cover = page.locator('img.cover')
      await cover.waitFor({ timeout: 30_000 })
      await until(async () => (await page.evaluate('document.querySelector("img.cover").naturalWidth')) === 910, 10_000)
      await wellMade(page)
    }),
  )
})
