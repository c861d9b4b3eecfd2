/** Sign-in by OpenID Connect against a real provider, in a real browser, with the provider on another site. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Role } from '../../src/contract/organisation.ts'
import { openIdProvider } from '../../src/main/open-id.ts'
import type { TestApi } from '../support/api.ts'
import {
  accessibilityProblems,
  openBrowser,
  openPage,
  openServedApi,
  turnTo,
  type WatchedPage,
} from '../support/web-app.ts'

const PEOPLE: Readonly<Record<string, { readonly email: string; readonly email_verified: boolean }>> = {
  ada: { email: 'Ada@example.com', email_verified: true },
  bob: { email: 'bob@example.com', email_verified: true },
  // Says that she is Ada, and nobody has checked it.
  eve: { email: 'ada@example.com', email_verified: false },
}

let api: TestApi & { url: string }
let provider: Server
let browser: Browser
let watched: WatchedPage
/** What a stranger becomes; changed by the cases. */
const settings = { role: 'reader' as Role | null }

beforeAll(async () => {
  provider = createServer()
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  // Another name of this machine is another site: cookies of the two do not mix.
  const issuer = `http://localhost:${(provider.address() as AddressInfo).port}`
  const about = {
    ...{ issuer, clientId: 'sonde', clientSecret: 'a secret of the two', name: 'Test login' },
    ...{ owners: ['ada@example.com'], organisation: null },
  }
  api = await openServedApi({
    openId: openIdProvider(
      {
        get db() {
          return api.db
        },
      },
      {
        ...about,
        get role() {
          return settings.role
        },
      },
    ),
  })
  const running = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: about.clientId, client_secret: about.clientSecret },
        redirect_uris: [`${api.url}/sign-in/openid/callback`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `${id} of the test`, ...PEOPLE[id] }),
    }),
  })
  provider.on('request', running.callback())
  browser = await openBrowser()
  watched = await openPage(await browser.newContext({ locale: 'en-GB' }))
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await api?.close()
  provider?.closeAllConnections()
  provider?.close()
})
beforeEach(() => {
  settings.role = 'reader'
})

/** As a person does it: the button, the provider's own pages, and back. */
const signInAs = async (page: Page, who: string): Promise<void> => {
  await page.goto(`${api.url}/sign-in`)
  await page.getByRole('link', { name: 'Sign in with Test login' }).click()
  await page.locator('input[name="login"]').fill(who)
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"]').click()
  await page.locator('input[name="prompt"][value="consent"]').waitFor({ state: 'attached' })
  await page.locator('button[type="submit"]').click()
}

/** Somebody who is signed in nowhere, each time. */
const inBrowser = async (visit: (page: Page) => Promise<void>): Promise<void> => {
  const { page, problems } = watched
  problems.length = 0
  await page.context().clearCookies()
  await visit(page)
  // The provider's own pages are none of ours.
  expect(problems.filter((problem) => problem.includes(api.url))).toEqual([])
}

test('an owner by a verified address may do everything, and is in the activity log', () =>
  inBrowser(async (page) => {
    await signInAs(page, 'ada')
    await page.waitForURL(`${api.url}/`)
    await page.getByText('ada of the test').waitFor()
    await page.getByRole('button', { name: 'Start a run' }).waitFor()
    await turnTo(page, '/settings/members')
    expect(await page.getByLabel('Role: ada of the test').inputValue()).toBe('owner')
    expect(await accessibilityProblems(page)).toEqual([])
    await turnTo(page, '/settings/activity')
    await page.getByText('Signed in').waitFor()
  }))

test('somebody else becomes a reader, is offered nothing that changes anything, and is out when an owner says so', () =>
  inBrowser(async (page) => {
    await signInAs(page, 'bob')
    await page.waitForURL(`${api.url}/`)
    await page.getByText('bob of the test').waitFor()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.getByRole('button', { name: 'Start a run' }).count()).toBe(0)
    const refused = await page.evaluate(`fetch('/v1/session').then((r) => r.json()).then(({ csrf_token }) =>
      fetch('/v1/domains', { method: 'POST', body: '{"domain":"x.example.com"}',
        headers: { 'content-type': 'application/json', 'x-csrf-token': csrf_token } })).then((r) => r.json())`)
    expect(refused).toMatchObject({ code: 'api_key_scope_insufficient' })

    // Removed by an owner: the session is over at once.
    const { items } = (await api.send('GET', '/v1/members')).json()
    const bob = items.find((member: { name: string }) => member.name.startsWith('bob'))
    expect((await api.send('DELETE', `/v1/members/${bob.id}`)).statusCode).toBe(204)
    await page.goto(`${api.url}/runs`)
    await page.waitForURL(/sign-in/)
  }))

test('an address that nobody verified makes no owner', () =>
  inBrowser(async (page) => {
    await signInAs(page, 'eve')
    await page.waitForURL(`${api.url}/`)
    const session = await page.evaluate(`fetch('/v1/session').then((r) => r.json())`)
    expect(session).toMatchObject({ actor: { role: 'reader' } })
  }))

test('where nobody is let in unasked, a stranger is told so, kindly', () =>
  inBrowser(async (page) => {
    settings.role = null
    await signInAs(page, 'mallory')
    await page.waitForURL(/failed=not_invited/)
    await page.getByRole('alert').waitFor()
    expect(await page.evaluate(`fetch('/v1/session').then((r) => r.status)`)).toBe(401)
  }))

test.each([
  ['out of nowhere', '', 'again'],
  ['with a cookie that we did not make', `sonde_openid=${'A'.repeat(80)}`, 'again'],
])('an answer that comes %s is none', async (_trick, cookie, why) => {
  const response = await api.send('GET', '/sign-in/openid/callback?code=x&state=y', {
    secret: null,
    headers: cookie === '' ? {} : { cookie },
  })
  expect([response.statusCode, response.headers.location]).toEqual([302, `/sign-in?failed=${why}`])
})

test('an answer to another question is none', async () => {
  const started = await api.send('GET', '/sign-in/openid', { secret: null })
  const [cookie = ''] = String(started.headers['set-cookie']).split(';')
  const response = await api.send('GET', '/sign-in/openid/callback?code=x&state=other', {
    secret: null,
    headers: { cookie },
  })
  expect(response.headers.location).toBe('/sign-in?failed=provider')
  expect(String(response.headers['set-cookie'])).not.toContain('sonde_session')
})
