import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../tests/support/until.ts'
import { claimTemporary } from '../../temporary/temporary.ts'
import { launchOffline } from './launch.ts'
import { printPage } from './print.ts'
import { isNotInstalled } from './programs.ts'

const quiet = { signal: new AbortController().signal, log: () => undefined }

let server: Server
let address = ''
let asked: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('body { color: red }')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  address = typeof bound === 'object' && bound !== null ? `127.0.0.1:${bound.port}` : ''
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** Every way we know in which a page names something beside itself. */
const reaching = (at: string): string => `<!doctype html><html><head>
<link rel="stylesheet" href="http://${at}/link.css"><link rel="preload" as="image" href="http://${at}/preload.png">
<link rel="dns-prefetch" href="//${at}"><link rel="preconnect" href="http://${at}"><link rel="icon" href="http://${at}/icon.ico">
<meta http-equiv="refresh" content="0;url=http://${at}/refresh"><base href="http://${at}/">
<style>@import url(http://${at}/import.css); @font-face { font-family: x; src: url(http://${at}/font.woff) }
body { background: url(http://${at}/background.png); font-family: x }</style></head><body><p>Text of the page</p>
<img src="http://${at}/image.png" srcset="http://${at}/set.png 2x"><iframe src="http://${at}/frame"></iframe>
<object data="http://${at}/object"></object><embed src="http://${at}/embed"><video src="http://${at}/video" poster="http://${at}/poster.png"></video>
<svg><image href="http://${at}/svg.png"/><use href="http://${at}/use.svg#a"/></svg><form action="http://${at}/form" method="post"></form>
<script src="http://${at}/script.js"></script><script>fetch('http://${at}/fetch'); new WebSocket('ws://${at}/socket');
new RTCPeerConnection({ iceServers: [{ urls: 'stun:${at}' }] }).createDataChannel('x'); navigator.sendBeacon('http://${at}/beacon')</script>
<iframe src="file:///etc/passwd"></iframe><img src="file:///etc/passwd"></body></html>`

describe('printing a page', { timeout: 180_000 }, () => {
  test('a page that reaches for everything is printed, and reaches nothing', async () => {
    asked = []
    const pdf = await printPage(reaching(address), quiet)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(asked).toEqual([])
    expect(pdf.toString('latin1')).not.toContain('root:x:0')
  })

  test('in a service that keeps its temporary files where nobody else may look', async () => {
    const data = await mkdtemp(join(tmpdir(), 'sonde-print-'))
    const claim = claimTemporary(data, true)
    try {
      const pdf = await printPage('<!doctype html><p>Text', quiet)
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
      expect(await readdir(process.env.TMPDIR ?? '')).toEqual([])
    } finally {
      claim.close()
      await rm(data, { recursive: true, force: true })
    }
  })

  test('the server that nothing reached does answer', async () => {
    expect(await (await fetch(`http://${address}/check`)).text()).toContain('color')
  })

  test('runs no script, has a network namespace of its own, and leaves no process', async () => {
    const stop = new AbortController()
    const browser = await launchOffline(stop.signal, () => undefined)
    const page = await browser.newPage()
    await page.setContent('<p id="a">before</p><script>document.getElementById("a").textContent = "after"</script>')
    expect(await page.locator('#a').textContent()).toBe('before')
    const own = await offline()
    expect(own.length).toBeGreaterThan(0)
    expect(own).not.toContain(await readlink('/proc/self/ns/net'))
    await browser.close()
    await until(async () => (await offline()).length === 0, 60_000)
  })

  test('a cancel ends it', async () => {
    const cancel = new AbortController()
    const printed = printPage(`<p>${'word '.repeat(1_000_000)}</p>`, { ...quiet, signal: cancel.signal })
    setTimeout(() => cancel.abort(new Error('not wanted any more')), 500)
    await expect(printed).rejects.toThrow('not wanted any more')
  })

  test('what takes too long is given up with a sentence', async () => {
    const printed = printPage(`<p>${'word '.repeat(3_000_000)}</p>`, { ...quiet, seconds: 1 })
    await expect(printed).rejects.toThrow(/the browser took longer than 1 s/)
  })

  test('no browser: a sentence, and that this is why can be told', async () => {
    process.env.SONDE_CHROMIUM = '/nonexistent/chromium'
    try {
      const error: unknown = await printPage('<p>x</p>', quiet).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ name: 'PrintFailed', message: 'no Chromium is installed; see "sonde doctor"' })
      expect([error, new Error('it crashed')].map(isNotInstalled)).toEqual([true, false])
    } finally {
      delete process.env.SONDE_CHROMIUM
    }
  })
})

/** Network namespaces of browsers that this process started without a proxy. */
const offline = async (): Promise<string[]> => {
  const found: string[] = []
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (!command.includes('--no-proxy-server')) continue
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
    if (Number(/^PPid:\t(\d+)/m.exec(status)?.[1]) !== process.pid) continue
    const namespace = await readlink(`/proc/${name}/ns/net`).catch(() => '')
    if (namespace !== '') found.push(namespace)
  }
  return found
}
