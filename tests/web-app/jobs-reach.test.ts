/** What a domain is to its owner, what a dry run would send, and how far a run came: each in a real Chromium. */
import { describe, expect, test } from 'vitest'
import type { FindingsFile } from '../../src/contract/findings-file.ts'
import { sampleFile } from '../../src/report/testing/sample.ts'
import { finishWith, startNext, verify } from '../support/api.ts'
import { deskOf, goToDomain, LIMIT } from '../support/desk.ts'
import { LOOKS } from '../support/looks.ts'
import { turnTo } from '../support/web-app.ts'

const DOMAIN = 'mine.example.com'
const SENDING: FindingsFile['sending'] = {
  planned: [
    { method: 'GET', url: `https://${DOMAIN}/find`, places: 3, decision: 'send', most: null, reason: null },
    {
      method: 'POST',
      url: `https://${DOMAIN}/pay`,
      places: 2,
      decision: 'never',
      most: null,
      reason: 'it buys or pays',
    },
  ],
  marker: 'sonde0a1b2c3d',
  written: [{ method: 'POST', url: `https://${DOMAIN}/notes`, fields: ['text'], times: 7, put_back: false }],
}

describe.each(LOOKS)('$name', (look) => {
  let run = ''
  const { say } = look
  const desk = deskOf(look, {}, async (api) => {
    await verify(api.db, api.mine.domainId)
    const body = { domain_id: api.mine.domainId, active: true, dry_run: true }
    await api.send('POST', '/v1/scans', { body })
    const held = await startNext(api.db)
    const file = JSON.stringify({ ...sampleFile(), sending: SENDING })
    await finishWith(api, held, [
      { kind: 'findings_json', filename: 'findings.json', body: file, contentType: 'application/json' },
    ])
    run = held.runId
  })
  const { job, wellMade } = desk

  test('a domain is made a test system, and production again', { timeout: LIMIT }, () =>
    job(async (page) => {
      await goToDomain(page, look, DOMAIN)
      const environment = page.getByRole('combobox', { name: say('Environment') })
      expect(await environment.inputValue()).toBe('production')
      for (const one of ['test', 'production']) {
        await environment.selectOption(one)
        await page
          .getByRole('region', { name: say('Environment') })
          .getByText(say('Saved'))
          .waitFor()
        const { items } = (await desk.api.send('GET', '/v1/domains')).json()
        expect(items[0].environment).toBe(one)
      }
      await wellMade()
    }),
  )

  test('of a test system it is said how often a form is written to', { timeout: LIMIT }, () =>
    job(async (page) => {
      const start = async (environment: 'production' | 'test') => {
        const body = { environment }
        await desk.api.send('PATCH', `/v1/domains/${desk.api.mine.domainId}`, { body })
        await goToDomain(page, look, DOMAIN)
        await page.reload()
        await page.getByRole('button', { name: say('Start a run') }).click()
        return page.getByRole('dialog')
      }
      const production = await start('production')
      await production.getByRole('button', { name: say('Start the active run') }).waitFor()
      expect(await production.getByLabel(say('Writes for each form')).count()).toBe(0)
      await production.getByRole('button', { name: say('Cancel') }).click()
      const dialog = await start('test')
      await dialog.getByLabel(say('Writes for each form')).fill('12')
      await wellMade()
      const asked = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/scans'))
      await dialog.getByRole('button', { name: say('Start the active run') }).click()
      expect((await asked).postDataJSON()).toMatchObject({ active: true, writes_per_form: 12 })
      await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
    }),
  )

  test('what a dry run would send and what not, what may have been stored, and the reach', { timeout: LIMIT }, () =>
    job(async (page) => {
      const { reach, sending } = (await desk.api.send('GET', `/v1/scans/${run}/coverage`)).json()
      expect([reach.kinds[0].known, sending]).toEqual([412, SENDING])
      await turnTo(page, `/runs/${run}/coverage`)
      const planned = page.getByRole('region', { name: say('What an active run would send') })
      await planned.getByText(`POST https://${DOMAIN}/pay`).waitFor()
      await planned.getByText('it buys or pays').waitFor()
      await page.getByText('sonde0a1b2c3d').waitFor()
      await page.getByText(`POST https://${DOMAIN}/notes`).waitFor()
      const shown = page.getByRole('region', { name: say('Reach') })
      await shown.getByText(/^412 /).waitFor()
      await shown.getByText(/388 /).waitFor()
      await shown.getByText(say('Why they were left out')).click()
      await shown.getByText(/one of many alike|eine von vielen/i).waitFor()
      await wellMade()
    }),
  )
})
