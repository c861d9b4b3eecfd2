/** As whom runs look, and who may do what: identities and the matrix, each job from the sign-in to its end, in a real Chromium. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { claimLoginTest, finishLoginTest } from '../../src/store/identities.ts'
import { finishWith, startNext, verify } from '../support/api.ts'
import { deskOf, goToDomain, LIMIT } from '../support/desk.ts'
import { LOOKS } from '../support/looks.ts'
import { addMatrix, matrixFacts } from '../support/matrix.ts'
import { until } from '../support/until.ts'
import { arrived, overflows, turnTo } from '../support/web-app.ts'

const DOMAIN = 'mine.example.com'
const CANARY = 'kanarie-vogel-im-keller'
/** Far more than are drawn or fetched at once. */
const MORE = process.env.SONDE_LONG ? 4_992 : 1_492
/** Milliseconds for fifty answers of the interface, one after the other, and the rows of each. */
const READ_LIMIT = 90_000
/** One pixel. */
const PICTURE = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AKp//2Q==',
  'base64',
)
const RECORDING = JSON.stringify({
  title: 'Sign in',
  steps: [
    { type: 'navigate', url: 'https://mine.example.com/login' },
    { type: 'change', value: CANARY, selectors: [['#password']] },
    { type: 'click', selectors: [['aria/Sign in']] },
  ],
})

describe.each(LOOKS)('$name', (look) => {
  const { say } = look
  const ids = { matrix: '', none: '' }
  const desk = deskOf(look, {}, async (api) => {
    await verify(api.db, api.mine.domainId)
    const started = async () => {
      await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId, active: true } })
      return startNext(api.db)
    }
    const held = await started()
    await addMatrix(api.db, held, matrixFacts(MORE))
    await finishWith(api, held, [])
    const none = await started()
    await finishWith(api, none, [])
    Object.assign(ids, { matrix: held.runId, none: none.runId })
  })
  const { job, wellMade } = desk
  const stored = async () =>
    (await desk.api.send('GET', `/v1/domains/${desk.api.mine.domainId}/identities`)).json().items
  const section = (page: Page) => page.locator('section[aria-labelledby="identities"]')

  describe('identities', () => {
    test(
      'a request: what is wrong is said at its field, a host elsewhere is asked about, secrets stay inside',
      { timeout: LIMIT },
      () =>
        job(async (page) => {
          await goToDomain(page, look, DOMAIN)
          await page.getByRole('button', { name: say('Add an identity') }).click()
          const dialog = page.getByRole('dialog')
          const field = (path: string) => dialog.locator(`[data-path="${path}"]`)
          await dialog.locator('[data-path="name"]').fill('The Customer')
          await dialog.getByLabel(say('Role')).fill('customer')
          await dialog.getByLabel(say('How it signs in')).selectOption(say('A request'))
          await field('request.url').fill('https://id.example.org/login')
          await field('request.fields.0.value').fill('ada')
          await field('request.fields.1.value').fill(CANARY)
          await dialog.getByText(say('The sign-in goes to:')).waitFor()
          await wellMade()
          const store = () => dialog.getByRole('button', { name: say('Store') }).click()
          await store()
          await page.locator('[data-path="name"][aria-invalid="true"]').waitFor()
          expect(await page.evaluate('document.activeElement.dataset.path')).toBe('name')
          await dialog.locator('[data-path="name"]').fill('customer')
          await store()
          await page.locator('[data-path="proof.text"][aria-invalid="true"]').waitFor()
          await field('proof.path').fill('/account')
          await field('proof.text').fill('Sign out')
          await store()
          await page.locator('[data-path="request.url"][aria-invalid="true"]').waitFor()
          await dialog
            .getByText(
              look.language === 'de'
                ? 'Gehört zu https://id.example.org: weder zu'
                : 'Is of https://id.example.org, which is neither',
            )
            .waitFor()
          await dialog.getByLabel(say('#listHosts', { n: 1 })).check()
          await store()
          await dialog.waitFor({ state: 'detached' })
          await section(page).getByRole('article', { name: 'customer' }).waitFor()
          expect(await stored()).toMatchObject([
            { name: 'customer', role: 'customer', kind: 'request', proof: { path: '/account', text: 'Sign out' } },
          ])
          expect((await desk.api.send('GET', `/v1/domains/${desk.api.mine.domainId}`)).json().sign_in_hosts).toEqual([
            'id.example.org',
          ])
          expect(await page.getByLabel(say('Hosts elsewhere that identities sign in at')).inputValue()).toBe(
            'id.example.org',
          )
          expect(await page.content()).not.toContain(CANARY)
        }),
    )

    test('it is changed without its secrets, which are told to be kept', { timeout: LIMIT }, () =>
      job(async (page) => {
        await page.getByRole('button', { name: say('#changeIdentity', { name: 'customer' }) }).click()
        const dialog = page.getByRole('dialog')
        expect(await dialog.locator('[data-path="name"]').inputValue()).toBe('customer')
        expect(await dialog.locator('[data-path="proof.text"]').inputValue()).toBe('Sign out')
        expect(await dialog.getByText(say('#replaceSecretsHint')).count()).toBe(1)
        expect(await dialog.locator('[data-path="request.url"]').count()).toBe(0)
        await wellMade()
        await dialog.getByLabel(say('Role')).fill('editor')
        await dialog.getByRole('button', { name: say('Store') }).click()
        await dialog.waitFor({ state: 'detached' })
        await section(page).getByText('editor', { exact: true }).waitFor()
        expect(await stored()).toMatchObject([{ role: 'editor', kind: 'request', parts: ['request'] }])
      }),
    )

    test(
      'steps come from a recorder file, and a test shows which of them failed, with its picture',
      { timeout: LIMIT },
      () =>
        job(async (page) => {
          await page.getByRole('button', { name: say('Add an identity') }).click()
          const dialog = page.getByRole('dialog')
          await dialog.locator('[data-path="name"]').fill('ben')
          await dialog.locator('[data-path="steps"]').fill('no json')
          await dialog.getByRole('button', { name: say('Store') }).click()
          await dialog.getByText(say('This is no JSON object.')).waitFor()
          const file = { name: 'sign-in.json', mimeType: 'application/json', buffer: Buffer.from(RECORDING) }
          await dialog.locator('input[type="file"]').setInputFiles(file)
          await dialog.getByText(say('#stepsCount', { n: 3 })).waitFor()
          await dialog.locator('[data-path="proof.path"]').fill('/account')
          await dialog.locator('[data-path="proof.status"]').fill('200')
          await wellMade()
          await dialog.getByRole('button', { name: say('Store') }).click()
          await dialog.waitFor({ state: 'detached' })
          const ben = section(page).getByRole('article', { name: 'ben' })
          await ben.getByText(say('Steps in a browser')).waitFor()
          await page.getByRole('button', { name: say('#testIdentity', { name: 'ben' }) }).click()
          await ben.getByText(say('Waiting for a worker')).waitFor()
          const job = await claimLoginTest(desk.api.db)
          const step = { ok: true, detail: null, picture: true }
          const steps = [
            { ...step, title: 'goto /login' },
            { ...step, title: 'fill #password', ok: false, detail: 'nothing of that name is on the page' },
          ]
          await finishLoginTest(
            ...[desk.api.db, job?.testId ?? ''],
            { state: 'rejected', reason: 'A step failed.', without: null, with: null, steps },
            new Map([
              [0, PICTURE],
              [1, PICTURE],
            ]),
          )
          await ben.getByText(say('#stepFailedAt', { n: 2, step: 'fill #password' })).waitFor()
          const picture = ben.getByRole('img', { name: say('#stepPictureOf', { step: 'fill #password' }) })
          await picture.waitFor()
          await picture.scrollIntoViewIfNeeded()
          await page.waitForFunction('document.querySelectorAll("details[open] img.shot")[0].naturalWidth === 1')
          expect(await ben.getByRole('img').count()).toBe(1)
          await wellMade()
          expect(await page.content()).not.toContain(CANARY)
        }),
    )

    test('a run takes the one that it looks as, and those as whom it asks', { timeout: LIMIT }, () =>
      job(async (page) => {
        await page.getByRole('button', { name: say('Start a run') }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel(say('As whom')).selectOption('customer')
        await dialog.getByLabel('ben', { exact: true }).check()
        await wellMade()
        const asked = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/scans'))
        await dialog.getByRole('button', { name: say('Start the active run') }).click()
        expect((await asked).postDataJSON()).toMatchObject({ active: true, identities: ['customer', 'ben'] })
        await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
      }),
    )

    test('each way to sign in is as narrow as the window; and in the end they are deleted', { timeout: LIMIT }, () =>
      job(async (page) => {
        await goToDomain(page, look, DOMAIN)
        await page.getByRole('button', { name: say('Add an identity') }).click()
        const dialog = page.getByRole('dialog')
        for (const kind of ['A request', 'OAuth 2.0', 'A cookie']) {
          await dialog.getByLabel(say('How it signs in')).selectOption(say(kind))
          expect(await overflows(page)).toBe(false)
        }
        await wellMade()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        for (const name of ['ben', 'customer']) {
          await page.getByRole('button', { name: say('#removeIdentity', { name }) }).click()
          await section(page).getByRole('article', { name }).waitFor({ state: 'detached' })
        }
        await wellMade()
        expect(await stored()).toEqual([])
      }),
    )
  })

  describe('who may do what', () => {
    const rows = (page: Page) => page.locator('.matrix tbody tr:not(.space)')

    test('the flawed cell leads to its finding; only findings; a word finds its operations', { timeout: LIMIT }, () =>
      job(async (page) => {
        await turnTo(page, `/runs/${ids.matrix}`)
        await page.getByRole('link', { name: say('Who may do what') }).click()
        await rows(page).first().waitFor()
        await wellMade()
        await page.getByRole('button', { name: new RegExp(`^${say('Only findings')}`) }).click()
        await page.waitForURL(/verdict=flaw/)
        await rows(page).nth(4).waitFor({ state: 'detached' })
        expect(await rows(page).count()).toBe(4)
        await page.getByRole('searchbox', { name: say('Search') }).fill('ORDERS')
        await rows(page).nth(2).waitFor({ state: 'detached' })
        expect(await rows(page).locator('th').allTextContents()).toEqual([
          'GET /api/orders/{}',
          'POST /graphql Query orders',
        ])
        await rows(page)
          .first()
          .getByRole('link', { name: say('should not') })
          .click()
        await page.getByRole('heading', { name: 'Flaw 0' }).waitFor()
      }),
    )

    test(`${MORE + 8} operations stay fluid, by keyboard to the last`, { timeout: 2 * READ_LIMIT }, () =>
      job(async (page) => {
        await turnTo(page, `/runs/${ids.matrix}/matrix`)
        await rows(page).first().waitFor()
        await page.locator('.matrix').focus()
        const last = page.getByRole('rowheader', { name: `GET /api/parts/${MORE - 1}/{}`, exact: true })
        await until(async () => {
          await page.keyboard.press('End')
          return last.isVisible()
        }, READ_LIMIT)
        // What is drawn is what is in sight, however many there are.
        expect(await rows(page).count()).toBeLessThan(60)
        expect(await page.locator('.matrix table').getAttribute('aria-rowcount')).toBe(String(MORE + 8 + 1))
        const first = page.getByRole('rowheader', { name: 'GET /api/orders/{}', exact: true })
        // What was still being read for the end may come between.
        await until(async () => {
          await page.keyboard.press('Home')
          return first.isVisible()
        }, 20_000)
      }),
    )

    test('on a phone each operation is a block, with the name of everybody in it', { timeout: LIMIT }, () =>
      job(async (page) => {
        await turnTo(page, `/runs/${ids.matrix}/matrix`)
        await rows(page).first().waitFor()
        await wellMade()
        const label = `getComputedStyle(document.querySelector('.matrix tbody td'), '::before').content`
        expect(/ada/.test(String(await page.evaluate(label)))).toBe(look.phone)
        const frame = 'document.querySelector(".matrix")'
        if (look.phone) expect(await page.evaluate(`${frame}.scrollWidth <= ${frame}.clientWidth`)).toBe(true)
      }),
    )

    test('where nobody was asked, it is said why', { timeout: LIMIT }, () =>
      job(async (page) => {
        await turnTo(page, `/runs/${ids.none}/matrix`)
        await page
          .getByText(
            look.language === 'de'
              ? 'Der Lauf hatte keinen Teil, der fragt'
              : 'The run had no part that asks who may do what.',
          )
          .waitFor()
        await arrived(page)
        await wellMade()
      }),
    )
  })
})
