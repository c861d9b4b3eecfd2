/**
 * Two organisations at once, each in a window of its own: what one decides, the other neither sees nor changes, and a way to what
 * is another's leads to nothing. In a real Chromium.
 */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { addFindings, finishWith, startNext, type TestApi, verify } from '../support/api.ts'
import { deskOf, goTo, LIMIT, type ServedApi } from '../support/desk.ts'
import { LOOKS, wellMade as looksWell } from '../support/looks.ts'
import { turnTo, type WatchedPage } from '../support/web-app.ts'

/** Milliseconds that a page may take to show what a hand did. */
const SOON = { timeout: 15_000 }
const TITLES = ['Login ohne Sperre', 'Cookie without Secure: it travels over http too', 'A banner names its version']
const GERMAN = TITLES.with(1, 'Cookie ohne Secure: Es wird auch über http gesendet')
const THEIRS = 'A finding of the others'

const ended = async (api: ServedApi, tenant: TestApi['mine'], found: readonly string[]): Promise<string> => {
  await api.send('POST', '/v1/scans', { body: { domain_id: tenant.domainId }, secret: tenant.secret })
  const held = await startNext(api.db)
  const severities = ['critical', 'medium', 'low'] as const
  const checks = ['headers/a', 'cookies/secure-missing', 'headers/banner']
  await addFindings(
    api.db,
    held,
    found.map((title, i) => ({ title, severity: severities[i] ?? 'info', check_id: checks[i] ?? '' })),
  )
  await finishWith(api, held, [])
  return held.runId
}

describe.each(LOOKS)('$name', (look) => {
  const { say } = look
  const titles = look.language === 'de' ? GERMAN : TITLES
  const ids = { run: '', fingerprint: '' }
  let others: WatchedPage
  const desk = deskOf(look, {}, async (api) => {
    await verify(api.db, api.mine.domainId)
    ids.run = await ended(api, api.mine, TITLES)
    await ended(api, api.other, [THEIRS])
    const [first] = (await api.send('GET', '/v1/findings')).json().items
    ids.fingerprint = first.fingerprint
  })
  const { job, wellMade } = desk
  beforeAll(async () => {
    others = await desk.beside(desk.api.other.secret)
  })

  const shown = (page: Page): Promise<string[]> => page.locator('.problem-row .finding-title').allTextContents()
  const stored = async (tenant = desk.api.mine) =>
    (await desk.api.send('GET', '/v1/findings', { secret: tenant.secret })).json().items
  /** By a finger where there is no mouse. */
  const press = (at: ReturnType<Page['locator']>): Promise<void> => (look.phone ? at.tap() : at.click())

  test('findings: narrow them, choose two, decide, take it back', { timeout: LIMIT }, () =>
    job(async (page) => {
      await goTo(page, look, 'Findings')
      await expect.poll(() => shown(page), SOON).toEqual(titles)
      await wellMade()
      if (look.phone) await page.getByRole('button', { name: say('Filters') }).tap()
      const critical = page.getByRole('button', { name: say('Critical'), exact: true })
      await press(critical)
      await expect.poll(() => shown(page), SOON).toEqual([titles[0]])
      await press(critical)
      await expect.poll(() => shown(page), SOON).toEqual(titles)
      for (const title of titles.slice(0, 2))
        await page.getByRole('checkbox', { name: say('#choose', { title }) }).check()
      await page.getByText(say('#chosenCount', { n: 2 })).waitFor()
      await press(page.getByRole('button', { name: say('#change_do'), exact: true }))
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('Decision')).selectOption(say('Accepted'))
      await press(dialog.getByRole('button', { name: say('#change_do'), exact: true }))
      // A decision has a reason: it is said where it is missing, and nothing is lost.
      await dialog.locator('[aria-invalid="true"]').first().waitFor()
      await wellMade()
      await dialog.getByLabel(say('Reason')).fill('Bis zum Umzug im Frühjahr.')
      await press(dialog.getByRole('button', { name: say('#change_do'), exact: true }))
      await expect.poll(() => shown(page), SOON).toEqual([titles[2]])
      await page.getByText(say('#changedCount', { n: 2 })).waitFor()
      await wellMade()
      expect(await stored(desk.api.other)).toMatchObject([{ title: THEIRS, state: 'open' }])
      await press(page.getByRole('button', { name: new RegExp(`^${say('Undo')}`) }))
      await expect.poll(() => shown(page), SOON).toEqual(titles)
      await expect
        .poll(async () => (await stored()).map(({ state }: { state: string }) => state), SOON)
        .toEqual(['open', 'open', 'open'])
    }),
  )

  test('the other organisation sees its own alone, and a way to ours leads to nothing', {
    timeout: LIMIT,
  }, async () => {
    const { page, problems } = others
    const before = await stored()
    await turnTo(page, '/findings?state=all')
    await expect.poll(() => shown(page), SOON).toEqual([THEIRS])
    for (const path of [
      `/findings/${desk.api.mine.domainId}/${ids.fingerprint}`,
      `/runs/${ids.run}`,
      `/domains/${desk.api.mine.domainId}`,
    ]) {
      await turnTo(page, path)
      await page.getByRole('heading', { name: say('There is nothing here.') }).waitFor()
      for (const title of [...TITLES, ...GERMAN]) expect(await page.content()).not.toContain(title)
    }
    await looksWell(others)
    await turnTo(page, '/findings?state=all&q=Login')
    await page.getByRole('heading', { name: say('No finding matches') }).waitFor()
    expect(await stored()).toEqual(before)
    expect(problems).toEqual([])
  })

  test('days for what is found are of the organisation that sets them', { timeout: LIMIT }, () =>
    job(async (page) => {
      await turnTo(page, '/settings')
      const days = page.getByRole('region', { name: say('Due days') })
      await days.getByLabel(say('Critical')).fill('7')
      await press(days.getByRole('button', { name: say('Save') }))
      const critical = async (secret: string) =>
        (await desk.api.send('GET', '/v1/organisation/due-days', { secret })).json().critical
      await expect.poll(() => critical(desk.api.mine.secret), SOON).toBe(7)
      expect(await critical(desk.api.other.secret)).toBeNull()
      await wellMade()
    }),
  )
})
