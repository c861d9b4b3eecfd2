/** A front end whose pages keep the session, and send it to an interface under another name, in a real browser. */
import { afterEach, describe, expect, test } from 'vitest'
import { memberSite } from '../../tests/support/member-site.ts'
import { launchAlone } from '../engine/browser/launch.ts'
import { collectContext, serveCase } from '../modules/testing/collecting.ts'
import { drawnProof } from './drawn.ts'
import { isOfPages } from './sign-in.ts'
import { closeSigning, signing } from './testing/steps.ts'

type Answer = ReturnType<typeof memberSite>['answer']
const TOKEN = 'eyJhbGciOi.eyJuYW1lIjoi'
const HTML = { 'Content-Type': 'text/html' }

const closing: (() => Promise<void>)[] = [closeSigning]
afterEach(async () => {
  for (const close of closing.splice(1).reverse()) await close()
  await closeSigning()
})

describe('a session that counts under another name alone', () => {
  const sign = async (kept: string, sent: string) => {
    const script = `<script>localStorage.setItem('token', '${kept}')
      fetch('http://interface.shop.test/me', { headers: { authorization: 'Bearer ${sent}' } }).catch(() => 0)</script>`
    const answer: Answer = (_, response) => void response.writeHead(200, HTML).end(script)
    const { signIn } = await signing({ steps: [{ do: 'goto', url: '/app' }] }, { ...memberSite(), answer })
    return signIn()
  }

  test('is of the pages that keep it', async () => {
    const session = await sign(TOKEN, TOKEN)
    expect(isOfPages(session)).toBe(true)
    expect(session).toMatchObject({ cookie: null, header: null, elsewhere: ['http://interface.shop.test'] })
  })

  test('is none where what they keep is sent nowhere', async () => {
    await expect(sign('a setting of 30 letters and more', TOKEN)).rejects.toThrow('Nothing was set that later requests')
  })
})

test.each([
  ['what a page draws for who has it', `localStorage.token === '${TOKEN}' ? 'Hello Ada' : 'Please sign in'`, null],
  ['not what it draws for everybody', `'Hello Ada'`, '/account shows “Hello Ada” to nobody as well'],
  [
    'not what it draws for nobody',
    `'Please sign in'`,
    '/account shows no “Hello Ada” in a browser that keeps what the sign-in left',
  ],
])('it is proven by %s', async (_name, drawn, why) => {
  const page = `<p id=p></p><script>fetch('/late').then(() => { document.getElementById('p').textContent = ${drawn} })</script>`
  const servers = await serveCase(66, { http: (_, response) => void response.writeHead(200, HTML).end(page) })
  closing.push(servers.close)
  const { ctx, close } = collectContext(servers.address, { requests: 100 })
  closing.push(close)
  // As the worker has it: one profile for as long as it lives.
  const browser = { open: () => launchAlone(ctx.egress, ctx.signal, () => undefined) }
  const items = [{ area: 'local', name: 'token', value: TOKEN }] as const
  expect(await drawnProof(browser, 'http://shop.test/account', 'Hello Ada', items)).toBe(why)
})
