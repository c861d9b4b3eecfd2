/** What people decide after a scan, each job from the sign-in to its end, in a real Chromium. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveModule } from '../../src/store/modules.ts'
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
const DOMAIN = 'mine.example.com'

/** What the module of names keeps of a run. */
const NAMES = {
  facts: {
    domain: DOMAIN,
    own: ['api', 'old', 'shop'].map((label, n) => ({
      ...{ name: `${label}.${DOMAIN}`, sources: ['certificate'], seenAt: '' },
      lookup: { aliases: [], records: [{ ttl: 60, data: `192.0.2.${n + 1}` }] },
    })),
  },
  outcome: { state: 'completed', reason: null },
  ...{ coverage: [], findings: [] },
}

let api: TestApi & { url: string }
let browser: Browser
let watched: WatchedPage
const ids = { run: '', finding: '' }

beforeAll(async () => {
  api = await openServedApi({ mail: true })
  browser = await openBrowser()
  await verify(api.db, api.mine.domainId)
  await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })
  const held = await startNext(api.db)
  await saveModule(api.db, held, { module: 'names', ...NAMES } as never)
  await addFindings(api.db, held, [{ title: 'No content security policy' }])
  await finishWith(api, held, [])
  const { items } = (await api.send('GET', `/v1/scans/${held.runId}/findings`)).json()
  Object.assign(ids, { run: held.runId, finding: items[0].id })
  watched = await openPage(await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 860 } }))
  await signIn(watched.page, api.url, api.mine.secret)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await api?.close()
})

/** Does the job wherever the one before has left the person, and has broken no rule of the house on the way. */
const job = async (work: (page: Page) => Promise<void>): Promise<void> => {
  await work(watched.page)
  expect(watched.problems).toEqual([])
}
const wellMade = async (page: Page): Promise<void> => {
  expect(await accessibilityProblems(page, STATE_RULES)).toEqual([])
  expect(await overflows(page)).toBe(false)
}
const toFinding = async (page: Page): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
  await page.getByRole('link', { name: DOMAIN }).last().click()
  await page.locator(`.finding-row[href$="${ids.finding}"], a[href$="${ids.finding}"]`).first().click()
  await page.getByRole('heading', { name: 'How to fix it' }).waitFor()
}
const toDomain = async (page: Page): Promise<void> => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' }).click()
  await page.getByRole('link', { name: DOMAIN, exact: true }).first().click()
  await page.getByRole('heading', { name: DOMAIN, exact: true }).waitFor()
}

test('hosts that a run has seen: choose two, and register them', { timeout: LIMIT }, () =>
  job(async (page) => {
    await toDomain(page)
    const hosts = page.getByRole('region', { name: 'Hosts' })
    await hosts.getByText('3 proposed, 0 registered').waitFor()
    for (const label of ['api', 'shop'])
      await hosts.getByRole('checkbox', { name: `Choose ${label}.${DOMAIN}` }).check()
    await wellMade(page)
    await hosts.getByRole('button', { name: 'Register 2' }).click()
    await hosts.getByText('1 proposed, 2 registered').waitFor()
    await hosts.getByText('2 registered, 0 there already, 0 refused').waitFor()
    await hosts.getByLabel('Shown').selectOption('Registered')
    await hosts.getByRole('link', { name: `api.${DOMAIN}` }).click()
    await page.getByRole('heading', { name: `api.${DOMAIN}` }).waitFor()
  }),
)

test('e-mail: subscribe somebody', { timeout: LIMIT }, () =>
  job(async (page) => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'E-mail' }).click()
    await page.getByText('Nobody gets e-mail yet.').waitFor()
    await page.getByRole('textbox', { name: 'Address' }).fill('security@example.test')
    await page.getByLabel('a run has ended').check()
    await page.getByRole('button', { name: 'Send e-mail to somebody' }).click()
    await page.getByRole('cell', { name: /a run has ended/ }).waitFor()
    await wellMade(page)
  }),
)

test(
  'a report with words, parts and colours of the house, whose refusals stand at their fields',
  { timeout: LIMIT },
  () =>
    job(async (page) => {
      await turnTo(page, `/runs/${ids.run}`)
      await page.getByRole('button', { name: /^Make (?:a PDF|the) report/ }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Language').selectOption('Deutsch')
      await dialog.getByLabel('every check that was made').check()
      await dialog.getByText('Words of your own').click()
      await dialog.getByLabel('Scope').fill('The shop, and not the till.')
      await dialog.getByLabel('Authorised by').fill('J. Weber')
      await dialog.getByRole('button', { name: 'Add a version' }).click()
      await dialog.getByRole('textbox', { name: 'Version' }).fill('1.0')
      await dialog.getByLabel('Changes').fill('First version')
      await dialog.getByText('Colours of your house').click()
      await dialog.getByLabel('Cover and headings').fill('#ffee00')
      await wellMade(page)
      await dialog.getByRole('button', { name: 'Make a PDF report' }).click()
      await dialog.getByText('Is too pale to be read on white.').waitFor()
      await dialog.getByLabel('Cover and headings').fill('#14253d')
      await dialog.getByRole('button', { name: 'Make a PDF report' }).click()
      await page.getByText('Making the report …').waitFor()
      const [asked] = await api.db.query<{ options: Record<string, unknown> }>(
        'select options from reports where run_id = $1 order by version desc limit 1',
        [ids.run],
      )
      expect(asked?.options).toMatchObject({
        ...{ language: 'de', sections: ['method', 'findings', 'checks'], colours: { dark: '#14253d' } },
        texts: {
          ...{ scope: 'The shop, and not the till.', authoriser: 'J. Weber' },
          history: [{ version: '1.0', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), changes: 'First version' }],
        },
      })
      expect(Object.keys(asked?.options.texts ?? {}).toSorted()).toEqual(['authoriser', 'history', 'scope'])
    }),
)

test('decide about a finding, see it in the list, take it back', { timeout: LIMIT }, () =>
  job(async (page) => {
    await toFinding(page)
    await page.getByRole('button', { name: 'Decide', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Decision').selectOption('Accepted')
    await dialog.getByLabel('Reason').fill('The old terminals go in January.')
    await dialog.getByLabel('Valid until').fill('2031-01-31')
    await wellMade(page)
    await dialog.getByRole('button', { name: 'Decide', exact: true }).click()
    await page.getByText('The old terminals go in January.').waitFor()
    const { triage } = (await api.send('GET', `/v1/scans/${ids.run}/findings/${ids.finding}`)).json()
    expect(triage).toMatchObject({ state: 'accepted', reason: 'The old terminals go in January.' })
    await wellMade(page)
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByText('To be fixed').waitFor()
  }),
)

test('a schedule: make it, pause it, remove it', { timeout: LIMIT }, () =>
  job(async (page) => {
    await toDomain(page)
    await page.getByRole('button', { name: 'Add a schedule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('How often').selectOption('every day')
    await dialog.getByLabel('Time of day').fill('04:30')
    await dialog.getByLabel('Quiet from').fill('08:00')
    await dialog.getByLabel('Quiet until').fill('18:00')
    await wellMade(page)
    await dialog.getByRole('button', { name: 'Add a schedule' }).click()
    await page.getByText('Every day at 04:30').waitFor()
    await page.getByText('never from 08:00 to 18:00').waitFor()
    const [made] = (await api.send('GET', '/v1/schedules')).json().items
    expect(made).toMatchObject({
      ...{ rhythm: { every: 'day', at: '04:30' }, quiet_hours: { from: '08:00', to: '18:00' }, jitter_minutes: 10 },
      ...{ state: 'active', options: { active: false } },
    })
    await page.getByRole('button', { name: /^Pause/ }).click()
    await page.getByRole('button', { name: /^Resume/ }).waitFor()
    await wellMade(page)
    await page.getByRole('button', { name: /^Remove: Every/ }).click()
    await page.getByText('Runs start by hand only.').waitFor()
  }),
)

test('an interface: bring its description, read what was refused, remove it', { timeout: LIMIT }, () =>
  job(async (page) => {
    await toDomain(page)
    const document = { openapi: '3.0.3', paths: { '/orders': { get: {}, trace: {} } } }
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).click()
    await (await chosen).setFiles({
      ...{ name: 'shop.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(document)) },
    })
    await page.getByText('1 of 2 operations are taken').waitFor()
    await page.getByText('1 refused').click()
    await page.getByText('TRACE asks servers and no application').waitFor()
    await wellMade(page)
    await page.getByRole('button', { name: 'Remove shop.json' }).click()
    await page.getByText('1 of 2 operations are taken').waitFor({ state: 'detached' })
  }),
)

test('a run under way: watch it to its end without loading the page again, take the report', { timeout: LIMIT }, () =>
  job(async (page) => {
    const { id } = (await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })).json()
    const held = await startNext(api.db)
    await turnTo(page, `/runs/${id}`)
    await page.locator('.live [role="progressbar"]').waitFor()
    await addFindings(api.db, held, [{ title: 'Seen while it runs' }])
    const pdf = {
      kind: 'report_pdf',
      filename: 'report.pdf',
      body: '%PDF-1.7',
      contentType: 'application/pdf',
    } as const
    await finishWith(api, held, [pdf])
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByText('Seen while it runs').first().waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the report' }).click()
    const report = await saving
    expect(report.suggestedFilename()).toBe('report.pdf')
    expect(readFileSync(await report.path(), 'utf8')).toBe(pdf.body)
    expect(page.url()).toMatch(/\/runs\//)
  }),
)

test('the emergency stop: pull it, see it on every page, release it', { timeout: LIMIT }, () =>
  job(async (page) => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Stop all runs' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Why, for everybody to read').fill('the shop is slow')
    await wellMade(page)
    await dialog.getByRole('button', { name: 'Stop all runs' }).click()
    await page.getByText('All runs are stopped.').waitFor()
    expect((await api.send('GET', '/v1/organisation/hold')).json().hold).toMatchObject({
      by: 'organisation',
      reason: 'the shop is slow',
    })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
    await page.getByText('the shop is slow').waitFor()
    await wellMade(page)
    await page.getByRole('button', { name: 'Release' }).click()
    await page.getByText('All runs are stopped.').waitFor({ state: 'detached' })
    expect((await api.send('GET', '/v1/organisation/hold')).json().hold).toBeNull()
  }),
)

test('a finding is read from its top, however far down its row was', { timeout: LIMIT }, () =>
  job(async (page) => {
    await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })
    const held = await startNext(api.db)
    await addFindings(
      api.db,
      held,
      Array.from({ length: 40 }, (_, index) => ({ title: `Finding number ${index}` })),
    )
    await finishWith(api, held, [])
    await turnTo(page, `/runs/${held.runId}`)
    // Rows far out of sight are not drawn.
    const row = page.locator('.finding-list li').nth(18)
    await row.scrollIntoViewIfNeeded()
    expect(await page.evaluate('scrollY')).toBeGreaterThan(300)
    await row.getByRole('link').click()
    await page.getByRole('heading', { name: 'How to fix it' }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
  }),
)

test('to a domain by keys alone, from anywhere', { timeout: LIMIT }, () =>
  job(async (page) => {
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Go to' })
    await field.waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox')
    await page.getByRole('option', { name: /^mine\.example\.com domain/ }).waitFor()
    await wellMade(page)
    await field.fill('nothing of that name')
    await page.getByText('Nothing is called that.').waitFor()
    await field.fill('sett')
    await page.getByRole('option', { name: 'Settings page', selected: true }).waitFor()
    await field.fill('mine domain')
    await page.getByRole('option', { name: `${DOMAIN} domain`, selected: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${api.url}/domains/${api.mine.domainId}`)
    await field.waitFor({ state: 'detached' })
  }),
)

test('an address that is pasted is the domain that it lies on', { timeout: LIMIT }, () =>
  job(async (page) => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('https://Pasted.example.com/basket?id=1')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('heading', { name: 'pasted.example.com' }).waitFor()
  }),
)

test('a session that ends while something is written: sign in over it, and go on', { timeout: LIMIT }, () =>
  job(async (page) => {
    await toDomain(page)
    const patterns = page.getByRole('textbox', { name: 'Exclu' })
    await patterns.fill('/leave-alone')
    await api.db.query('delete from sessions', [])
    await page.getByRole('button', { name: 'Save' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await wellMade(page)
    await dialog.getByLabel('API key', { exact: true }).fill(api.mine.secret)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await patterns.inputValue()).toBe('/leave-alone')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Saved').waitFor()
    expect((await api.send('GET', `/v1/domains/${api.mine.domainId}`)).json().exclude).toEqual(['/leave-alone'])
  }),
)
