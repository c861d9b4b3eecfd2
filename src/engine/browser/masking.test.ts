import { afterEach, expect, test } from 'vitest'
import { openBench } from '../../egress/testing/servers.ts'
import { serveCase } from '../../modules/testing/collecting.ts'
import { launchBrowser } from './launch.ts'
import { maskingPictures } from './masking.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const SECRET = '0123kanarie4567vogel'
const page = (secret: string) => `<!doctype html><body style="font: 16px monospace"><p>Your key is ${secret}.</p>
  <input value="${secret}" size="40"><textarea cols="40">${secret}</textarea><input placeholder="${secret}" size="40">
  <div id="host"></div><iframe src="/frame" width="400"></iframe>
  <script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<b>${secret}</b>'</script>`
const frame = (secret: string) => `<!doctype html><p>In a frame: ${secret}</p>`

test('a picture shows no secret, and the page is as it was afterwards', async () => {
  let shown = SECRET
  const site = await serveCase(57, {
    https: (request, response) => {
      const body = request.url === '/frame' ? frame(shown) : page(shown)
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(body)
    },
  })
  closing.push(site.close)
  const { run, egress, stop } = openBench({
    target: { host: 'shop.test', port: null },
    credentials: { cookie: `sid=${SECRET}`, header: null },
    settings: { hosts: { 'shop.test': [site.address] }, allowNetworks: [`${site.address}/32`] },
  })
  closing.push(run.close)
  const opened = await launchBrowser(egress, stop.signal, () => undefined)
  closing.push(opened.close)
  const draw = async (masking: boolean): Promise<{ png: Buffer; left: string }> => {
    const browser = masking ? maskingPictures(opened, run.redact.text) : opened
    const context = await browser.newContext({ viewport: { width: 600, height: 500 } })
    const tab = await context.newPage()
    await tab.goto('https://shop.test/', { waitUntil: 'load' })
    const png = await tab.screenshot()
    const left = await tab.evaluate<string>(
      `[document.body.innerText, document.querySelector('input').value, document.getElementById('host').shadowRoot.textContent].join(' ')`,
    )
    await context.close()
    return { png, left }
  }
  const masked = await draw(true)
  const open = await draw(false)
  shown = '[redacted]'
  const expected = await draw(false)
  expect(masked.png.equals(expected.png)).toBe(true)
  expect(open.png.equals(expected.png)).toBe(false)
  expect(masked.left).toBe(open.left)
  expect(masked.left.split(SECRET).length).toBeGreaterThanOrEqual(4)
}, 120_000)
