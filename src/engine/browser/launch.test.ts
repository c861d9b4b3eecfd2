import { EventEmitter } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import type { BrowserContext } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { openBench } from '../../egress/testing/servers.ts'
import type { ContextOptions } from '../../modules/browser.ts'
import { serveCase } from '../../modules/testing/collecting.ts'
import { closingInTime, launchBrowser } from './launch.ts'
import { groupMemory } from './memory.ts'
import { unchanging } from './unchanging.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const cookie = 'sid=0123456789abcdef'

const open = async (last: number, pages: Readonly<Record<string, string>>, allowNetworks: readonly string[]) => {
  const seen: { url: string; cookie: string | undefined; agent: string | undefined }[] = []
  const site = await serveCase(last, {
    https: (request, response) => {
      const url = request.url ?? ''
      seen.push({ url, cookie: request.headers.cookie, agent: request.headers['user-agent'] })
      response.writeHead(url in pages ? 200 : 404, { 'Content-Type': 'text/html' }).end(pages[url] ?? '')
    },
  })
  closing.push(site.close)
  const { run, egress, entries, stop } = openBench({
    target: { host: 'shop.test', port: null },
    credentials: { cookie, header: null },
    settings: { hosts: { 'shop.test': [site.address] }, allowNetworks: [`${site.address}/32`, ...allowNetworks] },
  })
  closing.push(run.close)
  const lines: string[] = []
  const browser = await launchBrowser(egress, stop.signal, (line) => lines.push(line))
  closing.push(browser.close)
  return { browser, egress, entries, seen, stop, lines }
}

/** Chromium processes that work for this test's proxy, with their users. */
const processes = async (): Promise<{ readonly pid: number; readonly uid: string; readonly environ: string }[]> => {
  const found = []
  for (const name of await readdir('/proc')) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (!command.includes('chromium') || !command.includes('--user-data-dir')) continue
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
    const parent = /^PPid:\t(\d+)/m.exec(status)?.[1]
    if (Number(parent) !== process.pid) continue
    const environ = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '')
    found.push({ pid: Number(name), uid: /^Uid:\t(\d+)/m.exec(status)?.[1] ?? '', environ })
  }
  return found
}

/** Seccomp mode (2 is a filter, see proc(5)) and network namespace of the processes of a browser that are of one type. */
const startedBy = async (
  group: number,
  type: 'renderer' | 'utility',
): Promise<{ readonly filtered: string; readonly network: string }[]> => {
  const found = []
  for (const name of await readdir('/proc')) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    if (!command.includes(`--type=${type}`) || Number(stat.split(') ')[1]?.split(' ')[2]) !== group) continue
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
    const network = await readlink(`/proc/${name}/ns/net`).catch(() => '')
    found.push({ filtered: /^Seccomp:\t(\d)/m.exec(status)?.[1] ?? '', network })
  }
  return found
}

describe('a real Chromium', () => {
  test('signed in, what a page sends by itself to store something does not leave', async () => {
    const { browser, seen } = await open(67, { '/': '<title>Shop</title>' }, [])
    const send = async (options: ContextOptions): Promise<readonly string[]> => {
      const page = await (await unchanging(browser).newContext(options)).newPage()
      await page.goto('https://shop.test/')
      await page.evaluate(`Promise.allSettled([
        fetch('/rows', { method: 'POST', body: 'page=2' }),
        fetch('/api', { method: 'POST', body: 'action=options&seen=1' }),
        fetch('/profile/save', { method: 'POST', body: 'a=1' }),
        fetch('/users/3/toggle'),
        fetch('/users?page=2'),
      ])`)
      return seen
        .splice(0)
        .map(({ url }) => url)
        .filter((url) => url !== '/')
        .toSorted()
    }
    expect(await send({})).toEqual(['/rows', '/users?page=2'])
    expect(await send({ authenticated: false })).toEqual([
      '/api',
      '/profile/save',
      '/rows',
      '/users/3/toggle',
      '/users?page=2',
    ])
  })

  test('loads a page over https through egress, with credentials only where they are wanted', async () => {
    const { browser, seen, entries } = await open(61, { '/': '<title>Shop</title><script src=/a.js></script>' }, [])
    const own = await browser.newContext()
    const page = await own.newPage()
    await page.goto('https://shop.test/')
    expect(await page.title()).toBe('Shop')
    const plain = await browser.newContext({ authenticated: false })
    await (await plain.newPage()).goto('https://shop.test/')
    expect(seen.filter(({ url }) => url === '/').map((one) => one.cookie)).toEqual([cookie, undefined])
    expect(seen.find(({ url }) => url === '/a.js')?.cookie).toBe(cookie)
    const agents = seen.filter(({ url }) => url === '/').map(({ agent }) => agent)
    // Signed in it is one with the run's other requests, otherwise a browser that says whose it is.
    expect(agents[0]).toMatch(/^Mozilla\/5\.0 \(compatible; Sonde\//)
    expect(agents[1]).toMatch(/Chrome\/\d+.* Sonde\//)
    expect(entries.filter(({ event }) => event === 'request').map(({ url }) => url)).toContain('https://shop.test/a.js')
  })

  test('reaches nothing that the guard refuses, by any road', async () => {
    const attempts = [
      'fetch("http://169.254.169.254/latest/meta-data/")',
      'fetch("https://localhost/")',
      'fetch("http://127.0.0.1:1/")',
      'new Promise((resolve, reject) => { const s = new WebSocket("ws://[::1]:80/"); s.onopen = resolve; s.onerror = reject })',
    ]
    const { browser, entries } = await open(62, { '/': '<p>Hello</p>' }, [])
    const page = await (await browser.newContext()).newPage()
    await page.goto('https://shop.test/')
    for (const attempt of attempts) {
      const outcome = await page.evaluate(`${attempt}.then((r) => r.type ?? 'open', () => 'refused')`)
      expect(outcome, attempt).toBe('refused')
    }
    const asked = entries.filter(({ event }) => event === 'request' || event === 'connect')
    expect(asked.filter(({ status }) => typeof status === 'number').map(({ url }) => url)).toEqual([
      'https://shop.test/',
    ])
  })

  test('is never root, is sandboxed, and knows nothing of our environment', async () => {
    process.env.SONDE_TEST_SECRET = 'canary'
    await open(63, {}, [])
    const own = await processes()
    expect(own).toHaveLength(1)
    expect(own[0]?.uid).not.toBe('0')
    expect(own[0]?.environ).not.toContain('canary')
    expect(await readFile(`/proc/${own[0]?.pid}/cmdline`, 'utf8')).not.toContain('--no-sandbox')
    // No process has the number 0: it stands for one that has ended.
    const others = new Set(['0'])
    for (const look of [1, 2])
      expect(await groupMemory(own[0]?.pid ?? 0, others), `look ${look}`).toBeGreaterThan(10 * 1024 ** 2)
    expect([others.has('0'), others.has(String(process.pid)), others.has(String(own[0]?.pid))]).toEqual([
      false,
      true,
      false,
    ])
    delete process.env.SONDE_TEST_SECRET
  })

  test('locks its renderers in: no network namespace of ours, system calls filtered', async () => {
    const { browser } = await open(66, { '/': '<title>Shop</title>' }, [])
    const page = await (await browser.newContext()).newPage()
    await page.goto('https://shop.test/')
    const group = (await processes())[0]?.pid ?? 0
    const renderers = await startedBy(group, 'renderer')
    expect(renderers).not.toHaveLength(0)
    // What speaks to the proxy is no process of its own.
    expect(await startedBy(group, 'utility')).toEqual([])
    const own = await readlink('/proc/self/ns/net')
    for (const { filtered, network } of renderers) {
      expect(filtered).toBe('2')
      expect(network).not.toBe(own)
    }
  })

  test('ends with its module', async () => {
    const { stop } = await open(64, {}, [])
    expect(await processes()).toHaveLength(1)
    stop.abort(new Error('cancelled'))
    await expect.poll(async () => (await processes()).length, { timeout: 10_000 }).toBe(0)
  })
})

test('a page that never says that it is closed is left to the end of its browser', async () => {
  const never = () => ({ close: () => new Promise<void>(() => undefined) })
  const context = Object.assign(new EventEmitter(), never())
  const page = never()
  const lines: string[] = []
  closingInTime(context as unknown as BrowserContext, (line) => lines.push(line), 5)
  context.emit('page', page)
  await page.close()
  await context.close()
  expect(lines).toEqual([
    'Chromium did not close a page in time; it is left to the end of the browser',
    'Chromium did not close a profile in time; it is left to the end of the browser',
  ])
})

test('without a browser the module is told who knows how to get one', async () => {
  process.env.SONDE_CHROMIUM = '/nonexistent/chromium'
  const { run, egress, stop } = openBench()
  closing.push(run.close)
  await expect(launchBrowser(egress, stop.signal, () => undefined)).rejects.toMatchObject({
    state: 'skipped',
    message: 'no Chromium is installed; see "sonde doctor"',
  })
  delete process.env.SONDE_CHROMIUM
})
