import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../engine/browser/launch.ts'
import { consentWords } from '../../../knowledge/consent/words.ts'
import { type CaseCollect, type CaseServers, collectContext, serveCase } from '../../testing/collecting.ts'
import { openRules } from '../consent/rules.ts'
import { openProfile, type Profile } from './profile.ts'
import { newState, visitUntouched } from './states.ts'
import { TIMES, type Times } from './times.ts'

const PAGES: Readonly<Record<string, string>> = {
  '/held-up': '<p>There</p><script src="/never"></script><p>Not yet</p>',
  // As a loop without end, but for the processor.
  '/loop': `<p>There</p><script>const never = new XMLHttpRequest(); never.open('GET', '/never', false); never.send()</script>`,
  '/windows': '<script>setInterval(() => window.open("/held-up"), 50)</script>',
  '/tool': `<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" class="otFlat" style="position:fixed;bottom:0">
    <p id="onetrust-policy-text">...</p><button id="onetrust-reject-all-handler">Y</button>
    <button id="onetrust-accept-btn-handler">X</button></div></div><script>
    document.getElementById('onetrust-reject-all-handler').onclick = () => { document.title = 'refused'; document.getElementById('onetrust-consent-sdk').remove() }
    document.getElementById('onetrust-accept-btn-handler').onclick = () => { document.title = 'agreed' }</script>`,
  // A visit scrolls once it has looked for a dialog: however slow the machine is, this one comes later.
  '/late': `<p style="height:9000px">There</p><script>addEventListener('scroll', () => document.body.insertAdjacentHTML('beforeend',
    '<div role=dialog style="position:fixed;bottom:0">Cookies!<br><button>Accept</button><button>Reject</button></div>'), { once: true })</script>`,
  '/alerts': '<script>alert(1); alert(2)</script><p>There</p>',
}

let site: CaseServers
let collecting: CaseCollect

beforeAll(async () => {
  site = await serveCase(172, {
    http: (request, response) => {
      if (request.url === '/never') return
      if (request.url === '/members')
        return void response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end('Members')
      if (request.url === '/challenge' && request.headers.cookie === undefined)
        return void response
          .writeHead(503, { 'Content-Type': 'text/html' })
          .end('<script>document.cookie = "passed=1"; location.reload()</script>')
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGES[request.url ?? ''] ?? '')
    },
  })
  collecting = collectContext(site.address, { module: 'privacy', launchBrowser })
  await collecting.ctx.browser()
}, 30_000)

afterAll(async () => {
  await collecting?.close()
  await site?.close()
})

const opened = async (
  path: string,
  change: Partial<Times> = {},
): Promise<{ readonly profile: Profile; readonly error: string | null }> => {
  const profile = await openProfile(await collecting.ctx.browser(), {
    binding: '_profile',
    times: { ...TIMES, load: 4_000, settle: 1_000, ...change },
    signal: collecting.ctx.signal,
    until: performance.now() + 30_000,
  })
  const page = await profile.newPage()
  return { profile, error: await profile.open(page, `http://shop.test${path}`) }
}

describe.concurrent('opening', { timeout: 40_000 }, () => {
  it.each([
    ['a page whose script never comes: what is there counts', '/held-up', null],
    ['a page that asks before it shows anything', '/alerts', null],
    ['a page that opens windows by itself', '/windows', null],
    ['a page that is for members alone', '/members', /^the page answered 401 to a visitor who is not signed in$/],
    ['a page of a challenge, which leads on', '/challenge', null],
    ['a page in an endless loop', '/loop', /an answer of the page took longer/],
  ])('%s', async (_name, path, expected) => {
    const { profile, error } = await opened(path)
    if (expected === null) expect(error).toBeNull()
    else expect(error).toMatch(expected)
    expect(profile.context.pages()).toHaveLength(1)
    await profile.close()
  })
})

it('the rules of a tool find and press what no word names', { timeout: 40_000 }, async () => {
  const { profile, error } = await opened('/tool')
  expect(error).toBeNull()
  const [page] = profile.context.pages()
  if (page === undefined) throw new Error('no tab')
  const faults: unknown[] = []
  const rules = await openRules(profile, page, (fault) => faults.push(fault))
  expect(await rules.detect(8_000), String(faults)).toMatch(/onetrust/i)
  expect(await rules.choose('reject', 8_000)).toBe(true)
  expect(await page.title()).toBe('refused')
  expect(faults).toEqual([])
  await rules.close()
  await profile.close()
})

it('a dialog that comes up late is found before it is said that there is none', { timeout: 40_000 }, async () => {
  const { profile } = await opened('/late', { quiet: 100, dialog: 200, dwell: 100, late: 4_000 })
  const state = newState('untouched', profile)
  const seen: boolean[] = []
  let drawn = 0
  profile.context.on('page', (page) => {
    const draw = page.screenshot.bind(page)
    page.screenshot = (options) => {
      drawn += 1
      return draw(options)
    }
  })
  const parts = {
    ...{ url: 'http://shop.test/late', words: consentWords, canaries: [], profile },
    ...{ isOwn: () => true, progress: () => undefined },
    picture: () => expect.fail('nothing is pressed'),
    fault: (error: unknown) => expect.fail(String(error)),
  }
  await visitUntouched(state, parts, (dialog, late) => seen.push(dialog !== null && late))
  expect(seen).toEqual([true])
  expect(state.dialog?.seen?.buttons.map(({ role }) => role)).toEqual(['accept', 'reject'])
  // Of the page with its dialog; without one the picture would be nothing's evidence.
  expect(drawn).toBe(1)
  await profile.close()
})
