/**
 * What people decide, on a phone and in German, each job from the sign-in to its end, in a real Chromium; and beside them another
 * organisation, in a window of its own, which sees and changes nothing of it.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFindings, finishWith, startNext, type TestApi, verify } from '../support/api.ts'
import {
  accessibilityProblems,
  openBrowser,
  openPage,
  openServedApi,
  overflows,
  STATE_RULES,
  signIn,
  turnTo,
  type WatchedPage,
} from '../support/web-app.ts'

const LIMIT = 60_000
/** Milliseconds that a page may take to show what a finger did. */
const SOON = { timeout: 15_000 }
const TITLES = ['Login ohne Sperre', 'Cookie without Secure: it travels over http too', 'A banner names its version']
const GERMAN = TITLES.with(1, 'Cookie ohne Secure: Es wird auch über http gesendet')
const THEIRS = 'A finding of the others'

let api: TestApi & { url: string }
let browser: Browser
let phone: WatchedPage
let others: WatchedPage
const ids = { run: '', fingerprint: '' }

beforeAll(async () => {
  api = await openServedApi({ mail: true })
  browser = await openBrowser()
  await verify(api.db, api.mine.domainId)
  const ended = async (tenant: TestApi['mine'], titles: readonly string[]): Promise<string> => {
    await api.send('POST', '/v1/scans', { body: { domain_id: tenant.domainId }, secret: tenant.secret })
    const held = await startNext(api.db)
    const severities = ['critical', 'medium', 'low'] as const
    const checks = ['headers/a', 'cookies/secure-missing', 'headers/banner']
    await addFindings(
      api.db,
      held,
      titles.map((title, i) => ({ title, severity: severities[i] ?? 'info', check_id: checks[i] ?? '' })),
    )
    await finishWith(api, held, [
      { kind: 'report_pdf', filename: 'report.pdf', body: '%PDF-1.7', contentType: 'application/pdf' },
    ])
    return held.runId
  }
  ids.run = await ended(api.mine, TITLES)
  await ended(api.other, [THEIRS])
  const [first] = (await api.send('GET', '/v1/findings')).json().items
  ids.fingerprint = first.fingerprint
  const opened = async (secret: string): Promise<WatchedPage> => {
    const context = await browser.newContext({
      ...{ locale: 'de-DE', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
      acceptDownloads: true,
    })
    const watched = await openPage(context)
    await signIn(watched.page, api.url, secret)
    return watched
  }
  phone = await opened(api.mine.secret)
  others = await opened(api.other.secret)
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await api?.close()
})

/** Does the job wherever the one before has left the person, and has broken no rule of the house on the way. */
const job = async (work: (page: Page) => Promise<void>): Promise<void> => {
  await work(phone.page)
  expect(phone.problems).toEqual([])
}
const wellMade = async (page: Page): Promise<void> => {
  expect(await accessibilityProblems(page, STATE_RULES)).toEqual([])
  expect(await overflows(page)).toBe(false)
}
const shown = (page: Page): Promise<string[]> => page.locator('.problem-row .finding-title').allTextContents()
const stored = async (tenant = api.mine) =>
  (await api.send('GET', '/v1/findings', { secret: tenant.secret })).json().items

test('findings: narrow them, choose two with a finger, decide, take it back', { timeout: LIMIT }, () =>
  job(async (page) => {
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Befunde' }).tap()
    await expect.poll(() => shown(page), SOON).toEqual(GERMAN)
    await wellMade(page)
    await page.getByRole('button', { name: /^Filter/ }).tap()
    await page.getByRole('button', { name: 'Kritisch', exact: true }).tap()
    await expect.poll(() => shown(page), SOON).toEqual([GERMAN[0]])
    await page.getByRole('button', { name: 'Kritisch', exact: true }).tap()
    await expect.poll(() => shown(page), SOON).toEqual(GERMAN)
    for (const title of GERMAN.slice(0, 2)) await page.getByRole('checkbox', { name: `${title} wählen` }).check()
    await page.getByText('2 gewählt').waitFor()
    await page.getByRole('button', { name: 'Ändern' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Entscheidung').selectOption('Hingenommen')
    await dialog.getByRole('button', { name: 'Ändern' }).tap()
    // A decision has a reason: it is said where it is missing, and nothing is lost.
    await dialog.locator('[aria-invalid="true"]').first().waitFor()
    await wellMade(page)
    await dialog.getByLabel('Grund').fill('Bis zum Umzug im Frühjahr.')
    await dialog.getByRole('button', { name: 'Ändern' }).tap()
    await expect.poll(() => shown(page), SOON).toEqual([GERMAN[2]])
    await page.getByText('2 Befunde sind geändert').waitFor()
    await wellMade(page)
    await page.getByRole('button', { name: /^Rückgängig/ }).tap()
    await expect.poll(() => shown(page), SOON).toEqual(GERMAN)
    await expect
      .poll(async () => (await stored()).map(({ state }: { state: string }) => state), SOON)
      .toEqual(['open', 'open', 'open'])
  }),
)

test('one problem: comment it, give it to somebody by a day, read its history', { timeout: LIMIT }, () =>
  job(async (page) => {
    await turnTo(page, `/findings/${api.mine.domainId}/${ids.fingerprint}`)
    await page.getByLabel('Kommentar').fill('Wird mit dem neuen Proxy erledigt.')
    await page.getByRole('button', { name: 'Kommentar hinzufügen' }).tap()
    await page.getByText('Wird mit dem neuen Proxy erledigt.').waitFor()
    await page.getByRole('button', { name: 'Ändern', exact: true }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Zuständig').fill('M. Otto')
    await dialog.getByLabel('Frist').fill('2020-01-31')
    await dialog.getByRole('button', { name: 'Ändern' }).tap()
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByText(/überfällig seit/)
      .first()
      .waitFor()
    await page.getByText('Zum ersten Mal gesehen').waitFor()
    await wellMade(page)
    await expect
      .poll(async () => (await stored())[0], SOON)
      .toMatchObject({ assignee: 'M. Otto', due: '2020-01-31', overdue: true })
  }),
)

test('the other organisation sees its own alone, and a way to ours leads to nothing', { timeout: LIMIT }, async () => {
  const { page, problems } = others
  const before = await stored()
  await turnTo(page, '/findings?state=all')
  await expect.poll(() => shown(page), SOON).toEqual([THEIRS])
  for (const path of [
    `/findings/${api.mine.domainId}/${ids.fingerprint}`,
    `/runs/${ids.run}`,
    `/domains/${api.mine.domainId}`,
  ]) {
    await turnTo(page, path)
    await page.getByRole('heading', { name: 'Hier ist nichts.' }).waitFor()
    expect(await page.content()).not.toContain(GERMAN[0])
  }
  await wellMade(page)
  await turnTo(page, '/findings?state=all&q=Login')
  await page.getByRole('heading', { name: 'Kein Befund passt' }).waitFor()
  expect(await stored()).toEqual(before)
  expect(problems).toEqual([])
})

test('a report: take the one there is, ask for another in the words of the house', { timeout: LIMIT }, () =>
  job(async (page) => {
    await turnTo(page, `/runs/${ids.run}`)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Bericht herunterladen' }).tap()
    expect((await saving).suggestedFilename()).toBe('report.pdf')
    await page.getByRole('button', { name: 'Bericht neu erstellen' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Eigene Worte').tap()
    await dialog.getByLabel('Umfang').fill('Der Laden, nicht die Kasse.')
    await dialog.getByText('Farben des Hauses').tap()
    await dialog.getByLabel('Titelseite und Überschriften').fill('#ffee00')
    await wellMade(page)
    await dialog.getByRole('button', { name: 'PDF-Bericht erstellen' }).tap()
    await dialog.locator('[aria-invalid="true"]').first().waitFor()
    await dialog.getByLabel('Titelseite und Überschriften').fill('')
    await dialog.getByRole('button', { name: 'PDF-Bericht erstellen' }).tap()
    await page.getByText('Der Bericht entsteht …').waitFor()
    const [asked] = await api.db.query<{ options: Record<string, unknown> }>(
      'select options from reports where run_id = $1 order by version desc limit 1',
      [ids.run],
    )
    expect(asked?.options).toMatchObject({ language: 'de', texts: { scope: 'Der Laden, nicht die Kasse.' } })
  }),
)

test('a run under way: watch it to its end', { timeout: LIMIT }, () =>
  job(async (page) => {
    const { id } = (await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })).json()
    const held = await startNext(api.db)
    await turnTo(page, `/runs/${id}`)
    await page.locator('.live [role="progressbar"]').waitFor()
    await wellMade(page)
    await addFindings(api.db, held, [{ title: 'Während er lief gesehen' }])
    await finishWith(api, held, [])
    await page.getByText('Während er lief gesehen').first().waitFor()
    await page.locator('.live').waitFor({ state: 'detached' })
    await wellMade(page)
  }),
)

test('a domain by a pasted address, and days for what is found', { timeout: LIMIT }, () =>
  job(async (page) => {
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Domains' }).tap()
    await page.getByRole('textbox', { name: 'Domain' }).fill('https://Laden.example.com/korb?id=1')
    await page.getByRole('button', { name: 'Hinzufügen', exact: true }).tap()
    await page.getByRole('heading', { name: 'laden.example.com' }).waitFor()
    await wellMade(page)
    await turnTo(page, '/settings')
    const days = page.getByRole('region', { name: 'Fristen' })
    await days.getByLabel('Kritisch').fill('7')
    await days.getByRole('button', { name: 'Speichern' }).tap()
    await expect.poll(async () => (await api.send('GET', '/v1/organisation/due-days')).json().critical, SOON).toBe(7)
    const theirs = await api.send('GET', '/v1/organisation/due-days', { secret: api.other.secret })
    expect(theirs.json().critical).toBeNull()
    await wellMade(page)
  }),
)
