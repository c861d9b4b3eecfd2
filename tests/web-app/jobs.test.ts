/** What people decide after a scan, each job from the sign-in to its end, in a real Chromium. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { saveModule } from '../../src/store/modules.ts'
import { addFindings, finishWith, startNext, verify } from '../support/api.ts'
import { deskOf, goTo, goToDomain, goToFinding, LIMIT } from '../support/desk.ts'
import { LOOKS } from '../support/looks.ts'
import { turnTo } from '../support/web-app.ts'

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

describe.each(LOOKS)('$name', (look) => {
  const ids = { run: '', finding: '' }
  const { say } = look
  const desk = deskOf(look, { mail: true }, async (api) => {
    await verify(api.db, api.mine.domainId)
    await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })
    const held = await startNext(api.db)
    await saveModule(api.db, held, { module: 'names', ...NAMES } as never)
    await addFindings(api.db, held, [{ title: 'No content security policy' }])
    await finishWith(api, held, [])
    const { items } = (await api.send('GET', `/v1/scans/${held.runId}/findings`)).json()
    Object.assign(ids, { run: held.runId, finding: items[0].id })
  })
  const { job, wellMade } = desk

  test('hosts that a run has seen: choose two, and register them', { timeout: LIMIT }, () =>
    job(async (page) => {
      await goToDomain(page, look, DOMAIN)
      const hosts = page.getByRole('region', { name: say('Hosts') })
      await hosts.getByText(say('#hostsCount', { proposed: 3, registered: 0 })).waitFor()
      for (const label of ['api', 'shop'])
        await hosts.getByRole('checkbox', { name: say('Choose {host}', { host: `${label}.${DOMAIN}` }) }).check()
      await wellMade()
      await hosts.getByRole('button', { name: say('#registerHosts', { n: 2 }) }).click()
      await hosts.getByText(say('#hostsCount', { proposed: 1, registered: 2 })).waitFor()
      await hosts.getByText(say('#registeredHosts', { added: 2, exists: 0, refused: 0 })).waitFor()
      await hosts.getByLabel(say('Shown')).selectOption(say('Registered'))
      await hosts.getByRole('link', { name: `api.${DOMAIN}` }).click()
      await page.getByRole('heading', { name: `api.${DOMAIN}` }).waitFor()
    }),
  )

  test('e-mail: subscribe somebody', { timeout: LIMIT }, () =>
    job(async (page) => {
      await page.getByRole('link', { name: say('Settings') }).click()
      await page.getByRole('link', { name: say('E-mail') }).click()
      await page.getByText(say('Nobody gets e-mail yet.')).waitFor()
      await page.getByRole('textbox', { name: say('Address') }).fill('security@example.test')
      await page.getByLabel(say('a run has ended')).check()
      await page.getByRole('button', { name: say('Send e-mail to somebody') }).click()
      await page.getByRole('cell', { name: say('a run has ended') }).waitFor()
      await wellMade()
    }),
  )

  test(
    'a report with words, parts and colours of the house, whose refusals stand at their fields',
    { timeout: LIMIT },
    () =>
      job(async (page) => {
        await turnTo(page, `/runs/${ids.run}`)
        await page.getByRole('button', { name: say('Make a PDF report') }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel(say('Language')).selectOption('Deutsch')
        await dialog.getByLabel(say('every check that was made')).check()
        await dialog.getByText(say('Words of your own')).click()
        await dialog.getByLabel(say('#reportScope')).fill('The shop, and not the till.')
        await dialog.getByLabel(say('Authorised by')).fill('J. Weber')
        await dialog.getByRole('button', { name: say('Add a version') }).click()
        await dialog.getByRole('textbox', { name: say('Version') }).fill('1.0')
        await dialog.getByLabel(say('Changes')).fill('First version')
        await dialog.getByText(say('Colours of your house')).click()
        await dialog.getByLabel(say('Cover and headings')).fill('#ffee00')
        await wellMade()
        await dialog.getByRole('button', { name: say('Make a PDF report') }).click()
        await dialog
          .getByText(
            look.language === 'de'
              ? 'Ist zu blass, um auf Weiß gelesen zu werden.'
              : 'Is too pale to be read on white.',
          )
          .waitFor()
        await dialog.getByLabel(say('Cover and headings')).fill('#14253d')
        await dialog.getByRole('button', { name: say('Make a PDF report') }).click()
        await page.getByText(say('Making the report …')).waitFor()
        const [asked] = await desk.api.db.query<{ options: Record<string, unknown> }>(
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
      await goToFinding(page, look, DOMAIN, ids.finding)
      await page.getByRole('button', { name: say('Decide'), exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('Decision')).selectOption(say('Accepted'))
      await dialog.getByLabel(say('Reason')).fill('The old terminals go in January.')
      await dialog.getByLabel(say('Valid until')).fill('2031-01-31')
      await wellMade()
      await dialog.getByRole('button', { name: say('Decide'), exact: true }).click()
      await page.getByText('The old terminals go in January.').waitFor()
      const decided = async () =>
        (await desk.api.send('GET', `/v1/scans/${ids.run}/findings/${ids.finding}`)).json().triage
      await expect
        .poll(decided, { timeout: 15_000 })
        .toMatchObject({ state: 'accepted', reason: 'The old terminals go in January.' })
      await wellMade()
      await page.getByRole('button', { name: say('Decide'), exact: true }).click()
      await dialog.getByLabel(say('Decision')).selectOption(say('False positive'))
      await dialog.getByRole('button', { name: say('Decide'), exact: true }).click()
      // A decision has a reason: that is said before anything is sent.
      await dialog.locator('[data-path="reason"][aria-invalid="true"]').waitFor()
      await dialog.getByLabel(say('Reason')).fill('Seen by the other team.')
      await dialog.getByRole('button', { name: say('Decide'), exact: true }).click()
      await page.getByText('Seen by the other team.').waitFor()
      await page.getByRole('button', { name: say('Undo') }).click()
      await page.getByText('The old terminals go in January.').waitFor()
      await expect
        .poll(decided, { timeout: 15_000 })
        .toMatchObject({ state: 'accepted', expires_at: expect.stringContaining('2031-0') })
      await page.getByRole('button', { name: say('Take it back') }).click()
      await page.getByText(say('To be fixed')).waitFor()
      await expect.poll(decided, { timeout: 15_000 }).toMatchObject({ state: 'open' })
    }),
  )

  test('a schedule: make it, pause it, remove it', { timeout: LIMIT }, () =>
    job(async (page) => {
      await goToDomain(page, look, DOMAIN)
      await page.getByRole('button', { name: say('Add a schedule') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('How often')).selectOption(say('every day'))
      await dialog.getByLabel(say('Time of day')).fill('04:30')
      await dialog.getByLabel(say('Quiet from')).fill('08:00')
      await dialog.getByLabel(say('Quiet until')).fill('18:00')
      await wellMade()
      await dialog.getByRole('button', { name: say('Add a schedule') }).click()
      await page.getByText(say('Every day at {at}', { at: '04:30' })).waitFor()
      await page.getByText(say('#quietBetween', { from: '08:00', to: '18:00' })).waitFor()
      const [made] = (await desk.api.send('GET', '/v1/schedules')).json().items
      expect(made).toMatchObject({
        ...{ rhythm: { every: 'day', at: '04:30' }, quiet_hours: { from: '08:00', to: '18:00' }, jitter_minutes: 10 },
        ...{ state: 'active', options: { active: false } },
      })
      await page.getByRole('button', { name: new RegExp(`^${say('Pause')}`) }).click()
      await page.getByRole('button', { name: new RegExp(`^${say('Resume')}`) }).waitFor()
      await wellMade()
      await page.getByRole('button', { name: new RegExp(`^${say('#remove')}: `) }).click()
      await page.getByText(say('Runs start by hand only.')).waitFor()
    }),
  )

  test('an interface: bring its description, read what was refused, remove it', { timeout: LIMIT }, () =>
    job(async (page) => {
      await goToDomain(page, look, DOMAIN)
      const document = { openapi: '3.0.3', paths: { '/orders': { get: {}, trace: {} } } }
      const chosen = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: say('Choose files') }).click()
      await (await chosen).setFiles({
        ...{ name: 'shop.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(document)) },
      })
      await page.getByText(say('#operationsTaken', { taken: 1, of: 2 })).waitFor()
      await page.getByText(say('#operationsRefused', { count: 1 })).click()
      await page.getByText('TRACE asks servers and no application').waitFor()
      await wellMade()
      await page.getByRole('button', { name: say('#removeDescription', { name: 'shop.json' }) }).click()
      await page.getByText(say('#operationsTaken', { taken: 1, of: 2 })).waitFor({ state: 'detached' })
    }),
  )

  test('a run under way: watch it to its end without loading the page again, take the report', { timeout: LIMIT }, () =>
    job(async (page) => {
      const { id } = (await desk.api.send('POST', '/v1/scans', { body: { domain_id: desk.api.mine.domainId } })).json()
      const held = await startNext(desk.api.db)
      await turnTo(page, `/runs/${id}`)
      await page.locator('.live [role="progressbar"]').waitFor()
      await addFindings(desk.api.db, held, [{ title: 'Seen while it runs' }])
      const pdf = {
        kind: 'report_pdf',
        filename: 'report.pdf',
        body: '%PDF-1.7',
        contentType: 'application/pdf',
      } as const
      await finishWith(desk.api, held, [pdf])
      await page.getByText(say('Done'), { exact: true }).waitFor()
      await page.getByText('Seen while it runs').first().waitFor()
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: say('Download the report') }).click()
      const report = await saving
      expect(report.suggestedFilename()).toBe('report.pdf')
      expect(readFileSync(await report.path(), 'utf8')).toBe(pdf.body)
      expect(page.url()).toMatch(/\/runs\//)
    }),
  )

  test('the emergency stop: pull it, see it on every page, release it', { timeout: LIMIT }, () =>
    job(async (page) => {
      await page.getByRole('link', { name: say('Settings') }).click()
      await page.getByRole('button', { name: say('Stop all runs') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('Why, for everybody to read')).fill('the shop is slow')
      await wellMade()
      await dialog.getByRole('button', { name: say('Stop all runs') }).click()
      await page.getByText(say('All runs are stopped.')).waitFor()
      expect((await desk.api.send('GET', '/v1/organisation/hold')).json().hold).toMatchObject({
        by: 'organisation',
        reason: 'the shop is slow',
      })
      await goTo(page, look, 'Runs')
      await page.getByText('the shop is slow').waitFor()
      await wellMade()
      await page.getByRole('button', { name: say('Release') }).click()
      await page.getByText(say('All runs are stopped.')).waitFor({ state: 'detached' })
      expect((await desk.api.send('GET', '/v1/organisation/hold')).json().hold).toBeNull()
    }),
  )

  test('a finding is read from its top, however far down its row was', { timeout: LIMIT }, () =>
    job(async (page) => {
      await desk.api.send('POST', '/v1/scans', { body: { domain_id: desk.api.mine.domainId } })
      const held = await startNext(desk.api.db)
      await addFindings(
        desk.api.db,
        held,
        Array.from({ length: 40 }, (_, index) => ({ title: `Finding number ${index}` })),
      )
      await finishWith(desk.api, held, [])
      await turnTo(page, `/runs/${held.runId}`)
      // Rows far out of sight are not drawn.
      const row = page.locator('.finding-list li').nth(12)
      await row.scrollIntoViewIfNeeded()
      expect(await page.evaluate('scrollY')).toBeGreaterThan(300)
      await row.getByRole('link').click()
      await page.getByRole('heading', { name: say('How to fix it') }).waitFor()
      expect(await page.evaluate('scrollY')).toBe(0)
    }),
  )

  test('to a domain by keys alone, from anywhere', { timeout: LIMIT }, () =>
    job(async (page) => {
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: say('Go to') })
      await field.waitFor()
      expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox')
      await page.getByRole('option', { name: new RegExp(`^mine\\.example\\.com ${say('domain')}`) }).waitFor()
      await wellMade()
      await field.fill('nothing of that name')
      await page.getByText(say('Nothing is called that.')).waitFor()
      await field.fill(say('Settings').slice(0, 4))
      await page.getByRole('option', { name: `${say('Settings')} ${say('page')}`, selected: true }).waitFor()
      await field.fill(`mine ${say('domain')}`)
      await page.getByRole('option', { name: `${DOMAIN} ${say('domain')}`, selected: true }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${desk.api.url}/domains/${desk.api.mine.domainId}`)
      await field.waitFor({ state: 'detached' })
    }),
  )

  test('an address that is pasted is the domain that it lies on', { timeout: LIMIT }, () =>
    job(async (page) => {
      await goTo(page, look, 'Domains')
      await page.getByRole('textbox', { name: say('Domain') }).fill('https://Pasted.example.com/basket?id=1')
      await page.getByRole('button', { name: say('Add') }).click()
      await page.getByRole('heading', { name: 'pasted.example.com' }).waitFor()
    }),
  )

  test('a session that ends while something is written: sign in over it, and go on', { timeout: LIMIT }, () =>
    job(async (page) => {
      await goToDomain(page, look, DOMAIN)
      const patterns = page.getByRole('textbox', { name: say('#exclusions') })
      await patterns.fill('/leave-alone')
      await desk.api.db.query('delete from sessions', [])
      await page
        .getByRole('button', { name: say('Save') })
        .first()
        .click()
      const dialog = page.getByRole('dialog', { name: say('Your session has ended') })
      await dialog.waitFor()
      await wellMade()
      await dialog.getByLabel(say('API key'), { exact: true }).fill(desk.api.mine.secret)
      await dialog.getByRole('button', { name: say('Sign in') }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await patterns.inputValue()).toBe('/leave-alone')
      await page
        .getByRole('button', { name: say('Save') })
        .first()
        .click()
      await page.getByText(say('Saved')).waitFor()
      expect((await desk.api.send('GET', `/v1/domains/${desk.api.mine.domainId}`)).json().exclude).toEqual([
        '/leave-alone',
      ])
    }),
  )
})
