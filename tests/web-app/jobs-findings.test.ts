/** The list of findings over runs and domains: each job from the sign-in to its end, in a real Chromium. */
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DomainFinding } from '../../src/contract/domain-finding.ts'
import { signInMember } from '../../src/store/members.ts'
import { addFindings, finishWith, startNext, type TestApi } from '../support/api.ts'
import { deskOf, goTo, LIMIT } from '../support/desk.ts'
import { LOOKS, wellMade as looksWell } from '../support/looks.ts'
import { openBrowser, openPage, openServedApi, signIn, turnTo } from '../support/web-app.ts'

/** What was pressed is there within a while: it is shown before the service has it, and a busy one takes its time. */
const soon = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 })
/** The goals are held of the whole number, with the processor slowed; what others have of it is not counted. */
const LONG = Boolean(process.env.SONDE_LONG)
const WIDE = { width: 1280, height: 860 }
const TITLES = [
  'No content security policy',
  'Old TLS is offered',
  'Cookie without Secure: it travels over http too',
  'A banner names its version',
]

const GERMAN = TITLES.with(2, 'Cookie ohne Secure: Es wird auch über http gesendet')

const shown = (page: Page): Promise<string[]> => page.locator('.problem-row .finding-title').allTextContents()
const focused = (page: Page): Promise<string> =>
  page.evaluate(`document.activeElement?.querySelector('.finding-title')?.textContent ?? ''`)

describe.each(LOOKS)('$name', (look) => {
  const { say, language } = look
  const titles = language === 'de' ? GERMAN : TITLES
  const desk = deskOf(look, {}, async (api) => {
    await api.send('POST', '/v1/scans', { body: { domain_id: api.mine.domainId } })
    const held = await startNext(api.db)
    const severities = ['critical', 'high', 'medium', 'low'] as const
    const checks = ['headers/csp', 'tls/old', 'cookies/secure-missing', 'headers/banner']
    await addFindings(
      api.db,
      held,
      TITLES.map((title, i) => ({ title, severity: severities[i] ?? 'info', check_id: checks[i] ?? '' })),
    )
    await finishWith(api, held, [])
    const person = { issuer: 'https://id.test', subject: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
    await signInMember(api.db, { organisationId: api.mine.organisationId, ...person }, 'owner')
  })
  const { job, wellMade } = desk
  const stored = async () => (await desk.api.send('GET', '/v1/findings')).json().items

  test('by keys alone: go through the list, choose two, decide about both at once', { timeout: LIMIT }, () =>
    job(async (page) => {
      await goTo(page, look, 'Findings')
      await page.getByText(say('#findingsCount', { n: 4, shown: 4 })).waitFor()
      await soon(() => shown(page)).toEqual(titles)
      await wellMade()
      for (const key of ['j', 'j', 'k', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
      await soon(() => focused(page)).toBe(titles[2])
      await page.getByText(say('#chosenCount', { n: 2 })).waitFor()
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('Decision')).selectOption(say('Accepted'))
      await dialog.getByLabel(say('Reason')).fill('Behind the old proxy until spring.')
      await dialog.getByLabel(say('Assigned to')).fill('J. Weber')
      await wellMade()
      await dialog.getByRole('button', { name: say('#change_do'), exact: true }).click()
      await soon(() => shown(page)).toEqual([titles[0], titles[3]])
      await page.getByText(say('#findingsCount', { n: 2, shown: 2 })).waitFor()
      const accepted = async () =>
        (await stored()).flatMap((one: DomainFinding) => (one.state === 'accepted' ? [[one.title, one.assignee]] : []))
      await soon(accepted).toEqual([
        [TITLES[1], 'J. Weber'],
        [TITLES[2], 'J. Weber'],
      ])
    }),
  )

  test('what was changed is taken back, as each of them was', { timeout: LIMIT }, () =>
    job(async (page) => {
      await turnTo(page, '/findings?state=all')
      await soon(() => shown(page)).toEqual(titles)
      await page.getByRole('button', { name: say('#chooseAll', { n: 4 }) }).click()
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('Decision')).selectOption(say('False positive'))
      await dialog.getByLabel(say('Severity')).selectOption(say('Low'))
      await dialog.getByLabel(say('Reason')).fill('Seen by the other team.')
      await dialog.getByLabel(say('Assigned to')).fill('M. Otto')
      await dialog.getByRole('button', { name: say('#change_do'), exact: true }).click()
      await page.getByText(say('#changedCount', { n: 4 })).waitFor()
      await wellMade()
      const severities = async () => (await stored()).map(({ severity }: { severity: string }) => severity)
      await soon(severities).toEqual(Array(4).fill('low'))
      await page.keyboard.press('u')
      await page.getByText(say('#changedBack', { n: 4 })).waitFor()
      const was = ({ title, state, severity, assignee, triage }: DomainFinding) => [
        ...[title, state, severity, assignee, triage.reason],
      ]
      await soon(async () => (await stored()).map(was)).toEqual([
        [TITLES[0], 'open', 'critical', null, null],
        [TITLES[1], 'accepted', 'high', 'J. Weber', 'Behind the old proxy until spring.'],
        [TITLES[2], 'accepted', 'medium', 'J. Weber', 'Behind the old proxy until spring.'],
        [TITLES[3], 'open', 'low', null, null],
      ])
      await page.getByRole('button', { name: say('Close') }).click()
      await turnTo(page, '/findings')
      await soon(() => shown(page)).toEqual([titles[0], titles[3]])
    }),
  )

  test(
    'it is shown before the service has it, and as it was where that refuses, with the way back to what was entered',
    {
      timeout: LIMIT,
    },
    () =>
      job(async (page) => {
        const first = page.locator('.problem-row').first()
        const asked = Promise.withResolvers<() => void>()
        await page.route('**/v1/domains/*/findings/*', async (route) => {
          if (route.request().method() !== 'PATCH') return route.continue()
          await new Promise<void>((resolve) => asked.resolve(resolve))
          return route.abort()
        })
        const change = async (): Promise<void> => {
          await page
            .getByRole('dialog')
            .getByRole('button', { name: say('#change_do'), exact: true })
            .click()
        }
        await turnTo(page, '/findings')
        await page.keyboard.press('j')
        await soon(() => focused(page)).toBe(titles[0])
        await page.keyboard.press('e')
        await page.getByRole('dialog').getByLabel(say('Assigned to')).fill('K. Yilmaz')
        await change()
        const answer = await asked.promise
        await first.getByText('K. Yilmaz').waitFor()
        expect((await stored())[0].assignee).toBeNull()
        answer()
        await page.getByText(say('Not changed.')).waitFor()
        await first.getByText('K. Yilmaz').waitFor({ state: 'detached' })
        await wellMade()
        await page.unroute('**/v1/domains/*/findings/*')
        await page.getByRole('button', { name: say('Look at it again') }).click()
        expect(await page.getByRole('dialog').getByLabel(say('Assigned to')).inputValue()).toBe('K. Yilmaz')
        await change()
        await first.getByText('K. Yilmaz').waitFor()
        await soon(async () => (await stored())[0].assignee).toBe('K. Yilmaz')
        // Taken back as soon as it was sent: one comes after the other.
        await page.getByRole('button', { name: new RegExp(`^${say('Undo')}`) }).click()
        await first.getByText('K. Yilmaz').waitFor({ state: 'detached' })
        await soon(async () => (await stored())[0].assignee).toBeNull()
        await page.getByRole('button', { name: say('Close') }).click()
      }),
  )

  test('somebody is named in a comment, by the first letters of the name', { timeout: LIMIT }, () =>
    job(async (page) => {
      await turnTo(page, '/findings')
      await page.locator('.problem-row .finding-row').first().click()
      const comment = page.getByLabel(say('Comment'))
      await comment.fill('Ask ')
      await comment.press('End')
      await comment.pressSequentially('@lov')
      const list = page.getByRole('listbox', { name: say('Members') })
      await list.getByRole('option', { name: 'Ada Lovelace', selected: true }).waitFor()
      await wellMade()
      await comment.press('Escape')
      await list.waitFor({ state: 'detached' })
      await comment.pressSequentially('e')
      await list.waitFor()
      if (look.phone) await list.getByRole('option').tap()
      else await comment.press('Enter')
      expect(await comment.inputValue()).toBe('Ask @Ada Lovelace ')
      await comment.pressSequentially('for the plan.')
      await page.getByRole('button', { name: say('Add the comment') }).click()
      await page.locator('.said strong', { hasText: '@Ada Lovelace' }).waitFor()
      await wellMade()
      const { domain_id, fingerprint } = (await stored())[0]
      const events = (await desk.api.send('GET', `/v1/domains/${domain_id}/findings/${fingerprint}/history`)).json()
        .items
      expect(events[0].data).toMatchObject({ text: 'Ask @Ada Lovelace for the plan.', mentions: ['Ada Lovelace'] })
    }),
  )

  test('what would be refused is said at its field, and nothing is changed', { timeout: LIMIT }, () =>
    job(async (page) => {
      await page.keyboard.press('k')
      await page.keyboard.press('e')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('Severity')).selectOption(say('Low'))
      await dialog.getByRole('button', { name: say('#change_do'), exact: true }).click()
      await dialog.locator('[data-path="reason"][aria-invalid="true"]').waitFor()
      await dialog.getByRole('button', { name: say('Cancel') }).click()
      expect((await stored())[0].severity).toBe('critical')
    }),
  )

  test('one problem: open it, set a day that has passed, comment, read its history', { timeout: LIMIT }, () =>
    job(async (page) => {
      await turnTo(page, '/findings')
      await page.keyboard.press('j')
      await soon(() => focused(page)).toBe(titles[0])
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: say('How to fix it') }).waitFor()
      await page.getByLabel(say('Comment')).fill('With the new proxy in spring.')
      await page.getByRole('button', { name: say('Add the comment') }).click()
      await page.getByText('With the new proxy in spring.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: say('#change_do'), exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('Due')).fill('2020-01-31')
      await dialog.getByRole('button', { name: say('#change_do'), exact: true }).click()
      await page
        .getByText(new RegExp(say('#overdueSince', { day: '' }).trim()))
        .first()
        .waitFor()
      await page.getByText(say('Seen for the first time')).waitFor()
      await wellMade()
      await page.goBack()
      await page
        .getByText(new RegExp(say('#overdueSince', { day: '' }).trim()))
        .first()
        .waitFor()
    }),
  )

  test('filters are the address; a view of them has a name, for its owner alone', { timeout: LIMIT }, () =>
    job(async (page) => {
      await turnTo(page, '/findings')
      if (look.phone) await page.getByRole('button', { name: say('Filters') }).click()
      await page.getByRole('button', { name: say('Overdue') }).click()
      await soon(() => shown(page)).toEqual([titles[0]])
      expect(page.url()).toContain('overdue=1')
      await page.getByRole('button', { name: say('Name this view') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('Name')).fill('Late')
      await wellMade()
      await dialog.getByRole('button', { name: say('Name this view') }).click()
      await page.getByRole('link', { name: 'Late' }).waitFor()
      await page.getByLabel(say('State')).selectOption(say('Accepted'))
      await page.getByRole('heading', { name: say('No finding matches') }).waitFor()
      await page.getByRole('link', { name: 'Late' }).click()
      await soon(() => shown(page)).toEqual([titles[0]])
      await page.getByRole('button', { name: `${say('#forgetView')}: Late` }).click()
      await page.getByRole('link', { name: 'Late' }).waitFor({ state: 'detached' })
      expect((await desk.api.send('GET', '/v1/findings/views')).json().items).toEqual([])
    }),
  )

  test('by cause, and into one', { timeout: LIMIT }, () =>
    job(async (page) => {
      await turnTo(page, '/findings?state=all')
      await page.getByRole('button', { name: say('By cause') }).click()
      await wellMade()
      await page.getByRole('link', { name: TITLES[1] ?? '' }).click()
      await soon(() => shown(page)).toEqual([titles[1]])
      await page.getByRole('button', { name: say('All causes') }).click()
      await soon(() => shown(page)).toEqual(titles)
    }),
  )

  test('in the other language what has a text in it, found by its words, and back again', { timeout: LIMIT }, () =>
    job(async (page) => {
      await turnTo(page, '/findings?state=all')
      const turn = async (to: 'Deutsch' | 'English') => {
        await page.getByRole('button', { name: to }).click()
        await soon(() => shown(page)).toEqual(to === 'Deutsch' ? GERMAN : TITLES)
      }
      if (language === 'en') await turn('Deutsch')
      await wellMade()
      await turnTo(page, '/findings?state=all&q=gesendet')
      await soon(() => shown(page)).toEqual([GERMAN[2]])
      await turnTo(page, '/findings?state=all')
      await turn('English')
      if (language === 'de') await turn('Deutsch')
    }),
  )

  test('somebody who may only read is offered nothing else', { timeout: LIMIT }, async () => {
    const made = await desk.api.send('POST', '/v1/keys', { body: { name: 'reader', scopes: ['scans:read'] } })
    const reader = await openPage(await desk.browser.newContext({ locale: 'de-DE', viewport: WIDE }))
    await signIn(reader.page, desk.api.url, made.json().secret)
    await turnTo(reader.page, '/findings?state=all')
    await reader.page.locator('.problem-row .tag', { hasText: 'Hingenommen' }).first().waitFor()
    expect(await reader.page.locator('.problem-row input').count()).toBe(0)
    for (const key of ['j', 'x', 'e']) await reader.page.keyboard.press(key)
    expect(await reader.page.getByRole('dialog').count()).toBe(0)
    await looksWell(reader)
    expect(reader.problems).toEqual([])
  })

  test('the organisation sets days, and they are kept', { timeout: LIMIT }, () =>
    job(async (page) => {
      await turnTo(page, '/settings')
      const days = page.getByRole('region', { name: say('Due days') })
      await days.getByLabel(say('Critical')).fill('7')
      await days.getByRole('button', { name: say('Save') }).click()
      await soon(async () => (await desk.api.send('GET', '/v1/organisation/due-days')).json().critical).toBe(7)
      await wellMade()
      await days.getByLabel(say('Critical')).fill('')
      await days.getByRole('button', { name: say('Save') }).click()
      await soon(async () => (await desk.api.send('GET', '/v1/organisation/due-days')).json().critical).toBeNull()
    }),
  )
})

const KEYS = 100
/** Far more than a page draws or fetches at once. */
const MANY = LONG ? 100_000 : 10_000
/** Rows of one statement. */
const AT_ONCE = 10_000

/** Each key to the frame that shows it, in milliseconds, by the page's own clock. */
const KEY_TO_PAINT = `
  window.took = []
  addEventListener('keydown', () => {
    const started = performance.now()
    requestAnimationFrame(() => setTimeout(() => window.took.push(performance.now() - started)))
  }, { capture: true })`

/** Milliseconds that the page's thread has had of the processor, slowed as it is: a key with all that follows it. */
const busy = async (debug: CDPSession): Promise<number> => {
  const { metrics } = await debug.send('Performance.getMetrics')
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
}

describe('a long list', () => {
  let api: TestApi & { url: string }
  let browser: Browser
  beforeAll(async () => {
    api = await openServedApi()
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await api?.close()
  })

  test(`${MANY.toLocaleString('en')} problems: each key is shown at once`, { timeout: 180_000 }, async () => {
    const { page, problems } = await openPage(await browser.newContext({ locale: 'en-GB', viewport: WIDE }))
    await signIn(page, api.url, api.mine.secret)
    for (let from = 1; from <= MANY; from += AT_ONCE) {
      await api.db.query(
        `insert into problems (organisation_id, domain_id, domain, fingerprint, identity_rule, check_id, module, title, location,
                places, place, kev, confidence, seen_severity, first_seen, last_seen, last_run, finding_id, seen_passive)
         select $1, $2, 'mine.example.com', md5(n::text) || md5(n::text), 2, 'headers/c' || n % 200, 'headers', 'Problem ' || n,
                '{"url": "http://mine.example.com/"}', 1, '', false, 'firm', 'high', now() - n * interval '1 minute', now(), $2, $2, true
           from generate_series($3::int, $4::int) as n`,
        [api.mine.organisationId, api.mine.domainId, from, from + AT_ONCE - 1],
      )
    }
    await api.db.query('analyze problems', [])
    await turnTo(page, '/findings')
    await page.reload()
    await page.getByText(`${MANY.toLocaleString('en')} problems`).waitFor()
    await page.locator('.problem-row').first().waitFor()
    // A slow processor is made of one that spins, which is the time of all other tests.
    const debug = await page.context().newCDPSession(page)
    if (LONG) await debug.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.evaluate(KEY_TO_PAINT)
    await debug.send('Performance.enable', { timeDomain: 'threadTicks' })
    const processor: number[] = []
    for (let i = 0; i < KEYS; i++) {
      const before = await busy(debug)
      await page.keyboard.press('j')
      await soon(() => page.evaluate('window.took.length')).toBe(i + 1)
      processor.push((await busy(debug)) - before)
    }
    const took = ((await page.evaluate('window.took')) as number[]).toSorted((a, b) => a - b)
    await debug.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await soon(() => focused(page)).toBe(`Problem ${KEYS}`)
    // What is waited for while others have the processor is in the first and not in the second.
    expect(took[Math.floor(KEYS * 0.95)]).toBeLessThan(1_000)
    expect(processor.toSorted((a, b) => a - b)[Math.floor(KEYS * 0.95)]).toBeLessThan(100)
    expect(problems).toEqual([])
  })
})
