/** A sign-in in a real browser whose page goes on by itself, on a site of the test's own. */
import { afterEach, expect, test } from 'vitest'
import type { SignIn } from '../contract/identity.ts'
import type { SignInStep } from '../contract/sign-in.ts'
import { sharedBrowser } from '../engine/testing/shared-browser.ts'
import { collectContext, serveCase } from '../modules/testing/collecting.ts'
import { inSeconds, leadsBySteps } from './leads-by-steps.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const HOST = 'qx02.example'
const STEPS: readonly SignInStep[] = [
  { do: 'goto', url: '/login' },
  { do: 'fill', on: '#name', value: 'ada' },
  { do: 'fill', on: '#password', value: 'right' },
  { do: 'click', on: 'button' },
  { do: 'wait', text: 'Hello', seconds: 2 },
]
const page = (script: string): string =>
  `<input id=name><input id=password type=password><button onclick="enter()">Sign in</button><script>
    const next = new URLSearchParams(location.search).get('next') ?? '/account'
    const enter = () => fetch('/session', { method: 'POST', body: name.value + document.getElementById('password').value })
      .then((answer) => { if (answer.ok) { ${script} } })
  </script>`

const led = async (script: string) => {
  const site = await serveCase(67, {
    http: (request, response) => {
      const text = request.url === '/account' ? '<p>Hello' : request.url === '/session' ? '{}' : page(script)
      response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'sid=1' }).end(text)
    },
  })
  closing.push(site.close)
  const { ctx, close } = collectContext(site.address)
  closing.push(close)
  const leads = leadsBySteps({ steps: { steps: STEPS } } as SignIn, 'http://shop.test', {
    ...{ egress: ctx.egress, place: { domain: 'shop.test', hosts: [] }, clock: Date.now },
    sleep: async () => undefined,
    browser: { open: () => sharedBrowser(ctx.egress, ctx.signal, () => undefined) },
  })
  return [[...(leads?.paths ?? [])], await leads?.to([['next', `https://${HOST}/`]], HOST)]
}

test.each([
  ['anywhere', 'location.href = next', `https://${HOST}/`],
  ['to paths of its own alone', "location.href = /^\\/\\w/.test(next) ? next : '/account'", null],
  // What the steps wait for is not there: nothing says that anybody got in.
  ['to a page that names it', "location.href = '/leave?to=' + encodeURIComponent(next)", false],
])('a page that leads %s', async (_, script, expected) => {
  expect(await led(script)).toEqual([['/login'], expected])
})

test('no step waits long for what is nowhere where a script has led elsewhere, and what comes in the end least', () => {
  const steps: readonly SignInStep[] = [
    { do: 'wait', text: 'Welcome', seconds: 3 },
    { do: 'goto', url: '/login', seconds: 60 },
    { do: 'wait', text: 'Hello' },
  ]
  expect(inSeconds(steps).map(({ seconds }) => seconds)).toEqual([3, 10, 5])
})

test('is asked of steps alone', () => {
  expect(leadsBySteps({ request: { requests: [] } } as unknown as SignIn, 'http://shop.test', {} as never)).toBeNull()
})
