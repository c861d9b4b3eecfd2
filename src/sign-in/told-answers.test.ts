/** What steps in a real browser tell of what their page was answered. */
import { expect, test } from 'vitest'
import { sharedBrowser } from '../engine/testing/shared-browser.ts'
import { collectContext, serveCase } from '../modules/testing/collecting.ts'
import { createSignIn } from './sign-in.ts'

const PAGE = `<p>Hello Ada<script>
  fetch('/events', { method: 'POST' }); fetch('/news')
  fetch('/session', { method: 'POST' }).then((answer) => answer.json()).then(({ basket }) => { document.body.append('Basket ' + basket) })
</script>`

test('what a page was answered to what it sent is told, and nothing of what never ends', async () => {
  const servers = await serveCase(64, {
    http: (request, response) => {
      const json = { 'Content-Type': 'application/json' }
      if (request.url === '/session') response.writeHead(200, json).end('{"user":{"id":4},"basket":7}')
      else if (request.url === '/events') response.writeHead(200, json).write('{"open":')
      else if (request.url === '/news') response.writeHead(200, json).end('{"news":[]}')
      else response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'sid=1' }).end(PAGE)
    },
  })
  const { ctx, close } = collectContext(servers.address, { requests: 100 })
  const steps = [
    { do: 'goto', url: '/app' },
    { do: 'wait', text: 'Basket 7' },
  ] as const
  const signIn = createSignIn(
    { steps: { steps: [...steps] }, proof: { path: '/account', text: 'Hello Ada' } },
    {
      egress: ctx.egress,
      place: { domain: 'shop.test', hosts: [] },
      clock: Date.now,
      sleep: async () => undefined,
      told: () => undefined,
      browser: { open: () => sharedBrowser(ctx.egress, ctx.signal, () => undefined) },
    },
  )
  try {
    const { answers, landed } = await signIn()
    expect(landed).toEqual(['http://shop.test/app'])
    expect(answers).toEqual([{ url: 'http://shop.test/session', text: '{"user":{"id":4},"basket":7}' }])
  } finally {
    await close()
    await servers.close()
  }
})
