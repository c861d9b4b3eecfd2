import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../engine/browser/launch.ts'
import { type CaseCollect, type CaseServers, collectContext, serveCase } from '../../testing/collecting.ts'
import { openProfile, type Profile } from './profile.ts'
import { TIMES } from './times.ts'

const PAGES: Readonly<Record<string, string>> = {
  '/held-up': '<p>There</p><script src="/never"></script><p>Not yet</p>',
  '/loop': '<p>There</p><script>for (;;) {}</script>',
  '/windows': '<script>setInterval(() => window.open("/held-up"), 50)</script>',
  '/alerts': '<script>alert(1); alert(2)</script><p>There</p>',
}

let site: CaseServers
let collecting: CaseCollect

beforeAll(async () => {
  site = await serveCase(172, {
    http: (request, response) => {
      if (request.url === '/never') return
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

const opened = async (path: string): Promise<{ readonly profile: Profile; readonly error: string | null }> => {
  const profile = await openProfile(await collecting.ctx.browser(), {
    binding: '_profile',
    times: { ...TIMES, load: 4_000, settle: 1_000 },
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
    ['a page in an endless loop', '/loop', /an answer of the page took longer/],
  ])('%s', async (_name, path, expected) => {
    const { profile, error } = await opened(path)
    if (expected === null) expect(error).toBeNull()
    else expect(error).toMatch(expected)
    expect(profile.context.pages()).toHaveLength(1)
    await profile.close()
  })
})
