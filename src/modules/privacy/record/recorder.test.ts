import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launchBrowser } from '../../../engine/browser/launch.ts'
import { type CaseCollect, type CaseServers, collectContext, serveCase } from '../../testing/collecting.ts'
import { openProfile, type Profile } from '../visit/profile.ts'
import { TIMES } from '../visit/times.ts'
import { readTold } from './told.ts'

const CANVAS = (canvas: string) =>
  `const c = ${canvas}; const g = c.getContext('2d'); g.fillStyle = '#f60'; g.fillText('Sphinx of black quartz', 2, 20);`
const FILES: Readonly<Record<string, string>> = {
  '/': `<!doctype html><script>document.cookie = 'early=1'; localStorage.setItem('first', 'yes')</script>
    <body><input id=field><script src=/app.js></script>
    <iframe src="https://www.shop.test/frame"></iframe><iframe srcdoc="<script>sessionStorage.setItem('inner', '1')</script>"></iframe>`,
  '/app.js': `${CANVAS("Object.assign(document.createElement('canvas'), { width: 300, height: 60 })")} c.toDataURL()
    const fonts = document.createElement('canvas').getContext('2d')
    for (let i = 0; i < 60; i++) { fonts.font = '12px f' + i; fonts.measureText('mm') }
    const audio = new OfflineAudioContext(1, 4400, 44100)
    const tone = audio.createOscillator(); tone.connect(audio.destination); tone.start()
    audio.startRendering().then((sound) => sound.getChannelData(0))
    for (const key of ['platform', 'hardwareConcurrency', 'languages', 'deviceMemory', 'maxTouchPoints', 'vendor']) navigator[key]
    document.getElementById('field').addEventListener('keydown', () => {})
    navigator.sendBeacon('https://gone.test/b', 'the visit')
    const socket = new WebSocket('wss://gone.test/s')
    const open = indexedDB.open('ids')
    open.onupgradeneeded = () => open.result.createObjectStore('store')
    open.onsuccess = () => open.result.transaction('store', 'readwrite').objectStore('store').put('value-1', 'key')
    new Worker('/worker.js')
    new Worker(URL.createObjectURL(new Blob(["${CANVAS('new OffscreenCanvas(90, 90)')} c.convertToBlob()"])))
    new SharedWorker('/shared.js')
    navigator.serviceWorker.register('/service.js')
    document.cookie = 'late=1'`,
  '/worker.js': 'navigator.hardwareConcurrency; fetch("https://gone.test/from-worker")',
  '/shared.js': 'navigator.platform; fetch("https://gone.test/from-shared")',
  '/service.js': 'navigator.language; fetch("https://gone.test/from-service")',
  '/frame':
    '<script>document.cookie = "framed=1; SameSite=None; Secure"; parent.postMessage({ uid: "u-1" }, "*")</script>',
}

let site: CaseServers
let collecting: CaseCollect
let profile: Profile

beforeAll(async () => {
  site = await serveCase(171, {
    https: (request, response) => {
      const url = request.url ?? ''
      const type = url.endsWith('.js') ? 'text/javascript' : 'text/html'
      response.writeHead(url in FILES ? 200 : 404, { 'Content-Type': type }).end(FILES[url] ?? '')
    },
  })
  collecting = collectContext(site.address, { module: 'privacy', requests: 500, launchBrowser })
  profile = await openProfile(await collecting.ctx.browser(), {
    binding: '_recorder',
    times: { ...TIMES, state: 60_000 },
    signal: collecting.ctx.signal,
    until: performance.now() + 60_000,
  })
  const page = await profile.newPage()
  expect(await profile.open(page, 'https://shop.test/')).toBeNull()
  const workers = () => new Set(profile.told.filter(({ worker }) => worker).map(({ realm }) => realm)).size
  await vi.waitUntil(() => workers() >= 4, { timeout: 25_000 })
  await profile.settle()
  expect(await page.evaluate('typeof globalThis._recorder')).toBe('undefined')
  await profile.close()
  profile.log.finish()
}, 90_000)

afterAll(async () => {
  await collecting?.close()
  await site?.close()
})

const said = (kind: string) => profile.told.filter((one) => one.kind === kind)
const uses = () => profile.told.flatMap((one) => (one.kind === 'use' ? [one] : []))

describe('the recorder', () => {
  it('is there before the first script, in every frame', () => {
    expect(said('cookie').map((one) => one.kind === 'cookie' && one.name)).toEqual(
      expect.arrayContaining(['early', 'late', 'framed']),
    )
    expect(said('storage').map((one) => one.kind === 'storage' && `${one.store} ${one.key}`)).toEqual(
      expect.arrayContaining(['localStorage first', 'sessionStorage inner', 'indexedDB ids/store/key']),
    )
  })

  it('names the script that did it', () => {
    const late = profile.told.find((one) => one.kind === 'cookie' && one.name === 'late')
    expect(late).toMatchObject({ script: 'https://shop.test/app.js', page: 'https://shop.test/' })
    expect(late?.kind === 'cookie' && late.stack[0]).toMatch(/^at https:\/\/shop\.test\/app\.js:\d+:\d+$/)
  })

  it('sums up what tells browsers apart', () => {
    const app = uses().findLast(({ script }) => script.endsWith('/app.js'))
    expect(app).toMatchObject({
      canvas: { width: 300, height: 60, readBack: true, interactive: false },
      audio: { offline: true, read: true },
    })
    expect(app?.canvas?.textLength).toBeGreaterThanOrEqual(10)
    expect(app?.fonts).toBeGreaterThanOrEqual(50)
    expect(app?.properties).toEqual(expect.arrayContaining(['navigator.platform', 'navigator.deviceMemory']))
    expect(app?.keys).toBe(1)
  })

  it('is in workers of a file and of text, in shared and in service workers', () => {
    const inWorkers = uses().filter(({ worker }) => worker)
    expect(inWorkers.some(({ properties }) => properties.includes('navigator.hardwareConcurrency'))).toBe(true)
    expect(inWorkers.some(({ canvas }) => canvas?.width === 90 && canvas.readBack)).toBe(true)
    expect(inWorkers.some(({ script }) => script.endsWith('/shared.js'))).toBe(true)
    expect(inWorkers.some(({ script }) => script.endsWith('/service.js'))).toBe(true)
  })

  it('hears beacons, sockets and messages between sites', () => {
    expect(said('sent')).toContainEqual(
      expect.objectContaining({ channel: 'beacon', url: 'https://gone.test/b', body: 'the visit' }),
    )
    expect(said('socket')).toContainEqual(expect.objectContaining({ url: 'wss://gone.test/s' }))
    expect(said('message')).toContainEqual(expect.objectContaining({ origin: 'https://www.shop.test' }))
  })
})

describe('the log', () => {
  it('has what could not be reached, from pages, workers and service workers, with the reason', () => {
    const gone = profile.log.contacts.filter(({ url }) => url.includes('gone.test'))
    const paths = gone.map(({ url }) => new URL(url).pathname)
    expect(paths).toEqual(expect.arrayContaining(['/b', '/s', '/from-worker']))
    for (const { url, status, failure } of gone) {
      expect(status, url).toBeNull()
      expect(failure, url).toMatch(/unresolvable/)
    }
  })
})

it('believes nothing that it would not say itself', () => {
  expect(readTold('{"kind":"cookie"}')).toBeNull()
  expect(readTold('no JSON')).toBeNull()
  expect(
    readTold(
      JSON.stringify({ kind: 'socket', realm: 'r', seq: 1, worker: false, at: 1, url: 'x'.repeat(40_000), script: '' }),
    ),
  ).toBeNull()
})
