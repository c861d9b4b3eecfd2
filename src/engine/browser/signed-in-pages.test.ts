import { afterEach, describe, expect, it } from 'vitest'
import { openBench } from '../../egress/testing/servers.ts'
import type { ContextOptions } from '../../modules/browser.ts'
import { serveCase } from '../../modules/testing/collecting.ts'
import { NO_OFFERS, type PageStorage, storageOffers, textsOf } from '../../sign-in/page-storage.ts'
import { offerFor } from './in-page/offers.ts'
import { launchBrowser } from './launch.ts'
import { signedInPages } from './signed-in-pages.ts'

const TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiI3In0.c2lnbmF0dXJl'
const HEADER = `Authorization: Bearer ${TOKEN}`
const offered = (answer: object, header: string | null = HEADER): PageStorage => ({
  items: [],
  offers: storageOffers(header, [JSON.stringify(answer)]),
})

describe('what a page is offered under a name', () => {
  const user = { id: 7, name: 'Ada' }
  it.each([
    ['the member of that name', { token: TOKEN, user }, 'user', JSON.stringify(user)],
    ['written otherwise', { data: { access_token: TOKEN } }, 'accessToken', TOKEN],
    ['behind a name of the application', { token: TOKEN, user }, 'shop.user', JSON.stringify(user)],
    ['what tokens are called', { jwt: TOKEN }, 'id_token', TOKEN],
    ['what holds a token', { token: TOKEN, name: 'Ada' }, 'currentUser', JSON.stringify({ token: TOKEN, name: 'Ada' })],
    ['nothing for the token of something else', { token: TOKEN }, 'pushToken', null],
    ['nothing for a setting', { token: TOKEN, user }, 'theme', null],
    ['nothing for the end of an ordinary member', { token: TOKEN, type: 'user' }, 'cardtype', null],
  ])('%s', (_, answer, name, expected) => {
    expect(offerFor(name, offered(answer).offers)).toBe(expected)
  })

  it('of a session by cookie, members alone; of name and password, nothing', () => {
    expect(offerFor('user', offered({ user }, null).offers)).toBe(JSON.stringify(user))
    expect(offerFor('token', offered({ user }, null).offers)).toBeNull()
    expect(storageOffers('Authorization: Basic YTpi')).toEqual(NO_OFFERS)
  })

  it('all texts within are told, so that people are not', () => {
    expect(textsOf(offered({ token: TOKEN, user }))).toContainEqual({ name: 'name', value: 'Ada' })
    const items = [{ area: 'local', name: 'auth', value: JSON.stringify({ refresh: 'r-1' }) }] as const
    expect(textsOf({ items, offers: NO_OFFERS })).toEqual([{ name: 'refresh', value: 'r-1' }])
  })
})

/** An application that shows who it is for by what it keeps, and a frame of another site that asks for the same. */
const PAGE = `<title>-</title><script>
  const user = JSON.parse(localStorage.getItem('user') || 'null')
  const cookie = /\\bjwt=([^;]*)/.exec(document.cookie)
  document.title = [localStorage.getItem('token'), user && user.name, sessionStorage.getItem('tab'), ...(cookie ? [cookie[1]] : [])].join('|')
</script>`

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const open = async (last: number, storage: () => PageStorage, ofPages: string | null = null) => {
  const site = await serveCase(last, {
    https: (_, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE),
  })
  closing.push(site.close)
  const { run, egress, stop } = openBench({
    target: { host: 'shop.test', port: null },
    credentials: { cookie: null, header: ofPages === null ? HEADER : null },
    settings: {
      hosts: { 'shop.test': [site.address], 'other.test': [site.address] },
      allowNetworks: [`${site.address}/32`],
    },
  })
  closing.push(run.close)
  const launched = await launchBrowser(egress, stop.signal, () => undefined)
  closing.push(launched.close)
  const browser = signedInPages(launched, { egress, target: { host: 'shop.test', port: null }, storage, ofPages })
  return async (url: string, options: ContextOptions = {}) => {
    const context = await browser.newContext(options)
    const look = async (): Promise<string> => {
      const page = await context.newPage()
      await page.goto(url)
      return page.title()
    }
    return { look }
  }
}

describe('a page of the site in a run that is signed in', () => {
  it('is given what it asks for in vain; a stranger and another site are given nothing', async () => {
    const show = await open(71, () => offered({ token: TOKEN, user: { name: 'Ada' } }))
    expect(await (await show('https://shop.test/')).look()).toBe(`${TOKEN}|Ada|`)
    expect(await (await show('https://shop.test/', { authenticated: false })).look()).toBe('||')
    expect(await (await show('https://other.test/')).look()).toBe('||')
  })

  it('has what the browser that signed in had, and that of a session begun anew in place of it', async () => {
    const kept = (token: string): PageStorage => ({
      items: [
        { area: 'local', name: 'token', value: token },
        { area: 'session', name: 'tab', value: 'first' },
      ],
      offers: NO_OFFERS,
    })
    let now = kept('first-session-of-the-run')
    const show = await open(72, () => now)
    const profile = await show('https://shop.test/')
    expect(await profile.look()).toBe('first-session-of-the-run||first')
    now = kept('second-session-of-the-run')
    expect(await profile.look()).toBe('second-session-of-the-run||first')
  })

  it('has a cookie that its scripts read, and that of a session begun anew in place of it', async () => {
    let now = 'first-session-of-the-run'
    const show = await open(75, () => ({ items: [{ area: 'cookie', name: 'jwt', value: now }], offers: NO_OFFERS }))
    const profile = await show('https://shop.test/')
    expect(await profile.look()).toBe('|||first-session-of-the-run')
    now = 'second-session-of-the-run'
    expect(await profile.look()).toBe('|||second-session-of-the-run')
    expect(await (await show('https://shop.test/', { authenticated: false })).look()).toBe('||')
  })

  it('has it where no request carries anything, on its own origin alone', async () => {
    const items = [{ area: 'local', name: 'token', value: 'session-of-the-pages' }] as const
    const show = await open(74, () => ({ items, offers: NO_OFFERS }), 'https://shop.test')
    expect(await (await show('https://shop.test/')).look()).toBe('session-of-the-pages||')
    expect(await (await show('https://shop.test/', { authenticated: false })).look()).toBe('||')
    expect(await (await show('https://other.test/')).look()).toBe('||')
  })

  it('is offered what the session of now answered', async () => {
    const answered = (token: string): PageStorage => ({
      items: [],
      offers: storageOffers(`Authorization: Bearer ${token}`, [JSON.stringify({ token, user: { name: token } })]),
    })
    let now = answered('first-session-of-the-run')
    const show = await open(73, () => now)
    const profile = await show('https://shop.test/')
    expect(await profile.look()).toBe('first-session-of-the-run|first-session-of-the-run|')
    now = answered('second-session-of-the-run')
    expect(await profile.look()).toBe('second-session-of-the-run|second-session-of-the-run|')
  })
})
