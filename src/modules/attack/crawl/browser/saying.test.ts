/** What pages say over WebSockets, in a real browser: by themselves, and when something is pressed. */
import { afterEach, expect, it } from 'vitest'
import { talking } from '../../../../egress/testing/socket-server.ts'
import { sharedBrowser } from '../../../../engine/testing/shared-browser.ts'
import { collect as collectSite } from '../../../passive/site/collect.ts'
import { caseAddress, collectContext } from '../../../testing/collecting.ts'
import { collectCrawl } from '../collect.ts'
import { cleanups, closeCrawled } from '../testing/crawling.ts'

afterEach(closeCrawled)

const PAGE = `<!doctype html><title>Chat</title><form id=say><input name=text><button>Say</button></form><script>
const live = new WebSocket('ws://' + location.host + '/live')
live.onopen = () => live.send(JSON.stringify({ type: 'find', name: 'Mint' }))
document.getElementById('say').onsubmit = (event) => {
  event.preventDefault()
  live.send(JSON.stringify({ type: 'say', text: event.target.text.value || 'hello' }))
}
</script>`

const crawled = async (environment: 'production' | 'test') => {
  const heard: string[] = []
  const site = await talking(
    {
      answers: () => ['{"type":"found"}'],
      heard: (message) => heard.push(message),
      page: (head) => (/^GET \/ /.test(head) ? PAGE : '<!doctype html><title>Elsewhere</title>'),
    },
    caseAddress(232),
    80,
  )
  cleanups.push(site.close)
  const { ctx, close } = collectContext(caseAddress(232), {
    ...{ module: 'crawl', requests: 1_000, launchBrowser: sharedBrowser },
  })
  cleanups.push(close)
  const facts = await collectCrawl({ ...ctx, target: { ...ctx.target, environment } }, await collectSite(ctx))
  return { heard, facts, said: facts.requests.filter(({ method }) => method === 'WS') }
}

it('each kind of message is a request, and its members are places', async () => {
  const { said, facts, heard } = await crawled('test')
  expect(heard.length).toBeGreaterThan(0)
  expect(said.map(({ body }) => JSON.parse(body ?? '').type).toSorted()).toEqual(['find', 'say'])
  expect(said.every(({ url, harm }) => url === 'http://shop.test/live' && harm === null)).toBe(true)
  const say = said.find(({ body }) => body?.includes('"say"'))
  expect(say).toMatchObject({ boundBy: 'it is said to whoever listens' })
  const places = facts.points.filter(({ request }) => request === say?.id).map(({ place, name }) => `${place} ${name}`)
  expect(places).toContain('json /text')
})

it('nothing is said to a production system', async () => {
  const { said } = await crawled('production')
  expect(said.length).toBeGreaterThan(0)
  expect(said.filter(({ harm }) => harm === null)).toEqual([])
})
