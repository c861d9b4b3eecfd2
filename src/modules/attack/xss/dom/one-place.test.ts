/** A run of one place opens its page, and asks what the page's scripts read of it. */
import { afterEach, expect, it } from 'vitest'
import { SiteRequest, type Supposed } from '../../../../contract/place.ts'
import { judgeModule } from '../../../../engine/judge.ts'
import { sharedBrowser } from '../../../../engine/testing/shared-browser.ts'
import { collect as collectSite } from '../../../passive/site/collect.ts'
import { collectContext, serveCase } from '../../../testing/collecting.ts'
import { caseContext } from '../../../testing/judge-cases.ts'
import { collectPlace } from '../../crawl/one-place.ts'
import { collect } from '../collect.ts'
import { xss } from '../module.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const asked = async (how: 'innerHTML' | 'textContent', point: Supposed['point'], value = 'bowl') => {
  const script = `<p id=found></p><script>document.getElementById('found').${how} = 'Results for ' + new URLSearchParams(location.search).get('q')</script>`
  const server = await serveCase(204, {
    http: (request, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<!doctype html><title>Shop</title>${request.url?.startsWith('/search') ? script : '<p>Shop'}`),
  })
  const { ctx, close } = collectContext(server.address, {
    ...{ module: 'xss', requests: 1_000, launchBrowser: sharedBrowser },
  })
  cleanups.push(server.close, close)
  const supposed: Supposed = {
    ...{ weakness: 'xss', seen_on: null, point },
    request: SiteRequest.parse({ url: `/search?q=${value}&page=2` }),
  }
  const own = { ...ctx, options: { ...ctx.options, active: true, only: 'xss', hypothesis: supposed } }
  const crawl = await collectPlace(own, await collectSite(own), supposed)
  const known = { crawl, waf: { blockPage: null } }
  const { findings, coverage } = judgeModule(xss as never, await collect(own, known), known, caseContext())
  return {
    found: findings.map(({ check_id, location }) => `${check_id} ${location.parameter}`),
    dom: coverage.find(({ check_id }) => check_id === 'xss/dom')?.state,
  }
}

it.each(['bowl', 'two+bowls', 'two%20b%C3%B6wls'])(
  'what goes into markup is proven, whatever the value is: %s',
  async (value) => {
    expect(await asked('innerHTML', { in: 'query', name: 'q' }, value)).toEqual({ found: ['xss/dom q'], dom: 'fail' })
  },
  120_000,
)

it('what goes into text is answered in full', async () => {
  expect(await asked('textContent', { in: 'query', name: 'q' })).toEqual({ found: [], dom: 'pass' })
}, 120_000)

it('of another place the page is not opened', async () => {
  expect(await asked('innerHTML', { in: 'header', name: 'referer' })).toEqual({ found: [], dom: 'not_applicable' })
}, 120_000)
