import { afterEach, expect, it } from 'vitest'
import { readPage } from './pages.ts'
import { closeCrawled, crawl } from './testing/crawling.ts'

afterEach(closeCrawled)

const script = (body: string) => ({ type: 'text/javascript', body })

it('modules that an import map alone names are read, and call each other by the names that it gives', async () => {
  const { facts } = await crawl({
    '/': `<title>Rooms</title><script type="importmap">{"imports": {
      "application": "/assets/application-4f1c22ab.js", "lib/ask": "/assets/lib/ask-90ab12cd.js",
      "rooms": "./assets/rooms-77aa01ff.js", "parts/": "/assets/parts/", "far": "https://cdn.example/far.js" }}</script>
      <script type="module">import "application"</script>`,
    '/assets/application-4f1c22ab.js': script('import "rooms"'),
    '/assets/lib/ask-90ab12cd.js': script(
      'export const ask = (path, body) => fetch(path, { method: "POST", body: JSON.stringify(body) })',
    ),
    '/assets/rooms-77aa01ff.js': script('import { ask } from "lib/ask"; ask("/rooms/free", { floor: 2 })'),
  })
  expect(facts.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toContain('POST /rooms/free')
})

it('modules that a page loads ahead are read', async () => {
  const { facts } = await crawl({
    '/': '<title>Rooms</title><link rel="modulepreload" href="/rooms.js"><script type="module">import "rooms"</script>',
    '/rooms.js': script('fetch("/api/rooms?floor=2")'),
  })
  expect(facts.requests.some(({ url }) => url.endsWith('/api/rooms?floor=2'))).toBe(true)
})

it.each([
  ['a map that is none', '<script type="importmap">{"imports": [</script>'],
  ['without imports', '<script type="importmap">[1]</script>'],
  ['names without an address', '<script type="importmap">{"imports": {"a": "a.js", "b": 3, "c/": "/c/"}}</script>'],
])('%s names no modules', (_name, markup) => {
  expect(readPage(markup, 'https://rooms.test/').modules).toEqual([])
})

it('what an element of a script fetches is a page', () => {
  const markup = '<turbo-frame id="free" src="/rooms/1/free?month=2" loading="lazy"></turbo-frame><img src="/a">'
  expect(readPage(markup, 'https://rooms.test/rooms/1').links.map(({ url }) => url)).toContain(
    'https://rooms.test/rooms/1/free?month=2',
  )
})
